"""The forms in which the media of a whole Run were sent, in few words, for the summary and for comparisons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from triptych.records import Response, Sent

MAX_NAMED_SIZES = 3  # sizes and rates up to this number are named, more are counted


@dataclass
class _Kind:
    """The media of one kind that were sent in one form."""

    count: int = 0
    rates: set[int] = field(default_factory=set)
    sizes: set[tuple[int, int]] = field(default_factory=set)
    min_frames: int = 0
    max_frames: int = 0

    def add(self, one: Sent) -> None:
        self.count += 1
        if one.rate and len(self.rates) <= MAX_NAMED_SIZES:
            self.rates.add(one.rate)
        if one.width and one.height and len(self.sizes) <= MAX_NAMED_SIZES:
            self.sizes.add((one.width, one.height))
        if one.times:
            number = len(one.times)
            self.min_frames, self.max_frames = min(self.min_frames or number, number), max(self.max_frames, number)

    def words(self, form: str) -> str:
        text = {"file": "as it is"}.get(form, form.replace("_", " "))
        if self.max_frames:
            span = (
                f"{self.max_frames}"
                if self.min_frames == self.max_frames
                else f"{self.min_frames} to {self.max_frames}"
            )
            text = f"{span} frames ({text})" if form != "frames" else f"{span} frames"
        if self.sizes:
            text += " of " + (
                "several sizes"
                if len(self.sizes) > MAX_NAMED_SIZES
                else " or ".join(f"{w} x {h}" for w, h in sorted(self.sizes))
            )
        if self.rates:
            text += " at " + (
                "several rates"
                if len(self.rates) > MAX_NAMED_SIZES
                else " or ".join(f"{rate:,} Hz" for rate in sorted(self.rates))
            )
        return text


class WhatWasSent:
    """Counts what Responses say about the media that were sent."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, str], _Kind] = defaultdict(_Kind)

    def add(self, response: Response) -> None:
        """Count the media of one Response."""
        for one in response.sent:
            self._kinds[one.kind, one.form].add(one)

    @property
    def words(self) -> dict[str, str]:
        """Return for each kind of media how it was sent: `video` -> `8 to 32 frames of 512 x 288`."""
        forms_by_kind: dict[str, list[str]] = defaultdict(list)
        for (kind, form), one in sorted(self._kinds.items()):
            forms_by_kind[kind].append(one.words(form))
        return {kind: "; ".join(forms) for kind, forms in forms_by_kind.items()}

    def notes(self) -> Iterator[str]:
        """Yield a note if anything else than files was sent."""
        if any(form not in ("file", "in_video") for _, form in self._kinds):
            yield "media as they were sent: " + ", ".join(f"{kind}: {word}" for kind, word in self.words.items())
