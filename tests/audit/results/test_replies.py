"""Tests of `audit/results/replies.py`: kinds of stored replies."""

from __future__ import annotations

import pytest

from triptych.audit.results.replies import reply_kind
from triptych.models.families import family_of
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
        ("I am unable to answer this question.", "refusal"),
        ("抱歉，我无法回答。", "refusal"),
        ("user\nWhich?\nassistant\nB", "transcript"),
        ("<|im_start|>assistant\nB<|im_end|>", "transcript"),
    ],
)
def test_what_a_reply_is(words: str, kind: str) -> None:
    assert reply_kind(Response("i", "", 0, "answered", words)) == kind


def test_no_reply_and_families() -> None:
    assert reply_kind(None) == reply_kind(Response("i", "", 0, "failed")) == "none"
    names = ("openai/gpt-4o", "gemini-2.0-flash", "Qwen2.5-Omni-7B", "local/cascade")
    assert [family_of(n) for n in names] == ["gpt", "gemini", "qwen", ""]
