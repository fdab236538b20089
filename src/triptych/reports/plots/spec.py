"""A figure as data: the table that it draws and its kind. A benchmark's figures are in its `figures.toml`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import msgspec

from triptych.benchmarks import Benchmark
from triptych.errors import SpecError, nearest
from triptych.records import Column, Layout, RowSlice
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason

Kind = Literal["bars", "heat", "matrix", "box", "radar", "stack", "scatter", "lines", "dots"]
KINDS: tuple[str, ...] = get_args(Kind)


class FigureSpec(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One figure.

    layout    the benchmark's layout that it draws, by id; empty: its own `columns` (and `rows`)
    pick      headings of the layout's columns that it takes, in this order; empty: all but ranks
    keys      instead of a layout: Tasks for which the error rate by correct option is drawn
    complement  heading -> heading: columns of error rates that are drawn as 100 - value, under this heading
    grid      matrix: heading -> (row, column); bars: heading -> (group, series), with one panel per Run
    parts     the layout's slices that it takes (`Long, mixed prompts`); empty: all
    axis      what the values are: `accuracy, %`; `along`: what the headings of lines are: `dB`
    needs     headings; the figure is drawn only if one of them has a value
    published whether the paper's rows are drawn, if they are asked for
    paper     the corresponding figure of the paper
    """

    id: str
    kind: Kind
    title: str
    layout: str = ""
    columns: tuple[Column, ...] = ()
    rows: tuple[RowSlice, ...] = ()
    keys: tuple[str, ...] = ()
    pick: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    complement: dict[str, str] = {}
    grid: dict[str, tuple[str, str]] = {}
    needs: tuple[str, ...] = ()
    axis: str = ""
    along: str = ""
    published: bool = True
    paper: str = ""
    note: str = ""
    protocols: tuple[str, ...] = ()


class FigureFile(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The content of `figures.toml`. `latin`: a Latin name for each Chinese heading, used if no font has its
    characters."""

    figures: tuple[FigureSpec, ...] = ()
    latin: dict[str, str] = {}


def load_figures(benchmark: Benchmark) -> FigureFile:
    """Return the benchmark's figures; empty without a `figures.toml`. Raises SpecError for a figure that can't be
    drawn."""
    path = benchmark.folder / "figures.toml"
    try:
        file = msgspec.convert(parse_toml(path.read_text(encoding="utf-8")), FigureFile)
    except FileNotFoundError:
        return FigureFile()
    except (OSError, *NO_TOML, msgspec.ValidationError) as error:
        raise SpecError("figures.toml can't be read", where=path, got=reason(error)) from None
    for spec in file.figures:
        _check(spec, benchmark, path)
    return file


def layout_of(spec: FigureSpec, benchmark: Benchmark) -> Layout:
    """Return the layout that a figure fills: the benchmark's, restricted to what is picked, or the figure's own."""
    if not spec.layout:
        return Layout(spec.id, spec.title, spec.columns, spec.rows)
    summary_layout = next(layout for layout in benchmark.spec.layouts if layout.id == spec.layout)
    by_heading = {column.heading: column for column in summary_layout.columns if not column.rank}
    columns = tuple(by_heading[name] for name in spec.pick) if spec.pick else tuple(by_heading.values())
    rows = tuple(row for row in summary_layout.rows if not spec.parts or row.heading in spec.parts)
    return msgspec.structs.replace(summary_layout, columns=columns, rows=rows, title=spec.title)


def _check(spec: FigureSpec, benchmark: Benchmark, path: Path) -> None:
    layouts = {layout.id: layout for layout in benchmark.spec.layouts}
    if bool(spec.layout) + bool(spec.columns) + bool(spec.keys) != 1:
        raise SpecError(f"figure {spec.id!r} needs exactly one of: layout, columns, keys", where=path)
    if unknown := set(spec.keys) - {task.id for task in benchmark.spec.tasks}:
        raise SpecError(f"figure {spec.id!r} names an unknown Task", where=path, got=", ".join(unknown))
    if not spec.layout:
        return
    if spec.layout not in layouts:
        raise SpecError(
            f"figure {spec.id!r} names an unknown layout",
            where=path,
            got=spec.layout,
            fix=nearest(spec.layout, layouts),
        )
    headings = {column.heading for column in layouts[spec.layout].columns}
    parts = {row.heading for row in layouts[spec.layout].rows}
    for name, names in [(n, headings) for n in (*spec.pick, *spec.complement, *spec.grid, *spec.needs)] + [
        (n, parts) for n in spec.parts
    ]:
        if name not in names:
            raise SpecError(
                f"figure {spec.id!r} picks a heading that its layout doesn't have",
                where=path,
                got=name,
                fix=nearest(name, names),
            )
