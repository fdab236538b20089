"""Tests of `audit/anyone/marked.py`: marks that aren't right."""

from __future__ import annotations

from pathlib import Path

from tests.audit.anyone.tables import found, markdown


def test_bold_that_is_not_the_best(tmp_path: Path) -> None:
    head = ["Model", *(f"T{k}" for k in range(6))]
    rows = [[f"m{n}", *(f"{40 + (13 * n + 7 * k) % 41}.{(3 * n + k) % 10}" for k in range(6))] for n in range(5)]
    for c in range(1, 7):
        best = max(rows, key=lambda row: float(row[c].strip("*")))
        best[c] = f"**{best[c]}**"
    assert not [f for f in found(tmp_path, markdown(rows, head)) if f.kind == "mark"]
    for row in rows:
        row[3] = row[3].strip("*")
    worst = min(rows, key=lambda row: float(row[3]))
    worst[3] = f"**{worst[3]}**"
    (one,) = [f for f in found(tmp_path, markdown(rows, head)) if f.kind == "mark"]
    assert one.severity == "warning" and "is bold, but" in one.message


def test_a_rank_that_does_not_follow(tmp_path: Path) -> None:
    values = [81.2, 77.5, 70.1, 66.0, 61.3, 55.5]
    rows = [[str(n + 1), f"m{n}", str(v)] for n, v in enumerate(values)]
    assert found(tmp_path, markdown(rows, ["Rank", "Model", "Acc"])) == []
    rows[2][2], rows[3][2] = rows[3][2], rows[2][2]
    (one,) = found(tmp_path, markdown(rows, ["Rank", "Model", "Acc"]))
    assert one.kind == "mark" and one.rows == ("m2", "m3")
