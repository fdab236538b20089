"""`without:audio`: one modality left out, of the stem and of the options; `blind` leaves out all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from triptych.conditions.condition import Argument, Condition, Offer
from triptych.records import MEDIA_KINDS, Item, Kind, Part, text

SUMMARY = "a modality left out, of the stem and of the options"
_KINDS: dict[str, tuple[Kind, ...]] = {kind: (kind,) for kind in MEDIA_KINDS} | {"vision": ("image", "video")}


@dataclass(frozen=True, slots=True)
class Without:
    """Media Parts of these kinds leave the stem; in an option each becomes the words `[audio removed]` (or image,
    video), which keep the options' number and labels. Without audio, videos lose their sound too.
    """

    what: str
    summary: str = SUMMARY

    @property
    def name(self) -> str:
        """`without:audio`."""
        return f"without:{self.what}"

    def apply(self, item: Item) -> Item:
        """The Item without the modality."""
        gone = _KINDS[self.what]
        return msgspec.structs.replace(
            item,
            parts=tuple(self._muted(p) for p in item.parts if p.kind not in gone),
            options=tuple(
                tuple(text(f"[{p.kind} removed]", p.role) if p.kind in gone else self._muted(p) for p in option)
                for option in item.options
            ),
        )

    def _muted(self, part: Part) -> Part:
        if self.what != "audio" or part.kind != "video" or "mute" in part.transform.split("|"):
            return part
        steps = [part.transform, "mute"] if part.transform else ["mute"]
        return msgspec.structs.replace(part, transform="|".join(steps))


def _make(arguments: Mapping[str, str], _seed: int) -> Condition:
    return Without(arguments["what"])


CONDITIONS = {"without": Offer(SUMMARY, _make, (Argument("what", "which one", choices=tuple(_KINDS)),))}
