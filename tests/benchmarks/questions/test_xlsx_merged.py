"""Tests of `benchmarks/questions`: xlsx merged."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.questions.tables import refused
from tests.benchmarks.questions.test_items_released_columns import items
from tests.benchmarks.questions.test_xlsx import sheet, workbook


def merged(folder: Path, rows: list[list[str | float | None]], *ranges: str) -> Path:
    cells = "".join(f'<mergeCell ref="{one}"/>' for one in ranges)
    return workbook(
        folder / "q.xlsx", {"Q": sheet(rows).replace("</worksheet>", f"<mergeCells>{cells}</mergeCells></worksheet>")}
    )


NAMES: list[str | float | None] = ["id", "question", "A", "B", "answer"]
QUESTION: list[str | float | None] = [1.0, "Which?", "dog", "cat", "B"]


def test_a_merged_title_above_the_names_of_the_columns(tmp_path: Path) -> None:
    (item,) = items(merged(tmp_path, [["Quiz 2026"], NAMES, QUESTION], "A1:E1"))
    assert item.target == "B" and item.option_texts() == ("dog", "cat") and item.id == "own-q/1"
    told = refused(merged(tmp_path, [["Quiz 2026"], ["part one"], NAMES, QUESTION], "A1:E1", "A2:E2"))
    assert "row 1" in told and "if the names are in row 3, remove the rows above it" in told
    told = refused(merged(tmp_path, [["Quiz 2026"], NAMES, QUESTION]))
    assert "row 1" in told and "'Quiz 2026'; row 2 has 5 cells" in told


def test_merged_names_of_columns_are_named_by_their_cells(tmp_path: Path) -> None:
    rows = [["id", "question", "options", None, "answer"], QUESTION]
    told = refused(merged(tmp_path, rows, "C1:D1"))
    assert "row 1" in told and "D1 is merged with C1" in told
    told = refused(merged(tmp_path, [["id", "question", "answer"], QUESTION], "C1:E1"))
    assert "D1 is merged with C1; E1 is merged with C1" in told
    (item,) = items(merged(tmp_path, [["id", "question", "answer"], [1.0, "Why?", "x"]], "C1:E1"))
    assert item.target == "x"


def test_merged_cells_below_the_names_are_listed(tmp_path: Path) -> None:
    rows = [NAMES, QUESTION, [None, *QUESTION[1:]], [2.0, "Who?", "x", None, "A"], [3.0, *QUESTION[1:]]]
    told = refused(merged(tmp_path, rows, "A2:A3", "C4:D4"))
    assert "row 3: A3 is merged with A2" in told and "row 4: D4 is merged with C4" in told and "2 faults" in told


def test_merged_ranges_that_are_far_too_many_or_too_wide(tmp_path: Path) -> None:
    rows: list[list[str | float | None]] = [["id", "question", "answer"], [1.0, "Why?", "x"]]
    assert "16,384" in refused(merged(tmp_path, rows, "D1:WWWW1"))
    (item,) = items(merged(tmp_path, rows, *["D1:XFD1"] * 10_000))
    assert item.target == "x"
    assert "merged ranges" in refused(merged(tmp_path, rows, *["D1:E1"] * 10_001))
    (tmp_path / "q.xlsx").unlink()
    many = [rows[0], *([float(n), "Why?", "x"] for n in range(300))]
    assert "rows in merged ranges" in refused(merged(tmp_path, many, *["D2:E301"] * 10_000))
