"""Findings on averages, sums and differences that don't follow, with what would mend them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from triptych.audit.anyone.doubt import doubt
from triptych.audit.anyone.names import may_be_share
from triptych.audit.anyone.relations import Relation
from triptych.audit.anyone.view import View, interval, list_in_words, odds_in_words, unit
from triptych.audit.sheets.printed import Figure
from triptych.audit.tables.interval import Interval, digits_of
from triptych.audit.tables.misprints import edits
from triptych.records import Finding, FindingSeverity

_FEW = 3  # lines that are reported one by one
_SURE = 1e-6  # odds of a relation from which a clear break is severe
_MAX_SHARE = 0.75  # of the lines follow a relation whose break is severe
_UNITS = 5  # of the last digit beyond rounding, from which a break is clear
_TALL = 10  # how many times what rounding leaves open a slip must move the figure


def check_relation(benchmark: str, relation: Relation) -> Iterator[Finding]:
    """Yield findings on the lines that don't follow: one by one if they are few, otherwise together."""
    wide = [
        (line, expected)
        for line, expected in relation.breaks
        if _gap(relation, line, expected) > _rounding_break(relation, line) and not _is_rate(relation, line)
    ]
    near = [broken for broken in relation.breaks if broken not in wide and not _is_rate(relation, broken[0])]
    if len(wide) > max(_FEW, relation.line_count // 4):
        yield _many_lines_finding(benchmark, relation, wide)
    else:
        yield from (_line_finding(benchmark, relation, line, expected) for line, expected in wide)
    if near:
        yield _near_miss_finding(benchmark, relation, near)


def _is_rate(relation: Relation, line: str) -> bool:
    """Return whether a line of a table of sums isn't summed: its total is in the range of its parts, as that of a rate
    (hits, misses and recall of keywords, with all of them in the last row)."""
    figures_in_line = relation.view.lines[line]
    parts = [figures_in_line[p].value for p in relation.inputs]
    return relation.kind == "sum" and min(parts) <= figures_in_line[relation.target].value <= max(parts)


def _gap(relation: Relation, line: str, expected: Interval) -> float:
    return interval(relation.view.lines[line][relation.target], relation.printing).gap(expected)


def _rounding_break(relation: Relation, line: str) -> float:
    """Return a break that rounding at an intermediate step explains: one unit of the last digit."""
    figures_in_line = relation.view.lines[line]
    inputs = () if relation.kind == "share" else relation.inputs  # counts aren't rounded
    return max(unit(figures_in_line[p]) for p in (relation.target, *inputs)) * 1.001


def says(relation: Relation) -> str:
    """Return the rule in words."""
    if "{0}" in relation.says:
        return relation.says.format(*(p.rpartition("|")[2] or p for p in relation.inputs[:2]))
    return relation.says.format(list_in_words(relation.inputs))


def _line_finding(benchmark: str, relation: Relation, line: str, expected: Interval) -> Finding:
    view, target = relation.view, relation.target
    figures_in_line = view.lines[line]
    if cell := _above_100(relation, line):
        return _no_share(benchmark, relation, line, cell)
    rows, columns = view.rows_and_columns([line], [target])
    printed, digits = figures_in_line[target], digits_of(figures_in_line[target].text) + 1
    follows = round(expected.middle, digits)
    off = printed.value - follows
    mend, severity = _explained(relation, line, expected)
    text = (
        f"printed {'+' * printed.signed}{printed.text}, but {says(relation)} is {follows:.{digits}f}"
        f"{_arithmetic(relation, figures_in_line, follows, digits)}; "
        f"{len(relation.follows)} of {relation.line_count} {view.lines_are} follow this rule "
        f"({odds_in_words(relation.odds)} by chance), this one doesn't{mend}"
    )
    return doubt(
        _kind(relation, mend),
        severity,
        benchmark,
        text,
        table=view.sheet.name,
        rows=rows,
        columns=columns,
        published=printed.value,
        recomputed=follows,
        needs=_needed_change(relation, off),
        effect=f"{-off:+.{digits - 1}f}",
        about=relation.kind,
    )


def _kind(relation: Relation, mend: str = "") -> str:
    if relation.kind == "share":
        return "mismatch"
    return "misprint" if mend.startswith("; one slip") else "average"


def _above_100(relation: Relation, line: str) -> str:
    """Return the input of a broken mean that is above 100 while no other figure of the relation is; empty if none is.

    The names of such columns (data sets, categories) needn't say that their figures are shares.
    """
    figures = {
        (name, column): cells[column].value
        for name, cells in relation.view.lines.items()
        for column in (relation.target, *relation.inputs)
        if column in cells
    }
    above = [cell for cell, value in figures.items() if value > 100]
    if relation.kind not in ("mean", "weighted") or len(above) != 1 or max(figures.values()) <= 1:
        return ""
    name, column = above[0]
    return column if name == line and column != relation.target and may_be_share(column) else ""


def _no_share(benchmark: str, relation: Relation, line: str, column: str) -> Finding:
    """Return the finding on an input above 100, because of which the mean of its line doesn't follow."""
    view, cells = relation.view, relation.view.lines[line]
    rows, columns = view.rows_and_columns([line], [column])
    target = cells[relation.target]
    would_be = ""
    if relation.kind == "mean":
        value = target.value * len(relation.inputs) - sum(cells[p].value for p in relation.inputs if p != column)
        if 0 <= value <= 100:
            would_be = f"; about {value:.{digits_of(cells[column].text)}f} would give it"
    short, line_is = relation.target.rpartition("|")[2], "row" if view.by_rows else "column"
    return doubt(
        "impossible",
        "severe" if relation.odds < _SURE else "warning",
        benchmark,
        f"printed {cells[column].text}, but every other figure of {list_in_words(relation.inputs)} is at most 100, and "
        f"{short} {target.text} of this {line_is} is not {says(relation)} with it, as it is in "
        f"{len(relation.follows)} of {relation.line_count}{would_be}",
        table=view.sheet.name,
        rows=rows,
        columns=columns,
        published=cells[column].value,
        recomputed="at most 100",
        needs="the column would have to be another metric than a share",
    )


def _arithmetic(relation: Relation, figures: Mapping[str, Figure], follows: float, digits: int) -> str:
    texts = [figures[p].text for p in relation.inputs]
    if relation.kind == "mean" and len(texts) <= 8:
        return f" (({' + '.join(texts)}) / {len(texts)} = {follows:.{digits}f})"
    if relation.kind == "sum" and len(texts) <= 8:
        return f" ({' + '.join(texts)})"
    if relation.kind == "difference" and len(texts) == 2:
        return f" ({texts[0]} - {texts[1]})"
    if relation.kind == "share":
        return f" ({(' / ' if relation.says == '{0} divided by {1}' else ', ').join(texts)})"
    if relation.kind == "relative":
        return f" (({texts[0]} - {texts[1]}) / {texts[1]})"
    return ""


def _needed_change(relation: Relation, off: float) -> str:
    if relation.kind == "share":
        return "it would have to be computed from other counts"
    factor = len(relation.inputs) if relation.kind in {"mean", "scaled"} else 1
    more = "higher" if off > 0 else "lower"
    total = f"{abs(off) * factor:.4g} {more} in sum"
    return f"the figures that it is computed from would have to be {total}, or it was computed from others"


def _explained(relation: Relation, line: str, expected: Interval) -> tuple[str, FindingSeverity]:
    """Return what would mend a break, as the end of a sentence, and its severity."""
    view, figures_in_line = relation.view, relation.view.lines[line]
    printed = interval(figures_in_line[relation.target], relation.printing)
    if slip := _slip(relation, line):
        input_line, text = slip
        shown = input_line.rpartition("|")[2] or input_line
        wording = f"; one slip would mend it: {shown} {figures_in_line[input_line].text} read as {text}"
        return wording, _severity(relation, line, expected)
    if relation.kind in {"mean", "scaled"} and len(relation.inputs) > 2:
        for input_line in relation.inputs:
            rest = [p for p in relation.inputs if p != input_line]
            if relation.kind == "mean" and printed.meets(
                relation.function([interval(figures_in_line[p]) for p in rest])
            ):
                return f"; without {input_line.rpartition('|')[2] or input_line} it would follow", "warning"
    for other, cells in view.lines.items():
        text = figures_in_line[relation.target].text
        same = other != line and relation.target in cells and cells[relation.target].text == text
        if same and (digits_of(text) > 1 or relation.line_count <= 12):
            return f"; {text} is also what {other} prints", _severity(relation, line, expected)
    return "", _severity(relation, line, expected)


def _severity(relation: Relation, line: str, expected: Interval) -> FindingSeverity:
    sure = relation.odds < _SURE and len(relation.follows) >= _MAX_SHARE * relation.line_count
    clear = _gap(relation, line, expected) >= _UNITS * _rounding_break(relation, line)
    return "severe" if sure and clear else "warning"


def shifted(text: str) -> Iterator[str]:
    """Yield a number with its decimal point one position to the left or right.

    Example:
        >>> list(shifted("67.2"))
        ['6.72', '672']
    """
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    integer, _, part = digits.partition(".")
    if len(integer) > 1:
        yield f"{sign}{integer[:-1]}.{integer[-1]}{part}"
    elif integer != "0":
        yield f"{sign}0.{integer}{part}"
    if part:
        moved = f"{(integer + part[0]).lstrip('0') or '0'}.{part[1:]}".rstrip(".")
        yield sign + moved


def _slip(relation: Relation, line: str) -> tuple[str, str] | None:
    """Return the one slip (a digit, two digits exchanged, a shifted decimal point) of the line's figures that makes it
    follow: (place, text); None if there is none, or several."""
    figures_in_line = relation.view.lines[line]
    slips = []
    for name in (relation.target, *relation.inputs):
        for text in dict.fromkeys((*edits(figures_in_line[name].text), *shifted(figures_in_line[name].text))):
            if text.startswith("-") != figures_in_line[name].text.startswith("-") and relation.kind != "difference":
                continue
            values = {p: figures_in_line[p].text for p in (relation.target, *relation.inputs)} | {name: text}
            moved = abs(float(text) - figures_in_line[name].value)
            try:
                expected = relation.function(
                    [Interval.printed(values[p], 0, relation.printing) for p in relation.inputs]
                )
            except ZeroDivisionError:
                continue
            target = Interval.printed(values[relation.target], 0, relation.printing)
            weight = 1 if name == relation.target else max(len(relation.inputs), 1)
            width = target.high - target.low + expected.high - expected.low
            if target.meets(expected) and moved / weight >= _TALL * width:
                slips.append((name, text))
    targets = [own_slip for own_slip in slips if own_slip[0] == relation.target]
    if len(slips) == 1:
        return slips[0]
    return targets[0] if len(targets) == 1 and len(slips) <= 2 else None


def _many_lines_finding(benchmark: str, relation: Relation, wide: list[tuple[str, Interval]]) -> Finding:
    view = relation.view
    worst, expected = max(wide, key=lambda texts: _gap(relation, *texts))
    printed = view.lines[worst][relation.target]
    follows = round(expected.middle, digits_of(printed.text) + 1)
    rows, columns = view.rows_and_columns([n for n, _ in wide], [relation.target])
    return doubt(
        _kind(relation),
        "warning",
        benchmark,
        f"{relation.target.rpartition('|')[2]} is {says(relation)} in {len(relation.follows)} of {relation.line_count} "
        f"{view.lines_are}, but not in {len(wide)}; furthest off is {worst}, printed {printed.text} where {follows:g} "
        "follows",
        table=view.sheet.name,
        rows=rows,
        columns=columns,
        published=printed.value,
        recomputed=follows,
        needs=f"these {view.lines_are} would have to be computed in another way than the others",
        about=relation.kind,
    )


def _near_miss_finding(benchmark: str, relation: Relation, near: list[tuple[str, Interval]]) -> Finding:
    view = relation.view
    rows, columns = view.rows_and_columns([n for n, _ in near], [relation.target])
    line, expected = near[0]
    printed = view.lines[line][relation.target]
    digits = digits_of(printed.text) + 1
    return doubt(
        _kind(relation),
        "note",
        benchmark,
        f"{relation.target.rpartition('|')[2]} is off by one unit of the last digit in {len(near)} of "
        f"{relation.line_count} {view.lines_are} "
        f"(of {line}: printed {printed.text}, {says(relation)} is {expected.middle:.{digits}f})",
        table=view.sheet.name,
        rows=rows,
        columns=columns,
        effect="one unit of the last digit: rounded twice, or from figures with more digits",
        about=relation.kind,
    )


def outside_parts(benchmark: str, view: View, target: str, parts: tuple[str, ...]) -> Iterator[Finding]:
    """Yield findings on averages outside the range of their parts, if five others are inside and none else isn't."""
    inside, outside = 0, []
    for line, figures_in_line in view.lines.items():
        if target not in figures_in_line or not all(p in figures_in_line for p in parts):
            continue
        values = [interval(figures_in_line[p]) for p in parts]
        low, high = min(v.low for v in values), max(v.high for v in values)
        if interval(figures_in_line[target]).meets(Interval(low, high)):
            inside += 1
        else:
            outside.append((line, low, high))
    if inside < 5 or len(outside) != 1:
        return
    line, low, high = outside[0]
    rows, columns = view.rows_and_columns([line], [target])
    printed = view.lines[line][target]
    yield doubt(
        "average",
        "warning",
        benchmark,
        f"printed {printed.text}, outside {low:g} to {high:g}, the range of {list_in_words(parts)}, "
        "which contains every "
        f"weighted mean; in the {inside} other {view.lines_are} it is inside",
        table=view.sheet.name,
        rows=rows,
        columns=columns,
        published=printed.value,
        recomputed=f"{low:g} to {high:g}",
        needs="it would have to be computed from other figures than those of its line",
        about="range",
    )
