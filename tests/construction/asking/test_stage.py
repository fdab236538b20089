"""Tests of `construction/asking/stage.py`: stages that ask models, and what a maker is told of a reply."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.construction import toy
from triptych.construction.asking.prompt import Prompt, Wording
from triptych.construction.asking.questions import Ask
from triptych.construction.asking.reading import PartlyUsable, Unreadable
from triptych.construction.asking.stage import (
    Group,
    Model,
    Unavailable,
    _for_maker,
    _part,
    ask,
    identity,
    repeated_example,
    reworded,
)
from triptych.construction.engine.context import Context
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.construction.record import kept
from triptych.errors import DataError, SpecError


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (Unreadable("清晨江边", "same-option-twice"), "same option twice: 清晨江边"),
        (
            Unreadable("translate the whole text", "translation-too-short"),
            "translation too short: translate the whole text",
        ),
        (Unreadable("no question", "no-question"), "no question"),
        (Unreadable("there is no JSON in the reply"), "there is no JSON in the reply"),
        (PartlyUsable(None, ["question 1 is asked twice"]), "question 1 is asked twice"),
    ],
)
def test_a_fault_is_named_with_what_it_is_about(error: Unreadable, text: str) -> None:
    assert _for_maker(error) == text


@pytest.mark.parametrize(("ending", "kind"), [("wav", "audio"), ("m4a", "audio"), ("jpeg", "image"), ("m4v", "video")])
def test_a_medium_is_sent_in_each_format_that_questions_may_have(ending: str, kind: str, tmp_path: Path) -> None:
    store = MediaStore(tmp_path / "media")
    context: Context[Any] = Context(Parameters(), store, 0, tmp_path)
    assert _part(context, store.put(b"sound or picture", ending)).kind == kind
    with pytest.raises(SpecError, match="can't be sent to a model"):
        _part(context, store.put(b"words", "txt"))


class Answer(msgspec.Struct):
    answer: str
    more: list[dict[str, str]] = []


def asking(**more: Any) -> Ask:
    return Ask(Prompt("p", "Ask about {text} in {language}."), lambda replies, values, context: kept(), **more)


def test_a_prompt_shows_fields_and_parameters_that_the_stage_has() -> None:
    made = ask("q", asking(), version=1, reads=["text"], language="German")
    assert made.kind == "ask" and made.parameters["language"] == "German"
    assert ask("q", asking(), version=1, reads=["text", "language?"]).optional == ("language",)
    for more in ({}, {"shows": ("audio",)}, {"hides": ("key",)}, {"per": "clip"}):
        reads = ["text", "language"] if more else ["text"]
        wrong = next(iter(more.values()), "language")
        wrong = wrong if isinstance(wrong, str) else wrong[0]
        with pytest.raises(SpecError, match=f"shows '{wrong}', which it doesn't read"):
            ask("q", asking(**more), version=1, reads=reads)


def test_a_stage_with_another_prompt_is_checked_too() -> None:
    made = ask("q", asking(), version=1, reads=["text", "language"])
    other = reworded(made, Wording("  Write of {text}.\n"))
    assert other.asks is not None and made.asks is not None
    assert other.asks.prompt == Prompt("p", "Write of {text}.") and made.asks.prompt.content.startswith("Ask")
    with pytest.raises(SpecError, match="shows 'picture'"):
        reworded(made, Wording("Write of {picture}."))
    sent = ask("q", asking(writes=lambda values, context: ()), version=1, reads=["text"])
    with pytest.raises(SpecError, match="can't be reworded") as error:
        reworded(sent, Wording("Write."))
    assert "[prompts.q]" in str(error.value)


@pytest.mark.parametrize(
    ("reply", "repeated"),
    [
        (Answer("The heron stands still."), "The heron stands still."),
        (Answer("the HERON stands still"), "the HERON stands still"),
        (Answer("x", [{"why": "The heron stands still."}]), "The heron stands still."),
        (Answer("A heron stood by the water."), ""),
        (Answer("heron"), ""),  # too short to be anything but chance
        (Answer("白鷺立於水邊之石上"), ""),
        (Answer("白鷺靜立水邊，久久不動，若有所思。"), "白鷺靜立水邊，久久不動，若有所思。"),
    ],
)
def test_a_reply_that_copies_the_prompts_example_is_found(reply: Answer, repeated: str) -> None:
    prompt = Prompt("p", 'Example: {"answer": "The heron stands still."} 白鷺靜立水邊，久久不動，若有所思。 {text}')
    assert repeated_example(prompt, reply) == repeated


def test_a_models_identity_has_what_changes_its_replies_and_not_its_price() -> None:
    models = [
        Model("maker", toy.Counting({}), {"temperature": 0}),
        Model("maker", toy.Counting({}), {"temperature": 0}, price=(1.0, 2.0)),
        Model("maker", toy.Counting({}), {"temperature": 1}),
    ]
    assert models[0].identity == models[1].identity != models[2].identity
    assert models[0].journal == f"toy-counting-{models[0].identity[:8]}"


def test_keys_contain_the_prompt_the_decoding_and_every_role() -> None:
    roles = {"maker": Model("maker", toy.Counting({})), "judge": Group("judge", "human/experts")}
    made = identity(asking(roles=("maker", "judge")), roles)
    others = [
        identity(asking(roles=("maker", "judge")), roles | {"judge": Group("judge", "human/readers")}),
        identity(asking(roles=("maker",)), roles),
        identity(asking(roles=("maker", "judge"), settings={"max_tokens": 9}), roles),
        identity(Ask(Prompt("p", "Ask."), lambda *_: kept(), roles=("maker", "judge")), roles),
    ]
    assert all(other != made for other in others)
    with pytest.raises(SpecError, match="no model is named for the role 'judge'") as error:
        identity(asking(roles=("judge",)), {})
    assert "[models.judge]" in str(error.value)
    gone = Unavailable("judge", "transformers/x", DataError("torch is missing"))
    with pytest.raises(DataError, match="torch is missing"):
        identity(asking(roles=("judge",)), {"judge": gone})
