"""Tests of `audit/sheets/delimited.py`: tables of CSV and TSV files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.sheets.test_printed import written
from triptych.errors import DataError


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("t.xlsx", "not a zip", "not an XLSX workbook"),
        ("t.pdf", "%PDF", "unknown kind of table file"),
        ("t.csv", ("x," * 600 + "\n") * 2, "too large"),
        ("t.md", "<table>" * 9, "nested too deep"),
    ],
)
def test_what_can_not_be_read_says_so(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        written(tmp_path, name, text)
