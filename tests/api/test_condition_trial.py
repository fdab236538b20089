"""Tests of `api/condition_trial.py`: the built-in Conditions have no fault; Conditions with planted faults have one."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pytest

from triptych.api.condition_trial import condition_trial, item_faults, mini_items, usual_arguments
from triptych.conditions.condition import Argument, NotApplicable, Offer, known_conditions
from triptych.records import Item, text

MARKS = Argument("marks", "exclamation marks", default="1", kind=int, least=0, most=9)
replace = msgspec.structs.replace


@pytest.mark.parametrize("name", sorted(known_conditions()))
def test_the_built_in_conditions_have_no_fault(name: str) -> None:
    offered = known_conditions()[name]
    found = list(condition_trial(name, Offer(offered.summary, offered.make, offered.arguments)))
    assert all(line.startswith("note: ") for line in found), found


class Shout:
    summary = "in capitals"

    def __init__(self, marks: str = "1", *, change: Callable[[Item], Any] | None = None, name: str = "") -> None:
        self.name = name or f"shout:marks={marks}"
        self.change = change or (lambda item: replace(item, parts=(text("OH" + "!" * int(marks)),)))

    def apply(self, item: Item) -> Any:
        return self.change(item)


def offer(make: Callable[..., Any], *arguments: Argument) -> Offer:
    return Offer("in capitals", make, arguments)


def loud(change: Callable[[Item], Any]) -> Offer:
    return offer(lambda arguments, seed: Shout(change=change))


def mutate(item: Item) -> Item:
    item.facets["loud"] = str(len(item.facets))
    return item


def turned(item: Item) -> Item:
    """The options in reverse order, in the Item alone: the text of a question that holds them is left as it was."""
    if item.answer != "letter" or not item.options:
        raise NotApplicable("no options")
    right = item.labels[len(item.options) - 1 - item.target_positions[0]]
    return replace(item, options=item.options[::-1], target=right)


def test_a_fault_that_only_another_argument_shows_is_named() -> None:
    def make(arguments: Mapping[str, str], seed: int) -> Shout:
        marks = arguments.get("marks", "1")
        return Shout(marks, change=None if marks == "1" else lambda item: None)

    (fault,) = condition_trial("shout", offer(make, MARKS))
    assert "the Condition 'shout:marks=2'" in fault and "None instead of an Item" in fault


def test_a_condition_that_follows_the_contract_has_no_fault() -> None:
    assert list(condition_trial("shout", offer(lambda a, seed: Shout(a.get("marks", "1")), MARKS))) == []


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (loud(lambda item: None), "apply gave None instead of an Item"),
        (loud(lambda item: replace(item, id="x")), "another id, 'x'"),
        (loud(lambda item: item.hidden["nosuch"]), "KeyError: 'nosuch'"),
        (loud(lambda item: replace(item, parts=(text(str(random.random())),))), "something else of the same Item"),
        (loud(lambda item: replace(item, parts=("OH",))), "Expected `object`, got `str` - at `$.parts[0]`"),
        (loud(lambda item: replace(item, parts=(), options=())), "no question would be asked"),
        (loud(lambda item: replace(item, options=item.options[::-1])), "the right option is"),
        (loud(turned), "other options than the question's text"),
        (loud(lambda item: replace(item, options=(one for one in item.options))), "options that are a generator"),
        (loud(mutate), "it changes the Item that it is given"),
        (offer(lambda a, seed: None), "make returns None"),
        (offer(lambda a, seed: Shout(a["marks"]), MARKS), "make with its defaults fails: KeyError: 'marks'"),
        (offer(lambda a, seed: Shout(name="shout"), MARKS), "its name is 'shout' with marks=2 too"),
        (offer(lambda a, seed: Shout(name="loud")), "the name 'loud'"),
    ],
)
def test_what_a_condition_does_wrong_is_named(made: Offer, words: str) -> None:
    found = list(condition_trial("shout", made))
    assert any(words in line for line in found), found
    assert not any(line.startswith("note: ") for line in found)


def test_a_condition_that_can_be_applied_to_nothing_is_a_note() -> None:
    def refuse(item: Item) -> Item:
        raise NotApplicable("no scent")

    (note,) = item_faults("shout", Shout(change=refuse))
    assert note.startswith("note: ") and "no Item of the mini sets" in note


def test_a_summary_and_values_for_what_has_no_default() -> None:
    silent = Shout()
    silent.summary = ""
    assert any("has no summary" in line for line in condition_trial("shout", offer(lambda a, seed: silent)))
    needed: Mapping[str, Argument] = {"db": Argument("db", "level", kind=float, least=-5, most=30)}
    assert usual_arguments(offer(Shout, *needed.values())) == {"db": "1.0"}
    assert usual_arguments(offer(Shout, Argument("what", "kind", choices=("audio", "image")))) == {"what": "audio"}
    assert usual_arguments(offer(Shout, Argument("table", "file", opens=True))) is None
    (note,) = condition_trial("shout", offer(Shout, Argument("table", "file", opens=True)))
    assert "was not tried" in note
    assert len({item.task for item in mini_items()}) > 5
