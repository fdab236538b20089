"""Verdict: what a judge said of one subject, read; and the opinion that several of them make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Literal

from triptych.judges.rubric import Order

# unparsed: it spoke twice and could not be read; failed: no answer came; missing: not asked (yet)
VerdictStatus = Literal["given", "unparsed", "failed", "missing"]
Combine = Literal["mean", "median", "majority"]
COMBINATIONS: tuple[Combine, ...] = ("mean", "median", "majority")


@dataclass(frozen=True, slots=True)
class Verdict:
    """One evaluation by one judge.

    `values`: the marks; of a pair in the order of the rubric's `positions`, whichever stood first. `text`: the words.
    """

    judge: str
    metric: str
    rubric: str
    order: Order
    evaluation: int
    status: VerdictStatus
    values: tuple[float, ...] = ()
    label: str = ""
    text: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the judges together say: a value where `scored`; else why there is none."""

    status: Literal["scored", "judge_failed", "unavailable"]
    value: float = 0.0
    said: tuple[str, ...] = ()
    note: str = ""


Value = Callable[[Verdict], float]


def mark(verdict: Verdict) -> float:
    """The verdict's first mark: what rubrics other than pairs give; of a pair the reference's."""
    return verdict.values[0]


def second_mark(verdict: Verdict) -> float:
    """Of a pair the reply's mark, whichever of the two stood first in the prompt."""
    return verdict.values[1]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """All that the judges said of one Unit, and how several judges make one opinion. Empty where there is no judge."""

    given: tuple[Verdict, ...] = ()
    combine: Combine = "mean"

    def __bool__(self) -> bool:
        return bool(self.given)

    def opinion(
        self,
        metric: str,
        orders: Iterable[Order] = ("straight",),
        value: Value = mark,
        *,
        against: Value | None = None,
    ) -> Opinion:
        """The judges' opinion on a metric, from evaluations in these orders.

        A judge's own: the mean over the orders of the mean over its evaluations in each, so that no position weighs
        more; each order needs one that can be read. With `against` it is the mean of `value` divided by the mean of
        `against`. A judge that only looks at the position then gives exactly 1; the mean of the single ratios would be
        above 1 (5/9 and 9/5 average 1.18). The judges': their mean, median, or the value that more than half
        of them gave. More than half of the judges must have an opinion: a few lenient ones can't stand for all.
        `unavailable`: nobody was asked about this; `judge_failed`: asked, but there is no such opinion.
        """
        orders = tuple(orders)
        mine = [v for v in self.given if v.metric == metric and v.order in orders]
        if not mine or all(verdict.status == "missing" for verdict in mine):
            return Opinion("unavailable", note="not judged yet" if mine else "needs a judge (--judge MODEL)")
        judges = list(dict.fromkeys(verdict.judge for verdict in mine))
        own = [_judges_own([v for v in mine if v.judge == judge], orders, value, against) for judge in judges]
        heard = [one for one in own if one is not None]
        said = tuple(verdict.text for verdict in mine if verdict.text)
        if 2 * len(heard) <= len(judges):
            return Opinion("judge_failed", said=said, note=_why(mine))
        together = _together(heard, len(judges), self.combine)
        if together is None:
            return Opinion("judge_failed", said=said, note="no value has a majority")
        note = "" if len(heard) == len(judges) else f"{len(judges) - len(heard)} of {len(judges)} judges failed"
        return Opinion("scored", together, said, note)


def _judges_own(
    verdicts: Sequence[Verdict], orders: Sequence[Order], value: Value, against: Value | None
) -> float | None:
    """The mean, or ratio of means, that one judge gave; None where an order has no verdict that can be read."""
    found = _mean_over_orders(verdicts, orders, value)
    if found is None or against is None:
        return found
    below = _mean_over_orders(verdicts, orders, against)
    return found / below if below else None


def _mean_over_orders(verdicts: Sequence[Verdict], orders: Sequence[Order], value: Value) -> float | None:
    means = []
    for order in orders:
        values = [value(verdict) for verdict in verdicts if verdict.order == order and verdict.status == "given"]
        if not values:
            return None
        means.append(fmean(values))
    return fmean(means)


def _together(values: Sequence[float], judges: int, combine: Combine) -> float | None:
    if combine == "mean":
        return fmean(values)
    if combine == "median":
        return median(values)
    value, votes = Counter(values).most_common(1)[0]
    return value if 2 * votes > judges else None


def _why(verdicts: Sequence[Verdict]) -> str:
    """Why there is no opinion: the notes of the verdicts that weren't given, each once."""
    return "; ".join(dict.fromkeys(v.note for v in verdicts if v.status != "given" and v.note))
