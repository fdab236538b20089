"""Tables by model: the row slices of a model are together, below its name, as papers print them."""

from __future__ import annotations

import io

import pytest
from msgspec import structs
from rich.console import Console

from tests.reports.samples import SLICED, run
from triptych.benchmarks import load_benchmark
from triptych.records import Table
from triptych.reports.files.latex import latex
from triptych.reports.files.markdown import markdown
from triptych.reports.html.tables import html_table
from triptych.reports.tables.fill import fill
from triptych.reports.terminal.tables import print_table

PUBLISHED = {"T2": {"Gemini": {"sp|A": 11.0, "mu|A": 12.0}, "m": {"sp|A": 21.0}}}
SLICES = ["Speech", "Music", "Sound"]


def by_model(published: dict[str, dict[str, dict[str, float]]] | None = None) -> Table:
    return fill(structs.replace(SLICED, by_model=True), {"m": run(50), "k": run(20)}, published)


def test_the_slices_of_a_model_are_next_to_each_other() -> None:
    table, usual = by_model(), fill(SLICED, {"m": run(50), "k": run(20)})
    assert [(row.label, row.sub) for row in table.rows] == [(label, sub) for label in "mk" for sub in SLICES]
    assert sorted(table.rows, key=repr) == sorted(usual.rows, key=repr), "the best of a slice is marked as before"


def test_published_models_come_first_also_one_with_the_name_of_a_run() -> None:
    rows = by_model(PUBLISHED).rows
    named = [(row.origin, row.label) for row in rows]
    assert named == sorted(named, key=[("published", "Gemini"), ("published", "m"), ("run", "m"), ("run", "k")].index)
    assert ("published", "m") in named and ("run", "m") in named


def test_every_format_names_the_model_first() -> None:
    table = by_model()
    lines = [line.split("|")[1:3] for line in markdown(table).splitlines() if line.startswith(("| m ", "| k "))]
    assert [(a.strip(), b.strip()) for a, b in lines] == [(label, sub) for label in "mk" for sub in SLICES]
    source = latex(table)
    assert source.index("m & Speech") < source.index(" & Music") < source.index("k & Speech")
    groups = html_table(table).groups
    assert [(group.title, [row.name for row in group.rows]) for group in groups] == [("m", SLICES), ("k", SLICES)]
    assert {row.label for row in groups[0].rows} == {"m"}, "links and filters go by the Run's label"
    out = io.StringIO()
    print_table(table, Console(file=out, width=120))
    names = [line.split()[:2] for line in out.getvalue().splitlines() if "Speech" in line.split()[:2]]
    assert names == [["m", "Speech"], ["k", "Speech"]]


@pytest.mark.parametrize("paper", ["T5", "T6", "T7", "T8", "T9", "T10"])
def test_tables_of_xmodbench_are_grouped_as_printed(paper: str) -> None:
    (layout,) = [layout for layout in load_benchmark("xmodbench").spec.layouts if layout.paper == paper]
    assert layout.by_model and layout.rows
