"""Tests of `audit/tables/figures.py`."""

from __future__ import annotations

from pathlib import Path

from tests.audit.paper import audited
from tests.audit.tables.test_check import MEAN, only, row


def test_a_column_that_repeats_another_instead_of_following(tmp_path: Path) -> None:
    rows = {f"m{n}": row(10.11 + n, 37.37 - n, 90.02 + n / 7) for n in range(8)}
    rows = {name: cells | {"avg": cells["b"]} for name, cells in rows.items()}
    found = only(audited(tmp_path, {"T": rows}, MEAN))
    assert found.kind == "copy" and len(found.rows) == 8 and "8 repeat T b" in found.message
