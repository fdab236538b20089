"""The words around tables say neither more nor less than is true."""

from __future__ import annotations

import pytest

from triptych.records import TableCell, TableRow
from triptych.records.harmless import visible
from triptych.reports.tables import words


@pytest.mark.parametrize(
    ("value", "digits", "shown"), [(None, 1, "–"), (61.549, 1, "61.5"), (-0.04, 1, "0.0"), (-3.0, 2, "-3.00")]
)
def test_numbers(value: float | None, digits: int, shown: str) -> None:
    assert words.number(value, digits) == shown


def test_intervals_with_minus_signs_can_be_read() -> None:
    assert words.interval(TableCell(5, 1, interval=(4.96, 6.0))) == "5.0–6.0"
    assert words.interval(TableCell(-5, 1, interval=(-6, -4.0))) == "-6.0 to -4.0"
    assert words.interval(TableCell(5, 1)) == ""


@pytest.mark.parametrize(
    ("coverage", "shown"),
    [(1.0, "100%"), (0.99999, "99.9%"), (0.00001, "0.1%"), (0.0, "0.0%"), (0.5, "50.0%"), (None, "–")],
)
def test_coverage_is_never_rounded_to_all_or_nothing(coverage: float | None, shown: str) -> None:
    assert words.percent(coverage) == shown


def test_coverage_with_its_counts() -> None:
    counts = {"scored": 580, "unparsed": 10, "failed": 8, "refused": 2, "judge_failed": 0}
    row = TableRow("m", (), coverage=590 / 600, counts=counts)
    assert words.coverage(row) == "98.3% (590/600; 10 unparsed, 2 refused, 8 failed)"
    assert words.coverage(TableRow("m", ())) == "–"


def test_the_other_figure_shows_only_where_it_differs_as_printed() -> None:
    cell = TableCell(63.64, 1, value_all=61.4, value_answered=63.64)
    assert words.other_figure(cell, "answered") == "all 61.4"
    assert words.other_figure(TableCell(61.4, 1, value_all=61.4, value_answered=63.64), "all") == "ans. 63.6"
    assert words.other_figure(TableCell(63.64, 1, value_all=63.63, value_answered=63.64), "answered") == ""


def test_signatures_are_told_once_where_they_agree() -> None:
    full = {"x": "bench:t|model:a|seed:0", "y": "bench:t|model:b|seed:0"}
    assert words.short_signatures(full) == ("bench:t|seed:0", {"x": "model:a", "y": "model:b"})
    assert words.short_signatures({"x": "bench:t"}) == ("bench:t", {"x": ""})
    assert words.short_signatures({}) == ("", {})


def test_what_cannot_be_seen_is_made_visible() -> None:
    assert visible("a\u202ecod.exe\x00\x1b[31m\x7f\u2028") == "a⟨U+202E⟩cod.exe␀␛[31m␡⟨U+2028⟩"
    assert visible("as it is: 诗, שלום\n\tnext\u200d") == "as it is: 诗, שלום\n\tnext\u200d"
