"""Tests of `audit/results/replies.py`: kinds of stored replies."""

from __future__ import annotations

import pytest

from triptych.audit.results.replies import reply_kind
from triptych.records import Response


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("A", "answer"),
        ("The answer is B.", "answer"),
        ("", "empty"),
        ("  \n", "empty"),
        ("None", "error"),
        ("None of the above", "refusal"),
        ("Error: 503 Service Unavailable", "error"),
        ("CUDA out of memory", "error"),
        ("Failed to obtain answer via API.", "error"),
        ("I am unable to answer this question.", "refusal"),
        ("抱歉，我无法回答。", "refusal"),
        ("user\nWhich?\nassistant\nB", "transcript"),
        ("<|im_start|>assistant\nB<|im_end|>", "transcript"),
    ],
)
def test_what_a_reply_is(words: str, kind: str) -> None:
    assert reply_kind(Response("i", "", 0, "answered", words)) == kind
