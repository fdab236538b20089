"""Tests of `experiment/rated_replies.py`: replies that people have rated, from files of any kind."""

from __future__ import annotations

import csv
from html import escape
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.test_xlsx import sheet, workbook
from tests.judges.test_calibration import FORM, rows, write
from triptych.errors import DataError
from triptych.experiment.rated_replies import load_ratings


def _sheet(path: Path, lines: list[dict[str, Any]]) -> Path:
    if path.suffix == ".xlsx":
        table = [[*lines[0]], *([*line.values()] for line in lines)]
        return workbook(path, {"s": sheet([[escape(c) if isinstance(c, str) else c for c in row] for row in table])})
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*lines[0]], delimiter="\t" if path.suffix == ".tsv" else ",")
        writer.writeheader()
        writer.writerows(lines)
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx"])
@pytest.mark.parametrize("form", ["[{}, {}]", "{};{}"])
def test_a_table_says_what_json_lines_say(tmp_path: Path, ending: str, form: str) -> None:
    lines = [{**row, "human": form.format(*row["human"])} for row in rows()]
    assert load_ratings(_sheet(tmp_path / f"r.{ending}", lines), FORM) == load_ratings(
        write(tmp_path / "r.jsonl", rows()), FORM
    )


def test_cells_of_a_spreadsheet_may_be_numbers_or_empty(tmp_path: Path) -> None:
    lines = [{"id": n, "source": 12, "reply": "x", "human": human} for n, human in enumerate((3, None, "4;"))]
    ratings = load_ratings(_sheet(tmp_path / "r.xlsx", lines), FORM)
    assert [(r.id, r.slots["source"], r.people) for r in ratings] == [
        ("0", "12", (3.0,)),
        ("1", "12", (None,)),
        ("2", "12", (4.0, None)),
    ]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"human": 9}, "outside the scale"),
        ({"human": "good"}, "can't be read"),
        ({"reply": 3}, "can't be read"),
        ({"source": None}, "can't be read"),
        ({"id": "1"}, "rated twice"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(tmp_path: Path, changed: dict[str, Any], told: str) -> None:
    lines = rows()
    lines[0] |= changed
    with pytest.raises(DataError, match=told):
        load_ratings(write(tmp_path / "r.jsonl", lines), FORM)


def test_a_text_may_hold_what_some_call_a_line_break(tmp_path: Path) -> None:
    """JSON doesn't: only a line feed ends a line."""
    lines = rows()
    lines[0]["reply"] = "one\u2028two\u2029three\x85four\x0bfive"
    (read, *others) = load_ratings(write(tmp_path / "r.jsonl", lines), FORM)
    assert len(others) == len(lines) - 1 and read.slots["reply"] == lines[0]["reply"]


def test_a_missing_slot_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"lacks 'source'[\s\S]*r.jsonl, line 1"):
        load_ratings(write(tmp_path / "r.jsonl", [{"id": "1", "reply": "x", "human": 1}]), FORM)
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(DataError, match="no ratings"):
        load_ratings(tmp_path / "empty.jsonl", FORM)
