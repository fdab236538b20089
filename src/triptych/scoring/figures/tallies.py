"""Counts over all Units of a Run, made while they are scored: statuses, models, cut recordings, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.protocols.protocol import Unit
from triptych.records import RESPONSE_STATUSES
from triptych.scoring.notes.cost import CostSums
from triptych.scoring.notes.encoded import TruncatedInput
from triptych.scoring.notes.media import SentMedia
from triptych.scoring.notes.media_sent import WhatWasSent
from triptych.scoring.notes.served_models import another_model, served_by, several_models


class Tallies:
    """Counts over Units that come a part at a time. `media`: the media of their Items."""

    def __init__(self, spec: BenchmarkSpec) -> None:
        self.costs: CostSums = CostSums(spec)
        self.media: SentMedia = SentMedia()
        self._statuses: Counter[str] = Counter()
        self._served: Counter[str] = Counter()
        self._truncated = TruncatedInput()
        self.sent: WhatWasSent = WhatWasSent()

    def add(self, units: Iterable[Unit]) -> None:
        """Count Units."""
        units = list(units)
        self._statuses.update([_status(unit) for unit in units])
        for unit in units:
            if not unit.repeat:
                self.media.add(unit.items)
            for response in unit.responses:
                if response is None:
                    continue
                if name := served_by(response):
                    self._served[name] += 1
                if response.sent:
                    self.sent.add(response)
                if response.encoded:
                    self._truncated.add(response)
        self.costs.add(units)

    @property
    def counts(self) -> dict[str, int]:
        """Units by status: `missing` if a Response is, otherwise the first status other than `answered`."""
        return {status: self._statuses[status] for status in (*RESPONSE_STATUSES, "missing") if self._statuses[status]}

    def notes(self, model: str) -> Iterator[str]:
        """Yield notes on the models that replied in a Run of `model`, and on recordings that were cut."""
        yield from several_models(self._served)
        yield from another_model(model, self._served)
        yield from self._truncated.notes()
        yield from self.sent.notes()


def _status(unit: Unit) -> str:
    for response in unit.responses:
        if response is None:
            return "missing"
        if response.status != "answered":
            return response.status
    return "answered"
