"""Tests of `reports/tables/ranking.py`: ranks, and the best figures of a column."""

from __future__ import annotations

import pytest

from triptych.records import Column, TableCell, TableRow
from triptych.reports.tables.ranking import mark_best, with_less, with_ranks

ACC = Column("Acc", "b/t", "accuracy", digits=1)
RANK = Column("Rank", "b/t", "accuracy", digits=0, rank=True)


def row(label: str, value: float | None, half: float | None = None, **more: object) -> TableRow:
    interval = None if value is None or half is None else (value - half, value + half)
    return TableRow(label, (TableCell(value, 1, interval=interval), TableCell(None, 0)), **more)  # type: ignore[arg-type]


def ranks(*rows: TableRow, theirs: tuple[TableRow, ...] = (), column: Column = ACC) -> list[object]:
    rank = Column("Rank", column.task, column.metric, rank=True, better=column.better, digits=0)
    return [
        (cell.value, cell.interval) for cell in (each.cells[1] for each in with_ranks([column, rank], rows, theirs))
    ]


def test_a_rank_is_one_more_than_the_number_of_better_rows() -> None:
    assert ranks(row("a", 50.0), row("b", 70.0), row("c", 60.0), row("d", 60.0)) == [
        (4.0, None),
        (1.0, None),
        (2.0, (2.0, 3.0)),
        (2.0, (2.0, 3.0)),
    ]


def test_rows_whose_intervals_overlap_may_change_ranks() -> None:
    assert ranks(row("a", 60.0, 3.0), row("b", 58.0, 3.0), row("c", 40.0, 1.0)) == [
        (1.0, (1.0, 2.0)),
        (2.0, (1.0, 2.0)),
        (3.0, None),
    ]


def test_values_that_are_printed_alike_are_equal() -> None:
    assert [value for value, _ in ranks(row("a", 60.04), row("b", 60.01))] == [1.0, 1.0]


@pytest.mark.parametrize(("better", "order"), [("higher", [3, 1, 2]), ("lower", [1, 3, 2]), ("zero", [1, 3, 2])])
def test_directions(better: str, order: list[int]) -> None:
    column = Column("x", "b/t", "m", digits=1, better=better)  # type: ignore[arg-type]
    assert [value for value, _ in ranks(row("a", 1.0), row("b", 9.0), row("c", 5.0), column=column)] == order


def test_published_rows_count_only_with_a_rank_of_their_own() -> None:
    published = TableRow("paper", (TableCell(70.0, 1), TableCell(1.0, 0)), origin="published")
    average = TableRow("mean", (TableCell(80.0, 1), TableCell(None, 0)), origin="published")
    assert ranks(row("a", 60.0), theirs=(published, average)) == [(2.0, None)]


def test_a_row_without_a_figure_has_no_rank_and_a_reason() -> None:
    placed = with_ranks([ACC, RANK], [row("a", None), row("b", 1.0)], [])
    assert placed[0].cells[1].value is None and placed[0].cells[1].note
    assert placed[1].cells[1].value == 1.0


def marked(*rows: TableRow) -> list[str]:
    cells = [each.cells[0] for each in mark_best([ACC, RANK], rows)]
    return ["best" if cell.best else "second" if cell.second else "" for cell in cells]


def test_the_best_is_marked_if_no_other_interval_reaches_it() -> None:
    assert marked(row("a", 60.0, 1.0), row("b", 57.0, 1.0)) == ["best", ""]
    assert marked(row("a", 60.0, 2.0), row("b", 57.0, 1.0)) == ["", ""]
    assert marked(row("a", 60.0), row("b", 57.0)) == ["", ""]
    assert marked(row("a", 60.0, 1.0)) == [""]


def test_the_second_is_marked_from_four_runs_on() -> None:
    rows = [row(name, value, 0.5) for name, value in zip("abcd", (60.0, 50.0, 40.0, 50.0), strict=True)]
    assert marked(*rows) == ["best", "second", "", "second"]
    assert marked(*rows[:3]) == ["best", "", ""]


def test_runs_of_a_part_of_the_questions_are_set_apart() -> None:
    rows = [row("a", 60.0, 1.0, marks=("unfinished: 3 of 9",)), row("b", 50.0, 1.0, counts={"answered": 9})]
    assert with_less(rows) == {"a"}
    assert with_less([rows[0]]) == set() and with_less([rows[0]], True) == {"a"}
    assert marked(*rows) == ["", ""]
