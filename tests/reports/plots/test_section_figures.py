"""Tests of `reports/plots/section_figures.py`."""

from __future__ import annotations

import pytest

from tests.reports.plots.figures import words
from triptych.records import Section, Table, TableCell, TableRow
from triptych.reports.plots.section_figures import raters, section_figures

pytest.importorskip("matplotlib")


def test_sections_are_drawn_by_kind() -> None:
    def cell(value: float) -> TableCell:
        return TableCell(value, n=9, interval=(value - 5, value + 5))

    rows = tuple(TableRow(f"row_{n}", (cell(50), cell(40), cell(10.0 + n))) for n in range(3))
    tables = (Table("ablation", "With and without", ("as it is", "blind", "minus blind"), rows, "official"),)
    ((kind, drawing),) = section_figures([Section("ablation", "What it is worth: m", "…", tables=tables)])
    assert kind == "ablation" and "row 1" in words(drawing.svg()) and "40.0" not in words(drawing.svg())
    places = [
        Section(
            "robustness.position",
            f"Position bias: {who}",
            "…",
            tables=(
                Table(
                    "p",
                    "P",
                    ("key", "picked"),
                    tuple(TableRow(f"{place} of 2", (cell(50), cell(30))) for place in "AB"),
                ),
            ),
        )
        for who in ("m", "k")
    ]
    ((kind, drawing),) = section_figures(places)
    assert kind == "robustness" and {"m", "k", "A of 2"} <= set(words(drawing.svg()))
    assert list(section_figures([Section("other", "O", "…", tables=tables)])) == []


def rated(*rows: tuple[str, float | None]) -> Section:
    cells = [TableRow(name, (TableCell(v, n=9), TableCell(v), TableCell(v), TableCell(99.0))) for name, v in rows]
    table = Table("agreement", "", ("Pearson", "Spearman", "alpha (interval)", "bias"), tuple(cells), "official")
    return Section("agreement", "Agreement: m", "…", tables=(table,))


def test_judges_are_drawn_beside_people_first_and_without_the_bias() -> None:
    judge = "judge g-pair-0123abcd on score"
    section = rated(
        (f"metric f1 · {judge}", 0.2),
        (f"{judge} · itself, asked again", 0.9),
        (f"{judge} · person P", 0.7),
        ("metric f1 · metric em", None),
    )
    table = raters([section])
    assert table is not None and table.headings == ("Pearson", "Spearman", "alpha (interval)")
    assert [row.label for row in table.rows] == [
        "judge g-pair · person P",
        "judge g-pair · itself, asked again",
        "metric f1 · judge g-pair",
    ]
    ((kind, drawing),) = section_figures([section])
    assert (kind, drawing.id) == ("agreement", "judges") and "99.0" not in drawing.description
    assert raters([]) is None


def test_two_judges_that_differ_by_their_hash_alone_keep_it() -> None:
    section = rated(("judge g-0123abcd on s · person P", 0.1), ("judge g-fedc4321 on s · person P", 0.2))
    table = raters([section])
    assert table is not None and len({row.label for row in table.rows}) == 2
