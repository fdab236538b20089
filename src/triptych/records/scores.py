"""Score: the value of a metric for one Unit, stored as additive statistics. Aggregate: a value over many Units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, Protocol, get_args

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
SCORE_STATUSES: tuple[ScoreStatus, ...] = get_args(ScoreStatus)
# A reply that can't be parsed still counts as an answer.
ANSWERED: frozenset[str] = frozenset({"scored", "unparsed"})
Extraction = str | tuple[str, ...] | None


class Score(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One metric of one Unit under one protocol: a line of `scores/PROTOCOL.jsonl`.

    Attributes:
        unit: Id of the Unit.
        task: Its Task.
        metric: Name of the metric.
        status: `scored`, or why there is no value, such as `unparsed`, `refused`, `failed` or `unavailable`.
        numerator: Additive: a value over many Units is the quotient of the sums of numerators and denominators. If
            nothing was scored, both hold the worst case (accuracy 0 of 1, or errors in the whole reference), which
            enters the figure over all Units.
        denominator: See `numerator`; 1 if the value over Units is a mean.
        extraction: What was read from the reply, such as a letter; None if the metric extracts nothing.
        instance: Id of the Instance; empty: the Unit itself.
        repeat: Which of the repeated questions, from 0.
        facets: The Unit's facets.
        note: Why there is no value, if the status does not say all.
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
        """numerator / denominator if scored (0 if unparsed); None for every other status."""
        if self.status not in ANSWERED or not self.denominator:
            return None
        return self.numerator / self.denominator


class Aggregate(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A value over many Units, in the unit of the paper's tables (percent if it prints percent).

    Attributes:
        protocol: Name of the protocol.
        task: The Task, or the name of a figure over several Tasks.
        metric: Name of the metric.
        slice: Facet -> value, for a figure over a part of the Units; empty for all.
        value: The protocol's headline figure; None if there is nothing to compute it from.
        n: Number of Units in the headline figure.
        counts: Number of Units by status, all Units included.
        value_all: The value over all Units; those without an answer have their worst case.
        value_answered: The value over the Units with an answer.
        interval: The 95% confidence interval of `value`, clustered by Instance; None if not available.
        signature: What the figure depends on: benchmark, data, model input, protocol and versions, in one line.
        parts: (k, n) for a partial figure, computed from k of n cells (mostly Tasks); None for a complete one.
        tasks: The Tasks of a figure over several Tasks; empty for a single Task.
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
        """Number of Units that this figure is about, answered or not."""
        return sum(self.counts.values())

    @property
    def coverage(self) -> float:
        """Share of Units with an answer, 0 to 1; 0 if there are no Units."""
        answered = sum(v for k, v in self.counts.items() if k in ANSWERED)
        return answered / self.units if self.units else 0.0


def signature_of(figures: Iterable[Aggregate]) -> str:
    """Return the signature shared by the figures of one Run and protocol; empty if none has one."""
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
    """Return Task, metric and slice of an Aggregate, Estimate or Column as a hashable key."""
    return figure.task, figure.metric, slice_key(figure.slice)


def slice_key(slice_: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return a slice as a hashable key, in a fixed order."""
    return tuple(sorted(slice_.items()))
