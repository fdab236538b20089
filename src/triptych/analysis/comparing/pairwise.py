"""All pairs of many Runs as a matrix, one for each headline figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from triptych.analysis.observed import Observed
from triptych.records import Estimate, Listing, figure_key

LEVEL = 0.05


def matrices(
    runs: Sequence[Observed], estimates: Sequence[Estimate], ranked: Mapping[str, Sequence[str]]
) -> Iterator[Listing]:
    """Yield a matrix for each figure: row minus column; an asterisk for what is significant over all pairs.

    The order of the Runs is that of their scores, best first, as in the table of ranks (`ranked`: figure -> Runs).
    """
    for key in dict.fromkeys(figure_key(e) for e in estimates):
        estimates_by_pair = {(e.runs[0], e.runs[1]): e for e in estimates if figure_key(e) == key}
        first = next(iter(estimates_by_pair.values()))
        order = {label: number for number, label in enumerate(ranked.get(first.label, ()))}
        labels = sorted((run.label for run in runs), key=lambda label: order.get(label, len(order)))
        ((usual, times),) = Counter(e.n for e in estimates_by_pair.values()).most_common(1)
        usual = usual if 2 * times > len(estimates_by_pair) else 0
        rows = [
            (f"{index} {row}", *(_cell(row, column, estimates_by_pair, usual) for column in labels))
            for index, row in enumerate(labels, 1)
        ]
        counted = (
            f"n {usual:,} for each pair" if times == len(estimates_by_pair) else "n: the questions that the two share"
        )
        counted += f", {usual:,} unless stated" if usual and times < len(estimates_by_pair) else ""
        better = {"lower": "; below 0, the row is better", "higher": "; above 0, the row is better"}.get(
            first.better, ""
        )
        note = (
            f"Row minus column{', ' + first.unit if first.unit else ''}{better}. * p < 0.05 after Holm's correction "
            f"over {len(estimates_by_pair):,} pairs; {counted}."
        )
        headings = ("", *(str(index) for index in range(1, len(labels) + 1)))
        yield Listing(f"pairs.{first.label}", f"All pairs: {first.label}", headings, tuple(rows), note=note)


def _cell(row: str, column: str, estimates: dict[tuple[str, str], Estimate], usual: int) -> str:
    if row == column:
        return ""
    sign, one = (1, estimates[row, column]) if (row, column) in estimates else (-1, estimates.get((column, row)))
    if one is None or one.value is None:
        return "–"
    p = one.p_adjusted if one.p_adjusted is not None else one.p_value
    shown = f"{sign * one.value:+.1f}".replace("-", "−")
    shown = shown[1:] if not float(f"{one.value:.1f}") else shown
    return f"{shown}{'*' if p is not None and p < LEVEL else ''}" + (f" (n {one.n:,})" if one.n != usual else "")
