"""Tests of `interchange/evalscope.py`: reviews, predictions and reports as EvalScope 1.0 writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triptych.errors import DataError
from triptych.interchange.evalscope import is_reviews, models_in, read_evalscope


def review(index: int, value: float, prediction: str, extracted: str, **more: Any) -> dict[str, Any]:
    score = {"value": {"acc": value}, "extracted_prediction": extracted, "prediction": prediction}
    return {
        "index": index,
        "input": f"**User**: \nQuestion {index}",
        "target": "A",
        "sample_score": {"score": score},
        **more,
    }


def write(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    out = tmp_path / "20260101_120000"
    write(out / "reviews/qwen/ceval_law.jsonl", review(0, 1.0, "ANSWER: A", "A"), review(1, 0.0, "B", "B"))
    output = {
        "model": "qwen-max",
        "choices": [{"message": {"content": "Thinking … ANSWER: A"}, "stop_reason": "stop"}],
        "usage": {"input_tokens": 12, "output_tokens": 5},
    }
    cut = {"model": "qwen-max", "choices": [{"message": {"content": "B"}, "stop_reason": "max_tokens"}]}
    write(
        out / "predictions/qwen/ceval_law.jsonl",
        {"index": 0, "model_output": output},
        {"index": 1, "model_output": cut},
    )
    report = {
        "dataset_name": "ceval",
        "metrics": [
            {
                "name": "mean_acc",
                "categories": [
                    {"subsets": [{"name": "law", "score": 0.5, "num": 2}, {"name": "art", "score": 1.0, "num": 3}]}
                ],
            }
        ],
    }
    (out / "reports/qwen").mkdir(parents=True)
    (out / "reports/qwen/ceval.json").write_text(json.dumps(report), encoding="utf-8")
    return out / "reviews/qwen"


def test_the_reply_is_the_models_and_the_score_the_reviews(model: Path) -> None:
    log = read_evalscope(model)
    first, second = log.samples
    assert (log.model, log.task) == ("qwen", "ceval_law")
    assert (first.question, first.target, first.reply, first.read) == (
        "Question 0",
        ("A",),
        "Thinking … ANSWER: A",
        "A",
    )
    assert (first.scores, first.served, first.usage and first.usage.output_tokens) == ({"acc": 1.0}, "qwen-max", 5)
    assert (first.status, second.status) == ("answered", "truncated")


def test_figures_of_the_subsets_that_were_read(model: Path) -> None:
    (figure,) = read_evalscope(model).figures
    assert (figure.task, figure.metric, figure.value, figure.n, figure.digits) == ("ceval_law", "acc", 0.5, 2, 4)


def test_models_are_found_below_an_evaluation(model: Path, tmp_path: Path) -> None:
    assert models_in(model.parent.parent) == models_in(tmp_path) == models_in(model.parent) == [model]
    assert is_reviews(model) and is_reviews(model / "ceval_law.jsonl") and not is_reviews(tmp_path)


def test_a_file_of_reviews_alone_has_the_reply_that_was_scored(tmp_path: Path) -> None:
    (sample,) = read_evalscope(write(tmp_path / "x.jsonl", review(3, 1.0, "A", "A"))).samples
    assert (sample.id, sample.reply, sample.read) == ("3", "A", None)


def test_a_line_that_is_no_review_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", review(0, 1.0, "A", "A"), {"index": 1})
    with pytest.raises(DataError, match=r"x\.jsonl:2"):
        list(read_evalscope(path).samples)
