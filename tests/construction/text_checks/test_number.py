"""Which stages use a shared check of texts, and that a build decides again when these checks change."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import triptych.construction
from tests.construction import toy
from triptych.construction.asking.questions import Ask
from triptych.construction.build import build
from triptych.construction.engine.context import Context, Values
from triptych.construction.recipe import known_recipes, load_recipe
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import Stage, stage
from triptych.construction.text_checks import number, wording
from triptych.construction.text_checks.number import CHECKS, number_for, uses_checks
from triptych.models import registry


def _decide(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    reply = replies["maker"]
    if fault := wording.text_fault(reply.question):
        return dropped(*fault)
    return kept(question=reply.question, answer=reply.answer)


def _recipe() -> toy.Recipe:
    def stages(config: toy.Config) -> list[Stage]:
        *before, _ = toy.stages(config)
        asking = Ask(toy.Prompt("question", config.prompt), _decide, toy.Question)
        return [*before, toy.ask("question", asking, version=1, reads=["text"], writes=["question", "answer"])]

    return toy.Recipe("toy", 1, "", toy.Config, toy.start, stages, toy.write, {"maker": ""})


def test_what_a_check_learnt_is_decided_in_a_finished_build_and_nobody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.ADAPTERS, "toy", ("tests.construction.toy", ""))
    toy.Counting.asked = []
    texts = {"a": "One dog barks. Two cats sleep", "b": "Nine men sing"}
    config = {"texts": texts, "models": {"maker": {"model": "toy/counting"}}}
    written = build(_recipe(), config, tmp_path).written
    assert written and toy.Counting.asked
    toy.Counting.asked.clear()
    monkeypatch.setattr(wording, "text_fault", lambda text: ("new-fault", text[:20]))
    assert build(_recipe(), config, tmp_path).written == written, "the number of the checks is the same"
    monkeypatch.setattr(number, "NUMBER", number.NUMBER + 1)
    built = build(_recipe(), config, tmp_path)
    assert built.written == 0 and not toy.Counting.asked
    assert built.counts[-1].reasons["dropped: new-fault"] == written


def test_a_check_is_found_through_closures_imports_partial_calls_and_modules() -> None:
    from triptych.construction.text_checks.wording import label_fault

    def imported(values: Values, context: Context) -> Outcome:
        from triptych.construction.text_checks.makers.excuses import excuse_fault

        return dropped(*fault) if (fault := excuse_fault(values["text"])) else kept()

    def enclosed(check: Any) -> Any:
        def run(values: Values, context: Context) -> Outcome:
            return dropped(*fault) if (fault := check(values["text"])) else kept()

        return run

    def of_module(values: Values, context: Context) -> Outcome:
        return kept(text=wording.clean(values["text"]))

    def comprehended(values: Values, context: Context) -> Outcome:
        return kept(n=len([each for each in values["text"] if wording.text_fault(each)]))

    def plain(values: Values, context: Context) -> Outcome:
        """Count characters."""
        return kept(n=len(values["text"]))

    checked = (imported, enclosed(label_fault), enclosed(partial(label_fault)), of_module, comprehended)
    for function in checked:
        made = stage("count", version=1, reads=["text"], writes=["text", "n"])(function)
        assert uses_checks(made) and number_for(made) == number.NUMBER, function
    assert number_for(stage("count", version=1, reads=["text"], writes=["n"])(plain)) == 0


def test_every_module_with_a_check_of_texts_is_among_them() -> None:
    missing = set()
    for module in pkgutil.iter_modules(triptych.construction.__path__, "triptych.construction."):
        for name, function in vars(import_module(module.name)).items():
            if inspect.isfunction(function) and function.__module__ == module.name:
                returned = str(function.__annotations__.get("return"))
                if "Fault" in returned or returned.startswith("tuple[str, str] |"):
                    missing.add(f"{module.name}.{name}")
    assert not missing, f"move the check into a module of {CHECKS[:-1]}"


def test_the_stages_of_makers_and_reviews_decide_again() -> None:
    expected = {
        "mcga": ("su", "sr", "sec", "s2tt", "review", "review-sec"),
        "cmdar": ("main", "multi", "open", "distractors", "describe-audio", "transcribe", "review"),
        "mcs_bench": ("write", "expand", "summarise", "wording", "review"),
        "mcif": ("transcribe", "draft-translation", "post-edit", "write-questions", "second-expert"),
        "xmodbench": ("vary", "translate", "caption-audio", "bring-forms", "review-texts"),
    }
    assert set(expected) <= set(known_recipes())
    for recipe, names in expected.items():
        made = {each.name: each for each in load_recipe(recipe).every_stage()}
        assert not [name for name in names if not uses_checks(made[name])], recipe
