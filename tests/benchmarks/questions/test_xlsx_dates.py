"""Tests of `benchmarks/questions`: xlsx_dates."""

from __future__ import annotations

import pytest

from triptych.benchmarks._questions.xlsx_dates import as_shown, date_format


@pytest.mark.parametrize(
    ("code", "parts"),
    [
        ("General", ""),
        ("0.00", ""),
        ("0.0%", ""),
        ("0.00E+00", ""),
        ('0.0" days"', ""),
        ("[Red]0.0;[Blue]-0.0", ""),
        ("[$-409]d/mmm/yy;@", "ymd"),
        ("yyyy\\年m\\月d\\日", "ymd"),
        ("[h]:mm:ss", "mhs"),
        ("mm:ss.0", "ms"),
    ],
)
def test_the_format_of_a_cell_tells_dates_from_numbers(code: str, parts: str) -> None:
    assert sorted(date_format(170, {170: code})) == sorted(parts)


@pytest.mark.parametrize(
    ("serial", "parts", "shown"),
    [
        (1.0, "ymd", "1900-01-01"),
        (61.0, "ymd", "1900-03-01"),
        (45720.75, "ymdhm", "2025-03-04 18:00:00"),
        (62 / 86400, "ms", "1:02"),
        (62 / 86400, "hms", "0:01:02"),
        (62 / 1440, "hm", "1:02"),
        (90.5 / 86400, "hms", "0:01:30.5"),
        (1e9, "ymd", 1e9),
        (-1.0, "hms", -1.0),
    ],
)
def test_dates_and_times_are_written_as_people_see_them(serial: float, parts: str, shown: str | float) -> None:
    assert as_shown(serial, parts) == shown


def test_workbooks_of_old_macs_count_from_1904() -> None:
    assert as_shown(44258.0, "ymd", from_1904=True) == "2025-03-04"
