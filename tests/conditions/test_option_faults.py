"""Tests of `conditions/option_faults.py`: options, labels, target and text that no longer belong together."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from triptych.conditions.option_faults import option_fault
from triptych.conditions.option_order import reordered
from triptych.records import Item, Part, text


def options(*words: str) -> tuple[tuple[Part, ...], ...]:
    return tuple((text(word),) for word in words)


ABC = options("Rome", "Rhine", "Oslo")
ITEM = Item("lab/1", "lab/main", (text("Which river?"),), ABC, ("A", "B", "C"), "letter", "B")
INSIDE = msgspec.structs.replace(ITEM, parts=(text("Which river?\nA. Rome\nB. Rhine\nC. Oslo"),))
BY_TEXT = msgspec.structs.replace(ITEM, labels=(), answer="option", target="Rhine")


def fault(item: Item, **changes: Any) -> str:
    return option_fault(msgspec.structs.replace(item, **changes), item)


TURNED = options("Rhine", "Rome", "Oslo")


@pytest.mark.parametrize(
    ("item", "changes", "said"),
    [
        (ITEM, {"options": TURNED}, "the target 'B', which is 'Rome'; the right option is 'Rhine'"),
        (ITEM, {"options": TURNED, "target": "C"}, "the target 'C', which is 'Oslo'"),
        (ITEM, {"target": "A"}, "the target 'A', which is 'Rome'"),
        (ITEM, {"target": "Z"}, "the target 'Z', which is none of the options"),
        (ITEM, {"options": ABC[:2]}, "3 labels for 2 options"),
        (ITEM, {"options": options("Rome", "Oslo"), "labels": ("A", "B"), "target": "A"}, "no right option: 'Rhine'"),
        (BY_TEXT, {"options": options("Rome", "Oslo")}, "no right option: 'Rhine' was left out"),
        (ITEM, {"labels": (b"A", b"B", b"C")}, "the label b'A'; expected a text"),
        (ITEM, {"labels": ["A", "B", "C"]}, "labels that are a list"),
        (ITEM, {"options": (one for one in ABC)}, "options that are a generator, not a tuple"),
        (ITEM, {"options": ("Rome", "Rhine", "Oslo")}, "the option 'Rome'; expected a tuple of Part"),
        (INSIDE, {"options": TURNED, "target": "A"}, "other options than the question's text"),
        (INSIDE, {"options": ABC[1:], "labels": ("A", "B"), "target": "A"}, "other options than the question's text"),
    ],
)
def test_what_no_longer_belongs_together_is_said(item: Item, changes: dict[str, Any], said: str) -> None:
    assert said in fault(item, **changes)


@pytest.mark.parametrize(
    ("item", "changes"),
    [
        (ITEM, {}),
        (ITEM, {"parts": ()}),
        (ITEM, {"options": TURNED, "target": "A"}),
        (ITEM, {"options": ABC[:2], "labels": ("A", "B")}),
        (ITEM, {"options": options("Rome", "none of them", "Oslo")}),  # a new option: it can't be decided
        (ITEM, {"options": (), "labels": (), "answer": "text", "target": "Rhine"}),
        (ITEM, {"options": ()}),
        (ITEM, {"options": TURNED, "target": None}),
        (BY_TEXT, {"options": TURNED}),
        (ITEM, {"labels": ("1", "2", "3"), "target": "2"}),
        (msgspec.structs.replace(ITEM, target="Z"), {"options": TURNED}),  # there was no right option before
        (INSIDE, {"labels": ("1", "2", "3"), "target": "2"}),
        (INSIDE, {"parts": (text("Which one?"),), "options": TURNED, "target": "A"}),
    ],
)
def test_what_belongs_together_is_no_fault(item: Item, changes: dict[str, Any]) -> None:
    assert fault(item, **changes) == ""


def test_reordered_options_are_no_fault() -> None:
    assert (
        option_fault(reordered(INSIDE, [2, 1, 0]), INSIDE) == option_fault(reordered(BY_TEXT, [1, 2, 0]), BY_TEXT) == ""
    )


def test_options_without_a_letter_each_are_compared_without_error() -> None:
    fewer = msgspec.structs.replace(INSIDE, options=ABC[:2])
    assert fault(fewer, options=TURNED[:2], target="A") == ""
