"""Averages, sums, differences and shares of counts that a table contains, recognised by name and by fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

from triptych.audit.anyone.baselines import baseline_rules, may_compare_lines
from triptych.audit.anyone.names import is_average, is_change, is_meta, is_sum, label_key
from triptych.audit.anyone.quotients import quotient_rules
from triptych.audit.anyone.view import View, interval
from triptych.audit.sheets.printed import Figure
from triptych.audit.tables.interval import Interval, Printing, greatest_interval, mean, total, weighted
from triptych.audit.tables.repeats import tail

MAX_ODDS = 1e-4  # how likely a relation may be by chance, over all relations tried
_MIN_SHARE = 0.6  # of the lines that must follow a relation
_MANY_WINDOWS = 24  # places of which every run is tried
_NEAREST = 24  # places among which the two of a difference are sought
Function = Callable[[Sequence[Interval]], Interval]


@dataclass(frozen=True, slots=True)
class Relation:
    """A place whose figure follows from those of other places, in most lines.

    says      the rule in words, for `says.format(inputs)`; `function`: how the inputs are combined
    follows   lines that follow; `breaks`: lines that don't, with what follows instead
    odds      how likely so many lines follow by chance, over all rules that were tried
    """

    view: View
    target: str
    inputs: tuple[str, ...]
    says: str
    function: Function = field(compare=False)
    kind: str = "mean"
    printing: Printing = "rounded"
    follows: tuple[str, ...] = ()
    breaks: tuple[tuple[str, Interval], ...] = ()
    odds: float = 1.0

    @property
    def line_count(self) -> int:
        """Return the number of lines that have all figures of the relation."""
        return len(self.follows) + len(self.breaks)


def relations(view: View) -> Iterator[Relation]:
    """Yield the best relation of each place that may be an average, a sum, a difference or a share of counts, if one
    fits."""
    for target in view.places:
        tried: list[Relation] = []
        if is_average(target) or is_sum(target):
            tried += _averages(view, target)
        if is_change(target) or _is_signed(view, target):
            tried += _differences(view, target)
        if may_compare_lines(view, target):
            for seen, inputs, says, kind, function in baseline_rules(view, target):
                tried += _tested(seen, target, inputs, says, kind, function)
        for counts, says, share in quotient_rules(view, target):
            tried += _tested(view, target, counts, says, "share", share)
        if best := _best_relation(tried):
            yield best


def _is_signed(view: View, target: str) -> bool:
    figures = [line[target] for line in view.lines.values() if target in line]
    return (
        len(figures) >= 3
        and sum(f.signed or f.text.startswith("-") for f in figures) >= 0.8 * len(figures)
        and any(f.signed for f in figures)
    )


def _best_relation(tried: Sequence[Relation]) -> Relation | None:
    """Return the relation with the lowest odds, if it fits; the number of relations tried counts."""
    fitting = []
    for relation in tried:
        odds = min(1.0, relation.odds * len(tried))
        share = len(relation.follows) / max(relation.line_count, 1)
        if len(relation.follows) >= 2 and share >= _MIN_SHARE and odds < MAX_ODDS:
            fitting.append((-len(relation.follows), odds, len(relation.inputs), relation))
    if not fitting:
        return None
    _, odds, _, chosen = min(fitting, key=lambda best_relation: best_relation[:3])
    return _with_odds(chosen, odds)


def _with_odds(relation: Relation, odds: float) -> Relation:
    return replace(relation, odds=odds)


def _averages(view: View, target: str) -> Iterator[Relation]:
    for inputs in _groups(view, target):
        for says, kind, function in _functions(view, target, inputs):
            yield from _tested(view, target, inputs, says, kind, function)


def _functions(view: View, target: str, inputs: Sequence[str]) -> Iterator[tuple[str, str, Function]]:
    yield "the mean of {}", "mean", mean
    factors = _factors(view, inputs)
    if set(factors) != {1.0}:
        yield "the mean of {}, scores of up to 5 times 20", "scaled", _scaled(factors)
    if is_sum(target):
        yield "the sum of {}", "sum", total
    numbers = [view.sheet.questions.get(operand, 0) for operand in inputs] if view.by_rows else []
    if numbers and all(numbers) and len(set(numbers)) > 1:
        yield "the mean of {}, weighted by their numbers of questions", "weighted", lambda v: weighted(numbers, v)
    if len(inputs) == 2:
        yield "the harmonic mean of {}", "harmonic", _harmonic


def _factors(view: View, inputs: Sequence[str]) -> list[float]:
    """Return 20 for places whose figures are all from 1 to 5, next to places of percentages; otherwise 1."""
    highest_of = {p: max((line[p].value for line in view.lines.values() if p in line), default=0.0) for p in inputs}
    if max(highest_of.values()) <= 5.0:
        return [1.0] * len(inputs)
    return [20.0 if 1.0 < highest_of[p] <= 5.0 else 1.0 for p in inputs]


def _scaled(factors: Sequence[float]) -> Function:
    return lambda values: mean([Interval.exact(f) * v for f, v in zip(factors, values, strict=True)])


def _harmonic(values: Sequence[Interval]) -> Interval:
    first, second = values
    low, high = (
        2 * a * b / (a + b) if a + b > 0 else 0.0 for a, b in ((first.low, second.low), (first.high, second.high))
    )
    return Interval(low, high)


def _groups(view: View, target: str) -> list[tuple[str, ...]]:
    """Return the sets of places of which a place may be the average: its siblings below a common heading, all others,
    runs next to it, and the averages of other groups."""
    results = [p for p in view.places if p == target or not (is_meta(p) or is_change(p))]
    at = results.index(target)
    above = target.rpartition("|")[0]
    siblings = [p for p in results if p != target and above and p.startswith(f"{above}|")]
    parts = [p for p in results if p != target and not is_average(p)]
    everything = [p for p in view.places if p != target and not is_average(p)]
    groups = [siblings, everything, [p for p in siblings if not is_average(p)], parts]
    groups += [[p for p in results if p != target and is_average(p)]]
    left = _until_average(results[:at][::-1])[::-1]
    right = _until_average(results[at + 1 :])
    for run in (left, right):
        ends = [run[k:] for k in range(len(run) - 1)] + [run[:k] for k in range(2, len(run))]
        groups += ends
        if 3 < len(run) <= _MANY_WINDOWS:
            groups += [run[a:b] for a in range(len(run)) for b in range(a + 2, len(run) + 1)]
    if 3 <= len(parts) <= _MANY_WINDOWS:
        groups += [[p for p in parts if p != one] for one in parts]
    by_last: dict[str, list[str]] = {}
    for part in parts:
        by_last.setdefault(label_key(part.rpartition("|")[2]), []).append(part)
    same = by_last.get(label_key(target.partition("|")[2] or target), [])
    groups += [
        same,
        *([[p for p in results if p != target and p.endswith(target[target.find("|") :])]] if "|" in target else []),
    ]
    return list(dict.fromkeys(tuple(group) for group in groups if 2 <= len(group) <= 80))


def _until_average(places: Sequence[str]) -> list[str]:
    averages: list[str] = []
    for cell in places:
        if is_average(cell):
            break
        averages.append(cell)
    return averages


def _differences(view: View, target: str) -> Iterator[Relation]:
    others = [p for p in view.places if p != target and not is_meta(p)]
    at = sum(view.places.index(p) < view.places.index(target) for p in others)
    first = max(0, min(at - _NEAREST // 2, len(others) - _NEAREST))
    near = others[first : first + _NEAREST]
    for pair in permutations(near, 2):
        yield from _tested(view, target, pair, "{0} minus {1}", "difference", lambda v: v[0] - v[1])
        yield from _tested(view, target, pair, "({0} - {1}) / {1}, in percent", "relative", _relative)
    before = others[:at]
    for one in before[-3:]:
        rest = tuple(p for p in before if p != one)
        if len(rest) >= 2:
            best: Function = lambda v: v[0] - greatest_interval(v[1:])  # noqa: E731
            yield from _tested(view, target, (one, *rest), "{0} minus the highest of the others", "difference", best)


def _relative(values: Sequence[Interval]) -> Interval:
    first, second = values
    return Interval.exact(100.0) * (first / second - Interval.exact(1.0))


def _tested(
    view: View, target: str, inputs: Sequence[str], says: str, kind: str, function: Function
) -> Iterator[Relation]:
    """Yield a relation with the lines that follow it, rounded and, if that explains more of them, truncated."""
    lines = {n: line for n, line in view.lines.items() if target in line and all(p in line for p in inputs)}
    if len(lines) < 3:
        return
    best: Relation | None = None
    ways: tuple[Printing, ...] = ("rounded", "truncated")
    for printing in ways:
        tested = _lines(view, lines, target, tuple(inputs), says, kind, function, printing)
        if tested is None:
            continue
        if best is None or (len(tested.breaks) * 2 <= len(best.breaks) and best.breaks):
            best = tested
        if not best.breaks:
            break
    if best is not None and len(best.follows) >= 2:
        yield best


def _lines(
    view: View,
    lines: Mapping[str, Mapping[str, Figure]],
    target: str,
    inputs: tuple[str, ...],
    says: str,
    kind: str,
    function: Function,
    printing: Printing,
) -> Relation | None:
    follows, breaks, widths = [], [], []
    middles = []
    failed_most = (1 - _MIN_SHARE) * len(lines)
    for name, line in lines.items():
        try:
            expected = function([interval(line[p], printing) for p in inputs])
        except ZeroDivisionError:
            continue
        printed = interval(line[target], printing)
        widths.append(printed.high - printed.low + expected.high - expected.low)
        middles.append(expected.middle)
        if printed.meets(expected):
            follows.append(name)
        else:
            breaks.append((name, expected))
            if len(breaks) > failed_most:
                return None
    printed_texts = {figures_in_line[target].text for name, figures_in_line in lines.items() if name in follows}
    if len(printed_texts) < 2:  # one value in all lines says nothing
        return None
    values = sorted(figures_in_line[target].value for figures_in_line in lines.values())
    spread = max(values[-1] - values[0], max(middles) - min(middles), 1e-9)
    rate = min(1.0, sum(widths) / len(widths) / spread)
    odds = tail(len(follows), len(follows) + len(breaks), rate)
    return Relation(view, target, inputs, says, function, kind, printing, tuple(follows), tuple(breaks), odds)
