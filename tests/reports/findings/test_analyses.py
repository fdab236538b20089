"""Tests of `reports/findings/analyses.py`: results of analyses for a report."""

from __future__ import annotations

import pytest

from triptych.records import Listing, Section, Table, TableCell, TableRow
from triptych.reports.findings.analyses import MAX_ROWS, analyses_markdown, show_analyses


def section(**more: object) -> Section:
    fields: dict[str, object] = {
        "sentences": ("《诗经》 is worse by 3.2 points.", "The second finding."),
        "tables": tuple(
            Table(name, f"Table of {name}", ("score",), (TableRow("m", (TableCell(41.5, 1),)),))
            for name in ("first", "second")
        ),
        "listings": (
            Listing("cases", "Hard cases", ("Item", "Why"), (("i/1", "wrong"),)),
            Listing("left_out.form", "Left out", ("Why", "Count"), (("not asked", "12"), ("no answer", "3"))),
        ),
        "notes": ("Two Runs have no key.",),
        **more,
    }
    return Section("consistency", "Consistency", "How often forms agree.", **fields)  # type: ignore[arg-type]


def test_the_terminal_has_the_findings_and_the_first_table(capsys: pytest.CaptureFixture[str]) -> None:
    show_analyses([section(), section()])
    out = capsys.readouterr().out
    for part in ("Consistency", "《诗经》 is worse by 3.2 points.", "Table of first", "41.5", "Two Runs have no key."):
        assert out.count(part) == 2, part
    assert "Table of second" not in out and "Hard cases" not in out
    assert "Left out: 12 not asked; 3 no answer" in out


def test_markdown_has_all_of_it_in_order() -> None:
    text = analyses_markdown("CMDAR", [section()])
    order = [
        "# CMDAR",
        "## Consistency",
        "How often forms agree.",
        "- 《诗经》 is worse by 3.2 points.",
        "Table of first",
        "Table of second",
        "**Hard cases**",
        "- i/1 · wrong",
        "**Left out**",
        "- not asked · 12",
        "> Two Runs have no key.",
    ]
    positions = [text.index(part) for part in order]
    assert positions == sorted(positions)


def test_long_listings_are_cut_and_say_how_many_there_are() -> None:
    rows = tuple((f"item {n}",) for n in range(MAX_ROWS + 5))
    text = analyses_markdown("T", [section(listings=(Listing("l", "All of them", ("Item",), rows),))])
    assert "**All of them** (55 in all)" in text and "item 49" in text and "item 50" not in text
    named = Listing("l", "Some", ("Item",), rows[:3], total=12_000)
    assert "**Some** (12,000 in all)" in analyses_markdown("T", [section(listings=(named,))])


def test_markup_in_names_and_replies_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    bad = "[red]x[/red] ![i](http://e.x/i.png) <b>|*"
    hostile = section(sentences=(bad,), listings=(Listing("left_out", bad, ("a", "b"), ((bad, bad),)),), notes=(bad,))
    text = analyses_markdown(bad, [hostile])
    assert "![i](" not in text and " <b>" not in text and "\\<b>" in text
    show_analyses([hostile])
    assert "".join(capsys.readouterr().out.split()).count("".join(bad.split())) == 5


def test_without_analyses_there_is_a_title_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert analyses_markdown("T", []) == "# T\n\n"
    show_analyses([])
    assert capsys.readouterr().out == ""
