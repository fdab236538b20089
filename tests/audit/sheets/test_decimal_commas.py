"""Tests of `audit/sheets`: decimal_commas."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import audit_tables
from triptych.audit.sheets.decimal_commas import with_points
from triptych.audit.sheets.raw import RawCell, RawTable
from triptych.audit.sheets.reading import read_sheets


def texts(*rows: str) -> list[str]:
    table = RawTable([[RawCell(cell) for cell in row.split(" & ")] for row in rows])
    return [" & ".join(cell.text for cell in row) for row in with_points(table).rows]


@pytest.mark.parametrize(
    ("rows", "read"),
    [
        (("67,2 & 58,25", "49,1 & 1.234,5"), ["67.2 & 58.25", "49.1 & 1234.5"]),
        (("0,523 & 0,471", "0,602 & 0,125"), ["0.523 & 0.471", "0.602 & 0.125"]),
        (("67,2 & 1.234", "58,2 & 987", "49,1 & 12.345.678"), ["67.2 & 1234", "58.2 & 987", "49.1 & 12345678"]),
        (("67,2 ± 1,1 & 84,0 (84/100)", "61,9 [58,0; 65,1] & –3,25"), None),
    ],
)
def test_commas_that_can_only_be_decimal_ones_become_points(rows: tuple[str, ...], read: list[str] | None) -> None:
    assert texts(*rows) == (read or [row.replace(",", ".") for row in rows])


@pytest.mark.parametrize(
    "rows",
    [
        ("1,234 & 2,345", "3,456 & 4,567"),  # thousands
        ("1,234.5 & 67,2", "58,2 & 49,1"),  # a decimal point
        ("67,2 & a", "b & c"),  # one number alone
        ("1,2 & 3,4", "5,6 & 1,2,3"),  # lists
        ("layers 1,2 & layers 3,4", "layers 5,6 & layers 7,8"),
    ],
)
def test_other_commas_are_left_as_they_are(rows: tuple[str, ...]) -> None:
    assert texts(*rows) == list(rows)


def board(last: str) -> str:
    rows = [(61.25, 40.75), (58.5, 47.5), (70.25, 66.75), (44.5, 39.5), (52.25, 49.75), (66.5, 61.5), (59.75, 50.25)]
    lines = [f"M{n};{a:.2f};{b:.2f};{(a + b) / 2:.2f}" for n, (a, b) in enumerate(rows)]
    return "\n".join(["Modell;Deutsch;Suomi;Mittelwert", *lines, last]).replace(".", ",") + "\n"


def test_a_spreadsheet_saved_in_german_is_read_and_audited(tmp_path: Path) -> None:
    file = tmp_path / "board.csv"
    file.write_text(board("Zeta;50.25;60.75;59.75"), encoding="utf-8")
    assert read_sheets(file)[0].cells["Zeta"]["Suomi"].text == "60.75"
    assert [(one.severity, one.rows) for one in audit_tables([str(file)])] == [("severe", ("Zeta",))]
