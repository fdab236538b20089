"""Tests of `api/contracts/recipes.py`: `RECIPE`, its benchmark, its examples and their stages."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

import triptych.api.contracts.recipes as contract
from tests.api.contracts.test_stages import LENGTH
from triptych.construction.recipe import Recipe

POINT = EntryPoint("lab", "lab_recipe", "triptych.recipes")


class Config(msgspec.Struct, forbid_unknown_fields=True):
    questions: str


RECIPE = Recipe(
    name="lab",
    version=1,
    about="a table of questions",
    config=Config,
    start=lambda config, base, context: iter(()),
    stages=lambda config: [LENGTH],
    write=lambda config, records, out, context: None,
    roles={},
    examples=({"questions": "q.jsonl"},),
)


def found(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> list[str]:
    monkeypatch.setattr(contract, "known_recipes", lambda: {"lab": ("lab_recipe", "?")})
    return list(contract.check(POINT, SimpleNamespace(RECIPE=replace(RECIPE, **changes)), ""))  # type: ignore[arg-type]


def fails(config: Any, base: Any, context: Any) -> Any:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"benchmark": "nosuch"}, "benchmark is 'nosuch', which doesn't exist"),
        ({"version": 0}, "RECIPE: version is 0; expected an integer, from 1"),
        ({"stages": lambda config: []}, "stages gives none"),
        ({"stages": lambda config: [LENGTH, LENGTH]}, "two stages have one name"),
        ({"stages": lambda config: ["length"]}, "stages gives something else than a Stage"),
        ({"start": lambda config, base, context: None}, "start returns None; expected Starts"),
        ({"start": fails}, "note: RECIPE.examples[0]: start fails without the files"),
        ({"examples": ({"question": "q"},)}, "RECIPE.examples[0]: the configuration isn't valid"),
        ({"examples": {"questions": "q"}}, "examples is dict; expected a list of configurations"),
        ({"examples": ()}, "note: RECIPE has no examples"),
        ({"name": "labs"}, "RECIPE.name is 'labs'; the entry point is 'lab'"),
    ],
)
def test_a_fault_is_named(monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], words: str) -> None:
    lines = found(monkeypatch, **changes)
    assert any(words in line for line in lines), lines


def test_a_recipe_that_follows_the_contract_has_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch) == found(monkeypatch, benchmark="cmdar") == []
    monkeypatch.setattr(contract, "broken_benchmarks", lambda: {"lab": "lab-plugin: no spec.toml"})
    (note,) = found(monkeypatch, benchmark="lab")
    assert note.startswith("note: RECIPE: the benchmark 'lab' can't be loaded")
    assert "RECIPE is dict" in next(contract.check(POINT, SimpleNamespace(RECIPE={}), ""))  # type: ignore[arg-type]
    assert "RECIPE is missing" in next(contract.check(POINT, SimpleNamespace(), ""))  # type: ignore[arg-type]
