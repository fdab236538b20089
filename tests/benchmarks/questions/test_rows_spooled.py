"""Tests of `benchmarks/questions`: rows spooled."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import polars
import pytest

from tests.store.test_spooled import a_row, loaded, written
from triptych.benchmarks._questions.rows import read_rows
from triptych.errors import DataError


@pytest.mark.usefixtures("small_blocks")
def test_cells_of_a_table_keep_their_types(tmp_path: Path) -> None:
    day = [date(2026, 1, n % 28 + 1) for n in range(10)]
    prices = [Decimal(n) / 4 for n in range(10)]
    polars.DataFrame({"day": day, "price": prices, "large": [2**63 - 1] * 10}).write_parquet(tmp_path / "t.parquet")
    rows, _ = read_rows(tmp_path / "t.parquet")
    assert [(row.cells["day"], row.cells["price"]) for row in rows] == list(zip(day, prices, strict=True))
    assert {type(row.cells["large"]) for row in rows} == {int}


def test_a_line_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.benchmarks._questions.rows.MAX_DOCUMENT", 200)
    path = written(tmp_path / "q.jsonl", [a_row(0), a_row(1, context="x" * 300)])
    with pytest.raises(DataError, match="a line is too large") as error:
        loaded(path)
    assert "q.jsonl, line 2" in str(error.value)
