"""Answers with reasons: asked for in the prompt, read out for scoring, kept in the log."""

from __future__ import annotations

import pytest

from triptych.conditions.condition import find_condition
from triptych.conditions.reasons import read_answer
from triptych.prompts.build import build_request
from triptych.prompts.template import PromptSpec
from triptych.records import Item, text


@pytest.mark.parametrize(
    ("reply", "answer", "reasons"),
    [
        ('{"reasoning": "a dog barks", "answer": "B"}', "B", "a dog barks"),
        ('```json\n{"answer": "B", "reasoning": "x"}\n```', "B", "x"),
        (
            'Here you are: {"reasoning": "uses {braces} and \\"quotes\\"", "answer": "猫"} Done.',
            "猫",
            'uses {braces} and "quotes"',
        ),
        ('{"reasoning": "two", "answer": ["甲", "乙"]}', "甲；乙", "two"),
        ('{"reasoning": null, "answer": 3}', "3", None),
        ('{"reasoning": "he said "no" and left", "answer": "B"}', "B", None),
        ('{"reasoning": "x", "answer": "B", "sure": tru', "B", None),
        ('{"thought": {"answer": "no"}, "answer": "yes"}', "yes", None),
    ],
)
def test_the_answer_is_read_out(reply: str, answer: str, reasons: str | None) -> None:
    assert read_answer(reply) == (answer, reasons)


@pytest.mark.parametrize(
    "reply",
    ["B", "", "{}", '{"reasoning": "cut off here, "ans', '{"answer": true}', "{" * 5000, f'"answer": {"[" * 50_000}]'],
)
def test_no_answer_is_made_up(reply: str) -> None:
    assert read_answer(reply) is None


@pytest.mark.parametrize(("language", "word"), [("en", "JSON object"), ("zh", "JSON对象"), ("it", "JSON object")])
def test_the_prompt_asks_for_it_once_at_its_end_and_items_stay(language: str, word: str) -> None:
    condition, item = find_condition("reasons"), Item("i", "t", (text("Who?"),))
    prompt = condition.change_prompt(PromptSpec(("{question}",), "s", language=language))  # type: ignore[attr-defined]
    assert condition.change_prompt(prompt) == prompt  # type: ignore[attr-defined]
    *_, last = build_request(item, prompt, settings={}).messages[-1].parts
    assert word in last.text and '{"reasoning"' in last.text and "{{" not in last.text
    assert condition.apply(item) is item
