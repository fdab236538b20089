"""A table of three columns to paste into a paper: Run, headline figures with their intervals, n."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.reports.files.latex import escape
from triptych.reports.files.markdown import escaped
from triptych.reports.tables.book import Report
from triptych.reports.tables.marks import of_figures
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


def short_notes(report: Report, protocol: str) -> list[str]:
    """Return what a reader must know about the rows: what all Runs were asked, and what holds for one of them alone."""
    made, marks = block(report, protocol), report.run_marks()
    shared = of_figures(made.shared)
    told = [f"All Runs: {'; '.join(shared)}."] if shared else []
    for label in ordered([made]):
        own = [mark for mark in of_figures(marks.get(label, ())) if mark not in shared]
        own += dict.fromkeys(cell.part for cell in made.cells[label] if cell.value is not None and cell.part)
        told += [f"{label}: {'; '.join(own)}."] if own else []
    return told


def short_latex(title: str, rows: Sequence[Row], notes: Sequence[str] = ()) -> str:
    """Return a `tabular` that needs `booktabs` alone, with the notes below it."""
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
        *(rf"\par\footnotesize {escape(note)}" for note in notes),
    ]
    return "\n".join(lines) + "\n"


def short_markdown(title: str, rows: Sequence[Row], notes: Sequence[str] = ()) -> str:
    """Return the same as Markdown."""
    lines = [f"**{escaped(title)}**", "", "| Model | Score (95% interval) | n |", "|:--|--:|--:|"]
    body = [f"| {' | '.join(map(escaped, row))} |" for row in rows]
    below = [part for note in notes for part in ("", escaped(note))]
    return "\n".join([*lines, *body, *below]) + "\n"
