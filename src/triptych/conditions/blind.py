"""`blind`: all media removed, from the stem and from the options. A question still answered correctly needs no
media.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from triptych.conditions.condition import Condition, Offer
from triptych.records import Item, Part, text

SUMMARY = "remove all media from the stem and the options"


@dataclass(frozen=True, slots=True)
class Blind:
    """Media Parts are removed from the stem; in an option, each becomes the text `[audio removed]` (or image, video).

    The text preserves the number and labels of the options, and only tells the model that something is missing. The
    media files need not exist.
    """

    name: str = "blind"
    summary: str = SUMMARY

    def apply(self, item: Item) -> Item:
        """Return the Item without its media."""
        if not item.has_media:
            return item
        return msgspec.structs.replace(
            item,
            parts=tuple([part for part in item.parts if not part.is_media]),
            options=tuple([_replace_media(option) for option in item.options]),
        )


def _replace_media(option: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple([text(f"[{part.kind} removed]", part.role) if part.is_media else part for part in option])


def _make(_arguments: Mapping[str, str], _seed: int) -> Condition:
    return Blind()


CONDITIONS = {"blind": Offer(SUMMARY, _make, ())}
