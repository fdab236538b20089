"""Draw a figure from its specification and a table, as SVG, PNG or PDF."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec import structs

from triptych.errors import SpecError
from triptych.records import Table
from triptych.reports.plots import data
from triptych.reports.plots.data import Panel, panels, panels_by_column, panels_by_run
from triptych.reports.plots.spec import FigureSpec
from triptych.reports.plots.text_style import DPI, SERIES, WIDTH, DrawableText, lay_out, style
from triptych.reports.tables import words as reports_words
from triptych.reports.tables.marks import UNFINISHED, of_figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Marks = Mapping[str, Sequence[str]]  # label of a Run -> its restrictions, such as the mini set
INSTALL = "pip install 'triptych[report]'"
MAX_DISTINCT_RUNS = 6  # more Runs than this can't be distinguished as bars (or as lines of a radar)
BARE: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "ModDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
}


@dataclass(frozen=True)
class Drawing:
    """A drawn figure. `caption` gives protocol, n and intervals; `description` gives every value in words.

    The caption's parts: `basis` has protocol and restrictions, which figures of a section share, `short` the rest.
    `table`: what is drawn.
    """

    id: str
    title: str
    caption: str
    description: str
    figure: Figure
    short: str = ""
    basis: str = ""
    table: Table | None = None

    @property
    def is_wide(self) -> bool:
        """True if the figure is too wide for one of two columns."""
        return bool(self.figure.get_figwidth() > 1.3 * WIDTH)

    def svg(self, name: str = "") -> str:
        """Return an SVG element; `name` makes its ids unique on the page."""
        from triptych.reports.plots.svg import to_svg

        with style():
            return to_svg(self.figure, name or self.id, self.title, self.description)

    def latex(self, name: str) -> str:
        """Return a LaTeX figure that includes the file `name.pdf`."""
        from triptych.reports.files.latex import escape

        caption = f"{escape(self.title).rstrip('.')}. {escape(self.caption)}"
        label = "".join(sign if sign.isalnum() and sign.isascii() else "-" for sign in name)
        return (
            rf"\begin{{figure}}[htbp]\centering\includegraphics[width=\linewidth]{{{name}.pdf}}"
            rf"\caption{{{caption}}}\label{{fig:{label}}}\end{{figure}}" + "\n"
        )

    def save(self, kind: str) -> bytes:
        """Return the figure as `svg`, `png` (300 dpi, on white) or `pdf`; the bytes are the same every time."""
        if kind == "svg":
            return f'<?xml version="1.0" encoding="UTF-8"?>\n{self.svg()}\n'.encode()
        out = io.BytesIO()
        with style():
            lay_out(self.figure)
            self.figure.savefig(
                out, format=kind, dpi=DPI, metadata=BARE[kind], facecolor="white" if kind == "png" else "none"
            )
        return out.getvalue()


def need_matplotlib() -> None:
    """Raises SpecError, with the install command, if matplotlib isn't installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise SpecError("figures need matplotlib", fix=INSTALL) from None


def draw(
    spec: FigureSpec, table: Table, latin: Mapping[str, str] | None = None, marks: Marks | None = None
) -> Drawing | None:
    """Draw a filled table as specified; None if no Run has a value.

    `marks`: label -> restrictions of the Run, for a table whose rows don't state them.
    """
    distinct, mixed = _drawn_table(table, marks or {})
    drawn_panels = panels(distinct)
    if not drawn_panels or not _is_worth_drawing(spec, drawn_panels, len(table.headings)):
        return None
    words = DrawableText(latin)
    with style():
        figure, notes = _figure(spec, table, drawn_panels, words)
        if figure is None:
            return None
    basis = [part for part in (reports_words.caption(table), *_marks(table, marks or {})) if part]
    caption = [data.sizes(drawn_panels), *notes, spec.note, *mixed, words.note()]
    return Drawing(
        spec.id,
        spec.title,
        _sentence([basis[0], *caption, *basis[1:]] if basis else caption),
        describe(drawn_panels),
        figure,
        _sentence(caption),
        _sentence(basis),
        distinct,
    )


def _sentence(parts: Sequence[str]) -> str:
    """Return the parts of a caption as one; empty without any."""
    text = "; ".join(part.strip().rstrip(".") for part in parts if part)
    return (text if text.startswith("n ") else text[0].upper() + text[1:]) + "." if text else ""


def _drawn_table(table: Table, marks: Marks) -> tuple[Table, list[str]]:
    """Return the table as it is drawn, and what the caption says of that.

    Published rows are left out next to Runs of the mini set, which is other data. Where only some Runs have a
    restriction, their names say which, since their values are over other questions than those of the others.
    """
    marks_by_label = {
        row.label: row.marks or tuple(marks.get(row.label, ())) for row in table.rows if row.origin == "run"
    }
    rows, notes = list(table.rows), list[str]()
    if any(MINI in mark for row_marks in marks_by_label.values() for mark in row_marks) and any(
        r.origin == "published" for r in rows
    ):
        rows = [row for row in rows if row.origin != "published"]
        notes.append("the paper's rows, which are over other data than the mini set, are not drawn")
    marks_by_label = {label: of_figures(label_marks) for label, label_marks in marks_by_label.items()}
    if len({tuple(map(_shorten_mark, marks_of_row)) for marks_of_row in marks_by_label.values()}) > 1:
        names = {
            label: f"{label} ({', '.join(map(_shorten_mark, label_marks))})"
            for label, label_marks in marks_by_label.items()
            if label_marks
        }
        rows = [structs.replace(row, label=names[row.label]) if row.label in names else row for row in rows]
    return structs.replace(table, rows=tuple(rows)), notes


