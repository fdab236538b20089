"""The funnel: how many records came into each stage, and the outcome of every one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from triptych.construction.engine.folder import MATERIAL, PASSED_BY, DecisionLine, StageCounts
from triptych.construction.record import DECISIONS
from triptych.construction.stage import Stage


def count(stage: Stage, lines: Sequence[DecisionLine], went: int) -> StageCounts:
    """Return the counts of one stage, after which `went` records go on; reasons (`dropped: too-long`) by frequency."""
    return _counts(stage.name, stage.version, stage.about, lines, went)


def count_material(lines: Sequence[DecisionLine]) -> list[StageCounts]:
    """Return the counts of the raw material if some of it can't be used; none if all of it goes on."""
    went = sum(line.outcome.decision == "kept" for line in lines)
    about = "Rows whose files are there, and which can be used."
    return [_counts(MATERIAL, 1, about, lines, went)] if went < len(lines) else []


def _counts(name: str, version: int, about: str, lines: Sequence[DecisionLine], went: int) -> StageCounts:
    concerned = [line for line in lines if line.key != PASSED_BY]
    decisions = Counter(line.outcome.decision for line in concerned)
    reasons = Counter(f"{x.outcome.decision}: {x.outcome.reason}" for x in concerned if x.outcome.reason)
    ordered = dict(sorted(reasons.items(), key=lambda each: (-each[1], each[0])))
    counts_by_decision: dict[str, int] = {
        decision: decisions[decision] for decision in DECISIONS if decisions[decision]
    }
    by = len(lines) - len(concerned)
    return StageCounts(name, version, len(concerned), went - by, counts_by_decision, ordered, by, about)
