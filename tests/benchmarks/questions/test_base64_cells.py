"""Tests of `benchmarks/_questions/base64_cells.py`: pictures in base64, as VLMEvalKit's tables hold them."""

from __future__ import annotations

import base64
import csv
import json
from pathlib import Path
from typing import Any

import pytest

from triptych.benchmarks._questions.rows import Reading, read_rows

PNG = b"\x89PNG\r\n\x1a\n"
FIRST, SECOND = (base64.b64encode(content).decode() for content in (PNG.ljust(60, b"\x00"), PNG.ljust(90, b"\x01")))


def read(folder: Path, rows: list[dict[str, Any]], name: str = "t.tsv") -> tuple[list[dict[str, Any]], list[str]]:
    """The cells of the rows of a table, and what is wrong with others."""
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as file:
        if name.endswith(".jsonl"):
            file.writelines(json.dumps(row) + "\n" for row in rows)
        else:
            writer = csv.DictWriter(file, list(dict.fromkeys(column for row in rows for column in row)), delimiter="\t")
            writer.writeheader()
            writer.writerows(rows)
    found, problems = read_rows(path, Reading("", folder))
    return [row.cells for row in found], [problem.message for problem in problems]


def content(folder: Path, cell: dict[str, str]) -> bytes:
    return (folder / cell["path"]).read_bytes()


def test_a_picture_is_written_below_the_data(tmp_path: Path) -> None:
    (row,), problems = read(tmp_path, [{"index": 0, "image": FIRST, "question": "Which?"}])
    assert not problems and row["question"] == "Which?"
    assert row["image"]["path"].startswith("t.media/") and row["image"]["path"].endswith(".png")
    assert content(tmp_path, row["image"]) == base64.b64decode(FIRST)


@pytest.mark.parametrize("places", [("0", FIRST), (FIRST, "1")])  # the row that is named comes first, or last
def test_the_index_of_another_row_is_its_picture(tmp_path: Path, places: tuple[str, str]) -> None:
    first, second = reversed(places)
    rows, problems = read(tmp_path, [{"index": 0, "image": first}, {"index": 1, "image": second}])
    assert not problems and rows[0]["image"] == rows[1]["image"]


@pytest.mark.parametrize("write", [str, json.dumps])
def test_several_pictures_are_a_list(tmp_path: Path, write: Any) -> None:
    names = str(["a_1.png", "a_2.png"])
    (row,), problems = read(tmp_path, [{"index": 0, "image": write([FIRST, SECOND]), "image_path": names}])
    assert not problems and row["image_path"] is None  # only the names under which VLMEvalKit writes them
    assert [content(tmp_path, one) for one in row["image"]] == [base64.b64decode(one) for one in (FIRST, SECOND)]


def test_a_data_address_in_json_lines_is_read(tmp_path: Path) -> None:
    (row,), problems = read(tmp_path, [{"image": f"data:image/png;base64,{FIRST}"}], "t.jsonl")
    assert not problems and content(tmp_path, row["image"]) == base64.b64decode(FIRST)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (FIRST[:-5] + "*", "column image: a file in base64 is broken"),
        (FIRST + "AAA=A", "column image: a file in base64 is broken"),
        (FIRST[:-1], "column image: a file in base64 is broken"),
        ("7", "nor the index of a row with one: '7'"),
    ],
)
def test_a_broken_text_is_named_with_its_row(tmp_path: Path, text: str, words: str) -> None:
    rows, problems = read(tmp_path, [{"index": 0, "image": SECOND}, {"index": 1, "image": text}])
    assert len(rows) == 1 and len(problems) == 1 and words in problems[0]


def test_what_is_no_picture_is_not_written(tmp_path: Path) -> None:
    text = base64.b64encode(b"MZ is a program" * 80).decode()
    rows, problems = read(tmp_path, [{"index": 0, "image": FIRST}, {"index": 1, "image": text}])
    assert not problems and "embedded file" in rows[1]["image"]
    assert len(list((tmp_path / "t.media").iterdir())) == 1


@pytest.mark.parametrize("cell", ["a.png", "pictures/" + "a" * 90 + ".png", "", "0", "a photo of a dog, " * 90])
def test_other_cells_stay_as_they_are(tmp_path: Path, cell: str) -> None:
    (row,), problems = read(tmp_path, [{"index": 0, "image": cell, "image_path": "b.png"}])
    assert not problems and row == {"index": "0", "image": cell, "image_path": "b.png"}
    assert not (tmp_path / "t.media").exists()
