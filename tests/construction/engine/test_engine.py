"""Tests of `construction/engine/engine.py`: what is done again, and what isn't."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.construction import toy
from tests.construction.toy import TEXTS, asked_about, config, output
from triptych.construction.build import build
from triptych.construction.record import Outcome
from triptych.construction.stage import Stage, stage
from triptych.errors import SpecError

pytestmark = pytest.mark.usefixtures("counting")


def test_typed_again_nothing_is_asked_or_changed(tmp_path: Path, counting: list[Any]) -> None:
    build(toy.RECIPE, config(), tmp_path)
    before, asked = output(tmp_path), len(counting)
    build(toy.RECIPE, config(), tmp_path)
    assert len(counting) == asked and output(tmp_path) == before


def test_a_prompt_changed_and_changed_back(tmp_path: Path, counting: list[Any]) -> None:
    build(toy.RECIPE, config(), tmp_path)
    first = output(tmp_path)
    counting.clear()
    build(toy.RECIPE, config(prompt="Please ask about: {text}"), tmp_path)
    assert len(counting) == 7  # five records, two of them twice; upstream nothing is asked
    counting.clear()
    build(toy.RECIPE, config(), tmp_path)
    assert not counting and output(tmp_path) == first


def test_one_text_changed_asks_about_its_sentences_alone(tmp_path: Path, counting: list[Any]) -> None:
    build(toy.RECIPE, config(), tmp_path)
    counting.clear()
    build(toy.RECIPE, config(texts={**TEXTS, "c": "Two fish swim. Six birds fly"}), tmp_path)
    assert asked_about(counting) == ["c/1"]


def test_a_parser_changed_asks_nobody(tmp_path: Path, counting: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    build(toy.RECIPE, config(), tmp_path)
    counting.clear()

    def none_pass(replies: Any, values: Any, context: Any) -> Outcome:
        return Outcome("dropped", "changed")

    def changed(config: toy.Config) -> list[Stage]:
        *before, _ = toy.stages(config)
        asking = toy.Ask(toy.Prompt("question", config.prompt), none_pass, toy.Question)
        return [*before, toy.ask("question", asking, version=2, reads=["text"], writes=["question", "answer"])]

    recipe = toy.Recipe("toy", 1, "", toy.Config, toy.start, changed, toy.write, {"maker": ""})
    built = build(recipe, config(), tmp_path)
    assert not counting and built.written == 0
    assert built.counts[-1].reasons == {"dropped: changed": 4, "dropped: unreadable-reply": 1}


@pytest.mark.parametrize("texts", [{}, {"a": ""}, {"a": "One fish swims"}])
def test_none_and_one_record(tmp_path: Path, texts: dict[str, str]) -> None:
    built = build(toy.RECIPE, config(texts=texts), tmp_path)
    assert built.complete and built.written == (1 if texts.get("a") else 0)


def test_a_stage_sees_only_what_it_declares(tmp_path: Path) -> None:
    @stage("peek", version=1, reads=["whole"])
    def peek(values: Any, context: Any) -> Outcome:
        return Outcome("dropped", values["other"])

    @stage("writes", version=1, reads=["whole"])
    def writes(values: Any, context: Any) -> Outcome:
        return Outcome(fields={"undeclared": 1})

    for wrong, words in ((peek, "isn't declared"), (writes, "doesn't declare")):
        recipe = toy.Recipe("toy", 1, "", toy.Config, toy.start, lambda c, w=wrong: [w], toy.write, {"maker": ""})
        with pytest.raises(SpecError, match=words):
            build(recipe, config(), tmp_path)


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), st.text("ab .", max_size=20), max_size=5))
def test_every_record_is_accounted_for(tmp_path_factory: pytest.TempPathFactory, texts: dict[str, str]) -> None:
    built = build(toy.RECIPE, config(texts=texts), tmp_path_factory.mktemp("build"))
    came = len(texts)
    for each in built.counts:
        assert each.came + each.passed_by == came and each.came == sum(each.decisions.values())
        came = each.went + each.passed_by
    assert came == built.written
