"""Tests of `reports/terminal/sections.py`: a Section in the terminal."""

from __future__ import annotations

import pytest

from triptych.records import Listing, Section, Table, TableCell, TableRow
from triptych.reports.terminal.sections import MAX_ROWS, show_section


def section(**more: object) -> Section:
    return Section("kinds", "Kinds of error", "What went wrong.", **more)  # type: ignore[arg-type]


def shown(capsys: pytest.CaptureFixture[str], section: Section, **options: bool) -> str:
    show_section(section, **options)
    return capsys.readouterr().out


def test_title_and_explanation_are_shown_if_they_are_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    one = section(sentences=("甲: 3 of 10 answers are wrong.",), notes=("A note.",))
    assert shown(capsys, one) == "甲: 3 of 10 answers are wrong.\nA note.\n"
    text = shown(capsys, one, title=True, explain=True)
    assert text.splitlines() == [
        "",
        "Kinds of error",
        "What went wrong.",
        "",
        "甲: 3 of 10 answers are wrong.",
        "A note.",
    ]


def test_tables_with_rows_are_shown_and_empty_ones_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    full = Table("t", "Shares", ("content",), (TableRow("m", (TableCell(41.5, 1),)),))
    text = shown(capsys, section(tables=(full, Table("e", "Nothing", ("refusal",), ()))))
    assert "Shares" in text and "41.5" in text and "Nothing" not in text


def test_listings_are_cut_with_the_number_of_other_rows(capsys: pytest.CaptureFixture[str]) -> None:
    rows = tuple((f"item {n:02}", "content") for n in range(MAX_ROWS + 3))
    text = shown(capsys, section(listings=(Listing("cases", "Wrong answers", ("Item", "Kind"), rows),)))
    assert "Wrong answers" in text and "item 19" in text and "item 20" not in text
    assert "3 more; --json lists them" in text
    first = Listing("cases", "Wrong answers", ("Item", "Kind"), rows[:5], total=12_005)
    assert "11,985 more" in shown(capsys, section(listings=(first,)))
    whole = Listing("cases", "Wrong answers", ("Item", "Kind"), rows[:MAX_ROWS])
    assert "more" not in shown(capsys, section(listings=(whole,)))


def test_a_full_list_of_what_another_sums_up_is_only_counted(capsys: pytest.CaptureFixture[str]) -> None:
    named = Listing("named.form", "Everything left out", ("Unit", "Why"), (("u1", "not asked"),), total=1234)
    text = shown(capsys, section(listings=(named, Listing("empty", "No rows", ("Item",), ()))))
    assert text == "1,234 by name: --json\n"


def test_brackets_and_control_characters_of_names_are_shown_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    """`baseline/random [empty]` had a backslash before the bracket."""
    bad = r"m [red]x[/red] \[y] :smile:"
    rows = ((bad, "\x1b[31mred"),)
    text = shown(
        capsys, section(sentences=(bad,), notes=(bad,), listings=(Listing("l", bad, (bad, "other"), rows),)), title=True
    )
    assert text.count(bad) == 5 and "\x1b" not in text and "␛[31mred" in text


def test_long_cells_are_folded_and_nothing_is_cut(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    question = "为什么" * 60
    text = shown(capsys, section(listings=(Listing("l", "T", ("Item", "Question"), (("i/1", question),)),)))
    assert text.count("为") == 60 and "…" not in text
