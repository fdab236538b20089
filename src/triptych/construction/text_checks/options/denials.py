"""Texts of which one denies the other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from triptych.construction.text_checks.shortened import reads_shortened

_NOT = re.compile(
    r"不(?!仅|但|只|久|同|少|错|过|料|禁|得不)|没有?|未(?!来|婚)|並?非|并非|别(?=去|说|走|来|动)|\b(?:not|never"
    r"|no)\b|n['’]t\b"
)

_CAN = re.compile(r"\bcan(?:['’]t|not)\b|\bwon['’]t\b", re.IGNORECASE)


@reads_shortened
def denied(options: Sequence[str]) -> tuple[str, str] | None:
    """Return two texts of which one denies the other: they are equal apart from a word of negation.

    >>> denied(["男子要去北京", "男子不要去北京"])
    ('男子要去北京', '男子不要去北京')
    """
    seen: dict[str, tuple[int, str]] = {}
    for option in options:
        plain = _CAN.sub(lambda word: "will not" if word[0][0] in "wW" else "can not", option)
        count = len(_NOT.findall(plain))
        bare = _letters(re.sub(r"\b(?:do|does|did|is|are|was|were)(?=\b|n['’]t)", "", _NOT.sub("", plain)))
        bare = re.sub(r"有|是|了|过|s$", "", bare) or bare
        if len(bare) >= 2 and bare in seen and (seen[bare][0] - count) % 2:
            return seen[bare][1], option
        seen.setdefault(bare, (count, option))
    return None


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())
