"""Words of a text, for pay."""

from __future__ import annotations

import re
from typing import Any

_WORD = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|[^\W_]+(?:['’-][^\W_]+)*")
_IDEOGRAPHS = re.compile(r"([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])")


def words_in(text: str) -> int:
    """Return the number of words for pay: each Chinese character is one, and so is each word in letters or digits.

    >>> words_in("床前明月光，It's 3 a.m."), words_in("——")
    (9, 0)
    """
    return len(_WORD.findall(_IDEOGRAPHS.sub(r" \1 ", text)))


def words_of(body: Any) -> int:
    """Return the words of the text that a task shows, or of the source that it asks to translate; 0 for a task without
    one.

    >>> words_of({"shows": {"text": "床前"}}), words_of({"shows": {"text": 7}}), words_of({})
    (2, 0, 0)
    >>> words_of({"shows": {"source": ["We count swifts.", "They nest."]}})
    5
    """
    shows = body.get("shows") if isinstance(body, dict) else None
    text = shows.get("text", shows.get("source")) if isinstance(shows, dict) else None
    texts = text if isinstance(text, list) else [text]
    return sum(words_in(each) for each in texts if isinstance(each, str))
