"""`traditional`: the question in traditional Chinese characters, if the data have it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from triptych.conditions.condition import Condition, Offer
from triptych.records import Item, text

SUMMARY = "ask the question in traditional Chinese characters, if the data have it"
HIDDEN = "question.traditional"


@dataclass(frozen=True, slots=True)
class Traditional:
    """Parts of role `question` are replaced by the Item's hidden `question.traditional`, at the position of the first.

    An Item without one is unchanged (`triptych check` lists them). Separate options and the target stay.
    """

    name: str = "traditional"
    summary: str = SUMMARY

    def apply(self, item: Item) -> Item:
        """Return the Item with its question in traditional characters."""
        places = [n for n, part in enumerate(item.parts) if part.role == "question" and not part.is_media]
        words = item.hidden.get(HIDDEN)
        if not words or not places:
            return item
        parts = [part for n, part in enumerate(item.parts) if n not in places]
        parts.insert(places[0], text(words, "question"))
        return msgspec.structs.replace(item, parts=tuple(parts))


def _make(_arguments: Mapping[str, str], _seed: int) -> Condition:
    return Traditional()


CONDITIONS = {"traditional": Offer(SUMMARY, _make, ())}
