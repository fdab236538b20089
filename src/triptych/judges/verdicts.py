"""Verdict: the parsed judgement of one judge on one subject. Opinion: the combined verdicts of several judges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Literal

from triptych.judges.rubric import Order

# unparsed: two replies could not be parsed; failed: no reply; missing: not asked yet
VerdictStatus = Literal["given", "unparsed", "failed", "missing"]
Combine = Literal["mean", "median", "majority"]
COMBINATIONS: tuple[Combine, ...] = ("mean", "median", "majority")


@dataclass(frozen=True, slots=True)
class Verdict:
    """One evaluation by one judge.

    `values`: the scores; for a pair in the order of the rubric's `positions`, whatever their order in the prompt.
    `text`: the reply.
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
    """The judges' combined opinion: a value if `scored`, otherwise the reason why there is none."""

    status: Literal["scored", "judge_failed", "unavailable"]
    value: float = 0.0
    texts: tuple[str, ...] = ()
    note: str = ""


Value = Callable[[Verdict], float]


def mark(verdict: Verdict) -> float:
    """Return the verdict's first score: the score of rubrics other than pairs, and the reference's for pairs."""
    return verdict.values[0]


def second_mark(verdict: Verdict) -> float:
    """Return the reply's score for a pair, whatever its position in the prompt."""
    return verdict.values[1]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """All verdicts on one Unit, and how several judges are combined. Empty if there is no judge."""

    entries: tuple[Verdict, ...] = ()
    combine: Combine = "mean"

    def __bool__(self) -> bool:
        return bool(self.entries)

    def opinion(
        self,
        metric: str,
        orders: Iterable[Order] = ("straight",),
        value: Value = mark,
        *,
        against: Value | None = None,
    ) -> Opinion:
        """Return the judges' opinion on a metric, from evaluations in these orders.

        The value of one judge is the mean over the orders of the mean over its evaluations in each order, so that no
        position weighs more; each order needs an evaluation that can be parsed. With `against`, it is the mean of
        `value` divided by the mean of `against`: a judge that only looks at the position then gets exactly 1, while the
        mean of the single ratios would be above 1 (5/9 and 9/5 average 1.18). The value of the panel is the judges'
        mean, their median, or the value given by more than half of them. More than half of the judges must have a
        value, so that a few lenient judges can't decide. Status `unavailable`: no judge was asked; `judge_failed`:
        judges were asked, but there is no such value.
        """
        orders = tuple(orders)
        mine = [v for v in self.entries if v.metric == metric and v.order in orders]
        if not mine or all(verdict.status == "missing" for verdict in mine):
            return Opinion("unavailable", note="not judged yet" if mine else "requires a judge (--judge MODEL)")
        judges = list(dict.fromkeys(verdict.judge for verdict in mine))
        opinions = [_judges_own([v for v in mine if v.judge == judge], orders, value, against) for judge in judges]
        judged = [one for one in opinions if one is not None]
        texts = tuple(verdict.text for verdict in mine if verdict.text)
        if 2 * len(judged) <= len(judges):
            return Opinion("judge_failed", texts=texts, note=_failure_notes(mine))
        together = _combined_value(judged, len(judges), self.combine)
        if together is None:
            return Opinion("judge_failed", texts=texts, note="no value has a majority")
        note = "" if len(judged) == len(judges) else f"{len(judges) - len(judged)} of {len(judges)} judges failed"
        return Opinion("scored", together, texts, note)


def _judges_own(
    verdicts: Sequence[Verdict], orders: Sequence[Order], value: Value, against: Value | None
) -> float | None:
    """Return the mean, or ratio of means, of one judge; None if an order has no verdict that can be parsed."""
    mark = _mean_over_orders(verdicts, orders, value)
    if mark is None or against is None:
        return mark
    below = _mean_over_orders(verdicts, orders, against)
    return mark / below if below else None


def _mean_over_orders(verdicts: Sequence[Verdict], orders: Sequence[Order], value: Value) -> float | None:
    means = []
    for order in orders:
        values = [value(verdict) for verdict in verdicts if verdict.order == order and verdict.status == "given"]
        if not values:
            return None
        means.append(fmean(values))
    return fmean(means)


def _combined_value(values: Sequence[float], judges: int, combine: Combine) -> float | None:
    if combine == "mean":
        return fmean(values)
    if combine == "median":
        return median(values)
    value, votes = Counter(values).most_common(1)[0]
    return value if 2 * votes > judges else None


def _failure_notes(verdicts: Sequence[Verdict]) -> str:
    """Return why there is no opinion: the notes of the failed verdicts, each once."""
    return "; ".join(dict.fromkeys(v.note for v in verdicts if v.status != "given" and v.note))
