"""The published cells against the paper's text, where it lies beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.benchmarks import load_benchmark
from triptych.reports.tables.published import load_published

MCS = load_benchmark("mcs_bench")
PUBLISHED = load_published(MCS.folder)
PAPER = "papers/002_000abbd5470e4c4a.txt"
WIDE = ["T3", "T4", "T15", "T16", "T17", "T18", "T19", "T20", "T25", "T26", "T27", "T28"]


@pytest.fixture(scope="module")
def rows_of_the_text(request: pytest.FixtureRequest) -> dict[str, list[list[str]]]:
    """Model -> the cells of every line that starts with it, marks of emphasis out."""
    text: Path = request.getfixturevalue("shared_data").parent / PAPER
    if not text.is_file():
        pytest.skip("the paper's text is not here")
    found: dict[str, list[list[str]]] = {}
    for line in text.read_text(encoding="utf-8").splitlines():
        name, *cells = [c.replace("<u>", "").replace("</u>", "").replace("**", "").strip() for c in line.split("\t")]
        found.setdefault(name, []).append(cells)
    return found


@pytest.mark.parametrize("table", WIDE)
def test_every_row_stands_in_the_paper(table: str, rows_of_the_text: dict[str, list[list[str]]]) -> None:
    assert len(PUBLISHED[table]) >= 38
    for model, cells in PUBLISHED[table].items():
        ours = ["-" if value is None else value for value in cells.values()]
        theirs = [[_number(c) for c in row] for row in rows_of_the_text[model]]
        assert any(row == ours or [c for c in row if c != "-"] == [c for c in ours if c != "-"] for row in theirs), (
            model
        )


@pytest.mark.parametrize(("table", "rows", "figures"), [("T2", 8, 12), ("T5", 45, 9)])
def test_the_statistics_stand_in_the_paper(
    table: str, rows: int, figures: int, rows_of_the_text: dict[str, list[list[str]]]
) -> None:
    """Table 2 comes in two halves, of texts and of images; Table 5 has a name after its id."""
    assert {len(cells) for cells in PUBLISHED[table].values()} == {figures}
    assert len(PUBLISHED[table]) == rows
    width = {"T2": 6, "T5": 10}[table]
    for name, cells in PUBLISHED[table].items():
        lines = [row for row in rows_of_the_text[name] if len(row) == width]
        said = [_number(c.replace(",", "")) for row in lines for c in row]
        assert [value for value in said if isinstance(value, float)] == list(cells.values()), name


def _number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return "-" if cell in ("-", "–", "") else cell


def test_tables_7_to_12_and_no_21_to_24() -> None:
    assert {"T7", "T8", "T9", "T10", "T11", "T12"} <= set(PUBLISHED)
    assert not {"T21", "T22", "T23", "T24"} & set(PUBLISHED)
    assert PUBLISHED["T7"]["Human Baseline"] == {"OverAll": 68.24}
    shown = {layout.paper for layout in MCS.spec.layouts}
    assert shown >= {f"T{n}" for n in (3, 4, *range(7, 13), *range(15, 21), *range(25, 29))}
