"""An interrupted Run, a figure that was never measured, and baselines, in the tables of every format."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from tests.reports.samples import figure
from triptych.benchmarks import load_benchmark
from triptych.records import Column, Layout
from triptych.reports.files.markdown import markdown
from triptych.reports.html.tables import shown
from triptych.reports.tables import words
from triptych.reports.tables.book import Report
from triptych.reports.tables.fill import RunRemarks, fill
from triptych.reports.terminal.tables import print_table
from triptych.scoring.outcome import Scored

NOTE = "unfinished: in the data 624, asked 56; the 568 Requests not asked yet are not counted"


def overview(counts: dict[str, int], note: str = "") -> Any:
    figures = [figure(50.0, counts=counts, task="cmdar/main", n=sum(counts.values()), interval=(40.0, 60.0))]
    runs = {"cut": Scored({"official": figures}, notes=[note] if note else [])}
    return Report(load_benchmark("cmdar"), runs).overview("official")


def test_an_interrupted_run_has_no_coverage_in_percent(capsys: pytest.CaptureFixture[str]) -> None:
    table = overview({"scored": 56}, NOTE)
    (row,) = table.rows
    assert words.coverage(row) == "unfinished (asked 56, answered 56)"
    (html,) = shown(table).groups[0].rows
    assert (html.percent, html.share, html.whole) == ("unfinished", "asked 56, answered 56", False)
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


def test_a_figure_that_was_never_measured_is_a_dash() -> None:
    layout = Layout("t", "T", (Column("WER", "toy", "wer", better="lower"),))
    never = figure(100.0, counts={"skipped": 6}, metric="wer", n=6)
    judged = figure(100.0, counts={"unavailable": 6}, metric="wer", n=6)
    wrong = figure(100.0, counts={"scored": 6}, metric="wer", n=6)
    table = fill(layout, {"a": [never], "b": [judged], "c": [wrong]})
    assert [(row.cells[0].value, row.cells[0].note) for row in table.rows] == [
        (None, "6 skipped"),
        (None, "6 unavailable"),
        (100.0, ""),
    ]


def test_a_mean_over_models_has_no_baseline() -> None:
    layout = Layout("t", "T", (Column("acc", "toy", "acc"),), means=("all",))
    runs = {name: [figure(value)] for name, value in (("a", 60.0), ("b", 80.0), ("baseline/random", 10.0))}
    table = fill(layout, runs, told={"baseline/random": RunRemarks(baseline=True)})
    mean = table.rows[-1]
    assert (mean.label, mean.cells[0].value) == ("mean of 2 models", 70.0)


def test_a_number_for_people_has_a_minus_sign() -> None:
    (row,) = overview({"scored": 56}).rows
    cell = structs.replace(row.cells[0], value=-2.04, digits=1, interval=(-3.0, 1.0))
    assert (words.printed(cell), words.printed_spread(cell, row)) == ("−2.0", "−3.0 to 1.0")
