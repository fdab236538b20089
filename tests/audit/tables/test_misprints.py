"""Tests of `audit/tables/misprints.py`: search for the misprint that explains figures."""

from __future__ import annotations

from pathlib import Path

from tests.audit.paper import audited, derived
from tests.audit.tables.test_check import MEAN, only, row
from triptych.audit.tables.misprints import edits


def test_a_misprint_that_breaks_two_figures(tmp_path: Path) -> None:
    rules = MEAN + derived("gap", "'a' - 'b'")
    cells = row(31.42, 27.18, 57.72) | {"gap": "4.24"}
    found = only(audited(tmp_path, {"T": {"m": cells | {"a": "37.42"}, "k": row(1, 2, 3)}}, rules))
    assert (found.kind, found.columns, found.published, found.recomputed) == ("misprint", ("a",), 37.42, 31.42)


def test_where_two_cells_could_be_the_misprint_neither_is_told(tmp_path: Path) -> None:
    rules = MEAN + derived("sum", "'a' + 'b'")
    cells = row(31.42, 27.18, 57.72) | {"sum": "58.60"}
    found = audited(tmp_path, {"T": {"m": cells | {"a": "37.42"}, "k": row(1, 2, 3)}}, rules)
    assert [(f.kind, f.columns) for f in found] == [("average", ("avg",)), ("average", ("sum",))]


def test_a_lone_misprint_in_a_high_digit_that_is_an_impossible_share(tmp_path: Path) -> None:
    shares = '[[shares]]\ntable = "T"\ncolumns = ["a", "b", "c"]\nn = 509\nwhy = "509 questions"\n'
    cells = row(100 * 344 / 509, 100 * 200 / 509, 100 * 100 / 509)
    found = audited(tmp_path, {"T": {"m": cells | {"a": "37.58"}, "k": row(0, 0, 0)}}, MEAN + shares)
    assert {f.kind for f in found} == {"misprint", "impossible"}
    assert next(f for f in found if f.kind == "misprint").recomputed == 67.58


def test_what_one_slip_makes_of_a_number() -> None:
    told = set(edits("12.3"))
    assert {"-12.3", "21.3", "12.4", "92.3"} <= told and "12.3" not in told and len(told) == 1 + 27 + 1
