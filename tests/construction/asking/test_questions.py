"""Tests of `construction/asking/questions.py`: what is asked about, and people's results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.construction import toy
from tests.construction.toy import asked_about, config
from triptych.construction.asking.prompt import Prompt
from triptych.construction.asking.questions import Ask, Result
from triptych.construction.build import build
from triptych.construction.engine.context import Values
from triptych.construction.stage import Stage


def stage_of(per: str) -> Stage:
    asking = Ask(Prompt("question", "Ask about: {text}"), toy.decide, toy.Question, per=per)
    return toy.ask("question", asking, version=1, reads=["text"], writes=["question", "answer"])


def test_a_question_is_about_the_record_or_the_value_that_records_share() -> None:
    values = Values(stage_of("text"), "a/0", {"text": "雨"})
    assert Ask(Prompt("p", ""), toy.decide).subject(values) == "a/0"
    assert Ask(Prompt("p", ""), toy.decide, per="text").subject(values) == "雨"


@pytest.mark.parametrize(("per", "asked"), [("text", ["One fish", "Two"]), ("", ["a/0", "a/1", "b/0"])])
def test_records_with_the_same_value_are_asked_once(
    tmp_path: Path, counting: list[Any], per: str, asked: list[str]
) -> None:
    recipe = toy.Recipe(
        "toy", 1, "", toy.Config, toy.start, lambda _: [toy.sentences, stage_of(per)], toy.write, {"maker": ""}
    )
    built = build(recipe, config(texts={"a": "One fish. Two", "b": "One fish"}), tmp_path)
    assert sorted(asked_about(counting)) == asked
    assert built.written == 3 and toy.questions(tmp_path) == ["a/0", "a/1", "b/0"]


def test_a_result_is_read_with_its_defaults_and_written_without_them() -> None:
    line = b'{"id":"a","shown":"0f","person":"P1","values":{"verdict":"\xe9\x80\x9a\xe8\xbf\x87"}}'
    result = msgspec.json.decode(line, type=Result)
    assert result.values == {"verdict": "通过"} and not result.settles and result.sources == ()
    assert msgspec.json.encode(result) == line


@pytest.mark.parametrize(
    "line",
    [
        b'{"id":"a","shown":"0f","person":"P1"}',
        b'{"id":"a","shown":"0f","person":"P1","values":["good"]}',
        b'{"id":"a","shown":"0f","person":"P1","values":{},"setles":true}',
        b'{"id":1,"shown":"0f","person":"P1","values":{}}',
    ],
)
def test_a_result_of_another_form_is_refused(line: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(line, type=Result)
