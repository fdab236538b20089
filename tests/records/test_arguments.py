"""Tests of `records/arguments.py`: what notebooks pass without a type checker."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from triptych.errors import SpecError
from triptych.records.arguments import refuse_text, whole_number


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
