"""Tests of `audit/tables/share_checks.py`: checks for impossible shares."""

from __future__ import annotations

import random
from pathlib import Path

from tests.audit.paper import audited
from tests.audit.tables.test_check import only


def test_a_share_of_no_whole_number(tmp_path: Path) -> None:
    rules = '[[shares]]\ntable = "T"\ncolumns = ["a"]\nn = 70\nwhy = "70 questions"\n'
    found = only(audited(tmp_path, {"T": {"m": {"a": "67.63"}, "k": {"a": "67.14"}}}, rules))
    assert (found.kind, found.rows, found.recomputed) == ("impossible", ("m",), "67.14 or 68.57")


def test_a_row_measured_on_other_questions(tmp_path: Path) -> None:
    rng = random.Random(5)
    cells = {f"c{n}": f"{100 * rng.randint(5, 90) / 97:.2f}" for n in range(12)}
    rules = '[[shares]]\ntable = "T"\nn = 500\nwhy = "500 questions"\n'
    found = only(audited(tmp_path, {"T": {"m": cells}}, rules))
    assert found.kind == "impossible" and "fit n = 97" in found.message and len(found.columns) >= 10


def test_a_row_in_another_order_than_its_columns(tmp_path: Path) -> None:
    sizes = {"SR": 675, "ER": 408, "SU": 173, "AD": 174, "TR": 70}
    right = {"SR": 400, "ER": 120, "SU": 91, "AD": 101, "TR": 22}
    true = {c: f"{100 * right[c] / n:.2f}" for c, n in sizes.items()} | {"Avg": f"{100 * 734 / 1500:.2f}"}
    rules = '[[shares]]\ntable = "T"\npooled = "Avg"\nwhy = "sizes"\n[shares.n]\nAvg = 1500\n' + "".join(
        f"{c} = {n}\n" for c, n in sizes.items()
    )
    assert audited(tmp_path / "a", {"T": {"m": true}}, rules) == []
    mixed = true | {"ER": true["SU"], "SU": true["TR"], "TR": true["AD"], "AD": true["ER"]}
    found = only(audited(tmp_path / "b", {"T": {"m": mixed}}, rules))
    assert found.kind == "permutation" and found.rows == ("m",)
    assert found.recomputed == ", ".join(f"{c} {true[c]}" for c in ("ER", "SU", "AD", "TR"))


def test_columns_under_each_others_labels(tmp_path: Path) -> None:
    rng = random.Random(1)
    sizes = {"P": 96, "C": 701, "M": 29}
    rows = {f"m{k}": {c: f"{100 * rng.randint(1, n - 1) / n:.2f}" for c, n in sizes.items()} for k in range(9)}
    rules = '[[shares]]\ntable = "T"\nwhy = "the released file"\n[shares.n]\nP = 701\nC = 29\nM = 96\n'
    found = only(audited(tmp_path, {"T": rows}, rules))
    assert (found.kind, found.columns) == ("permutation", ("P", "C", "M"))
    assert found.recomputed == "P: n = 96, C: n = 701, M: n = 29"
