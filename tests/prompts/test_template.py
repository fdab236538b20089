"""Tests of `prompts/template.py`: prompt templates as data, as in a benchmark's spec.toml or a user's file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.prompts.test_build import choice, parts
from triptych.prompts.template import PromptSpec
from triptych.records import text


def test_labelled_options_inside_a_text_piece() -> None:
    prompt = PromptSpec(content=("{question}\n{options}",), option=("{label}.", "{option}"), join="; ", source="s")
    assert parts(choice(((text("dog"),), (text("cat"),)), text("c", "content")), prompt) == ["Which?\nA. dog; B. cat"]


def test_nothing_that_was_filled_in_is_filled_in_again() -> None:
    item = choice(((text("{question}"),), (text("{label}"),)), text("{options}", "content"), "{content} {options} {{")
    prompt = PromptSpec(content=("Q: {question} | {content} | {options}",), join="/", source="s")
    assert parts(item, prompt) == ["Q: {content} {options} {{ | {options} | {question}/{label}"]


@given(st.text(min_size=1), st.text(min_size=1))
def test_any_question_and_option_arrive_as_they_are(question: str, option: str) -> None:
    item = choice(((text(option),),), text("c", "content"), question)
    assert parts(item, PromptSpec(content=("<{question}|{options}>",), source="s")) == [f"<{question}|{option}>"]


def test_braces_that_enclose_no_name_are_left_alone() -> None:
    prompt = PromptSpec(content=('Reply as {"answer": "B"} or {{question}}: {question}',), source="s")
    item = choice(((text("x"),),), text("c", "content"))
    assert parts(item, prompt) == ['Reply as {"answer": "B"} or {question}: Which?']
