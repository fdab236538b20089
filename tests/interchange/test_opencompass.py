"""Tests of `interchange/opencompass.py`: predictions and results as OpenCompass writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triptych.errors import DataError
from triptych.interchange.opencompass import is_predictions, models_in, read_opencompass

PREDICTIONS = {
    "0": {
        "origin_prompt": [{"role": "HUMAN", "prompt": "2+2?"}, {"role": "BOT", "prompt": ""}],
        "prediction": "It is 4.",
        "gold": "4",
    },
    "1": {"origin_prompt": "3+3?", "prediction": "7", "gold": ["6", "six"]},
    "2": {"origin_prompt": "1+1?"},
}
RESULTS = {
    "accuracy": 50.0,
    "details": {"0": {"pred": "4", "correct": True}, "1": {"pred": "7", "correct": [False]}, "type": "GEN"},
}


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.fixture
def output(tmp_path: Path) -> Path:
    write(tmp_path / "20260101/predictions/qwen-7b/gsm8k.json", PREDICTIONS)
    write(tmp_path / "20260101/results/qwen-7b/gsm8k.json", RESULTS)
    return tmp_path / "20260101"


def test_replies_with_what_was_read_and_whether_it_is_correct(output: Path) -> None:
    log = read_opencompass(output / "predictions/qwen-7b")
    first, second, third = log.samples
    assert (log.model, log.task) == ("qwen-7b", "gsm8k")
    assert (first.question, first.reply, first.read, first.target, first.scores) == (
        "2+2?\n",
        "It is 4.",
        "4",
        ("4",),
        {"correct": 1.0},
    )
    assert (second.target, second.read, second.scores) == (("6", "six"), None, {"correct": 0.0})
    assert (third.status, third.reply, third.scores) == ("failed", "", {})


def test_figures_are_percentages(output: Path) -> None:
    (figure,) = read_opencompass(output / "predictions/qwen-7b/gsm8k.json").figures
    assert (figure.task, figure.metric, figure.value, figure.scale, figure.n) == ("gsm8k", "correct", 50.0, 100.0, 2)


def test_models_are_found_below_an_output(output: Path, tmp_path: Path) -> None:
    model = output / "predictions/qwen-7b"
    assert models_in(output) == models_in(tmp_path) == models_in(output / "predictions") == [model]
    assert is_predictions(model) and is_predictions(model / "gsm8k.json") and not is_predictions(tmp_path)
    elsewhere = write(tmp_path / "published/x.json", PREDICTIONS)
    assert is_predictions(elsewhere) and not is_predictions(write(tmp_path / "published2/y.json", {"a": 1}))


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a JSON object"):
        list(read_opencompass(write(tmp_path / "predictions/m/a.json", [])).samples)
    with pytest.raises(DataError, match="no predictions"):
        list(read_opencompass(write(tmp_path / "predictions/m/b.json", {})).samples)
