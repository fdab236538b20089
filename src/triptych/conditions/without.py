"""`without:audio`: one modality removed, from the stem and the options; `blind` removes all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from triptych.conditions.condition import Argument, Condition, Offer
from triptych.records import MEDIA_KINDS, Item, Kind, Part, text

SUMMARY = "remove one modality from the stem and the options"
_KINDS: dict[str, tuple[Kind, ...]] = {kind: (kind,) for kind in MEDIA_KINDS} | {"vision": ("image", "video")}


@dataclass(frozen=True, slots=True)
class Without:
    """Media Parts of these kinds are removed from the stem; in an option, each becomes `[audio removed]` (or image,
    video), which preserves the number and labels of the options. Without audio, videos lose their audio, too.
    """

    what: str
    summary: str = SUMMARY

    @property
    def name(self) -> str:
        """The name with its argument: `without:audio`."""
        return f"without:{self.what}"

    def apply(self, item: Item) -> Item:
        """Return the Item without the modality."""
        gone = _KINDS[self.what]
        return msgspec.structs.replace(
            item,
            parts=tuple(self._muted_part(p) for p in item.parts if p.kind not in gone),
            options=tuple(
                tuple(text(f"[{p.kind} removed]", p.role) if p.kind in gone else self._muted_part(p) for p in option)
                for option in item.options
            ),
        )

    def _muted_part(self, part: Part) -> Part:
        if self.what != "audio" or part.kind != "video" or "mute" in part.transform.split("|"):
            return part
        steps = [part.transform, "mute"] if part.transform else ["mute"]
        return msgspec.structs.replace(part, transform="|".join(steps))


def _make(arguments: Mapping[str, str], _seed: int) -> Condition:
    return Without(arguments["what"])


CONDITIONS = {"without": Offer(SUMMARY, _make, (Argument("what", "modality to remove", choices=tuple(_KINDS)),))}
