"""Tests of `benchmarks/questions`: texts that a spreadsheet has changed."""

from __future__ import annotations

import pytest

from triptych.benchmarks._questions.spreadsheet_traces import is_rounded, traces_among


@pytest.mark.parametrize(
    ("texts", "changed"),
    [
        (["2-1", "2026-03-01", "1-1"], [1]),
        (["2-1", "01. Mrz"], [1]),
        (["3/4", "1-Feb", "Mar-05"], [1, 2]),
        (["2026-03-01 00:00:00", "5–3"], [0]),
        (["16:9", "4:03:00"], [1]),
        (["1.23457E+12", "1234567890124"], [0]),
        (["007", "12", "012"], [1]),
    ],
)
def test_changed_texts_are_found_next_to_others(texts: list[str], changed: list[int]) -> None:
    assert [trace.position for trace in traces_among(texts)] == changed


@pytest.mark.parametrize(
    "texts",
    [
        ["2026-03-01", "2026-04-01"],
        ["2026-03-01", "never"],
        ["March 5", "1-1"],
        ["1.5E+10", "2.5E+10"],
        ["10:30", "11:45"],
        ["10:30:00", "11:45:00"],
        ["0", "1", "10"],
        ["05", "10"],
        ["007", "Bond"],
        ["dog", "cat"],
        [],
        [""],
    ],
)
def test_texts_as_people_write_them(texts: list[str]) -> None:
    assert traces_among(texts) == []


def test_rounded_numbers() -> None:
    assert is_rounded("1.23457E+12") and is_rounded("1,23457E+12")
    assert not any(map(is_rounded, ("1E+12", "1.5e12", "12", "1.2345")))
