"""Tests of `audit/sheets/dates.py`: dates and times of XLSX workbooks."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.audit.sheets.dates import date_text


@pytest.mark.parametrize(
    ("number", "shown"),
    [(1, "1900-01-01"), (59, "1900-02-28"), (61, "1900-03-01"), (2_958_465, "9999-12-31"), (2_958_466, ""), (-1, "")],
)
def test_days_are_counted_as_excel_does(number: float, shown: str) -> None:
    """1900-02-29 is a day in Excel, as in Lotus 1-2-3."""
    assert date_text(number, "yyyy-mm-dd") == shown


def test_the_calendar_from_1904() -> None:
    assert date_text(0, "yyyy-mm-dd", since_1904=True) == "1904-01-01"
    assert date_text(44196, "yyyy-mm-dd", since_1904=True) == date_text(45658, "yyyy-mm-dd") == "2025-01-01"


@given(st.dates(date(1900, 3, 1), date(9999, 12, 31)))
def test_each_day_has_its_date(day: date) -> None:
    assert date_text((day - date(1899, 12, 31)) / timedelta(days=1) + 1, "d.m.yy") == day.isoformat()


@pytest.mark.parametrize("code", ["", "General", "0.00", "#,##0", "0%", "@", "# ?/?", "0.00E+00", '0" d"', "[Red]0.0"])
def test_another_format_is_no_date(code: str) -> None:
    assert date_text(45658, code) == ""


def test_a_time_of_the_last_half_second_is_the_next_minute() -> None:
    assert date_text(45657.999999, "yyyy-mm-dd hh:mm") == "2025-01-01 00:00:00"
