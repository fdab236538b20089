"""`traditional`: the question in traditional characters, where the data gives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from triptych.conditions.condition import Condition, Offer
from triptych.records import Item, text

SUMMARY = "the question in traditional characters, where the data gives it"
HIDDEN = "question.traditional"


@dataclass(frozen=True, slots=True)
class Traditional:
    """The Parts of role `question` become the Item's hidden `question.traditional`, at the first one's place.

    An Item without one stays as it is (`triptych check` tells which). Options given apart and the target stay.
    """

    name: str = "traditional"
    summary: str = SUMMARY

    def apply(self, item: Item) -> Item:
        """The Item with its question in the other script."""
        places = [n for n, part in enumerate(item.parts) if part.role == "question" and not part.is_media]
        words = item.hidden.get(HIDDEN)
        if not words or not places:
            return item
        kept = [part for n, part in enumerate(item.parts) if n not in places]
        kept.insert(places[0], text(words, "question"))
        return msgspec.structs.replace(item, parts=tuple(kept))


def _make(_arguments: Mapping[str, str], _seed: int) -> Condition:
    return Traditional()


CONDITIONS = {"traditional": Offer(SUMMARY, _make, ())}
