"""Rows that ask about a part of a recording: columns of times, and times next to a path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.test_released_columns import items, opened, written
from triptych.errors import DataError

ROW: dict[str, Any] = {"id": 1, "question": "Who speaks?", "choices": ["a", "b"], "answer": "A", "video": "v.mp4"}


def steps(tmp_path: Path, *rows: dict[str, Any], **stated: str) -> list[list[str]]:
    file = written(tmp_path, "q.jsonl", [{**ROW, "id": n, **row} for n, row in enumerate(rows)], ["v.mp4", "a.wav"])
    return [[part.transform for part in item.parts if part.is_media] for item in items(file, **stated)]


@pytest.mark.parametrize(
    ("begin", "end", "step"),
    [
        (3, 5, "part:from=3,to=5"),
        ("00:03", "01:02:03.5", "part:from=3,to=3723.5"),
        ("30s", None, "part:from=30"),
        (None, 12.25, "part:from=0,to=12.25"),
        (0, None, ""),
        (None, "", ""),
        (3600.125, 3601, "part:from=3600.125,to=3601"),
        (1e-05, 2, "part:from=0,to=2"),
    ],
)
def test_columns_of_times(tmp_path: Path, begin: object, end: object, step: str) -> None:
    row = {"start_time": begin, "end_time": end}
    assert steps(tmp_path, row, {"start_time": 1, "end_time": 2}, start="start_time", end="end_time")[0] == [step]


@pytest.mark.parametrize(
    "span",
    [
        [3, 5],
        "[3, 5]",
        "3-5",
        "3.0 - 5.0",
        "3s - 5s",
        "3 – 5",
        "00:03-00:05",
        {"start": 3, "end": 5},
        [[3, 5]],
        "{'start': 3, 'end': '5s'}",
    ],
)
def test_one_column_with_both_times(tmp_path: Path, span: object) -> None:
    assert steps(tmp_path, {"segment_timestamp": span}, span="segment_timestamp") == [["part:from=3,to=5"]]


def test_times_next_to_a_path_and_beside_each_other(tmp_path: Path) -> None:
    clip = {"type": "video", "path": "v.mp4", "start": 1, "end": "00:02"}
    assert steps(tmp_path, {"video": clip}) == [["part:from=1,to=2"]]
    both = {"video": "v.mp4", "audio": "a.wav", "split_point": 7}
    assert steps(tmp_path, both, end="split_point") == [["part:from=0,to=7"] * 2], "sound beside a silent film"


def test_options_can_be_parts_of_one_file(tmp_path: Path) -> None:
    options = [{"modality": "audio", "path": "a.wav", "start": n, "end": n + 1} for n in range(3)]
    file = written(tmp_path, "q.jsonl", [{**ROW, "choices": options, "video": None, "audio": "a.wav"}], ["a.wav"])
    (item,) = items(file)
    assert [option[0].transform for option in item.options] == [f"part:from={n},to={n + 1}" for n in range(3)]
    assert [part.transform for part in item.parts if part.is_media] == [""], "the whole file is still in the stem"


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"start_time": 5, "end_time": 3}, "ends before it begins"),
        ({"start_time": "soon", "end_time": 3}, "not a time"),
        ({"start_time": -1, "end_time": 3}, "not a time"),
        ({"start_time": 5, "end_time": 9, "video": None}, "no recording"),
        ({"start_time": float("1e300"), "end_time": 3}, "not a time"),
    ],
)
def test_faults_name_the_row_and_the_columns(tmp_path: Path, row: dict[str, Any], fault: str) -> None:
    good = {"start_time": 1, "end_time": 2}
    with pytest.raises(DataError, match=fault) as refused:
        steps(tmp_path, good, row, start="start_time", end="end_time")
    assert "line 2, column start_time, end_time" in str(refused.value)


@pytest.mark.parametrize("span", ["-5", "2024-01-02", "3--5", "three-five"])
def test_what_is_no_span(tmp_path: Path, span: str) -> None:
    with pytest.raises(DataError, match=r"not a span|not a time"):
        steps(tmp_path, {"query_interval": span}, span="query_interval")


def test_without_being_told_whole_files_are_sent_and_a_warning_says_how_to_cut(tmp_path: Path) -> None:
    file = written(tmp_path, "q.jsonl", [{**ROW, "start_time": 1, "end_time": 2}], ["v.mp4"])
    bench = opened(file)
    assert [p.transform for p in next(iter(bench.items(tmp_path))).parts if p.is_media] == [""]
    lines = "\n".join(bench.mapping_lines(tmp_path))  # type: ignore[attr-defined]
    assert "--map start=start_time --map end=end_time sends the part" in lines
