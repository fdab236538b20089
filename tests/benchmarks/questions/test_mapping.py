"""Tests of `benchmarks/questions`: mapping."""

from __future__ import annotations

from pathlib import Path

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
