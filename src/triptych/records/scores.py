"""Score: the value of a metric for one Unit, stored as additive statistics. Aggregate: a value over many Units."""

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
    "scored",
    "unparsed",
    "judge_failed",
    "unavailable",
    "refused",
    "truncated",
    "failed",
    "skipped",
    "missing",
)
# A reply that can't be parsed still counts as an answer.
ANSWERED: frozenset[str] = frozenset({"scored", "unparsed"})
Extraction = str | tuple[str, ...] | None


class Score(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One metric of one Unit under one protocol: a line of `scores/<protocol>.jsonl`.

    `numerator` and `denominator` are additive: a value over many Units is the quotient of their sums (for a mean over
    Units, the denominator is 1). If nothing was scored, they hold the worst case (accuracy 0 of 1, or errors in the
    whole reference), which enters the figure over all Units.
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

    `value` is the protocol's headline figure, `value_all` is over all Units, `value_answered` over those with an
    answer; None if there is nothing to compute it from. `n` counts the Units in the headline figure, `counts` all Units
    by status. `interval` is the 95% confidence interval clustered by Instance; None if not available. `parts`: (k, n)
    for a partial figure, computed from k of n cells (mostly Tasks). `tasks`: the Tasks of a figure over several Tasks;
    empty for a single Task.
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
