"""Tests of `audit/anyone/baselines.py`: columns of differences to another row."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.anyone.tables import found, markdown
from triptych.audit.anyone.baselines import comparisons, may_compare_lines
from triptych.audit.anyone.view import views
from triptych.audit.sheets.reading import read_sheets

ACC = [64.9, 69.7, 71.8, 77.7, 69.6, 76.9, 41.2, 58.6, 66.0, 44.5]


def rows_with(form: str, percent: bool = False) -> list[list[str]]:
    differences = [100 * (x / ACC[0] - 1) if percent else x - ACC[0] for x in ACC]
    return [[f"Model-{n}", str(x), form.format(d)] for n, (x, d) in enumerate(zip(ACC, differences, strict=True))]


@pytest.mark.parametrize(
    ("label", "form"),
    [
        ("Δ vs Model-0", "{:+.1f}"),
        ("Improvement", "({:+.1f})"),
        ("Gain over baseline", "{:.1f}"),
        ("vs. first", "{:+.1f} pp"),
        ("提升", "{:+.1f}"),
    ],
)
def test_a_difference_to_the_first_row_that_does_not_follow(tmp_path: Path, label: str, form: str) -> None:
    head = ["Model", "Acc", label]
    rows = rows_with(form)
    assert found(tmp_path, markdown(rows, head)) == []
    rows[5][2] = form.format(9.9)
    (one,) = found(tmp_path, markdown(rows, head))
    assert (one.kind, one.severity, one.rows, one.columns) == ("average", "severe", ("Model-5",), (label,))
    assert "9.9, but Acc minus that of Model-0 is 12.00 (76.9 - 64.9); 8 of 9 rows" in one.message


def test_differences_in_percent_of_the_first_row_and_to_the_row_above(tmp_path: Path) -> None:
    rows = rows_with("{:+.1f}%", percent=True)
    assert found(tmp_path, markdown(rows, ["Model", "Acc", "Gain"])) == []
    rows[4][2] = "+17.2%"
    (one,) = found(tmp_path, markdown(rows, ["Model", "Acc", "Gain"]))
    assert one.rows == ("Model-4",) and "the percentage by which Acc exceeds that of Model-0 is 7.24" in one.message
    above = [[f"Step {n}", str(x), f"{x - ACC[n - 1]:+.1f}" if n else "-"] for n, x in enumerate(ACC)]
    assert found(tmp_path, markdown(above, ["Step", "Acc", "Δ"])) == []
    above[6][2] = "-25.7"
    (one,) = found(tmp_path, markdown(above, ["Step", "Acc", "Δ"]))
    assert one.rows == ("Step 6",) and "minus that of the row above is -35.70" in one.message


def test_a_row_of_differences_to_another_column(tmp_path: Path) -> None:
    head = ["", *(f"Model-{n}" for n in range(10))]
    rows = [["Acc", *map(str, ACC)], ["Δ", *(f"{x - ACC[0]:+.1f}" for x in ACC)]]
    assert found(tmp_path, markdown(rows, head)) == []
    rows[1][6] = "+9.9"
    (one,) = found(tmp_path, markdown(rows, head))
    assert (one.rows, one.columns) == (("Δ",), ("Model-5",))


def test_a_difference_that_is_not_read_makes_no_baseline(tmp_path: Path) -> None:
    """As in the release notes of lmms-eval: `-72% (3.58x)` is a difference, so its row is not what others follow."""
    rows, base = list[list[str]](), 0.0
    for n, x in enumerate([196.64, 197.41, 121.42, 54.88, 188.21, 469.48, 283.41, 178.80, 263.44, 208.65, 211.2, 90.1]):
        base = base if n % 4 else x
        change = "baseline" if not n % 4 else f"{100 * (x / base - 1):+.0f}%"
        rows.append([f"{n}", f"r{n}", f"{x:.2f}", f"{change} (1.05x)" if n in (3, 7) else change])
    assert found(tmp_path, markdown(rows, ["No", "Backend", "Mean (ms)", "vs PyAV"])) == []


def test_what_each_line_may_be_compared_with(tmp_path: Path) -> None:
    (tmp_path / "t.md").write_text(markdown([["a", "1.5", "-"], ["b", "2.5", "+1.0"]], ["M", "Acc", "Δ"]))
    by_rows, _ = views(read_sheets(tmp_path / "t.md", "t.md")[0])
    assert may_compare_lines(by_rows, "Δ") and not may_compare_lines(by_rows, "Acc")
    assert dict(comparisons(by_rows, {"b"}, ["a"])) == {
        "a": {"b": "a"},
        "the row above": {"b": "a"},
        "the first row of its section": {"b": "a"},
        "the last row without differences": {"b": "a"},
    }
