"""Printed figures of true counts: rounded half up, half to even, or truncated, one way for each table."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks_truth.true_tables import PRINTING, printed_row
from hypothesis import given
from hypothesis import strategies as st

from tests.audit.paper import audited
from triptych.audit.tables.interval import Interval
from triptych.audit.tables.shares import is_share

SIZES = {"a": 441, "b": 675, "c": 173}
RULES = '[[shares]]\ntable = "T"\nwhy = "the released questions"\n[shares.n]\na = 441\nb = 675\nc = 173\n'


def rows(printing: str) -> dict[str, dict[str, str]]:
    counts = [{"a": 100 + 31 * k, "b": 200 + 37 * k, "c": 40 + 11 * k} for k in range(8)]
    printed = [printed_row(own, SIZES, 2, printing) for own in counts]
    return {f"m{k}": {c: own[c] for c in SIZES} for k, own in enumerate(printed)}


@given(st.integers(1, 2000), st.data(), st.integers(1, 2))
def test_a_true_share_is_possible_in_each_way_of_printing(n: int, data: st.DataObject, digits: int) -> None:
    k = data.draw(st.integers(0, n))
    for printing in PRINTING:
        text = printed_row({"a": k, "b": k}, {"a": n, "b": n}, digits, printing)["a"]
        way = "truncated" if printing.startswith("truncated") else "rounded"
        assert is_share(Interval.printed(text, printing=way), n), (printing, text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "low", "high"), [("3.17", 3.17, 3.18), ("-3.17", -3.18, -3.17), ("0.0", -0.1, 0.1), ("-0.0", -0.1, 0.1)]
)
def test_truncation_drops_digits_towards_zero(text: str, low: float, high: float) -> None:
    value = Interval.printed(text, printing="truncated")
    assert (value.low, value.high) == (pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize("printing", PRINTING)
def test_true_counts_have_no_findings_in_any_way_of_printing(tmp_path: Path, printing: str) -> None:
    assert audited(tmp_path, {"T": rows(printing)}, RULES) == []


@pytest.mark.parametrize("printing", PRINTING)
def test_an_impossible_share_is_found_in_any_way_of_printing(tmp_path: Path, printing: str) -> None:
    table = rows(printing)
    table["m3"]["c"] = "42.50"  # 73 and 74 of 173 are 42.20 and 42.77
    (found,) = audited(tmp_path, {"T": table}, RULES)
    assert (found.kind, found.severity, found.rows, found.columns) == ("impossible", "severe", ("m3",), ("c",))


def test_a_truncated_cell_among_rounded_ones_is_a_warning(tmp_path: Path) -> None:
    table = rows("half up")
    table["m3"]["b"] = "46.07"  # 311 of 675 are 46.0741, 312 of 675 are 46.2222
    table["m4"]["b"] = rows("truncated")["m4"]["b"]
    assert table["m4"]["b"] != rows("half up")["m4"]["b"]
    (found,) = audited(tmp_path, {"T": table}, RULES)
    assert (found.kind, found.severity, found.rows) == ("impossible", "warning", ("m4",))
    assert "only if truncated" in found.message and found.effect == "one unit of the last digit"


def test_the_way_of_printing_is_found_for_each_table(tmp_path: Path) -> None:
    rules = RULES + RULES.replace('"T"', '"U"')
    assert audited(tmp_path, {"T": rows("truncated"), "U": rows("half up")}, rules) == []
