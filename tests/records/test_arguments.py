"""Tests of `records/arguments.py`: what notebooks pass without a type checker."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from triptych.errors import SpecError
from triptych.records.arguments import refuse_other, refuse_text, refuse_text_in, whole_number


@pytest.mark.parametrize("value", [0, 7, -1, np.int64(7), np.uint8(7)])
def test_whole_numbers_are_plain_integers(value: Any) -> None:
    number = whole_number("limit", value)
    assert number == int(value) and type(number) is int


@pytest.mark.parametrize("value", [2.5, 2.0, True, "3", [3], np.float64(3), np.bool_(True)])
def test_anything_else_is_refused_by_its_name(value: Any) -> None:
    with pytest.raises(SpecError, match="limit must be a whole number") as error:
        whole_number("limit", value)
    assert error.value.got == repr(value)


def test_a_text_in_place_of_a_list_is_refused_with_the_list_that_is_meant() -> None:
    with pytest.raises(SpecError, match="conditions must be a list of texts") as error:
        refuse_text(tasks=["main"], conditions="blind", items=None)
    assert error.value.fix == "conditions=['blind']"


@pytest.mark.parametrize("value", [Path("runs/x"), 3, True])
def test_anything_that_is_no_list_is_refused(value: Any) -> None:
    with pytest.raises(SpecError, match="predictions must be a list of texts"):
        refuse_text(predictions=value)


@pytest.mark.parametrize("lists", [None, {}, {"category": ["SR"]}, {"category": {"SR", "ER"}, "language": ("de",)}])
def test_lists_by_name_are_accepted(lists: Any) -> None:
    before = repr(lists)
    refuse_text_in("filters", lists)
    assert repr(lists) == before


@pytest.mark.parametrize("value", ["SR", 3])
def test_one_value_in_place_of_a_list_is_refused_by_its_name(value: Any) -> None:
    with pytest.raises(SpecError, match=r"filters\['category'\] must be a list") as error:
        refuse_text_in("filters", {"language": ["de"], "category": value})
    assert error.value.fix == f"filters={{'category': [{value!r}]}}"


def test_another_type_is_refused_and_a_long_value_is_cut() -> None:
    refuse_other("settings", None, Mapping, "a dict")
    with pytest.raises(SpecError, match="settings must be a dict") as error:
        refuse_other("settings", ["letter=B"] * 100, Mapping, "a dict", fix="settings={…}")
    assert len(str(error.value.got)) == 200 and error.value.fix == "settings={…}"
