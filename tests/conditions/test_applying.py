"""Tests of `conditions/applying.py`: a Condition that breaks its contract is an error which names it, never a traceback
and never another question in silence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from triptych.benchmarks import load_benchmark
from triptych.conditions.applying import apply_all, apply_condition, contract_error, prompt_under, variants_of
from triptych.conditions.condition import NotApplicable, find_condition
from triptych.errors import SpecError
from triptych.records import Item, text

ITEM = Item("lab/1", "lab/main", (text("Which river?"),), facets={"continent": "Europe"}, instance="lab/river")
replace = msgspec.structs.replace


@dataclass
class Loud:
    change: Callable[[Item], Any]
    name: str = "loud"
    summary: str = "in capitals"

    def apply(self, item: Item) -> Any:
        return self.change(item)


@dataclass
class Grown(Loud):
    def variants(self, item: Item) -> Any:
        return self.change(item)


async def later(item: Item) -> Item:
    return item


WRONG = [
    (lambda item: None, "None instead of an Item"),
    (lambda item: [item], "list instead of an Item"),
    (lambda item: replace(item, id="other"), "another id, 'other'"),
    (lambda item: replace(item, task="lab/other"), "another Task, 'lab/other'"),
    (lambda item: replace(item, facets={}), "other facets: "),
    (lambda item: replace(item, instance=""), "another Instance, 'lab/1'"),
    (lambda item: replace(item, parts=list(item.parts)), "parts that are a list"),
    (lambda item: replace(item, options=((text("b"),),), labels=["A"], target=5), "labels that are a list"),
    (lambda item: replace(item, labels=(b"A",)), "the label b'A'; expected a text"),
    (lambda item: item.facets["nosuch"], "KeyError: 'nosuch'"),
]


@pytest.mark.parametrize(("change", "words"), WRONG)
def test_a_condition_that_breaks_its_contract_is_named(change: Callable[[Item], Any], words: str) -> None:
    for call in (lambda: apply_condition(ITEM, Loud(change)), lambda: apply_all(ITEM, [Loud(change)])):
        with pytest.raises(SpecError, match="the Condition 'loud' of the package") as error:
            call()
        assert words in str(error.value) and "lab/1" in str(error.value) and "check-plugin" in str(error.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda item: (), "no Item"),
        (lambda item: None, "TypeError"),
        (lambda item: "ab", "str instead of an Item"),
        (lambda item: [item, None], "None instead of an Item"),
        (lambda item: [replace(item, facets=None)], "Expected `object`, got `null` - at `$.facets`"),
        (lambda item: [replace(item, task="x")], "another Task"),
        (lambda item: [replace(item, facets={})], "other facets"),
    ],
)
def test_an_expanding_condition_that_breaks_its_contract_is_named(change: Callable[[Item], Any], words: str) -> None:
    with pytest.raises(SpecError, match="the Condition 'loud'") as error:
        variants_of(ITEM, Grown(change))
    assert words in str(error.value)


@pytest.mark.parametrize("target", [5, ("a", 5)])
def test_a_target_of_another_type_is_named(target: Any) -> None:
    chosen = replace(ITEM, options=((text("a"),), (text("b"),)), answer="options", target=("a",))
    with pytest.raises(SpecError, match=r"Expected `str.*`, got `int` - at `\$.target"):
        apply_condition(chosen, Loud(lambda item: replace(item, target=target)))


def test_what_a_condition_may_do_is_done() -> None:
    grown = Grown(lambda item: [replace(item, id=f"lab/1/{n}", facets={**item.facets, "n": str(n)}) for n in (1, 2)])
    assert [item.id for item in apply_all(ITEM, [grown, Loud(lambda item: item)])] == ["lab/1/1", "lab/1/2"]

    def refuse(item: Item) -> Item:
        raise NotApplicable("no recording")

    with pytest.raises(NotApplicable):
        apply_all(ITEM, [Loud(refuse)])


def test_a_changed_prompt_is_a_prompt() -> None:
    prompt = next(iter(load_benchmark("cmdar").spec.prompts.values()))

    @dataclass
    class Asking(Loud):
        def change_prompt(self, prompt: Any) -> Any:
            return self.change(prompt)

    assert prompt_under(prompt, [Asking(lambda p: p), Loud(lambda item: item)]) is prompt
    assert prompt_under(prompt, [find_condition("reasons")]) != prompt
    with pytest.raises(SpecError, match="change_prompt gave None instead of a PromptSpec"):
        prompt_under(prompt, [Asking(lambda p: None)])
    with pytest.raises(SpecError, match="change_prompt gave KeyError"):
        prompt_under(prompt, [Asking(lambda p: {}["x"])])


def test_the_package_is_named_by_the_name_of_the_condition() -> None:
    assert "of the package triptych breaks" in str(contract_error(Loud(later, name="blind"), "apply", "None"))


@pytest.mark.parametrize(
    ("facets", "words"),
    [
        ({"continent": "Asia"}, "other facets: continent is 'Asia', and was 'Europe'"),
        ({"continent": "Europe", "form": "a"}, "other facets: form is 'a', and was None"),
    ],
)
def test_the_facet_that_a_condition_changes_is_named(facets: dict[str, str], words: str) -> None:
    with pytest.raises(SpecError) as error:
        apply_condition(ITEM, Loud(lambda item: replace(item, facets=facets)))
    assert words in str(error.value)
