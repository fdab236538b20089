"""Tests of `records/arguments.py`: what notebooks pass without a type checker."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from triptych.errors import SpecError
from triptych.records.arguments import of_python, plain_setting, refuse_other, whole_number


@pytest.mark.parametrize("value", [0, 7, -1, np.int64(7), np.uint8(7)])
def test_whole_numbers_are_plain_integers(value: Any) -> None:
    number = whole_number("limit", value)
    assert number == int(value) and type(number) is int


@pytest.mark.parametrize("value", [2.5, 2.0, True, "3", [3], np.float64(3), np.bool_(True)])
def test_anything_else_is_refused_by_its_name(value: Any) -> None:
    with pytest.raises(SpecError, match="limit must be a whole number") as error:
        whole_number("limit", value)
    assert error.value.got == repr(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(np.float32(0.5), 0.5), (np.bool_(False), False), (np.array(3), 3), ("a", "a"), (None, None)],
)
def test_scalars_of_numpy_are_pythons(value: Any, expected: Any) -> None:
    assert of_python(value) == expected and type(of_python(value)) is type(expected)


def test_settings_become_what_json_can_hold() -> None:
    settings = {
        "temperature": np.float64(0.5),
        "stop": ("a", np.int8(3)),
        "to": Path("x"),
        "extra": {"on": np.bool_(1)},
    }
    sound = plain_setting("settings", settings)
    assert sound == {"temperature": 0.5, "stop": ["a", 3], "to": "x", "extra": {"on": True}}
    assert json.loads(json.dumps(sound)) == sound
    assert plain_setting("settings", {"stop": np.array(["a", "b"])}) == {"stop": ["a", "b"]}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"x": object()}, r"settings\['x'\] must be a text, a number"),
        ({"x": {"y": {1, 2}}}, r"settings\['x'\]\['y'\] must be a text"),
        ({1: 2}, "a name in settings must be a text"),
    ],
)
def test_what_json_cannot_hold_is_refused_by_its_place(settings: Any, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        plain_setting("settings", settings)


def test_another_type_is_refused_and_a_long_value_is_cut() -> None:
    refuse_other("settings", None, Mapping, "a dict")
    with pytest.raises(SpecError, match="settings must be a dict") as error:
        refuse_other("settings", ["letter=B"] * 100, Mapping, "a dict", fix="settings={…}")
    assert len(str(error.value.got)) == 200 and error.value.fix == "settings={…}"
