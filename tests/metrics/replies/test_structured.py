"""Tests of `metrics/replies/structured.py`: the answer of a reply that is a JSON object."""

from __future__ import annotations

import pytest

from triptych.metrics.replies.structured import json_answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ('{"answer": "B"}', "B"),
        ('```json\n{"answer": "B"}\n```', "B"),
        ('```\n{"Answer": "C", "confidence": 0.9}\n```', "C"),
        ('  {"reasoning": "A is wrong {as said}", "final_answer": "D"} I hope this helps!', "D"),
        ('{"answer": {"option": "A", "text": "a dog"}}', "A"),
        ('{"answer": ["C"]}', "C"),
        ('{"答案": "乙"}', "乙"),
        ('{"antwort": "B", "grund": "weil\nes so ist"}', "B"),
        ('{"answer": ["A", "C"]}', ""),
        ('{"answer": 2}', ""),
        ('{"answer": null}', ""),
        ('{"answer": "B"', "B"),
        ('{"answer": "B", "reason": "it is bowed, so', "B"),
        ('{"reasoning": "A is bowed, and B', ""),
        ('{"reasoning": "A is bowed", "answer": "The best is', ""),
        ('{"reasoning": "the \\"answer\\": \\"B\\" is', ""),
    ],
)
def test_what_an_object_gives_as_the_answer(reply: str, answer: str) -> None:
    assert json_answer(reply) == answer


@pytest.mark.parametrize(
    "reply",
    [
        "B",
        "",
        "The answer is {B}.",
        '{"reason": "it barks"}',
        "[1, 2]",
        "{'answer': 'B'}",
        '{"a":' * 100_000,
    ],
)
def test_what_is_no_object_with_an_answer(reply: str) -> None:
    assert json_answer(reply) is None
