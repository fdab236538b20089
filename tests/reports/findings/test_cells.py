"""Tests of `reports/findings/cells.py`: compared cells as text."""

from __future__ import annotations

from triptych.records.checked import CellStatus, CheckedCell
from triptych.reports.findings.cells import cells_text


def cell(number: int, status: CellStatus, table: str = "T1", reason: str = "", **more: object) -> CheckedCell:
    return CheckedCell(
        table=table,
        row=f"row {number}",
        column="avg",
        published=f"{number}.5",
        status=status,
        reason=reason,
        **more,  # type: ignore[arg-type]
    )


def test_cells_are_counted_by_table_in_the_papers_order() -> None:
    cells = [cell(n, "follows", "Table 2") for n in range(1200)]
    cells += [cell(0, "differs", "表 1"), cell(1, "unknown", "表 1")]
    lines = cells_text(cells).splitlines()
    assert lines[0].split() == ["table", "follows", "differs", "unknown"]
    assert lines[1].split() == ["Table", "2", "1,200", "0", "0"] and lines[2].split() == ["表", "1", "0", "1", "1"]


def test_every_cell_that_differs_says_both_values_and_why() -> None:
    cells = [
        cell(1, "differs", reason="12 of 30", recomputed=46.0416),
        cell(2, "differs", reason="no such model"),
        cell(3, "follows", reason="hidden"),
        cell(4, "unknown", reason="no results"),
    ]
    text = cells_text(cells)
    assert "DIFFERS" in text and "T1  row 1 · avg: 1.5, recomputed 46.0416 (differs: 12 of 30)" in text
    assert "T1  row 2 · avg: 2.5 (differs: no such model)" in text and "hidden" not in text
    assert "row 4" not in text and "1: no results" in text
    every = cells_text(cells, everything=True)
    assert "ALL CELLS" in every and "row 3 · avg: 3.5 (follows: hidden)" in every


def test_many_cells_are_cut_with_their_number() -> None:
    cells = [cell(n, "differs") for n in range(45)]
    text = cells_text(cells)
    assert "row 39 " in text and "row 40 " not in text and text.endswith("… and 5 more; --all lists them")
    assert "row 44 " in cells_text(cells, everything=True) and "more" not in cells_text(cells, everything=True)


def test_reasons_why_cells_cannot_be_known_are_counted_the_most_frequent_first() -> None:
    reasons = ["no results of this model"] * 3 + ["another metric"] * 1500
    text = cells_text([cell(n, "unknown", reason=reason) for n, reason in enumerate(reasons)])
    told = text[text.index("CAN'T BE KNOWN") :].splitlines()
    assert told[1:] == ["  1,500: another metric", "  3: no results of this model"]
    many = [cell(n, "unknown", reason=f"reason {n:02}") for n in range(15)]
    assert cells_text(many).endswith("  … and 3 more; --all lists them")
    assert "reason 14" in cells_text(many, everything=True)


def test_lines_are_wrapped_and_control_characters_are_shown() -> None:
    text = cells_text([cell(1, "differs", reason="word " * 60 + "\x1b[31m")], width=60)
    assert all(len(line) <= 60 for line in text.splitlines()) and "\x1b" not in text and "\\x1b[31m" in text


def test_without_cells_there_is_the_head_alone() -> None:
    assert cells_text([]).split() == ["table", "follows", "differs", "unknown"]
