"""The funnel: how many records came into each stage, and the outcome of every one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from triptych.construction.engine.folder import MATERIAL, PASSED_BY, DecisionLine, StageCounts
from triptych.construction.record import DECISIONS
from triptych.construction.stage import Stage


class Tally:
    """Counts the Lines of one stage as they are made."""

    def __init__(self) -> None:
        self._decisions: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._passed_by = 0

    def counted(self, lines: Iterable[DecisionLine]) -> Iterator[DecisionLine]:
        """Yield the Lines, and count each."""
        for line in lines:
            if line.key == PASSED_BY:
                self._passed_by += 1
            else:
                outcome = line.outcome
                self._decisions[outcome.decision] += 1
                if outcome.reason:
                    self._reasons[f"{outcome.decision}: {outcome.reason}"] += 1
            yield line

    def counts(self, stage: Stage, went: int) -> StageCounts:
        """Return the counts of the stage, after which `went` records go on; reasons (`dropped: too-long`) are ordered
        by their frequency."""
        return self._counts(stage.name, stage.version, stage.about, went)

    def _counts(self, name: str, version: int, about: str, went: int) -> StageCounts:
        ordered = dict(sorted(self._reasons.items(), key=lambda each: (-each[1], each[0])))
        decisions: dict[str, int] = {
            decision: self._decisions[decision] for decision in DECISIONS if self._decisions[decision]
        }
        by, came = self._passed_by, self._decisions.total()
        return StageCounts(name, version, came, went - by, decisions, ordered, by, about)


def count_material(lines: Sequence[DecisionLine]) -> list[StageCounts]:
    """Return the counts of the raw material if some of it can't be used; none if all of it goes on."""
    tally = Tally()
    went = sum(line.outcome.decision == "kept" for line in tally.counted(lines))
    about = "Rows whose files are there, and which can be used."
    return [tally._counts(MATERIAL, 1, about, went)] if went < len(lines) else []
