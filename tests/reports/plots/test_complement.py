"""Tests of `reports/plots/complement.py`."""

from __future__ import annotations

import pytest
from msgspec import structs

from tests.reports.samples import column, figure
from triptych.records import Layout
from triptych.reports.plots.complement import complemented
from triptych.reports.tables.fill import fill

pytest.importorskip("matplotlib")


def test_error_rates_are_drawn_as_what_they_leave_where_a_figure_says_so() -> None:
    column_ = structs.replace(column("CER"), better="lower")
    cells = {"m": [structs.replace(figure(30.0), interval=(20.0, 45.0), value_all=40.0, value_answered=30.0)]}
    table = complemented(fill(Layout("c", "C", (column_,)), cells), {"CER": "100 - CER"})
    (cell,) = table.rows[0].cells
    assert (table.headings, table.columns[0].better) == (("100 - CER",), "higher")
    assert (cell.value, cell.value_all, cell.value_answered, cell.interval) == (70.0, 60.0, 70.0, (55.0, 80.0))
    assert complemented(table, {}) is table
