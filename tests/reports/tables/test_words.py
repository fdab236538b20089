"""The words around tables say neither more nor less than is true."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from tests.reports.samples import figure
from triptych.benchmarks import load_benchmark
from triptych.records import TableCell, TableRow
from triptych.reports.files.markdown import markdown
from triptych.reports.html.tables import html_table
from triptych.reports.tables import words
from triptych.reports.tables.book import Report
from triptych.reports.terminal.tables import print_table
from triptych.scoring.outcome import Scored


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
    assert words.coverage(row) == "98.3% (590/600; 580 scored, 10 unparsed, 2 refused, 8 failed)"
    assert words.coverage(structs.replace(row, counts={"scored": 590, "failed": 10})) == "98.3% (590/600; 10 failed)"
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


NOTE = "unfinished: in the data 624, asked 56; the 568 Requests not asked yet are not counted"


def overview(counts: dict[str, int], note: str = "") -> Any:
    figures = [figure(50.0, counts=counts, task="cmdar/main", n=sum(counts.values()), interval=(40.0, 60.0))]
    runs = {"cut": Scored({"official": figures}, notes=[note] if note else [])}
    return Report(load_benchmark("cmdar"), runs).overview("official")


def test_an_interrupted_run_has_no_coverage_in_percent(capsys: pytest.CaptureFixture[str]) -> None:
    table = overview({"scored": 56}, NOTE)
    (row,) = table.rows
    assert words.coverage(row) == "unfinished (asked 56, answered 56)"
    (html,) = html_table(table).groups[0].rows
    assert (html.percent, html.share, html.complete) == ("unfinished", "asked 56, answered 56", False)
    print_table(table)
    printed = " ".join(capsys.readouterr().out.split())  # on a narrow terminal lines are broken
    for told in (markdown(table), printed):
        assert "100%" not in told and "56/56" not in told and "answered 56" in told and "in the data 624" in told
    assert printed.index("unfinished") < printed.index("50.0"), "coverage is next to the name"


def test_replies_that_are_missing_are_no_percentage_either() -> None:
    (row,) = overview({"scored": 44, "missing": 580}).rows
    assert row.marks[-1] == "unfinished: asked 624, answered 44"
    assert words.coverage(row) == "unfinished (asked 624, answered 44)"
    (whole,) = overview({"scored": 624}).rows
    assert words.coverage(whole) == "100% (624/624)"


def test_a_number_for_people_has_a_minus_sign() -> None:
    (row,) = overview({"scored": 56}).rows
    cell = structs.replace(row.cells[0], value=-2.04, digits=1, interval=(-3.0, 1.0))
    assert (words.printed_value(cell), words.printed_spread(cell, row)) == ("−2.0", "−3.0 to 1.0")
