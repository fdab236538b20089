"""Tests of `store/files/excel_dates.py`: dates and times of XLSX workbooks."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.store.files.excel_dates import DATE_FORMATS, date_text


@pytest.mark.parametrize(
    ("number", "shown"),
    [(1, "1900-01-01"), (59, "1900-02-28"), (61, "1900-03-01"), (2_958_465, "9999-12-31"), (2_958_466, ""), (-1, "")],
)
def test_days_are_counted_as_excel_does(number: float, shown: str) -> None:
    """1900-02-29 is a day in Excel, as in Lotus 1-2-3."""
    assert date_text(number, "yyyy-mm-dd") == shown


def test_the_calendar_from_1904() -> None:
    assert date_text(0, "yyyy-mm-dd", since_1904=True) == "1904-01-01"
    assert date_text(2_957_003, "yyyy-mm-dd", since_1904=True) == "9999-12-31"
    assert date_text(2_957_004, "yyyy-mm-dd", since_1904=True) == ""
    assert date_text(44196, "yyyy-mm-dd", since_1904=True) == date_text(45658, "yyyy-mm-dd") == "2025-01-01"


@given(st.dates(date(1900, 3, 1), date(9999, 12, 31)))
def test_each_day_has_its_date(day: date) -> None:
    assert date_text((day - date(1899, 12, 31)) / timedelta(days=1) + 1, "d.m.yy") == day.isoformat()


@pytest.mark.parametrize(
    "code", ["", "General", "0.00", "#,##0", "0%", "@", "# ?/?", "0.00E+00", '0" d"', "[Red]0.0;[Blue]-0.0"]
)
def test_another_format_is_no_date(code: str) -> None:
    assert date_text(45658, code) == ""


def test_a_time_of_the_last_half_second_is_the_next_minute() -> None:
    assert date_text(45657.999999, "yyyy-mm-dd hh:mm") == "2025-01-01 00:00:00"


@pytest.mark.parametrize(
    ("number", "code", "shown"),
    [
        (45720, "[$-409]d/mmm/yy;@", "2025-03-04"),
        (45720, "yyyy\\年m\\月d\\日", "2025-03-04"),
        (45720.75, "yyyy-mm-dd", "2025-03-04"),  # a day alone, as the cell shows it
        (45720.75, "d.m.yyyy h:mm", "2025-03-04 18:00:00"),
        (62 / 86400, "mm:ss", "1:02"),
        (5400 / 86400, "mm:ss", "1:30:00"),
        (62 / 86400, "h:mm:ss", "0:01:02"),
        (62 / 1440, "h:mm", "1:02"),
        (90.5 / 86400, "[h]:mm:ss", "0:01:30.5"),
        (1e9, "yyyy-mm-dd", ""),
    ],
)
def test_dates_and_times_are_written_as_their_cells_show_them(number: float, code: str, shown: str) -> None:
    assert date_text(number, code) == shown


@pytest.mark.parametrize(
    ("number", "shown"), [(14, "2025-03-04"), (20, "12:00"), (21, "12:00:00"), (22, "2025-03-04 12:00:00")]
)
def test_formats_that_have_no_code_in_the_file(number: int, shown: str) -> None:
    days = 0.5 if number in (20, 21) else 45720.5
    assert date_text(days, DATE_FORMATS[number]) == shown
