"""Tests of `reports/plots`: es."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from tests.reports.samples import OVERALL, SLICED, run
from triptych.records import Table, TableCell, TableRow
from triptych.reports.plots.draw import Drawing, draw
from triptych.reports.plots.spec import FigureSpec, Kind
from triptych.reports.tables.fill import fill

pytest.importorskip("matplotlib")


RUNS = {"local/cascade": run(50), "baseline/random": run(20)}
PUBLISHED = {
    "T1": {f"Model {n}": {"Speech": 40.0 + n, "Music": 30.0 + n, "Sound": 20.0, "Last": 61.5} for n in range(5)}
}
SVG = "{http://www.w3.org/2000/svg}"


def drawn(kind: Kind, table: Table, **more: object) -> Drawing:
    drawing = draw(FigureSpec("fig", kind, "A title <b>", **more), table)  # type: ignore[arg-type]
    assert drawing is not None
    return drawing


def table_of(kind: str) -> Table:
    if kind == "scatter":
        cells = [(1.0, 40.0), (2.0, 30.0), (3.0, 60.0)]
        rows = tuple(TableRow(f"r{n}", (TableCell(x), TableCell(y))) for n, (x, y) in enumerate(cells))
        return Table("t", "T", ("cost", "score"), rows)
    return fill(SLICED if kind == "matrix" else OVERALL, RUNS, PUBLISHED, headline="answered")


def words(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]
