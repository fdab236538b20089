"""Tests of `reports/terminal/tables.py`: tables in the terminal."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from tests.reports.samples import OVERALL, SLICED, column, figure, run
from tests.reports.terminal.test_terminal import shown
from triptych import api
from triptych.records import Layout, Table
from triptych.reports.tables import words
from triptych.reports.tables.fill import fill
from triptych.reports.terminal.tables import print_notes, print_signatures, print_table


def test_one_run_has_its_tables_alone(two: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    api.report(two[:1])
    assert "by paired tests" not in capsys.readouterr().out


PUBLISHED = {"T1": {"Gemini 2.5 Pro": {"Speech": 71.3, "Last": 61.5}}, "T2": {"Gemini 2.5 Pro": {"sp|A": 11.3}}}


def complete(table: Table, text: str) -> None:
    for row in table.rows:
        for cell in row.cells:
            for part in filter(None, [words.number(cell.value, cell.digits), words.interval(cell)]):
                assert part in text, part
            if row.origin == "run" and (other := words.other_figure(cell, table.headline)):
                assert other in text
        if row.counts:
            assert words.percent(row.coverage) in text
            assert words.share(row.counts) in text
            assert words.losses(row.counts) in text
    assert "…" not in text


RUNS = {
    "local/cascade": run(50.3),
    "local/cascade (blind)": run(31.4),
    "openai/Qwen2.5-Omni-7B-Instruct-with-a-long-name": run(71.6),
    "baseline/random": run(20.2),
}


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
@pytest.mark.parametrize("layout", [OVERALL, SLICED])
@pytest.mark.parametrize("count", [1, 3, 4])
@pytest.mark.parametrize("published", [False, True])
def test_nothing_is_cut(width: int, layout: Layout, count: int, published: bool) -> None:
    runs = dict(list(RUNS.items())[:count])
    table = fill(layout, runs, PUBLISHED if published else None, headline="answered")
    text = shown(table, width)
    complete(table, text)
    assert max(cell_len(line) for line in text.splitlines()) <= width


@settings(max_examples=40, deadline=None)
@given(
    headings=st.lists(st.text("abc 诗词-/", min_size=1, max_size=20).filter(str.strip), min_size=1, max_size=16),
    labels=st.lists(st.text("xyz中文/-", min_size=1, max_size=40), min_size=1, max_size=5, unique=True),
    width=st.integers(80, 120),
)
def test_any_table_fits_any_terminal(headings: list[str], labels: list[str], width: int) -> None:
    layout = Layout("x", "X", tuple(column(h, {"k": str(n)}) for n, h in enumerate(headings)))
    figures = [figure(33.3 + n, {"k": str(n)}, interval=(20.1 + n, 40.2 + n)) for n in range(len(headings))]
    table = fill(layout, dict.fromkeys(labels, figures))
    text = shown(table, width)
    complete(table, text)
    assert max(cell_len(line) for line in text.splitlines()) <= width


def test_many_figures_of_few_runs_are_turned_round() -> None:
    columns = tuple(column(f"figure {n}", {"k": str(n)}) for n in range(13))
    figures = [figure(30.0 + n, {"k": str(n)}, interval=(20.0 + n, 40.0 + n)) for n in range(13)]
    text = shown(fill(Layout("x", "X", columns), {"a": figures, "b": figures}), 80)
    assert (
        len(re.findall(r"^figure \d+ +10 +\d\d\.0 \d\d\.0–\d\d\.0 +\d\d\.0 \d\d\.0–\d\d\.0", text, re.MULTILINE)) == 13
    )


def test_the_table_says_protocol_headline_and_losses() -> None:
    text = shown(fill(OVERALL, {"m": run(50)}, headline="answered"), 120)
    assert "protocol official, answered Units only" in text
    assert "m: 6 failed" in text
    assert "A note." in text


def test_signatures_stand_once_and_break_between_fields() -> None:
    out = io.StringIO()
    long = "|".join(["bench:toy@1", *(f"field{n}:{'v' * 9}" for n in range(9))])
    runs = {name: [figure(1, signature=f"{long}|model:{name}|seed:0")] for name in ("a", "b")}
    print_signatures(runs, Console(file=out, width=80, highlight=False))
    lines = out.getvalue().split("\n")
    assert out.getvalue().count("bench:toy@1") == 1
    joined = "".join(line.strip() for line in lines)
    assert joined == f"signature: {long}|seed:0" + "a: model:a" + "b: model:b"
    assert all(line.rstrip().endswith("|") for line in lines[1:3])


def test_the_second_best_is_underlined_as_in_the_other_formats() -> None:
    layout = Layout("t", "Table", (column("Acc."),))
    runs = {
        name: [figure(value, interval=(value - 1, value + 1))]
        for name, value in zip("abcd", (90.0, 70.0, 50.0, 30.0), strict=True)
    }
    table = fill(layout, runs)
    assert [row.cells[0].second for row in table.rows] == [False, True, False, False]
    console = Console(file=io.StringIO(), width=100, force_terminal=True, color_system="standard")
    print_table(table, console)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b[4m70.0" in printed and "\x1b[1;32m90.0" in printed and printed.count("\x1b[4m") == 1


def test_notes_name_their_run() -> None:
    out = io.StringIO()
    print_notes({"m": ("unfinished",), "k": ()}, Console(file=out, width=80))
    assert out.getvalue() == "m: unfinished\n"


def test_a_note_of_several_runs_stands_once() -> None:
    out = io.StringIO()
    print_notes({"m": ("same", "own", "same"), "k": ("same",)}, Console(file=out, width=80))
    assert out.getvalue() == "m, k: same\nm: own\n"


def test_the_n_of_a_column_is_of_the_units_in_its_figures() -> None:
    """Of 60 Units 12 have no answer, and official leaves them out."""
    asked = figure(50.0, counts={"scored": 48, "failed": 12}, n=48)
    layout = Layout("t", "Toy", (column("score"),))
    table = fill(layout, {"run": [asked]}, None, headline="answered", protocol="official")
    out = io.StringIO()
    print_table(table, Console(file=out, width=80))
    assert "n 48" in out.getvalue() and "48/60" in out.getvalue()