MINI = "mini set"


def _shorten_mark(mark: str) -> str:
    """Return a restriction in two words, for the name of a bar."""
    return next((name for name in (MINI, UNFINISHED, "subset", "sample") if name in mark), "other data")


def _marks(table: Table, row_marks: Marks) -> list[str]:
    """Return the restrictions of the drawn Runs (for example the mini set), each once with its Runs. A table whose rows
    aren't Runs (Conditions, positions, raters) covers all of them."""
    rows: dict[str, Sequence[str]] = {}
    for row in table.rows:
        if row.origin == "run":
            rows[row.label] = (*rows.get(row.label, ()), *row.marks)
    if not any(rows.values()):
        rows = {label: row_marks[label] for label in rows if label in row_marks} or dict(row_marks)
    every, marks = set(rows), dict.fromkeys(mark for cells in rows.values() for mark in cells)
    labels = {mark: [label for label, cells in rows.items() if mark in cells] for mark in marks}
    return [
        mark if every == set(mark_labels) else f"{', '.join(mark_labels)}: {mark}"
        for mark, mark_labels in labels.items()
    ]


def _is_worth_drawing(spec: FigureSpec, panels: Sequence[Panel], headings: int) -> bool:
    """Return True if there is something to compare: several headings or slices, and one of those that the figure
    needs."""
    left = {heading for panel in panels for heading in panel.headings}
    if spec.needs and not left & set(spec.needs):
        return False
    return len(left) > 1 or len(panels) > 1 or headings == 1


def describe(panels: Sequence[Panel]) -> str:
    """Return every Run's values in words, for readers who can't see them."""
    lines = []
    for panel in panels:
        for row in panel.runs:
            values = [
                f"{h} {reports_words.number(c.value, min(c.digits, 1))}"
                for h, c in zip(panel.headings, row.cells, strict=True)
            ]
            lines.append(f"{', '.join(filter(None, [panel.title, row.label]))}: {', '.join(values)}.")
    return " ".join(lines)


def _figure(
    spec: FigureSpec, table: Table, panels: list[Panel], words: DrawableText
) -> tuple[Figure | None, list[str]]:
    """Return the figure, and the parts of its caption besides the title."""
    from triptych.reports.plots import bars, box, dots, heat, lines, radar, scatter, stack

    if spec.kind == "bars" and spec.grid:
        panels = panels_by_run(panels, spec.grid)
    better = {column.heading: column.better for column in table.columns}
    if spec.kind == "scatter":
        lower = better.get(table.headings[1]) == "lower"
        return scatter.scatter(panels[0], words, spec.axis, lower=lower), scatter.caption_notes(panels[0], lower=lower)
    if spec.kind == "matrix":
        return heat.matrices(panels, words, spec.grid, table.headings, spec.axis), ["darker is higher"]
    if spec.kind == "dots":
        return dots.dots(panels, words, spec.axis), dots.caption_notes(panels)
    if spec.kind == "stack":
        return stack.stack(panels, words, spec.axis), []
    if spec.kind == "lines":
        return lines.lines(panels, words, spec.axis, spec.along), ["bands show 95% intervals"]
    if spec.kind == "radar":
        if len(panels[0].headings) < radar.MIN_SPOKES or len(panels[0].runs) > MAX_DISTINCT_RUNS:
            return None, []
        return radar.radar(panels[0], words), []
    if spec.kind == "box" and len(data.labels(panels)) <= SERIES:  # dots of one colour can't be distinguished
        return box.boxes(panels, words, spec.axis), [*_published_note(panels), *_intervals(panels)]
    if spec.kind == "heat" or len(data.labels(panels)) > MAX_DISTINCT_RUNS:
        metrics = {column.metric for column in table.columns}
        cut = max(len(panel.published) for panel in panels)
        notes = (
            [f"only the {heat.MAX_PUBLISHED} best of the paper's {cut} models are shown"]
            if cut > heat.MAX_PUBLISHED
            else []
        )
        notes += ["each column has its own scale"] if len(metrics) > 1 else []
        return heat.heat(panels, words, better, by_column=len(metrics) > 1), ["darker is better", *notes]
    if len(panels) > 1 and len(panels[0].headings) == 1:
        panels = panels_by_column(panels)
    rates = {heading for heading, way in better.items() if way == "lower"}
    parts = bool(spec.grid) or not table.columns
    drawn = bars.bars(panels, words, spec.axis, lower=_dotted(panels, rates, table), parts=parts)
    return drawn, [*_intervals(panels), *_published_note(panels)]


def _dotted(panels: Sequence[Panel], lower: set[str], table: Table) -> set[str]:
    """Return the headings whose values are error rates; all of them if every column of the table has error rates."""
    if table.columns and all(column.better == "lower" for column in table.columns):
        return {heading for panel in panels for heading in panel.headings}
    return lower


def _intervals(panels: Sequence[Panel]) -> list[str]:
    drawn = any(cell.interval for panel in panels for row in panel.runs for cell in row.cells)
    return ["thin lines show 95% intervals"] if drawn else ["too few Instances for intervals"]


def _published_note(panels: Sequence[Panel]) -> list[str]:
    number = max(len(panel.published) for panel in panels)
    return [f"grey: {number} published rows, measured on the whole benchmark"] if number else []
