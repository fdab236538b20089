"""`blind`: all media out, of the stem and of the options. What is still answered rightly needed no media."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from triptych.conditions.condition import Condition, Offer
from triptych.records import Item, Part, text

SUMMARY = "all media out, of the stem and of the options"


@dataclass(frozen=True, slots=True)
class Blind:
    """Media Parts leave the stem; in an option each becomes the words `[audio removed]` (or image, video).

    The words keep the options' number and labels, and tell the model no more than that something is missing. The
    media files need not exist.
    """

    name: str = "blind"
    summary: str = SUMMARY

    def apply(self, item: Item) -> Item:
        """The Item without its media."""
        if not any(p.is_media for p in item.all_parts):
            return item
        return msgspec.structs.replace(
            item,
            parts=tuple(p for p in item.parts if not p.is_media),
            options=tuple(tuple(_without_media(p) for p in option) for option in item.options),
        )


def _without_media(part: Part) -> Part:
    return text(f"[{part.kind} removed]", part.role) if part.is_media else part


def _make(_arguments: Mapping[str, str], _seed: int) -> Condition:
    return Blind()


CONDITIONS = {"blind": Offer(SUMMARY, _make, ())}
