"""Tests of `analysis/raters/calibrated.py`: a judge's calibration as a table."""

from __future__ import annotations

from triptych.analysis.raters.calibrated import AGREEMENT, calibration_table
from triptych.judges.calibration import Agreement, Calibration


def agreement(pearson: float | None, spearman: float | None, alpha: float | None, n: int = 20) -> Agreement:
    return Agreement(n, {"scored": n}, pearson, spearman, 0.9, alpha, 0.1)


def test_a_row_for_all_replies_and_one_for_each_system() -> None:
    systems = {"通义": agreement(0.5, 0.4, 0.3, 8), "B": agreement(0.9, 0.8, 0.7, 12)}
    table = calibration_table(Calibration(agreement(0.8, 0.75, 0.7), systems, {}))
    assert table.headings == AGREEMENT == ("Pearson", "Spearman", "alpha (interval)")
    assert [(row.label, [cell.value for cell in row.cells], row.cells[0].n) for row in table.rows] == [
        ("all systems", [0.8, 0.75, 0.7], 20),
        ("通义", [0.5, 0.4, 0.3], 8),
        ("B", [0.9, 0.8, 0.7], 12),
    ]
    assert all(cell.plain and cell.digits == 2 for row in table.rows for cell in row.cells), "coefficients, no shares"


def test_without_systems_the_row_is_of_all_replies() -> None:
    (row,) = calibration_table(Calibration(agreement(0.8, 0.75, 0.7), {}, {})).rows
    assert row.label == "all replies"


def test_a_system_without_any_coefficient_is_left_out_and_one_with_some_stays() -> None:
    """Pearson and Spearman need replies with different scores; alpha doesn't."""
    systems = {"constant": agreement(None, None, 0.0), "one reply": agreement(None, None, None, 1)}
    table = calibration_table(Calibration(agreement(0.8, None, None), systems, {}))
    assert [row.label for row in table.rows] == ["all systems", "constant"]
    assert [cell.value for cell in table.rows[1].cells] == [None, None, 0.0], "a coefficient of 0 is a coefficient"
    assert calibration_table(Calibration(agreement(None, None, None), {}, {})).rows == ()
