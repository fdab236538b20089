"""Tests of `metrics/replies/numerals.py`: replies and options that are numbers."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.choice import read_letter, read_option
from triptych.metrics.replies.numerals import equal_number, is_number, with_digits


@pytest.mark.parametrize(
    ("reply", "index"),
    [
        ("3,5", 1),
        ("3.5.", 1),
        ("**3.50**", 1),
        ("٣٫٥", 1),
        ("35", 2),
        ("-3.5", None),
        ("3", None),
        ("1,234", 3),
        ("1.234,0", 3),
        ("twelve", 4),
        ("十二", 4),
        ("१२", 4),
        ("once", None),
        ("null", None),
        ("12 dogs", None),
        ("1" * 100, None),
    ],
)
def test_the_option_with_the_same_number(reply: str, index: int | None) -> None:
    assert equal_number(reply, ["2.5", "3.5", "35", "1234", "12"]) == index


def test_a_number_that_may_be_meant_in_two_ways_chooses_nothing() -> None:
    assert equal_number("1,234", ["1234", "1.234"]) is None


@given(st.integers(-(10**9), 10**9))
def test_every_integer_is_a_number_with_or_without_commas(value: int) -> None:
    assert is_number(str(value)) and is_number(f"{value:,}")
    assert equal_number(f"{value:,}", [str(value)]) == 0


@given(st.decimals(0, 10**6, places=2))
def test_a_decimal_comma_is_a_decimal_point(value: Decimal) -> None:
    assert equal_number(f"{value:.2f}".replace(".", ","), [f"{value:.2f}"]) == 0


def test_digits_of_other_scripts() -> None:
    assert with_digits("٠١٢٣ ۴ ๕ ６ ८") == "0123 4 5 6 8"


def test_readers_compare_numbers() -> None:
    assert read_letter("3,5", "AB", ["3.5", "35"]) == "A"
    assert read_letter("2", "12", ["3", "2"]) == "2"  # the label
    assert read_letter("3", "AB") is None
    assert read_option("-12", ["10", "12"]) is None
    assert read_option("1.234,5", ["1234.5", "12345"]) == 0
