"""Tests of `experiment/settings.py`: settings of a Run."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.errors import SpecError
from triptych.experiment.settings import as_number, checked_name, split_settings, with_seed, without_dropped


def test_decoding_settings_are_told_from_the_models() -> None:
    decoding, model = split_settings({"temperature": "0.5", "max_tokens": "64", "stop": "\n", "size": "7B"}, 3)
    assert decoding == {"seed": 3, "temperature": 0.5, "max_tokens": 64, "stop": "\n"} and model == {"size": "7B"}
    assert split_settings({}, None) == ({}, {})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("temperature", "warm"),
        ("top_k", "1.5"),
        ("max_tokens", ""),
        ("temperature", "nan"),
        ("top_p", "inf"),
        ("top_p", float("nan")),
    ],
)
def test_what_is_no_number_is_refused_with_the_option(key: str, value: Any) -> None:
    with pytest.raises(SpecError, match=f"{key} is not a"):
        as_number(key, value)


def test_a_dropped_setting_is_neither_sent_nor_recorded() -> None:
    taken, sent, left = without_dropped(
        "openai/o3", {"drop": "temperature, top_p", "x": 1}, {"temperature": 0, "seed": 1}
    )
    assert (taken, sent, left) == ({"x": 1}, {"seed": 1}, ["temperature=0"])
    with pytest.raises(SpecError, match="temprature"):
        without_dropped("openai/o3", {"drop": "temprature"}, {})
    assert without_dropped("openai/o3", {"x": 1}, {"seed": 1}) == ({"x": 1}, {"seed": 1}, [])


def test_the_seed_of_a_run_is_that_of_a_random_baseline() -> None:
    assert with_seed("baseline/random", {"seed": 1}, {"seed": 2}) == {"seed": 2}
    assert with_seed("openai/m", {"a": 1}, {"seed": 2}) == with_seed("baseline/random", {"a": 1}, {}) == {"a": 1}


@pytest.mark.parametrize("name", [" a", "a ", "a\nb", "\x1b[31m", "x" * 81, "a\u200bb"])
def test_names_that_no_table_can_show_are_refused(name: str) -> None:
    with pytest.raises(SpecError, match="--name"):
        checked_name(name)


@pytest.mark.parametrize("name", ["", "GPT-4o (2024-08)", "模型 一", "x" * 80, "a/b"])
def test_other_names_stay(name: str) -> None:
    assert checked_name(name) == name
