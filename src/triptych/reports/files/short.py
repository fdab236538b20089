"""A table of three columns to paste into a paper: Run, headline figures with their intervals, n; with notes below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from triptych.reports.files.latex import escape
from triptych.reports.files.markdown import escaped
from triptych.reports.tables import words
from triptych.reports.tables.book import Report
from triptych.reports.tables.matrix import block, order_labels, runs_without_rank

Row = tuple[str, str, str]


@dataclass(frozen=True)
class ShortTable:
    """The table: (Run, figures with intervals, n), the best Run first. `apart`: the Runs over a part of the questions,
    which are listed below the others; `on_all`: what holds for all Runs; `notes`: label -> what holds for that Run."""

    rows: Sequence[Row]
    apart: Sequence[str] = ()
    on_all: Sequence[str] = ()
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def note_numbers(self) -> dict[str, int]:
        """Note -> its footnote number, each note once."""
        every = dict.fromkeys("; ".join(self.notes[row[0]]) for row in self.rows if self.notes.get(row[0]))
        return {note: number for number, note in enumerate(every, 1)}

    def number(self, label: str) -> int:
        """Return the footnote number of a Run; 0 without one."""
        return self.note_numbers.get("; ".join(self.notes.get(label, ())), 0)

    @property
    def groups(self) -> list[list[Row]]:
        """The Runs over all questions, then the others; without an empty group."""
        apart = set(self.apart)
        groups_of_rows = [[row for row in self.rows if (row[0] in apart) is below] for below in (False, True)]
        return [rows for rows in groups_of_rows if rows]

    @property
    def common_note(self) -> str:
        """The note on all Runs, as a sentence."""
        parts = [
            *self.on_all,
            *(["Runs over a part of the questions are listed below the others"] if self.apart else []),
        ]
        return "".join(f"{note[:1].upper()}{note[1:]}. " for note in parts).strip()


def short_rows(report: Report, protocol: str) -> ShortTable:
    """Return the headline figures of each Run, with what a reader must know about them; a figure has its name if there
    are several."""
    made = block(report, protocol, every=True)
    rows: list[Row] = []
    notes: dict[str, list[str]] = {}
    for label in order_labels([made]):
        pairs = [(p, c) for p, c in zip(made.columns, made.cells[label], strict=True) if c.value is not None]
        several = len(made.columns) > 1
        figures = [f"{number.heading} " * several + f"{cell.text} ({cell.spread})" for number, cell in pairs]
        counts = list(dict.fromkeys(f"{cell.n:,}" for _, cell in pairs))
        parts = {column.heading: cell.part for column, cell in pairs if cell.part}
        alike = len(set(parts.values())) == 1 and len(parts) == len(pairs)
        all_notes = (
            list(dict.fromkeys(parts.values())) if alike else [f"{name}: {part}" for name, part in parts.items()]
        )
        remarks = (made.by_run or {}).get(label, ())
        notes[label] = [*remarks, *(part for part in all_notes if not any(part in note for note in remarks))]
        if pairs:
            rows.append(
                (
                    label,
                    "; ".join(figures),
                    ", ".join(counts if len(counts) == 1 else [f"{cell.n:,}" for _, cell in pairs]),
                )
            )
    return ShortTable(rows, runs_without_rank([made]), made.shared, notes)


def short_latex(title: str, table: ShortTable) -> str:
    """Return a `tabular` that needs `booktabs` alone, and a line for each note below it."""
    groups = [[_latex_row(row, table.number(row[0])) for row in rows] for rows in table.groups]
    body = [line for n, rows in enumerate(groups) for line in ([r"\midrule"] if n else []) + rows]
    notes = [rf"\textsuperscript{{{n}}} {escape(note)}." for note, n in table.note_numbers.items()]
    below = [line for line in (escape(table.common_note), *notes) if line]
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
        *(rf"\par{{\footnotesize {line}}}" for line in below),
    ]
    return "\n".join(lines) + "\n"


def _latex_row(row: Row, number: int) -> str:
    label, figures, counted = row
    raised = rf"\textsuperscript{{{number}}}" if number else ""
    return " & ".join([escape(label) + raised, escape(figures.replace("-", "−")), escape(counted)]) + r" \\"


def short_markdown(title: str, table: ShortTable) -> str:
    """Return the same as Markdown."""
    rows = [(row, table.number(row[0])) for group in table.groups for row in group]
    shown = [[escaped(row[0]) + (words.superscripts([n]) if n else ""), *map(escaped, row[1:])] for row, n in rows]
    notes = [f"{words.superscripts([n])} {escaped(note)}." for note, n in table.note_numbers.items()]
    below = [text for line in (escaped(table.common_note), *notes) if line for text in ("", line)]
    lines = [f"**{escaped(title)}**", "", "| Model | Score (95% interval) | n |", "|:--|--:|--:|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in shown), *below]) + "\n"
