"""Tests of `api/contracts/models.py`: what keeps an adapter's Runs apart, and what can be recorded."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Any

import pytest

from triptych.api.contracts.models import check, setting_faults
from triptych.models.adapter import Reply, SimpleAdapter, take_settings
from triptych.records import Request

POINT = EntryPoint("parrot", "lab_model", "triptych.models")


class Parrot(SimpleAdapter):
    accepts = frozenset({"text"})

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        self.name = f"parrot/{name}"
        super().__init__(take_settings(self.name, settings, {"words": 3}))

    async def respond(self, request: Request, prepared: Any) -> Reply:
        return Reply("hello")


class Text(Parrot):
    async def respond(self, request: Request, prepared: Any) -> str:  # type: ignore[override]
        return "hello"


def changed(**attributes: Any) -> Callable[[str, Mapping[str, Any]], Parrot]:
    def make(name: str, settings: Mapping[str, Any]) -> Parrot:
        parrot = Parrot(name, settings)
        for key, value in attributes.items():
            setattr(parrot, key, value() if callable(value) else value)
        return parrot

    return make


def writing(name: str, settings: dict[str, Any]) -> Parrot:
    settings["words"] = 3
    return Parrot(name, settings)


def found(make: Callable[..., Any]) -> list[str]:
    return list(check(POINT, SimpleNamespace(make=make), ""))  # type: ignore[arg-type]


def test_a_model_that_follows_the_contract_has_no_fault() -> None:
    assert found(Parrot) == []


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (changed(accepts=frozenset()), "accepts is empty"),
        (changed(accepts=frozenset({"audio"})), "note: accepts has no 'text'"),
        (changed(name="parrot/polly"), "name is 'parrot/polly' for both"),
        (changed(settings={"temp": float("nan")}), "settings['temp'] is nan"),
        (changed(settings={"seen": {1}}), "settings['seen'] is set"),
        (changed(settings=lambda: {"x": random.random()}), "settings differs when the same model is made again"),
        (writing, "make changes the settings that it is given"),
        (Text, "respond returns str, by its annotation; expected a Reply"),
        (lambda name, settings: Parrot, "make returns the class Parrot"),
        (lambda name, settings: None, "make returns None"),
    ],
)
def test_a_fault_is_named(make: Callable[..., Any], words: str) -> None:
    assert any(words in line for line in found(make)), found(make)


def test_settings_are_values_of_json_without_keys() -> None:
    assert list(setting_faults({"a": [1, "b", None, {"c": 0.5}], "d": True})) == []
    assert "read keys from the environment" in next(setting_faults({"api_key": "x"}))
    assert (
        list(setting_faults({"keyframes": 3, "keywords": "rain", "monkey": 1, "max_tokens": 5, "eos_token": "<s>"}))
        == []
    )
    for name in (
        "api_key",
        "API-Key",
        "apikey",
        "key",
        "hf.keys",
        "key_env",
        "api_token",
        "authToken",
        "password",
        "client_secret",
    ):
        assert "read keys from the environment" in next(setting_faults({name: "x"})), name
    assert "settings['a'] is dict" in " ".join(setting_faults({"a": {1: "b"}}))
