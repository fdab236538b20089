"""Tasks as spreadsheets: what is shown, what comes back, and what is refused."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from triptych.construction.engine.folder import BuildFolder
from triptych.construction.people.sheets import Taken, open_tasks, take_sheet, write_sheet
from triptych.construction.people.stage import Task, results_of, write_tasks
from triptych.errors import DataError

FORM = {
    "verdict": ["approve", "reject"],
    "options": "list",
    "note": "text",
    "parts": {"type": "array"},
    "score": {"type": "integer", "minimum": 1, "maximum": 5},
}


@pytest.fixture
def folder(tmp_path: Path) -> BuildFolder:
    tasks = [Task(f"r{n}", f"shown{n}", "review", FORM, {"question": "=1+1", "options": ["a", "b"]}) for n in range(3)]
    (tmp_path / "tasks").mkdir()
    write_tasks(tmp_path / "tasks/review.jsonl", tasks)
    return BuildFolder(tmp_path)


def filled(folder: BuildFolder, *rows: dict[str, str]) -> Path:
    """The sheet with these cells in its first rows."""
    sheet = folder.path / "sheet.csv"
    write_sheet(open_tasks(folder, "review"), sheet)
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        there = list(csv.DictReader(file))
    assert there[0]["question"] == "'=1+1" and there[0]["options"] == '["a","b"]'
    for row, cells in zip(there, rows, strict=False):
        assert cells.keys() <= row.keys()
        row.update(cells)
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(there[0]))
        writer.writeheader()
        writer.writerows(there)
    return sheet


VERDICT = "your verdict (approve | reject)"


def test_what_is_filled_in_becomes_results_and_empty_rows_stay_open(folder: BuildFolder) -> None:
    cells = {VERDICT: " Reject ", "your options": "one\ntwo", "your note": "'=sum", "your parts": '[{"x": 1}]'}
    sheet = filled(folder, cells, {VERDICT: "APPROVE", "your options": '["c"]', "your score (1 to 5)": "5.0"})
    assert take_sheet(folder, "review", sheet, "P1").results == 2
    found = results_of(folder.path / "results/review.jsonl")
    assert found.keys() == {("r0", "shown0"), ("r1", "shown1")}
    (first,), (second,) = found.values()
    assert first.values == {"verdict": "reject", "options": ["one", "two"], "note": "=sum", "parts": [{"x": 1}]}
    assert (first.person, second.values) == ("P1", {"verdict": "approve", "options": ["c"], "score": 5})
    assert take_sheet(folder, "review", sheet, "P1") == Taken(0, 2, ())  # given twice, it says nothing new


def test_all_faults_are_named_at_once_and_sound_rows_are_taken(folder: BuildFolder) -> None:
    sheet = filled(folder, {VERDICT: "aprove"}, {"your note": "no verdict"}, {VERDICT: "approve"})
    taken = take_sheet(folder, "review", sheet, "P1")
    assert taken.faults[0] == "row 1 (r0): verdict is 'aprove'; expected one of: approve, reject"
    assert taken.faults[1].startswith("row 2 (r1): verdict is None; expected a value") and len(taken.faults) == 2
    assert taken.results == 1 and results_of(folder.path / "results/review.jsonl").keys() == {("r2", "shown2")}


def test_two_rows_about_one_record_are_both_named(folder: BuildFolder) -> None:
    sheet = filled(folder, {VERDICT: "approve"}, {VERDICT: "reject", "id": "r0", "shown": "shown0"})
    taken = take_sheet(folder, "review", sheet, "P1")
    assert taken.results == 0 and [fault[:39] for fault in taken.faults] == [
        "row 1 (r0): row 2 is about the same rec",
        "row 2 (r0): row 1 is about the same rec",
    ]


def test_a_name_says_one_thing_about_a_record_unless_it_corrects_itself(folder: BuildFolder) -> None:
    assert take_sheet(folder, "review", filled(folder, {VERDICT: "approve"}), "P1").results == 1
    other = filled(folder, {VERDICT: "reject"}, {VERDICT: "approve"})
    taken = take_sheet(folder, "review", other, "P1")
    assert taken.results == 1 and "row 1 (r0): P1 has returned something else about this record" in taken.faults[0]
    assert "--replace" in taken.faults[0]
    assert take_sheet(folder, "review", other, "P1", replaces=True) == Taken(1, 1, ())
    ((first,), _) = results_of(folder.path / "results/review.jsonl").values()
    assert first.values == {"verdict": "reject"}
    for name in ("p1", "Ｐ1"):
        with pytest.raises(DataError, match="differ only in case, width or spaces"):
            take_sheet(folder, "review", other, name)
    for name in ("", " P2", "P\n2"):
        with pytest.raises(DataError, match="can't be used"):
            take_sheet(folder, "review", other, name)


def test_nobody_settles_what_they_reviewed(folder: BuildFolder) -> None:
    sheet = filled(folder, {VERDICT: "approve"})
    assert take_sheet(folder, "review", sheet, "P1").results == 1
    taken = take_sheet(folder, "review", sheet, "P1", settles=True)
    assert taken.results == 0 and "expected another person to settle it" in taken.faults[0]
    assert take_sheet(folder, "review", sheet, "P2", settles=True).results == 1


def test_a_sheet_without_columns_to_fill_in_is_refused(folder: BuildFolder) -> None:
    (folder.path / "sheet.csv").write_text("id,shown,verdict\nr0,shown0,approve\n", encoding="utf-8")
    with pytest.raises(DataError, match="no column to fill in"):
        take_sheet(folder, "review", folder.path / "sheet.csv", "P1")


def test_a_stale_row_keeps_the_others(folder: BuildFolder) -> None:
    sheet = filled(folder, {VERDICT: "approve"}, {VERDICT: "approve", "shown": "older"})
    assert take_sheet(folder, "review", sheet, "P1") == Taken(1, 0, ("row 2: r1",))


def test_a_stage_without_open_tasks_is_told_with_those_that_have_some(folder: BuildFolder) -> None:
    with pytest.raises(DataError, match="did you mean 'review'"):
        open_tasks(folder, "reviews")
    with pytest.raises(DataError, match="known: review"):
        open_tasks(folder, "zzz")


def test_a_cell_with_a_key_twice_is_refused(folder: BuildFolder) -> None:
    cells = {VERDICT: "approve", "your parts": '[{"x": 1, "x": 2}]'}
    assert (
        "row 1 (r0): a cell of a sheet is ambiguous"
        in take_sheet(folder, "review", filled(folder, cells), "P1").faults[0]
    )
    assert not results_of(folder.path / "results/review.jsonl")
