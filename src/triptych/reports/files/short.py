"""A table of three columns to paste into a paper: Run, headline figures with their intervals, n."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.reports.files.latex import escape
from triptych.reports.files.markdown import escaped
from triptych.reports.tables.book import Report
from triptych.reports.tables.matrix import block, ordered

Row = tuple[str, str, str]


def short_rows(report: Report, protocol: str) -> list[Row]:
    """Return (Run, figures with intervals, n), the best Run first; a figure has its name if there are several."""
    made = block(report, protocol)
    rows: list[Row] = []
    for label in ordered([made]):
        known = [(p, c) for p, c in zip(made.places, made.cells[label], strict=True) if c.value is not None]
        several = len(made.places) > 1
        figures = [f"{place.heading} " * several + f"{cell.text} ({cell.spread})" for place, cell in known]
        counts = list(dict.fromkeys(f"{cell.n:,}" for _, cell in known))
        if known:
            rows.append(
                (
                    label,
                    "; ".join(figures),
                    ", ".join(counts if len(counts) == 1 else [f"{cell.n:,}" for _, cell in known]),
                )
            )
    return rows


def short_latex(title: str, rows: Sequence[Row]) -> str:
    """Return a `tabular` that needs `booktabs` alone."""
    body = [
        " & ".join(escape(text.replace("-", "−") if n == 1 else text) for n, text in enumerate(row)) + r" \\"
        for row in rows
    ]
    head = r"Model & Score (95\% interval) & $n$ \\"
    lines = [
        f"% {' '.join(title.split())}",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        head,
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def short_markdown(title: str, rows: Sequence[Row]) -> str:
    """Return the same as Markdown."""
    lines = [f"**{escaped(title)}**", "", "| Model | Score (95% interval) | n |", "|:--|--:|--:|"]
    return "\n".join([*lines, *(f"| {' | '.join(map(escaped, row))} |" for row in rows)]) + "\n"
