"""Score: a metric's value for one Unit, kept as additive statistics; Aggregate: a value over many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, Protocol

import msgspec

ScoreStatus = Literal[
    "scored",
    "unparsed",
    "judge_failed",
    "unavailable",
    "refused",
    "truncated",
    "failed",
    "skipped",
    "missing",
]
SCORE_STATUSES: tuple[ScoreStatus, ...] = (
    "scored", "unparsed", "judge_failed", "unavailable", "refused", "truncated", "failed", "skipped", "missing",
)  # fmt: skip
# A reply that can't be parsed is an answer nonetheless: the model spoke, and what it said is no option.
ANSWERED: frozenset[str] = frozenset({"scored", "unparsed"})
Extraction = str | tuple[str, ...] | None


class Score(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One metric of one Unit under one protocol: a line of `scores/<protocol>.jsonl`.

    `numerator` and `denominator` are additive: a value over many Units is the quotient of their sums (or, for
    a mean of items, the denominator is 1). Where nothing was scored they hold the worst case (accuracy 0 of
    1, an error rate's whole reference), which is what the figure "over all Units" charges.
    """

    unit: str
    task: str
    metric: str
    status: ScoreStatus
    numerator: float
    denominator: float
    extraction: Extraction = None
    instance: str = ""
    repeat: int = 0
    facets: dict[str, str] = {}
    note: str = ""

    @property
    def value(self) -> float | None:
        """numerator / denominator where scored (0 where unparsed); None for every other status."""
        if self.status not in ANSWERED or not self.denominator:
            return None
        return self.numerator / self.denominator


class Aggregate(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A value over many Units, in the unit that the paper prints (per cent where it does).

    `value` is the protocol's headline figure; `value_all` is over all Units, `value_answered` over those answered.
    `n` counts the Units in the headline figure, `counts` every Unit by status; `interval` is the 95%
    interval clustered by Instance (None where it can't be had). None as a value: nothing to compute it from.
    `parts` is told of a figure made of fewer cells (Tasks, mostly) than it should be: (so many, of so many).
    `tasks`: the Tasks that a figure over several is made of; empty for a Task's own.
    """

    protocol: str
    task: str
    metric: str
    slice: dict[str, str]
    value: float | None
    n: int
    counts: dict[str, int]
    value_all: float | None = None
    value_answered: float | None = None
    interval: tuple[float, float] | None = None
    signature: str = ""
    parts: tuple[int, int] | None = None
    tasks: tuple[str, ...] = ()

    @property
    def units(self) -> int:
        """All Units that this figure is about, answered or not."""
        return sum(self.counts.values())

    @property
    def coverage(self) -> float:
        """The share of Units that have an answer, 0 to 1; 0 where there are none."""
        answered = sum(v for k, v in self.counts.items() if k in ANSWERED)
        return answered / self.units if self.units else 0.0


def signature_of(figures: Iterable[Aggregate]) -> str:
    """The signature that the figures of one Run and protocol share; empty where none has one."""
    return next((figure.signature for figure in figures if figure.signature), "")


class _Figure(Protocol):
    @property
    def task(self) -> str: ...
    @property
    def metric(self) -> str: ...
    @property
    def slice(self) -> Mapping[str, str]: ...


FigureKey = tuple[str, str, tuple[tuple[str, str], ...]]


def figure_key(figure: _Figure) -> FigureKey:
    """What an Aggregate, an Estimate or a Column is of: Task, metric and slice, as something hashable."""
    return figure.task, figure.metric, slice_key(figure.slice)


def slice_key(slice_: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """A slice as something hashable, in a fixed order."""
    return tuple(sorted(slice_.items()))
