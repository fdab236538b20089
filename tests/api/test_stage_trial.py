"""Tests of `api/stage_trial.py`: Triptych's own stages have no fault; functions with a planted fault have one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import random
from typing import Any

import pytest

from triptych.api.stage_trial import stage_outcomes, stage_trial
from triptych.construction.engine.context import Values
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import Stage
from triptych.construction.stages import known_stages


def faults(function: Callable[..., Any], reads: tuple[str, ...] = ("text",), **more: Any) -> list[str]:
    return list(stage_trial(Stage("cut", 1, reads, ("short",), function, **more)))


@pytest.mark.parametrize("name", [name for name, (_, origin) in known_stages().items() if origin == "triptych"])
def test_stages_of_triptych_have_no_fault(name: str) -> None:
    assert list(stage_trial(known_stages()[name][0])) == []


@pytest.mark.parametrize(
    "function",
    [
        lambda values, context: kept(short=values["text"][:3]),
        lambda values, context: dropped("empty"),
        lambda values, context: kept(short=values["missing"]),  # optional
        lambda values, context: kept(short=values["text"]["begin"]),  # a field that is no text
        lambda values, context: kept(short=int(values["text"])),
        lambda values, context: kept(short=context.media.path(values["text"]).name),  # a file
    ],
)
def test_functions_that_follow_their_declaration_have_no_fault(function: Callable[..., Any]) -> None:
    assert faults(function, ("text", "missing?")) == []


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda values: kept(), "can't be called with 2 arguments"),
        (lambda values, context: None, "returns None; expected an Outcome"),
        (lambda values, context: {"short": "The"}, "returns dict; expected an Outcome"),
        (lambda values, context: kept(short=values["title"]), "reads 'title', which it doesn't declare; reads: text"),
        (lambda values, context: kept(short=values.get("title")), "reads 'title'"),
        (lambda values, context: kept(long="The"), "writes 'long', which it doesn't declare; expected: one of: short"),
        (lambda values, context: kept(short=b"The"), "wrote a value of type bytes in the field 'short'"),
        (lambda values, context: kept(short={"The"}), "wrote a value of type set in the field 'short'"),
        (
            lambda values, context: kept(short=values["text"].encode("ascii")[:3].decode()),
            "not ASCII: UnicodeEncodeError",
        ),
        (lambda values, context: dropped(""), "without a reason"),
        (lambda values, context: kept(short=str(random())), "decides otherwise about the same values the second time"),
    ],
)
def test_a_planted_fault_is_named(function: Callable[..., Any], said: str) -> None:
    (fault,) = faults(function)
    assert said in fault


def one(values: Values, context: Any) -> Any:
    return kept()


def outcome(values, context) -> Outcome:  # type: ignore[no-untyped-def]
    return kept()


def every(values: Sequence[Values], context: Any) -> Sequence[Outcome]:
    return [kept() for _ in values]


def test_a_stage_of_all_records_with_a_function_of_one() -> None:
    assert faults(every, kind="whole") == [] and faults(one) == []
    for function in (one, outcome):
        (fault,) = faults(function, kind="whole")
        assert "kind is 'whole', but its function is one of a record" in fault


def test_a_stage_of_all_records_decides_about_each() -> None:
    for function, words in (
        (lambda values, context: [kept()], "it decides about 2 records, and gives 1 Outcomes"),
        (lambda values, context: None, "returns None; expected an Outcome for each record"),
        (lambda values, context: [kept(long=1) for _ in values], "writes 'long', which it doesn't declare"),
        (lambda values, context: [True for _ in values], "returned bool"),
    ):
        (fault,) = faults(function, kind="whole")
        assert words in fault
    assert faults(lambda values, context: (kept() for _ in values), kind="whole") == []
    assert faults(lambda values, context: [kept(short=int(one["text"])) for one in values], kind="whole") == []


def test_what_a_stage_decides_about_short_texts() -> None:
    stage = Stage("cut", 1, ("text",), ("short",), lambda values, context: kept(short=values["text"][:3]))
    assert stage_outcomes(stage) == [kept(short="The")]
    assert stage_outcomes(Stage("all", 1, ("text",), (), every, kind="whole")) == [kept(), kept()]
    assert stage_outcomes(Stage("ask", 1, ("text",), (), one, costly=True)) == []


def test_a_field_that_is_no_text_may_fail_for_what_is_not_ascii() -> None:
    assert (
        faults(lambda values, context: kept(short=bytes.fromhex(values["text"].encode("ascii").decode()).hex())) == []
    )


@pytest.mark.parametrize("more", [{"kind": "ask"}, {"costly": True}, {"kind": "whole", "costly": True}])
def test_costly_stages_and_those_that_ask_are_not_called(more: dict[str, Any], tmp_path: Path) -> None:
    called = tmp_path / "called"
    assert faults(lambda values, context: called.touch(), **more) == [] and not called.exists()
