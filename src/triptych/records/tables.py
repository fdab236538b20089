"""Tables as data: the layout of a table, and the table filled from it."""

from __future__ import annotations

from typing import Literal

import msgspec

from triptych.records.scores import FigureKey, slice_key


class Column(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One column of a layout: the aggregate that it shows.

    published      name of the column in the published CSV
    metric         metric of the paper's figures. If a protocol uses another rule (`cer`, not `cer.spaced`), the column
                   has its figure and leaves out the paper's cells
    published_sum  used instead of `published` if the paper prints only the parts: printed column -> factor
    rank           show the figure's rank among the rows instead of the figure
    bracket        people see the figure in brackets, with its sign, behind that of the column before it: 82.53 (+2.61)
    """

    heading: str
    task: str
    metric: str
    slice: dict[str, str] = {}
    digits: int = 2
    better: Literal["higher", "lower", "zero", ""] = "higher"
    published: str = ""
    published_sum: dict[str, float] = {}
    rank: bool = False
    bracket: bool = False


class RowSlice(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One row per model, in a layout whose rows are slices; the slice is merged into the slice of each column.

    `task` and `metric` replace the column's if given. `published` is the suffix or name in the published CSV. `unit` is
    printed behind the figures of the row (`26.0M`).
    """

    heading: str
    slice: dict[str, str] = {}
    task: str = ""
    published: str = ""
    metric: str = ""
    unit: str = ""


def column_key(column: Column, row: RowSlice | None) -> FigureKey:
    """Return the FigureKey that a column shows (in a row slice)."""
    if row is None:
        return column.task, column.metric, slice_key(column.slice)
    return row.task or column.task, row.metric or column.metric, slice_key({**row.slice, **column.slice})


class Layout(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A paper's table as data. `paper` is the table's id in the published CSV ("T2"), empty for our own tables.

    about   properties shown with a model (`size`, `type`): for the models of the paper from `published/systems.csv`,
            for a Run from `-M size=7B`
    groups  the table shows only models of these groups; a Run is shown if `-M group=…` names one of them
    means   means over the models are shown: `all`, or a name in `about` for a mean of each of its values
    beside  the table is shown only together with the paper's rows, since it is meaningless without them
    by_model  the row slices of a model are shown together, below its name; otherwise the models of a slice are
    models_across  a column for each model, and a row for each figure
    """

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[RowSlice, ...] = ()
    paper: str = ""
    note: str = ""
    protocols: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    means: tuple[str, ...] = ()
    beside: bool = False
    by_model: bool = False
    models_across: bool = False


class TableCell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A filled cell. A value of None is shown as a dash, with the reason in `note`.

    `value` is the headline figure, `value_all` is over all Units, `value_answered` over those with an answer. `n`
    counts the Units in the headline figure, `units` all Units. `best`: no other Run has a better value in this column;
    `second`: only the best Runs do. `parts`: as in an Aggregate. `coverage`: share of this figure's Units with an
    answer (the coverage of a row is over all its cells). `plain`: the figure has no interval by its nature
    (a count, a rank, a p-value). `unit` is printed behind the value, `bracket` after it in brackets.
    `unmeasured`: no Unit has a reply with a score, so that the figure would be a worst case; it is shown as a dash.
    """

    value: float | None
    digits: int = 2
    n: int = 0
    units: int = 0
    interval: tuple[float, float] | None = None
    value_all: float | None = None
    value_answered: float | None = None
    best: bool = False
    second: bool = False
    note: str = ""
    parts: tuple[int, int] | None = None
    coverage: float | None = None
    plain: bool = False
    unmeasured: bool = False
    unit: str = ""
    bracket: str = ""


class TableRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of a model, or of one slice of it (`part`). `origin` distinguishes Runs, published rows and
    means over models.

    `marks`: what readers must know before they compare this row with others: it is of the mini set, or the paper
    measured it on something else. `least`: (coverage, description) of the column with the lowest coverage, if that is
    lower than `coverage`. `about`: properties of the model, in the order of the table's `about`.
    """

    label: str
    cells: tuple[TableCell, ...]
    sub: str = ""
    origin: Literal["run", "published", "mean"] = "run"
    coverage: float | None = None
    least: tuple[float, str] | None = None
    counts: dict[str, int] = {}
    part: RowSlice | None = None
    marks: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


class Table(msgspec.Struct, frozen=True, omit_defaults=True):
    """A filled table, ready for any renderer. `columns`: the meaning of each heading, if a layout defines it; `about`:
    names of the properties of models (`size`, `type`) shown in rows; empty if nothing is known; `by_model`: the rows of
    a model are next to each other, and its name is their heading. `models_across`: shown with a column for each row.
    """

    id: str
    title: str
    headings: tuple[str, ...]
    rows: tuple[TableRow, ...]
    protocol: str = ""
    headline: str = ""
    notes: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    about: tuple[str, ...] = ()
    by_model: bool = False
    models_across: bool = False
