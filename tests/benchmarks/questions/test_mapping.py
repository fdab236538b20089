"""Tests of `benchmarks/questions`: mapping."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.questions.tables import refused
from tests.benchmarks.questions.test_items_released_columns import files, items, written


def test_a_column_of_replies_is_not_taken_for_the_answer_but_named(tmp_path: Path) -> None:
    file = written(tmp_path, "q.jsonl", [{"query": "Why?", "response": "because"}])
    assert "--map answer=response" in refused(file)
    (item,) = items(file, answer="response")
    assert item.target == "because"


def test_another_column_names_the_films(tmp_path: Path) -> None:
    rows = [{"question": "q", "answer": "x", "video_id": "001", "videoID": "v1"}]
    (item,) = items(written(tmp_path, "q.jsonl", rows, ["v1.mp4"]))
    assert files(item) == [("video", "v1.mp4")]


def test_a_file_whose_ending_is_unknown_is_not_called_missing(tmp_path: Path) -> None:
    file = written(tmp_path, "q.jsonl", [{"question": "q", "answer": "x", "audio": "a.aiff"}])
    (tmp_path / "a.aiff").write_bytes(b"FORM")
    text = refused(file)
    assert "a.aiff" in text and "by its ending" in text and "ffmpeg -i a.aiff a.wav" in text


def test_files_on_lines_of_a_cell_are_media(tmp_path: Path) -> None:
    rows = [{"question": "q", "answer": "x", "media": "a.wav\nb.png"}]
    (item,) = items(written(tmp_path, "q.jsonl", rows, ["a.wav", "b.png"]))
    assert files(item) == [("audio", "a.wav"), ("image", "b.png")]


@pytest.mark.parametrize("name", ["{letter}", "option_{letter}", "choice{number}"])
def test_ten_columns_of_options_are_recognised(tmp_path: Path, name: str) -> None:
    names = [name.format(letter=letter, number=n) for n, letter in enumerate("ABCDEFGHIJ", 1)]
    row = {"question": "q", "answer": "J", **{one: f"text {n}" for n, one in enumerate(names)}}
    (item,) = items(written(tmp_path, "q.jsonl", [row]))
    assert (len(item.options), item.target) == (10, "J")
