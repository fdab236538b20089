"""Values outside their range, and orderings that can't hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from triptych.audit.anyone.doubt import doubt
from triptych.audit.anyone.names import is_average, is_change, is_error_rate, is_limited, is_meta, label_key
from triptych.audit.anyone.view import View, interval
from triptych.audit.sheets.printed import Figure
from triptych.audit.tables.interval import Interval
from triptych.records import Finding, FindingSeverity

# Families of metrics that can't fall as their number grows: `falls` if they can't rise.
_FAMILIES: Mapping[str, tuple[str, bool]] = {
    r"(?:top|acc|accuracy|acc@|top@)[-@ ]?\s?(\d+)": ("top-k", False),
    r"(?:r|recall)\s?@\s?(\d+)": ("R@k", False),
    r"r(1|5|10|50|100)": ("R@k", False),
    r"(?:hit|hits|hr)\s?@\s?(\d+)": ("Hit@k", False),
    r"pass\s?@\s?(\d+)": ("pass@k", False),
    r"(?:iou|r@?1,?\s*iou|r1@|tiou|iou@|iou>|iou=)\s*[=@>≥]?\s*(0?\.\d+)": ("share above an IoU", True),
    r"(?:ap|map)\s?@?\s?(0?\.\d|50|75|95)": ("AP at an IoU", True),
}
_PRECISION, _RECALL, _F1 = ({"p", "prec", "precision"}, {"r", "rec", "recall"}, {"f1", "f1score", "f"})
_EXACT, _TOKEN = ({"em", "exactmatch"}, {"f1", "f1score"})


def check_range(benchmark: str, view: View) -> Iterator[Finding]:
    """Yield findings on metrics below 0 or above 100 (or 1, if the others are fractions)."""
    lines = {line: figures_in_line for line, figures_in_line in view.lines.items() if not is_change(line)}
    differences = _prints_differences(lines)
    for cell in view.places:
        figures = {line: figures_in_line[cell] for line, figures_in_line in lines.items() if cell in figures_in_line}
        negative = {} if differences else {n: f for n, f in figures.items() if f.text.startswith("-")}
        if is_error_rate(cell) and not is_change(cell) and len(negative) * 3 <= len(figures):
            yield from (
                _limit_finding(benchmark, view, n, cell, f, "an error rate is 0 or more") for n, f in negative.items()
            )
        if not is_limited(cell) or not figures or any(f.signed for f in figures.values()):
            continue
        above = {n: f for n, f in figures.items() if interval(f).low > 100}
        if len(above) * 3 <= len(figures) and len(figures) >= 3:
            yield from (_limit_finding(benchmark, view, n, cell, f, "it is at most 100") for n, f in above.items())
        if len(negative) * 3 <= len(figures) and len(figures) >= 3:
            yield from (_limit_finding(benchmark, view, n, cell, f, "it is 0 or more") for n, f in negative.items())


def _prints_differences(lines: Mapping[str, Mapping[str, Figure]]) -> bool:
    """Return whether a table prints differences under the names of metrics: more than one figure in 20 is negative, of
    three or more, outside of what is called a difference."""
    figures = [f for line in lines.values() for name, f in line.items() if not is_change(name)]
    negative = sum(f.text.startswith("-") for f in figures)
    return negative >= 3 and negative * 20 > len(figures)


def _limit_finding(benchmark: str, view: View, line: str, cell: str, figure: Figure, why: str) -> Finding:
    return doubt(
        "impossible",
        "severe",
        benchmark,
        f"printed {figure.text}, but {why} ({cell.rpartition('|')[2]})",
        table=view.sheet.name,
        rows=view.rows_and_columns([line], [cell])[0],
        columns=view.rows_and_columns([line], [cell])[1],
        published=figure.value,
        recomputed=why,
        needs="the column would have to be another metric than its label says",
    )


def check_order(benchmark: str, view: View) -> Iterator[Finding]:
    """Yield findings on figures in an order that can't be: top-5 below top-1, F1 above the mean of P and R."""
    for places, says in _ordered(view.places):
        yield from _violations(benchmark, view, places, says)
    for prefix in dict.fromkeys(p.rpartition("|")[0] for p in view.places):
        by_plain_name = {label_key(p.rpartition("|")[2]): p for p in view.places if p.rpartition("|")[0] == prefix}
        yield from _of_f1(benchmark, view, by_plain_name)
        yield from _of_words(benchmark, view, by_plain_name)


def _ordered(places: Sequence[str]) -> Iterator[tuple[list[str], str]]:
    """Yield the places of a family of metrics in ascending order, and the rule in words."""
    groups: dict[tuple[str, str, str], list[tuple[float, str]]] = {}
    for cell in places:
        above, _, last = cell.rpartition("|")
        if is_change(cell):
            continue
        for pattern, (name, falls) in _FAMILIES.items():
            if limit_match := re.fullmatch(rf"(.*?)\b{pattern}\s*(?:acc|accuracy)?[\s%().↑]*", last.casefold().strip()):
                number = float(limit_match[2])
                groups.setdefault((above + limit_match[1], name, "falls" if falls else "rises"), []).append(
                    (-number if falls else number, cell)
                )
                break
    for (_, name, way), group in groups.items():
        if len({number for number, _ in group}) == len(group) > 1:
            yield (
                [p for _, p in sorted(group)],
                f"{name} can't {'rise' if way == 'falls' else 'fall'} as its number grows",
            )


