"""The Scores of one protocol, collected as columns while the Units come a part at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.protocols.outcomes import AMBIGUOUS
from triptych.protocols.protocol import Protocol, Unit
from triptych.records import Aggregate, Score
from triptych.scoring.apply import score_units
from triptych.scoring.figures.aggregate import aggregate_summed
from triptych.scoring.figures.cells import Columns
from triptych.scoring.figures.summed import Summed, join_sums, sum_table


class Collected:
    """The Scores of a protocol so far.

    `metrics`: their ids; `lacking`: (what is missing, metric) -> number of unavailable Scores; `ambiguous`: number of
    Scores whose replies a person has to decide. `instances`: shared by all protocols (see `Columns`).
    """

    def __init__(self, protocol: Protocol, spec: BenchmarkSpec, instances: dict[str, int]) -> None:
        self.protocol: Protocol = protocol
        self.metrics: set[str] = set[str]()
        self.ambiguous: int = 0
        self.lacking: Counter[tuple[str, str]] = Counter()
        self._spec, self._instances, self._columns = spec, instances, Columns(spec, instances)
        self._parts: list[Summed] = []
        self._of_task: dict[str, tuple[str, ...]] = {}

    def score(self, units: Sequence[Unit]) -> list[Score]:
        """Score Units, and return their Scores."""
        scores = score_units(units, self.protocol, self._of_task)
        self.add(scores)
        return scores

    def add(self, scores: Sequence[Score]) -> None:
        """Collect Scores; those of a Unit's repeats come together."""
        self._columns.add(scores)
        self.metrics.update([score.metric for score in scores])
        for score in scores:
            if score.note:
                self.ambiguous += score.note == AMBIGUOUS
                if score.status == "unavailable":
                    self.lacking[score.note, score.metric] += 1

    def end_part(self) -> None:
        """Sum the Scores so far, and give them up: no later Score has one of their Instances."""
        if self._columns:
            self._parts.append(sum_table(self._columns.table(), self.protocol.headline))
            self._instances.clear()
            self._columns = Columns(self._spec, self._instances)

    def aggregates(self, signature: str) -> list[Aggregate]:
        """Return the protocol's figures. The Scores are given up, so that their memory is free for another protocol."""
        if self._columns:
            self._parts.append(sum_table(self._columns.table(), self.protocol.headline))
        return aggregate_summed(join_sums(self._parts, self._spec), self.protocol, signature) if self._parts else []
