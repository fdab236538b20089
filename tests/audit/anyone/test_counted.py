"""Tests of `audit/anyone/counted.py`: shares that no count gives."""

from __future__ import annotations

from pathlib import Path

from tests.audit.anyone.tables import HEAD, changed, found, markdown


def test_an_impossible_share_of_a_stated_number(tmp_path: Path) -> None:
    rows = [row[:4] for row in changed(0, 1, "60.37")]
    (one,) = found(tmp_path, markdown(rows, HEAD[:4]), questions={"Speech": 200})
    assert (one.kind, one.severity, one.rows, one.columns) == ("impossible", "severe", ("Alpha",), ("Speech",))
    assert "120 of 200 is 60.000 and 121 of 200 is 60.500" in one.message


def test_an_impossible_share_of_an_inferred_number(tmp_path: Path) -> None:
    hits = [12, 17, 29, 33, 41, 47, 52, 8, 19, 26]
    rows = [[f"Model {k}", f"{100 * k / 61:.2f}", "x"] for k in hits]
    rows[4][1] = "66.66"
    (one,) = found(tmp_path, markdown(rows, ["Model", "Acc", "Note"]))
    assert one.kind == "impossible" and "n = 61: 9 of 10 figures of the column are its shares" in one.message


def test_a_count_next_to_its_share(tmp_path: Path) -> None:
    rows = [["a", "60.5 (121/200)"], ["b", "61.0 (122/200)"], ["c", "62.0 (134/200)"]]
    (one,) = found(tmp_path, markdown(rows, ["M", "Acc"]))
    assert one.kind == "mismatch" and "134 of 200 is 67.00" in one.message