def _violations(benchmark: str, view: View, places: Sequence[str], says: str) -> Iterator[Finding]:
    """Yield the lines in which an order is broken, if it holds in most."""
    for low, high in pairwise(places):
        both = {
            n: figures_in_line
            for n, figures_in_line in view.lines.items()
            if low in figures_in_line and high in figures_in_line
        }
        wrong = [n for n, counts in both.items() if not interval(counts[low]).may_be_less(interval(counts[high]))]
        if wrong and len(wrong) * 4 <= max(len(both), 3):
            for line in wrong:
                yield _disordered(benchmark, view, line, low, high, says, "severe")


def _disordered(
    benchmark: str, view: View, line: str, low: str, high: str, says: str, severity: FindingSeverity
) -> Finding:
    a, b = view.lines[line][low], view.lines[line][high]
    short_low, short_high = (p.rpartition("|")[2] for p in (low, high))
    return doubt(
        "ordering",
        severity,
        benchmark,
        f"{short_low} {a.text} is above {short_high} {b.text}: {says}",
        table=view.sheet.name,
        rows=view.rows_and_columns([line], [low, high])[0],
        columns=view.rows_and_columns([line], [low, high])[1],
        published=f"{a.text} > {b.text}",
        recomputed=f"{short_low} <= {short_high}",
        needs="the two would have to be measured on different data, or be exchanged",
    )


def _of_f1(benchmark: str, view: View, roles: Mapping[str, str]) -> Iterator[Finding]:
    p, r, f1 = (next((roles[k] for k in names if k in roles), "") for names in (_PRECISION, _RECALL, _F1))
    if p and r and f1:
        broken = []
        lines = {n: line for n, line in view.lines.items() if p in line and r in line and f1 in line}
        for name, line in lines.items():
            limit = (interval(line[p]) + interval(line[r])) / Interval.exact(2.0)
            if not interval(line[f1]).may_be_less(limit):
                broken.append((name, limit))
        for name, limit in broken if len(broken) * 4 <= max(len(lines), 3) else ():
            line = view.lines[name]
            yield doubt(
                "ordering",
                "severe",
                benchmark,
                f"F1 {line[f1].text} is above the mean of precision {line[p].text} and recall {line[r].text} "
                f"({limit.middle:.4g}), which it can't exceed, averaged over classes or not",
                table=view.sheet.name,
                rows=view.rows_and_columns([name], [p, r, f1])[0],
                columns=view.rows_and_columns([name], [p, r, f1])[1],
                published=line[f1].value,
                recomputed=f"<= {limit.high:.4g}",
                effect="one of the three figures is wrong",
            )
    em, token = (next((roles[k] for k in names if k in roles), "") for names in (_EXACT, _TOKEN))
    if em and token and not p:
        yield from _rare(benchmark, view, em, token, "an exact match has a token F1 of 100")


def _of_words(benchmark: str, view: View, names: Mapping[str, str]) -> Iterator[Finding]:
    """Yield findings on character error rates above the word error rate of the same line."""
    if "cer" in names and "wer" in names:
        cer, wer = names["cer"], names["wer"]
        for name, line in view.lines.items():
            if cer in line and wer in line and interval(line[wer]).high <= 0.05 < interval(line[cer]).low:
                yield _disordered(
                    benchmark, view, name, cer, wer, "without a wrong word there is no wrong character", "severe"
                )
        yield from _rare(benchmark, view, cer, wer, "more wrong characters than words means that long words are wrong")


def _rare(benchmark: str, view: View, low: str, high: str, says: str) -> Iterator[Finding]:
    """Yield warnings on a rare order: at most one in ten lines of five or more."""
    both = {
        n: figures_in_line
        for n, figures_in_line in view.lines.items()
        if low in figures_in_line and high in figures_in_line
    }
    wrong = [n for n, counts in both.items() if not interval(counts[low]).may_be_less(interval(counts[high]))]
    if wrong and len(both) >= 5 and len(wrong) * 5 <= len(both):
        for line in wrong:
            yield _disordered(benchmark, view, line, low, high, says, "warning")


def parts_for_range(view: View, target: str) -> tuple[str, ...]:
    """Return the places of which an overall figure may be a weighted mean: its siblings, or all others."""
    above = target.rpartition("|")[0]
    usable = [p for p in view.places if p != target and not (is_average(p) or is_meta(p) or is_change(p))]
    siblings = [p for p in usable if above and p.startswith(f"{above}|")]
    return tuple(siblings or usable)
