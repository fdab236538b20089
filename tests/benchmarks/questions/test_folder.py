"""Tests of `benchmarks/questions`: folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmarks.questions.test_harness_task import ARC, opened, task

pytest.importorskip("yaml", reason="PyYAML is not installed (pip install pyyaml)")
pytest.importorskip("jinja2", reason="jinja2 is not installed (pip install jinja2)")

from triptych.api import new_benchmark
from triptych.benchmarks import own_questions


def test_a_folder_to_keep_has_the_filled_rows(tmp_path: Path) -> None:
    rows = [{"question": "Which barks?", "answerKey": "2", "choices": {"text": ["cat", "dog"], "label": ["1", "2"]}}]
    task(tmp_path, ARC, rows)
    bench = own_questions(str(tmp_path / "t.yaml"))
    assert bench is not None
    folder = new_benchmark("kept", bench, to=tmp_path)
    assert json.loads((folder / "questions.jsonl").read_text())["doc_to_choice"] == ["cat", "dog"]
    (item,) = opened(folder)
    assert item.target == "B" and item.option_texts() == ("cat", "dog")
