"""`no_context`: the content of the stem is removed, the options stay: what the options alone give away (XModBench: "no
context").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from triptych.conditions.condition import Condition, Offer
from triptych.records import Item, Part

SUMMARY = "remove the stem's content, keep the options"
REMOVED = "[removed]"
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class NoContext:
    """Parts of role `content` are removed from the stem.

    If the question repeats a text content ("Based on the singer name 'JJ Lin', which photo …"), the repetition is
    replaced by `[removed]`, regardless of case, spaces and punctuation inside it. The question and the options stay.
    """

    name: str = "no_context"
    summary: str = SUMMARY

    def apply(self, item: Item) -> Item:
        """Return the Item without its content."""
        contents = [p for p in item.parts if p.role == "content"]
        if not contents:
            return item
        remaining = tuple(_without_contents(p, contents) for p in item.parts if p.role != "content")
        return msgspec.structs.replace(item, parts=remaining)


def _without_contents(part: Part, contents: Sequence[Part]) -> Part:
    words = part.text
    for content in contents:
        if pattern := _repetition(content.text):
            words = pattern.sub(REMOVED, words)
    return part if words == part.text else msgspec.structs.replace(part, text=words)


def _repetition(content: str) -> re.Pattern[str] | None:
    """Return a pattern for `content` inside a question; None for fewer than two letters, which could match anywhere.

    Punctuation at its ends is included: the full stop of "G.E.M." would give the name away.
    """
    words = _WORD.findall(content)
    if sum(map(len, words)) < 2:
        return None
    before, after = content.strip().split(words[0], 1)[0], content.strip().rsplit(words[-1], 1)[1]
    phrase = r"[\W_]+".join(map(re.escape, words))
    return re.compile(rf"(?<![A-Za-z0-9])(?:{re.escape(before)})?{phrase}(?![A-Za-z0-9])(?:{re.escape(after)})?", re.I)


def _make(_arguments: Mapping[str, str], _seed: int) -> Condition:
    return NoContext()


CONDITIONS = {"no_context": Offer(SUMMARY, _make, ())}
