"""Tests of `construction/text_checks/options/ranges.py`: amounts and ranges of amounts in options."""

from __future__ import annotations

import math

import pytest

from triptych.construction.text_checks.options.ranges import amounts, right_in_wrong


@pytest.mark.parametrize(
    ("option", "lower", "upper", "unit"),
    [
        ("三天", 3, 3, "天"),
        ("约十五分钟", 15, 15, "分钟"),
        ("两三百人", 200, 300, "人"),
        ("七八天", 7, 8, "天"),
        ("十七八岁", 17, 18, "岁"),
        ("三五个人", 3, 5, "人"),
        ("5到10公里", 5, 10, "公里"),
        ("半个小时", 0.5, 0.5, "小时"),
        ("between 3 and 5 weeks", 3, 5, "weeks"),
        ("from ten to twenty dollars", 10, 20, "dollars"),
        ("10–12 km.", 10, 12, "km"),
        ("at most 40 kg", 0, 40, "kg"),
        ("不超过四十人", 0, 40, "人"),
        ("20 or more", 20, math.inf, ""),
        ("三十岁以上", 30, math.inf, "岁"),
        ("two or fewer", 0, 2, ""),
        ("12 to 5 minutes", None, None, ""),
        ("a few days", None, None, ""),
        ("因为下雨", None, None, ""),
        ("", None, None, ""),
    ],
)
def test_amounts_by_hand(option: str, lower: float | None, upper: float | None, unit: str) -> None:
    stated = amounts(option)
    assert (stated and tuple(stated)) == (None if lower is None else (lower, upper, unit))


def test_open_ends_leave_their_number_out() -> None:
    less, more = amounts("less than 10 days"), amounts("多于十天")
    assert less is not None and more is not None
    assert less.lower == 0 and 9.99 < less.upper < 10
    assert 10 < more.lower < 10.01 and more.upper == math.inf


@pytest.mark.parametrize(
    ("options", "pair"),
    [
        (["4 days", "3 to 5 days", "a week", "a month"], ("4 days", "3 to 5 days")),
        (["10 minutes", "less than 10 minutes", "20 minutes"], None),
        (["10 minutes", "at least 10 minutes", "5 minutes"], ("10 minutes", "at least 10 minutes")),
        (["4 days", "3 to 5 weeks", "8 days"], None),
        (["4 days", "4 days", "8 days"], None),
        (["in the morning", "3 to 5 days"], None),
    ],
)
def test_a_wrong_range_that_holds_the_correct_amount(options: list[str], pair: tuple[str, str] | None) -> None:
    assert right_in_wrong(options, [0]) == pair
