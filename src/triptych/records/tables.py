"""A table as data: the layout (what a paper's table holds) and the table that was filled from it."""

from __future__ import annotations

from typing import Literal

import msgspec


class Column(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One column of a layout: which aggregate it shows. `published` is its name in the published CSV.

    `metric`: the id of the metric that the paper's figures are by. Under a protocol with a rule of its own (`cer` for
    `cer.spaced`) the column shows that protocol's figure, and the paper's cells are left out.
    `published_sum`: instead of `published`, where the paper prints the parts alone: printed column -> its factor.
    `rank`: shows the place that the figure takes among the table's rows instead of the figure.
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


class RowSlice(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One row a model in a layout whose rows are slices too: the slice is merged into each column's.

    `task` replaces the column's task where given. `published` is the suffix or name in the published CSV.
    """

    heading: str
    slice: dict[str, str] = {}
    task: str = ""
    published: str = ""


class Layout(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A paper's table as data. `paper` is the table's id in the published CSV ("T2"), empty for our own.

    `about`: what is told of each model beside its name (`size`, `type`): of the paper's by `published/systems.csv`, of
    one's own by `-M size=7B`. `groups`: the table is about models of these groups alone; a Run stands in it where
    `-M group=…` names one. `beside`: the table says something only with the paper's rows, and is shown only with them.
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
    beside: bool = False


class TableCell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A filled cell: value None is shown as a dash, with the reason in `note`.

    `value` is the headline figure; `value_all` and `value_answered` are both. `n` counts the Units in the headline
    figure, `units` all that it is about. `best`: no other Run's value in this column is better; `second`: only the
    best are. `parts`: as in an Aggregate, of a figure made of fewer Tasks than it should be. `coverage`: the share of
    this figure's own Units that have an answer (a row's is over all that the row shows).
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


class TableRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A model's row (or one slice of it). `origin` tells one's own Run from a published row; `part`: which slice.

    `marks`: what a reader must know of this row before comparing it with others: that it is of the mini set, or that
    the paper measured it on something else. `least`: the column that is answered least, where that is less than
    `coverage`: (its coverage, what is said of it). `about`: what is known of the model, under the table's `about`.
    """

    label: str
    cells: tuple[TableCell, ...]
    sub: str = ""
    origin: Literal["run", "published"] = "run"
    coverage: float | None = None
    least: tuple[float, str] | None = None
    counts: dict[str, int] = {}
    part: RowSlice | None = None
    marks: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


class Table(msgspec.Struct, frozen=True, omit_defaults=True):
    """A filled table, ready for any renderer. `columns`: what each heading stands for, where a layout says it;
    `about`: what is told of each row's model (`size`, `type`), empty where nothing is known of any."""

    id: str
    title: str
    headings: tuple[str, ...]
    rows: tuple[TableRow, ...]
    protocol: str = ""
    headline: str = ""
    notes: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    about: tuple[str, ...] = ()
