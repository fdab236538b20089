"""Tables with one planted error of each kind; and that rounding alone is never an error."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.audit.paper import audited, derived
from triptych import audit_tables
from triptych.errors import DataError
from triptych.records import Finding

MEAN = derived("avg", "mean('a', 'b', 'c')")


def row(*values: float, places: int = 2) -> dict[str, str]:
    told = dict(zip("abc", values, strict=True)) | {"avg": sum(values) / len(values)}
    return {name: f"{value:.{places}f}" for name, value in told.items()}


def only(found: list[Finding]) -> Finding:
    assert len(found) == 1, [f.message for f in found]
    return found[0]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.floats(0, 100), min_size=3, max_size=3), min_size=1, max_size=8),
    st.integers(0, 3),
)
def test_rounding_alone_is_never_flagged(table: list[list[float]], places: int) -> None:
    rules = MEAN + derived("sd", "std('a', 'b', 'c')") + derived("d", "'a' - 'b'") + derived("r", "rank('avg')")
    averages = [sum(v) / 3 for v in table]
    rows = {}
    for number, values in enumerate(table):
        cells = row(*values, places=places)
        sd = (sum((v - averages[number]) ** 2 for v in values) / 2) ** 0.5
        rank = 1 + sum(a > averages[number] for a in averages)
        more = {"sd": f"{sd:.{places}f}", "d": f"{values[0] - values[1]:.{places}f}", "r": str(rank)}
        rows[f"m{number}"] = cells | more
    with tempfile.TemporaryDirectory() as folder:
        assert audited(Path(folder), {"T": rows}, rules) == []


def test_a_wrong_average(tmp_path: Path) -> None:
    found = only(audited(tmp_path, {"T": {"m": row(10, 20, 40) | {"avg": "28.61"}, "k": row(1, 2, 3)}}, MEAN))
    assert (found.kind, found.severity, found.table) == ("average", "severe", "T")
    assert (found.rows, found.columns, found.published) == (("m",), ("avg",), 28.61)
    assert found.recomputed == pytest.approx(23.333)


@pytest.mark.parametrize(("avg", "severity"), [("23.34", "note"), ("23.50", "warning"), ("24.61", "severe")])
def test_severity_is_the_distance_beyond_rounding(tmp_path: Path, avg: str, severity: str) -> None:
    found = audited(tmp_path, {"T": {"m": row(10, 20, 40) | {"avg": avg}}}, MEAN)
    # 10.00, 20.00 and 40.00 may be off by 0.005 each: 23.34 is within a unit of the last digit
    assert [f.severity for f in found] in ([severity], [] if avg == "23.34" else [severity])


def test_two_tables_that_print_one_quantity_differently(tmp_path: Path) -> None:
    rules = derived("a", "cell('U', 'z')", kind='"mismatch"')
    found = only(
        audited(
            tmp_path,
            {"T": {"m": {"a": "48.7"}, "k": {"a": "2.0"}}, "U": {"m": {"z": "46.04"}, "k": {"z": "2.04"}}},
            rules,
        )
    )
    assert (found.kind, found.published, found.recomputed) == ("mismatch", 48.7, 46.04)


def test_orders_that_must_hold(tmp_path: Path) -> None:
    rules = '[[ordered]]\ntable = "T"\ncolumns = ["EM", "JI", "P"]\nwhy = "sets"\n'
    rows = {"good": {"EM": "1.0", "JI": "2.0", "P": "2.0"}, "bad": {"EM": "1.0", "JI": "3.0", "P": "2.0"}}
    found = only(audited(tmp_path, {"T": rows}, rules))
    assert (found.kind, found.rows, found.columns) == ("ordering", ("bad",), ("JI", "P"))


def test_comparisons_that_must_hold_in_every_row(tmp_path: Path) -> None:
    rules = "[[holds]]\ntable = \"T\"\nformula = \"'F' <= ('P' + 'R') / 2\"\nwhy = \"means\"\n"
    rows = {"good": {"F": "2.0", "P": "1.0", "R": "3.0"}, "bad": {"F": "2.2", "P": "1.0", "R": "3.0"}}
    assert only(audited(tmp_path, {"T": rows}, rules)).rows == ("bad",)


def test_values_outside_their_range(tmp_path: Path) -> None:
    rules = '[[bounded]]\ntable = "T"\nlow = 0.0\nhigh = 20.0\nwhy = "points"\n'
    assert only(audited(tmp_path, {"T": {"m": {"a": "20.1", "b": "20.0"}}}, rules)).columns == ("a",)


def test_claims_of_the_text(tmp_path: Path) -> None:
    tables = {"T": {"m": {"a": "10.0"}, "k": {"a": "12.5"}}}
    claims = """
[[claim]]
where = "1"
says = "m has 10.0"
printed = "10.0"
formula = "cell('T', 'm', 'a')"
[[claim]]
where = "2"
says = "m is the best"
holds = "top(column('T', 'a')) == 'm'"
[[claim]]
where = "3"
says = "about 3 apart"
printed = "3"
formula = "cell('T', 'k', 'a') - cell('T', 'm', 'a')"
[[claim]]
where = "4"
says = "3.1 apart"
printed = "3.1"
formula = "cell('T', 'k', 'a') - cell('T', 'm', 'a')"
"""
    found = audited(tmp_path, tables, claims=claims)
    assert [f.message[0] for f in found] == ["2", "4"]
    assert {f.kind for f in found} == {"claim"} and found[1].recomputed == 2.5


@pytest.mark.parametrize("value", ["many", "1e5", "nan", "inf", "1_0", "0x1"])
def test_tables_with_what_is_no_number_are_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(DataError, match="not a number"):
        audited(tmp_path, {"T": {"m": {"a": value}}})


def test_dashes_are_no_cells_and_a_paper_without_tables_has_no_findings(tmp_path: Path) -> None:
    assert audited(tmp_path / "a", {"T": {"m": row(1, 2, 3) | {"b": "-"}, "k": row(1, 2, 3)}}, MEAN) == []
    assert audited(tmp_path / "b", {}) == []


def test_one_quantity_printed_twice_does_not_say_which_figure_is_right() -> None:
    """Ola's error rate is 6.6 in one table and 36.8 in another: its outputs give 6.57, so 36.8 does not "follow"."""
    (found,) = [f for f in audit_tables("mcif") if f.rows == ("Ola",) and f.columns == ("mix|long|REC",)]
    assert found.message.startswith("printed 6.6 here and 36.8 elsewhere") and "follows" not in found.message
    assert "don't show which is correct" in found.message
