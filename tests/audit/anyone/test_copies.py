"""Tests of `audit/anyone/copies.py`."""

from __future__ import annotations

from pathlib import Path

from tests.audit.anyone.tables import HEAD, ROWS, changed, found, markdown


def test_a_copied_row(tmp_path: Path) -> None:
    head = ["Model", *(f"T{k}" for k in range(8))]
    rows = [
        [f"m{n}", *(f"{40 + (37 * n + 11 * k * k + 5 * n * k) % 50}.{(7 * n + 3 * k) % 10}" for k in range(8))]
        for n in range(8)
    ]
    assert not [f for f in found(tmp_path, markdown(rows, head)) if f.kind == "copy"]
    rows[6][1:7] = rows[1][1:7]
    (one,) = [f for f in found(tmp_path, markdown(rows, head)) if f.kind == "copy"]
    assert one.rows == ("m1", "m6") and one.severity in {"severe", "warning"} and "6 of 8 cells" in one.message


def test_one_cell_with_two_values(tmp_path: Path) -> None:
    other = changed(3, 2, "61.33")
    text = markdown(ROWS) + "\n## Again\n\n" + markdown([row[:4] for row in other], HEAD[:4])
    (one,) = found(tmp_path, text)
    assert (one.kind, one.severity, one.rows, one.columns) == ("mismatch", "severe", ("Delta",), ("Music",))
    assert "66.67 here and 61.33 in t.md#2" in one.message
