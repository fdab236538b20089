"""Tests of `reports/files/csv_files.py`: tables as CSV."""

from __future__ import annotations

import json

from tests.reports.files.test_files import read
from tests.reports.samples import SLICED, figure, run
from triptych.reports.files.csv_files import table_csv, tidy_csv
from triptych.reports.tables.fill import fill


def test_tidy_csv_holds_every_figure_exactly() -> None:
    figures = [figure(1 / 3, {"genre": '诗,"'}, {"scored": 2, "failed": 1}, interval=(0.1, 0.7)), figure(None)]
    first, second = read(tidy_csv({"m": {"official": figures}}))
    assert float(first["value"]) == 1 / 3
    assert json.loads(first["slice"]) == {"genre": '诗,"'}
    assert json.loads(first["counts"]) == {"scored": 2, "failed": 1}
    assert (float(first["low"]), float(first["high"]), first["run"], first["units"]) == (0.1, 0.7, "m", "3")
    assert (second["value"], second["low"], second["protocol"]) == ("", "", "official")


def test_a_layouts_csv_has_a_line_for_each_row_and_protocol() -> None:
    tables = [fill(SLICED, {"m": run(50), "k": run(20)}, headline="answered")] * 2
    rows = read(table_csv(tables))
    assert len(rows) == 12
    assert (rows[0]["slice"], rows[0]["run"], float(rows[0]["audio text"])) == ("Speech", "m", 50.0)
    assert (float(rows[0]["audio text low"]), float(rows[0]["audio text all"])) == (46.8, 48.0)
    assert json.loads(rows[0]["counts"]) == {"scored": 18, "failed": 2}
    assert table_csv([]) == ""
