"""Tests of `interchange/harness_rows.py`: rows of samples files of lm-eval and lmms-eval."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.interchange.harness_rows import of_lm_eval, read_row, score_of

LM_EVAL: dict[str, Any] = {
    "doc_id": 7,
    "doc": {"question": "2+2?", "score": 1},
    "target": "4",
    "arguments": {"gen_args_0": {"arg_0": "Q: 2+2?\nA:", "arg_1": {"until": ["\n"], "temperature": 0}}},
    "resps": [[" The answer is 4.", " 5"]],
    "filtered_resps": ["4"],
    "filter": "strict-match",
    "metrics": ["exact_match"],
    "doc_hash": "ab",
    "exact_match": 1.0,
    "other": 3,
}
LMMS_EVAL: dict[str, Any] = {
    "doc_id": 0,
    "target": "B",
    "filtered_resps": "B.",
    "resps": [["B."]],
    "input": "Which one?\nA. cat\nB. dog",
    "token_counts": [{"input_tokens": 30, "output_tokens": 2}],
    "doc_hash": "x",
    "mmmu_acc": {"id": "q", "score": 1, "parsed_pred": "B"},
    "anls": 0.5,
    "note": "x",
    "loss": float("nan"),
}


def test_a_row_of_lm_eval() -> None:
    sample = read_row(LM_EVAL, "f:1", "gsm8k", "strict-match")
    assert (sample.id, sample.question, sample.target, sample.filter) == ("7", "Q: 2+2?\nA:", ("4",), "strict-match")
    assert (sample.reply, sample.read, sample.more) == (" The answer is 4.", "4", (("reply:2", " 5"),))
    assert sample.scores == {"exact_match": 1.0} and sample.status == "answered"


def test_a_filter_that_finds_nothing_has_read_nothing() -> None:
    row = {**LM_EVAL, "resps": [[""]], "filtered_resps": ["[invalid]"], "exact_match": 0.0}
    sample = read_row(row, "f:1", "gsm8k", "strict-match")
    assert (sample.reply, sample.read, sample.status) == ("", None, "answered")


def test_a_row_of_lmms_eval() -> None:
    sample = read_row(LMMS_EVAL, "f:1", "mmmu", None)
    assert (sample.reply, sample.read, sample.question) == ("B.", "B", "Which one?\nA. cat\nB. dog")
    assert sample.scores == {"mmmu_acc": 1.0, "anls": 0.5}
    assert sample.usage is not None and (sample.usage.input_tokens, sample.usage.output_tokens) == (30, 2)
    assert sample.facts == {"mmmu_acc": LMMS_EVAL["mmmu_acc"]}


def test_which_harness_wrote_a_row() -> None:
    assert of_lm_eval(LM_EVAL) and not of_lm_eval(LMMS_EVAL) and not of_lm_eval({})


@pytest.mark.parametrize("resps", [[], None, [[]], [[None]]])
def test_a_row_without_a_reply_has_failed(resps: Any) -> None:
    sample = read_row({"doc_id": 1, "target": "x", "resps": resps, "filtered_resps": resps}, "f:1", "t", "none")
    assert (sample.status, sample.reply) == ("failed", "")


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (1, 1.0),
        (True, 1.0),
        (0.25, 0.25),
        ({"score": 2}, 2.0),
        ({"overall": 0.5}, 0.5),
        ("1", None),
        (None, None),
        ([1], None),
        (float("inf"), None),
        ({}, None),
    ],
)
def test_scores(value: Any, score: float | None) -> None:
    assert score_of(value) == score
