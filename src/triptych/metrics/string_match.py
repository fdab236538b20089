r"""The string match of MMAU: does a reply hold all words of the answer, and none that only wrong options have?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_WORD = re.compile(r"\b\w+\b")


def words(text: str) -> frozenset[str]:
    r"""The set of its runs of `\w`, in lower case. Chinese has no blanks: a word is what stands between marks."""
    return frozenset(_WORD.findall(text.lower()))


def string_match(answer: str, reply: str, options: Iterable[str]) -> bool:
    """True if the reply has every word of the answer, and no word that the wrong options have and the answer hasn't.

    Words as sets, so order and repetition don't count. A reply without a word is never right; an answer without
    a word is held by any other reply.
    Source: MMAU (Sakshi et al., 2024), its released evaluation.
    """
    return _match(answer, reply, tuple(options))


@lru_cache(maxsize=16_384)  # protocols that share this rule score the same Units one after the other
def _match(answer: str, reply: str, options: tuple[str, ...]) -> bool:
    said, right = words(reply), words(answer)
    if not said or not right <= said:
        return False
    wrong = words("\n".join(options)) - right  # no word runs over a line end, so this is the union
    return not said & wrong
