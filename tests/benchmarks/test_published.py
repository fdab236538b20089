"""Every published cell against the papers' texts, where these lie beside the checkout.

Oracle: the text itself. A table's row is found as a run of numbers (dashes left out); where the text prints a row in
several lines, or as a column, as a run of numbers for each of these. MCIF's tables are LaTeX with rows in pieces, and
are held to it in `mcif/test_released.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from triptych.benchmarks import load_benchmark
from triptych.reports.tables.published import Published, load_published, published_value

PAPERS = {"mcga": "000", "cmdar": "001", "mcs_bench": "002", "xmodbench": "004"}
ROWS = "a row is a run of numbers"
TOPICS = "so are the cells of one half of their names, `topic|…`"
COLUMNS = "so is a column"
LABELLED = "a cell follows its column's name"
# What isn't printed row by row.
PRINTED = {
    ("cmdar", "T5"): LABELLED,
    ("cmdar", "T7"): TOPICS,
    ("cmdar", "T11"): COLUMNS,
    ("xmodbench", "T3"): COLUMNS,
    ("xmodbench", "T5"): TOPICS,
    ("xmodbench", "T6"): TOPICS,
    ("xmodbench", "T8"): TOPICS,
    ("xmodbench", "T9"): TOPICS,
    ("xmodbench", "T12"): COLUMNS,
}
# In halves, one for texts and one for pictures (mcs_bench/test_published.py); figures of lmms-eval, not of the paper.
ELSEWHERE = {("mcs_bench", "T2"), ("xmodbench", "R1"), ("xmodbench", "R2")}
BENCHMARKS = ["mcga", "cmdar", "mcs_bench", "mcif", "xmodbench"]
# What tells of the data itself, where no model has a row; Table 3, which Table 12 repeats; R2, which quotes Table 2.
NOT_SHOWN = {
    ("cmdar", "T5"),
    ("cmdar", "T6"),
    ("mcs_bench", "T2"),
    ("mcs_bench", "T5"),
    ("xmodbench", "T3"),
    ("xmodbench", "R2"),
}


def published(name: str) -> Published:
    return load_published(load_benchmark(name).folder)


TABLES = [(name, table) for name in PAPERS for table in published(name) if (name, table) not in ELSEWHERE]
Row = Mapping[str, float | None]


@cache
def read(path: Path) -> str:
    """A text without its thousands' commas and without gains in brackets: `82.53 (+2.61)`."""
    text = re.sub(r"(?<=\d),(?=\d{3})", "", path.read_text(encoding="utf-8"))
    return re.sub(r"\(\+[\d.]+\)", "", text).replace("−", "-")


@cache
def numbers(path: Path) -> str:
    """All numbers of a text in their order, as ` 1.0 2.5 … `."""
    return " " + " ".join(str(float(n)) for n in re.findall(r"(?<![\d.])-?\d+(?:\.\d+)?", read(path))) + " "


def runs(rows: Mapping[str, Row], printed: str) -> Iterator[list[float | None]]:
    """The cells that the text has one after another."""
    if printed == COLUMNS:
        for column in dict.fromkeys(c for row in rows.values() for c in row if c != "gain"):
            yield [row[column] for row in rows.values()]
    for row in rows.values():
        if printed == ROWS:
            yield list(row.values())
        elif printed == TOPICS:
            for topic in dict.fromkeys(name.partition("|")[0] for name in row):
                yield [value for name, value in row.items() if name.partition("|")[0] == topic]


@pytest.mark.parametrize(("name", "table"), TABLES)
def test_every_cell_stands_in_the_paper(shared_data: Path, name: str, table: str) -> None:
    texts = list((shared_data.parent / "papers").glob(f"{PAPERS[name]}_*.txt"))
    if not texts:
        pytest.skip("the paper's text is not here")
    rows, printed = published(name)[table], PRINTED.get((name, table), ROWS)
    if printed == LABELLED:
        for column, value in ((c, v) for row in rows.values() for c, v in row.items()):
            assert re.search(rf"\b{re.escape(column)}(?: Films)? {value:g}$", read(texts[0]), re.M), column
    for run in runs(rows, printed):
        told = " ".join(str(value) for value in run if value is not None)
        assert f" {told} " in numbers(texts[0]), table


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_published_cell_is_shown_beside_ones_own_models(name: str) -> None:
    """`--with-published` shows all that the papers print of models (a model's row appears in its table's layout)."""
    layouts = [layout for layout in load_benchmark(name).spec.layouts if layout.paper]
    for table, models in published(name).items():
        shown = {
            (model, value)
            for layout in layouts
            if layout.paper == table
            for model, cells in models.items()
            for row in layout.rows or (None,)
            for column in layout.columns
            if not column.published_sum  # follows from printed cells, and is none
            # a modality is a fact of the model: its cells aren't named by it
            if (value := published_value(cells, column, None if row and "modality" in row.slice else row)) is not None
        }
        printed = {(model, value) for model, cells in models.items() for value in cells.values() if value is not None}
        assert (name, table) in NOT_SHOWN or shown == printed, (table, sorted(printed - shown)[:3])
