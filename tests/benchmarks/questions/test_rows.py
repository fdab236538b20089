"""Tests of `benchmarks/questions`: rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.tables import refused
from tests.benchmarks.questions.test_items_released_columns import files, head, items
from tests.benchmarks.questions.test_xlsx import embedded, folder_items, png, sheet, wav, workbook
from triptych.benchmarks._questions.rows import read_rows
from triptych.errors import DataError, SpecError


def test_a_parquet_file_that_unpacks_to_gigabytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = embedded(tmp_path / "q.parquet", [{"question": "x" * 2_000_000, "answer": "y"}] * 40)
    assert file.stat().st_size < 200_000
    monkeypatch.setattr("triptych.benchmarks._questions.rows.MAX_BYTES", 10_000_000)
    with pytest.raises(DataError, match="too large"):
        items(file)
    monkeypatch.setattr("triptych.store.files.limits.MAX_UNPACKED", 1_000_000)
    with pytest.raises(DataError, match="too large"):
        items(file)


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    file = embedded(tmp_path / "q.parquet", [{"question": "Who?", "answer": "x"}] * 9)
    content = file.read_bytes()
    refused = 0
    for at in range(0, len(content), 23):
        file.write_bytes(content[:at] + bytes([content[at] ^ 255]) + content[at + 1 :])
        try:
            items(file)
        except (DataError, SpecError) as error:
            assert "q.parquet" in str(error)
            refused += 1
    assert refused > len(content) // 23 // 2


def test_what_datasets_itself_writes_is_read(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    sound = tmp_path / "a.wav"
    sound.write_bytes(wav())
    features = datasets.Features(
        {
            "question": datasets.Value("string"),
            "answer": datasets.ClassLabel(names=["bell", "dog"]),
            "image": datasets.Image(decode=False),  # Audio is stored likewise, but encoding it needs torch
            "audio": {"bytes": datasets.Value("binary"), "path": datasets.Value("string")},
            "choices": datasets.Sequence(datasets.Value("string")),
        }
    )
    row = {
        "question": "What?",
        "answer": 1,
        "audio": {"bytes": wav(), "path": "a.wav"},
        "image": {"bytes": png(), "path": "p.png"},
        "choices": ["bell", "dog"],
    }
    made = datasets.Dataset.from_list([row, {**row, "answer": 0}], features=features)
    made.to_parquet(str(tmp_path / "one/data/test-00000-of-00001.parquet"))
    datasets.DatasetDict({"test": made, "train": made}).save_to_disk(str(tmp_path / "two"))
    for place in ("one", "two"):
        found = folder_items(tmp_path / place)
        assert [item.target for item in found] == ["B", "A"], place
        assert [kind for kind, _ in files(found[0])] == ["audio", "image"]


def test_doubled_keys_of_a_row_are_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text('{"question": "Who?", "answer": "x", "answer": "y"}\n{"question": "Who?", "answer": "x"}\n')
    with pytest.raises(DataError, match="twice"):
        items(file)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("id;question;A;B;answer\n1;Wie viel?;1,50;2,50;B\n", "utf-8-sig"),
        ("id\tquestion\tA\tB\tanswer\n1\tq\tx\ty\tB\n", "utf-8"),
        ("id,question,A,B,answer\n1,これは;何ですか,犬,猫,B\n", "utf-16"),
        ('"id";"question";"A";"B";"answer"\n1;"a, b";x;y;B\n', "utf-8"),
    ],
)
def test_csv_as_spreadsheets_save_it(tmp_path: Path, text: str, encoding: str) -> None:
    file = tmp_path / "q.csv"
    file.write_text(text, encoding=encoding)
    (item,) = items(file)
    assert item.target == "B" and len(item.options) == 2


@pytest.mark.parametrize(("encoding", "line"), [("gbk", 2), ("shift-jis", 2), ("latin-1", 3)])
def test_other_encodings_name_the_line_and_the_way_out(tmp_path: Path, encoding: str, line: int) -> None:
    said = "é" if encoding == "latin-1" else "中"
    file = tmp_path / "q.csv"
    file.write_bytes(f"id,question,answer\n1,{'a' if line == 3 else said},x\n2,{said},y\n".encode(encoding))
    told = refused(file)
    assert f"line {line}" in told and "CSV UTF-8" in told


def test_long_cells_are_read_and_open_quotation_marks_named(tmp_path: Path) -> None:
    file = tmp_path / "q.csv"
    file.write_text(f"id,question,context,answer\n1,why,{'long ' * 60_000},because\n")
    (item,) = items(file)
    assert max(len(part.text) for part in item.parts) > 250_000
    file.write_text('id,question,answer\n1,why,"because\n' + "2,a,b\n" * 10)
    assert "line" in refused(file)


def test_questions_under_names_of_their_own(tmp_path: Path) -> None:
    ask: dict[str, Any] = {"question": "Why?", "candidates": ["A. rain", "B. late"], "answer": "B"}
    content = {
        "v1": {"video_id": "v1", "task0": ask, "task1": {**ask, "answer": "A"}},
        "v2": {"video_id": "v2", "task0": ask},
    }
    (tmp_path / "v1.mp4").write_bytes(head("v1.mp4"))
    (tmp_path / "v2.mp4").write_bytes(head("v2.mp4"))
    file = tmp_path / "q.json"
    file.write_text(json.dumps(content))
    found = items(file)
    assert [(item.id, item.target) for item in found] == [
        ("own-q/v1/task0", "B"),
        ("own-q/v1/task1", "A"),
        ("own-q/v2/task0", "B"),
    ]
    assert files(found[1]) == [("video", "v1.mp4")]


def test_a_file_that_ends_inside_a_character_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_bytes("question,answer\nWho?,x\nWhy?,Zoë".encode()[:-1])
    told = refused(tmp_path / "q.csv")
    assert "the file is not in UTF-8" in told and "q.csv, line 3" in told and "byte 0xc3" in told


@pytest.mark.parametrize("name", ["q.csv", "q.xlsx"])
def test_the_index_that_pandas_writes_before_the_columns_is_a_column_that_nothing_uses(
    name: str, tmp_path: Path
) -> None:
    rows: list[list[str | float | None]] = [["", "question", "answer"], [0.0, "Who?", "Ann"], [1.0, "Whose?", "Bo"]]
    file = tmp_path / name
    if name == "q.csv":
        file.write_text(",question,answer\n0,Who?,Ann\n1,Whose?,Bo\n", encoding="utf-8")
    else:
        workbook(file, {"Sheet1": sheet([[None, *rows[0][1:]], *rows[1:]])})
    assert [(one.id, one.target) for one in items(file)] == [("own-q/1", "Ann"), ("own-q/2", "Bo")]


def test_other_columns_without_a_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("question,,answer\nWho?,x,Ann\n", encoding="utf-8")
    with pytest.raises(DataError, match="a column's name is empty"):
        items(tmp_path / "q.csv")


def test_a_file_that_this_user_may_not_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "q.csv"
    file.write_text("id,question,answer\n1,What?,this\n", encoding="utf-8")

    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("triptych.benchmarks._questions.rows._READERS", {".csv": refuse})
    with pytest.raises(DataError, match=r"(?s)can't be read.*Permission denied.*let this user read the file"):
        read_rows(file)
