"""Tests of `api/contracts/conditions.py`: names, arguments and defaults; `test_condition_trial.py` has the rest."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Any

import pytest

from triptych.api.contracts.conditions import argument_faults, check
from triptych.conditions.blind import CONDITIONS
from triptych.conditions.condition import Argument, Offer, known_conditions

POINT = EntryPoint("shout", "lab_condition", "triptych.conditions")
MARKS = Argument("marks", "exclamation marks", default="1", kind=int, least=0, most=9)


def found(conditions: Any) -> list[str]:
    return list(check(POINT, SimpleNamespace(CONDITIONS=conditions), ""))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(known_conditions()))
def test_the_arguments_of_the_built_in_conditions_have_no_fault(name: str) -> None:
    assert list(argument_faults(name, known_conditions()[name].arguments)) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("marks",), "expected a tuple of Argument"),
        ([MARKS], "expected a tuple of Argument"),
        ((MARKS, MARKS), "two arguments are named 'marks'"),
        ((MARKS._replace(default="99"),), "a default that is refused: marks is out of range; expected 0 to 9; got 99"),
        ((MARKS._replace(default="one"),), "a default that is refused: marks is not an integer"),
        ((MARKS._replace(default=1),), "default is 1; expected a text"),
        ((MARKS._replace(help=""),), "help is empty"),
        ((MARKS._replace(kind=list),), "expected str, int or float"),
        ((MARKS._replace(choices=("a", "b"), kind=str),), "marks can't be '1'; expected a | b"),
    ],
)
def test_a_faulty_argument_is_named(arguments: Any, words: str) -> None:
    assert any(words in line for line in argument_faults("shout", arguments))


async def later(arguments: Any, seed: int) -> Any: ...


def test_names_and_offers() -> None:
    blind = CONDITIONS["blind"]
    assert found(CONDITIONS) == ["blind: triptych has a Condition with this name; this one can't be used"]
    assert "the name 'sho:ut' can't be given to --condition" in found({"sho:ut": blind})[0]
    assert "CONDITIONS is list; expected a mapping" in found([blind])[0]
    assert "CONDITIONS['shout'] is function; expected Offer" in found({"shout": blind.make.__call__.__self__})[0]
    assert "is async" in found({"shout": Offer("aloud", later, ())})[0]
    assert found({"shout": ("aloud", later)})[0].startswith("note: CONDITIONS['shout'] is a plain tuple")
