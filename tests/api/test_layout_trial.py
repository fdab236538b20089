"""Tests of `api/layout_trial.py`: what layouts and variations name exists."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from triptych.api.layout_trial import layout_faults, published_faults, slice_faults
from triptych.benchmarks import load_benchmark
from triptych.records import Aggregate, Item, text
from triptych.records.tables import Column, Layout

replace = msgspec.structs.replace
SPEC = load_benchmark("cmdar").spec
ITEM = Item("i", "cmdar/main", (text("Which river?"),), facets={"continent": "Europe", "wording": "plain"})


def test_metrics_that_no_figure_has_are_named() -> None:
    layout = Layout("one", "One", (Column("A", "cmdar/main", "ac"), Column("B", "cmdar/main", "gross_floor_area")))
    fault, note = layout_faults(replace(SPEC, layouts=(layout,)), {})
    assert "the metric 'ac', which no figure has; did you mean" in fault
    assert note.startswith("note: ") and "gross_floor_area" in note


def test_published_columns_are_those_of_the_table(tmp_path: Path) -> None:
    (tmp_path / "published").mkdir()
    (tmp_path / "published/tables.csv").write_text("paper,table,model,column,value\nlab,T1,Atlas-1,Avg,75.00\n")

    def found(column: str, paper: str = "T1") -> list[str]:
        layout = Layout("one", "One", (Column("A", "cmdar/main", "acc", published=column),), paper=paper)
        return list(published_faults(replace(SPEC, layouts=(layout,)), tmp_path))

    assert found("Avg") == found("") == found("Average", paper="") == []
    assert "the published column 'Average', which isn't in T1; " in found("Average")[0]
    with (tmp_path / "published/tables.csv").open("a") as table:
        table.write("lab,T1,Atlas-1,Avg,76.00\n")
    assert "published/ has a cell twice: lab, T1, Atlas-1, Avg (" in found("Avg")[0]
    (tmp_path / "published/tables.csv").write_text("paper,table,model,column,value\nlab,T1,Atlas-1,Avg,75.00\n")
    assert "the paper's table 'T2'" in found("Avg", paper="T2")[0]


@pytest.mark.parametrize(
    ("slice_", "words"),
    [
        ({"continent": "Europe"}, ""),
        ({"condition": "blind"}, ""),
        ({"region": "Europe"}, "names the facet 'region', which no Item has"),
        ({"continent": "Europa"}, "continent = 'Europa', which no Item of the mini set has; did you mean 'Europe'"),
        ({"continent": "Asia"}, "note: "),
    ],
)
def test_slices_are_facets_and_values_that_something_has(slice_: dict[str, str], words: str) -> None:
    layout = Layout("one", "One", (Column("A", "cmdar/main", "acc", slice=slice_),))
    found = list(slice_faults(replace(SPEC, layouts=(layout,), variations=()), [ITEM], {}))
    assert words in found[0] if words else found == []


def test_variations_are_facets_and_values_that_something_has() -> None:
    variation = load_benchmark("xmodbench").spec.variations[0]
    wrong = replace(variation, facet="wordings", values=("plain",))
    (fault,) = slice_faults(replace(SPEC, layouts=(), variations=(wrong,)), [ITEM], {})
    assert "names the facet 'wordings', which no Item has; did you mean 'wording'?" in fault
    rude = replace(wrong, facet="wording", values=("rude",))
    (note,) = slice_faults(replace(SPEC, layouts=(), variations=(rude,)), [ITEM], {})
    assert note.startswith("note: ") and "'rude'" in note


def test_columns_and_rows_of_tasks_that_do_not_exist_are_named() -> None:
    spec = load_benchmark("xmodbench").spec
    layout = spec.layouts[0]
    assert all(line.startswith("note: ") for line in layout_faults(spec, {}))
    misspelt = msgspec.structs.replace(layout.columns[0], task="xmodbench/percepton")
    changed = msgspec.structs.replace(layout, columns=(misspelt, *layout.columns))
    fault, *notes = layout_faults(msgspec.structs.replace(spec, layouts=(changed,)), {})
    assert all(note.startswith("note: ") for note in notes)
    assert "has a column of the Task 'xmodbench/percepton'" in fault and "did you mean 'xmodbench/perception'" in fault
    own = Aggregate("mine", "xmodbench/percepton", "acc", {}, 1.0, 1, {"scored": 1})
    found = list(layout_faults(msgspec.structs.replace(spec, layouts=(changed,)), {"mine": [own]}))
    assert all(note.startswith("note: ") for note in found)
