"""Fixtures that several files of tests of `audit/tables` share."""

from __future__ import annotations

import pytest

from triptych.audit.tables.cells import Tables
from triptych.audit.tables.expression import Context


@pytest.fixture
def context() -> Context:
    tables = Tables(aliases={"Short": "A long name"})
    for row, cells in {"A": "1.0 3.0 2.0", "B": "5.0 5.0 5.0", "C": "0.0 9.0 4.5"}.items():
        for column, value in zip(("x|1", "x|2", "avg"), cells.split(), strict=True):
            tables.add("T", row, column, value)
    tables.add("U", "A long name", "z", "7.0")
    return Context(tables, "T", "A")
