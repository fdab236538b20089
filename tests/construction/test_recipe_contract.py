"""Tests of `construction/recipe_contract.py`: the built-in recipes have no fault; a Recipe with one is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.api.contracts.test_recipes import RECIPE
from tests.api.contracts.test_stages import LENGTH
from triptych.construction.engine.context import Context
from triptych.construction.recipe import Start, known_recipes, load_recipe
from triptych.construction.recipe_contract import recipe_faults, stage_list
from triptych.construction.record import Record
from triptych.errors import SpecError


class Lax(msgspec.Struct):
    questions: str = ""


def by_annotation(ctx: Context[Any], settings: Lax, folder: Path) -> Any: ...


async def later(*arguments: Any) -> None: ...


@pytest.mark.parametrize("name", sorted(known_recipes()))
def test_the_built_in_recipes_have_no_fault(name: str) -> None:
    assert list(recipe_faults(load_recipe(name))) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"version": "1"}, "version is '1'"),
        ({"version": 0}, "version is 0"),
        ({"about": ""}, "about is ''"),
        ({"roles": ["maker"]}, "roles is ['maker']; expected a mapping"),
        ({"config": Lax}, "config accepts unknown keys"),
        ({"config": dict}, "config is type; expected a msgspec Struct"),
        ({"start": None}, "start is None; expected a function start(config, base, context)"),
        ({"start": lambda config: ()}, "start can't be called with 3 arguments"),
        ({"write": later}, "write is async"),
        ({"write": lambda records, out: None}, "write can't be called with 4 arguments"),
        ({"start": lambda base, config, context: ()}, "start takes base where config is given"),
        ({"start": by_annotation}, "start takes a Context where config is given"),
        ({"write": lambda config, out, records, context: None}, "write takes out where records is given"),
        ({"about_output": 3}, "about_output is int"),
        ({"merged": (3,)}, "merged is tuple; expected a list of Stage"),
        ({"examples": {"a": 1}}, "examples is dict"),
        ({"benchmark": None}, "benchmark is None"),
    ],
)
def test_a_fault_is_named(changes: dict[str, Any], words: str) -> None:
    assert list(recipe_faults(RECIPE)) == []
    (fault,) = recipe_faults(replace(RECIPE, **changes))
    assert words in fault


def test_a_list_of_stages() -> None:
    assert stage_list((LENGTH,), "lab") == [LENGTH]
    for made, words in (
        (None, "stages gives no list"),
        ((stage for stage in (LENGTH,)), "stages gives no list"),
        (["length"], "something else than a Stage"),
        ([LENGTH, LENGTH], "two stages have one name"),
    ):
        with pytest.raises(SpecError, match=words):
            stage_list(made, "lab")


def test_what_start_gives_is_a_start() -> None:
    assert list(RECIPE.starts(None, Path(), None)) == []  # type: ignore[arg-type]
    for given, words in ((None, "None"), ([3], "int")):
        with pytest.raises(SpecError, match="start of the recipe 'lab' gives no Start") as error:
            list(replace(RECIPE, start=lambda *_, given=given: given).starts(None, Path(), None))  # type: ignore[arg-type]
        assert f"got: {words}" in str(error.value)
    odd = [Start(Record("r1", {"name": b"x"}))]
    with pytest.raises(SpecError, match="'lab' gave a value of type bytes in the field 'name'") as error:
        list(replace(RECIPE, start=lambda *_: iter(odd)).starts(None, Path(), None))  # type: ignore[arg-type]
    assert error.value.where == "r1"
