"""Differences to another line, as a column of a table prints them: `Δ vs Model-0`, `Gain over the row above`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from triptych.audit.anyone.names import is_change, is_meta
from triptych.audit.anyone.view import View
from triptych.audit.sheets.printed import Figure
from triptych.audit.tables.interval import Interval

_Function = Callable[[Sequence[Interval]], Interval]
_NEAREST = 8  # places before and after a difference whose figures it may compare
_AGAINST = re.compile(
    r"(?:^|[^a-z])(?:vs|versus|over|against|compared|than)(?:[^a-z]|$)|相比|提升|下降|増減", re.IGNORECASE
)
_RELATIVE = re.compile(r"%|rel|impr|gain|提升", re.IGNORECASE)


def comparisons(
    view: View, with_difference: Collection[str], fixed: Iterable[str]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the ways to choose the line with which each line is compared: (in words, line -> the other line).

    Args:
        view: A table.
        with_difference: Lines that print a difference.
        fixed: Lines with which all others may be compared.
    """
    lines, line_is = list(view.lines), "row" if view.by_rows else "column"
    for base in fixed:
        yield base, {line: base for line in lines if line != base}
    yield f"the {line_is} {'above' if view.by_rows else 'before'}", {line: base for base, line in pairwise(lines)}
    if view.by_rows:
        yield "the first row of its section", _first_of_section(view)
    base_of: dict[str, str] = {}
    last = ""
    for line in lines:
        if line not in with_difference:
            last = line
        elif last:
            base_of[line] = last
    yield f"the last {line_is} without differences", base_of


def _first_of_section(view: View) -> dict[str, str]:
    first: dict[str, str] = {}
    for line in view.lines:
        first.setdefault(view.sheet.groups.get(line, ""), line)
    base_of = {line: first[view.sheet.groups.get(line, "")] for line in view.lines}
    return {line: base for line, base in base_of.items() if line != base}


def may_compare_lines(view: View, target: str) -> bool:
    """Return whether the figures of a place may be differences to another line: by their label or their signs."""
    figures = [line[target] for line in view.lines.values() if target in line]
    signed = sum(f.signed or f.text.startswith("-") for f in figures)
    return is_change(target) or bool(_AGAINST.search(target)) or (signed >= 2 and 2 * signed >= len(figures))


def baseline_rules(view: View, target: str) -> Iterator[tuple[View, tuple[str, str], str, str, _Function]]:
    """Yield the rules by which a place may be a difference to another line.

    Returns:
        A view with the other line's figures as one more place, the two places that are compared, the rule in words,
        its kind, and how the two are combined.
    """
    unread = {name for name in view.lines if view.cell(name, target) in view.sheet.unread}
    figures = {name: line[target] for name, line in view.lines.items() if target in line}
    without = [name for name in view.lines if name not in unread and not (name in figures and figures[name].value)]
    relative = bool(_RELATIVE.search(target)) or any(f.percent for f in figures.values())
    for base, base_of in comparisons(view, set(view.lines) - set(without), without):
        for measure in _values(view, target):
            other = f"{measure} of {base}"
            lines = _with_other(view, measure, other, base_of)
            if sum(other in line and target in line for line in lines.values()) < 3:
                continue
            seen = replace(view, lines=lines)
            words = base.replace("{", "{{").replace("}", "}}")
            yield seen, (measure, other), f"{{0}} minus that of {words}", "difference", _difference
            yield seen, (other, measure), f"the {{1}} of {words} minus {{1}}", "difference", _difference
            if relative:
                says = f"the percentage by which {{0}} exceeds that of {words}"
                yield seen, (measure, other), says, "relative", _relative


def _values(view: View, target: str) -> list[str]:
    """Return the places near a difference that may be compared, those before it first."""
    at = list(view.places).index(target)
    before = [p for p in reversed(view.places[:at]) if not is_change(p) and not is_meta(p)]
    after = [p for p in view.places[at + 1 :] if not is_change(p) and not is_meta(p)]
    return [*before[:_NEAREST], *after[:_NEAREST]]


def _with_other(view: View, measure: str, other: str, base_of: Mapping[str, str]) -> dict[str, dict[str, Figure]]:
    """Return the lines with the figure of the line that each is compared with."""
    lines = {}
    for name, line in view.lines.items():
        base = view.lines[base_of[name]].get(measure) if name in base_of else None
        lines[name] = {**line, other: base} if base else dict(line)
    return lines


def _difference(values: Sequence[Interval]) -> Interval:
    return values[0] - values[1]


def _relative(values: Sequence[Interval]) -> Interval:
    return Interval.exact(100.0) * (values[0] / values[1] - Interval.exact(1.0))
