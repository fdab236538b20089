"""Tests of `reports/files/short.py`: A table of three columns to paste into a paper."""

from __future__ import annotations

from tests.reports.html.test_first_screen import INTERRUPTED, compared, over_a_part, scored, together
from triptych.benchmarks import load_benchmark
from triptych.reports.files.short import ShortTable, short_latex, short_markdown, short_rows
from triptych.reports.tables.book import Report
from triptych.reports.tables.matrix import block, order_labels


def test_an_interrupted_run_has_a_mark_and_no_rank() -> None:
    """It was asked 56 of 624 questions, and is ahead on them: the sentence is about the other Runs."""
    runs = {"part": scored((INTERRUPTED,), main=99.0), "good": scored(main=70.0), "bad": scored(main=40.0)}
    report = Report(load_benchmark("cmdar"), runs)
    pairs = [
        compared("part", "good", 29.0, 0.001),
        compared("part", "bad", 59.0, 0.001),
        compared("good", "bad", 30.0, 0.001),
    ]
    found = block(report, "official", (together(*pairs),))
    assert (found.by_run or {})["part"] == (INTERRUPTED,)
    assert found.summary == (
        "good is better than bad by 30.0 points on main accuracy (25.0 to 35.0, p 0.001, n 40). "
        "Not ranked, since over a part of the questions: part."
    )
    assert {label: (own[0].rank, own[0].best) for label, own in found.cells.items()} == {
        "part": ("", False),
        "good": ("1", True),
        "bad": ("2", False),
    }
    assert order_labels([found]) == ["good", "bad", "part"]
    table = report.overview("official")
    assert [row.label for row in table.rows if any(cell.best for cell in row.cells)] == ["good"]
    short = short_rows(report, "official")
    assert [row[0] for row in short.rows] == ["good", "bad", "part"]
    assert INTERRUPTED in short_markdown("CMDAR", short) and INTERRUPTED in short_latex("CMDAR", short)


def test_three_columns_to_paste_into_a_paper() -> None:
    rows = [("my_model", "61.0 (55.2–66.5)", "120"), ("b & c", "-2.0 (-4.0 to 1.0)", "120")]
    told = short_latex("CMDAR, protocol official", ShortTable(rows))
    lines = [line for line in told.splitlines() if line.endswith(r"\\")]
    assert len(lines) == 3 and all(line.count(" & ") == 2 for line in lines)
    assert r"my\_model & 61.0 (55.2--66.5) & 120 \\" in told and "$-$2.0" in told
    assert "| my_model | 61.0 (55.2–66.5) | 120 |" in short_markdown("CMDAR", ShortTable(rows))


def test_the_table_to_paste_says_what_its_figures_are_over() -> None:
    report, _ = over_a_part("picked")
    table = short_rows(report, "official")
    assert short_markdown("CMDAR", table).splitlines()[4:] == [
        "| high | 50.0 (45.0–55.0) | 40 |",
        "| low | 39.0 (34.0–44.0) | 40 |",
        "| part¹ | 90.0 (85.0–95.0) | 40 |",
        "",
        "On the built-in mini set, not on the benchmark's data. Runs over a part of the questions are listed below the "
        "others.",
        "",
        "¹ on a subset: a list of Items (--items).",
    ]
    tex = short_latex("CMDAR", table).splitlines()
    assert tex[tex.index(r"\midrule", 5) :][:2] == [r"\midrule", r"part\textsuperscript{1} & 90.0 (85.0--95.0) & 40 \\"]
    assert r"\par{\footnotesize \textsuperscript{1} on a subset: a list of Items (--items).}" in tex
    asked = short_markdown("CMDAR", short_rows(over_a_part("unfinished")[0], "official"))
    assert "¹ unfinished: asked 624, answered 44." in asked
