"""Results in the authors' format: what counts as the answer, and what else the file carries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.cmdar.rows_for_tests import MAIN, MULTI, OPEN, write
from triptych.benchmarks import load_benchmark
from triptych.errors import DataError

CMDAR = load_benchmark("cmdar")


@pytest.mark.parametrize(
    ("output", "status", "words"),
    [
        ("医院", "answered", "医院"),
        (["医院", "银行"], "answered", "医院"),
        ("", "answered", ""),
        (5, "answered", "5"),
        (None, "failed", ""),
        ([], "failed", ""),
        ([None], "failed", ""),
    ],
)
def test_a_string_or_the_first_of_a_list(tmp_path: Path, output: Any, status: str, words: str) -> None:
    outputs = CMDAR.outputs([write(tmp_path, "r.json", {**MAIN, "model_output": output})])
    response = outputs.responses["cmdar/main/0000"]
    assert (response.status, response.text) == (status, words)
    assert outputs.items["cmdar/main/0000"].target == MAIN["answer"]
    assert bool(outputs.notes) == (status == "failed")


def test_a_row_without_an_output_is_unanswered(tmp_path: Path) -> None:
    rows = [{**MAIN, "model_output": "银行"}, {**MAIN, "id": "0001"}]
    outputs = CMDAR.outputs([write(tmp_path, "r.json", *rows)])
    assert [r.status for r in outputs.responses.values()] == ["answered", "failed"]
    assert "1 of 2" in outputs.notes[0]


def test_a_judges_reply_comes_along(tmp_path: Path) -> None:
    outputs = CMDAR.outputs([write(tmp_path, "o.json", {**OPEN, "model_output": "雨", "score": "9 5"})])
    assert [step.text for step in outputs.responses["cmdar/open/0000"].intermediates] == ["9 5"]


def test_ids_and_answers_alone_need_a_name_that_tells_the_task(tmp_path: Path) -> None:
    row = {"id": "0007", "model_output": "x"}
    outputs = CMDAR.outputs([write(tmp_path, "my-multi.json", row)])
    assert list(outputs.responses) == ["cmdar/multi/0007"]
    assert not outputs.items
    with pytest.raises(DataError, match="not a file of CMDAR results"):
        CMDAR.outputs([write(tmp_path, "mine.json", row)])


def test_folders_are_walked_and_doubled_answers_refused(tmp_path: Path) -> None:
    write(tmp_path, "a.json", {**MAIN, "model_output": "x"})
    write(tmp_path, "b.json", {**OPEN, "model_output": "y"})
    assert set(CMDAR.outputs([tmp_path]).responses) == {"cmdar/main/0000", "cmdar/open/0000"}
    write(tmp_path, "c.json", {**OPEN, "model_output": "z"})
    with pytest.raises(DataError, match="two answers"):
        CMDAR.outputs([tmp_path])
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    with pytest.raises(DataError, match="no results found"):
        CMDAR.outputs([nothing])


def test_a_malformed_row_is_told(tmp_path: Path) -> None:
    outputs = CMDAR.outputs([write(tmp_path, "r.json", {**MAIN, "model_output": "x"}, {"id": "1", "question": 5})])
    assert len(outputs.responses) == 1
    assert "r.json[1]" in outputs.notes[0]


def test_a_file_without_rows_in_a_folder_is_told(tmp_path: Path) -> None:
    write(tmp_path, "main.json", {**MAIN, "model_output": "银行"})
    (tmp_path / "open.json").write_bytes(b"")
    outputs = CMDAR.outputs([tmp_path])
    assert list(outputs.responses) == ["cmdar/main/0000"]
    assert [note for note in outputs.notes if "open.json" in note and "left out" in note]


@pytest.mark.parametrize("row", [MAIN, MULTI], ids=["main", "multi"])
def test_neither_audio_nor_question_is_needed(tmp_path: Path, row: dict[str, Any]) -> None:
    said = {"model_output": "；".join(row["answer"]) if row is MULTI else row["answer"]}
    bare = {name: row[name] for name in ("id", "chosens", "answer", "category")} | said
    whole = CMDAR.outputs([write(tmp_path, "a.json", row | said)])
    mine = CMDAR.outputs([write(tmp_path, "b.json", bare)])
    assert mine.responses == whole.responses
    assert [i.target for i in mine.items.values()] == [i.target for i in whole.items.values()]
    assert CMDAR.outputs([tmp_path / "b.json"], whole.items).items == {}, "the data's question is whole"
