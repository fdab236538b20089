"""Tests of `reports/plots/spec.py`: A figure as data."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.reports.plots.figures import SVG, drawn, table_of, words
from triptych.benchmarks.registry import known_benchmarks
from triptych.errors import SpecError
from triptych.records import RowSlice, Table, TableCell, TableRow
from triptych.reports.plots.data import panels
from triptych.reports.plots.spec import KINDS, Kind, layout_of, load_figures

pytest.importorskip("matplotlib")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_draws_fit_for_a_strict_page(kind: Kind) -> None:
    drawing = drawn(kind, table_of(kind))
    svg = drawing.svg("here")
    root = ET.fromstring(svg)
    assert not re.search(r"\sstyle=|<style|<script|<metadata|http://(?!www\.w3\.org)", svg)
    assert all(name.startswith("here-") for name in re.findall(r'\bid="([^"]+)"', svg))
    assert set(re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"", svg)) <= {
        (name, "") for name in re.findall(r'\bid="([^"]+)"', svg)
    } | {("", name) for name in re.findall(r'\bid="([^"]+)"', svg)}
    assert root.get("role") == "img" and root.get("aria-labelledby") == "here-title here-desc"
    assert root.find(f"{SVG}title").text == "A title <b>"  # type: ignore[union-attr]
    assert words(svg) and drawing.description
    assert svg == drawn(kind, table_of(kind)).svg("here")


def test_mcga_draws_figure_6_with_recognition_beside_the_other_tasks() -> None:
    benchmark = known_benchmarks()["mcga"]
    spec = next(spec for spec in load_figures(benchmark).figures if spec.paper == "Figure 6")
    layout = layout_of(spec, benchmark)
    assert [column.task.rpartition("/")[2] for column in layout.columns] == ["asr", "s2tt", "sec", "sqa", "su", "sr"]
    assert {c.heading for c in layout.columns if c.better == "lower"} == set(spec.complement)


@pytest.mark.parametrize("name", sorted(known_benchmarks()))
def test_every_benchmarks_figures_can_be_drawn(name: str) -> None:
    benchmark = known_benchmarks()[name]
    file = load_figures(benchmark)
    assert file.figures
    assert len({spec.id for spec in file.figures}) == len(file.figures)
    for spec in file.figures:
        layout = layout_of(spec, benchmark)
        if spec.keys:
            assert set(spec.keys) <= {task.id for task in benchmark.spec.tasks}
            continue
        assert layout.columns, spec.id
        assert set(spec.grid) <= {c.heading for c in layout.columns}
        rows = [
            TableRow("m", tuple(TableCell(1.0) for _ in layout.columns), sub=row.heading)
            for row in layout.rows or (RowSlice(""),)
        ]
        table = Table("t", "", tuple(c.heading for c in layout.columns), tuple(rows), columns=layout.columns)
        assert panels(table), spec.id


@pytest.mark.parametrize(
    ("figures", "message"),
    [
        ('id="x"\nkind="bars"\ntitle="T"\nlayout="nain"', "did you mean 'main'"),
        ('id="x"\nkind="pie"\ntitle="T"\nlayout="main"', "can't be read"),
        ('id="x"\nkind="bars"\ntitle="T"\nlayout="main"\npick=["Avg"]', "picks a heading that its layout doesn't have"),
        ('id="x"\nkind="bars"\ntitle="T"', "needs exactly one of: layout, columns"),
        ('id="x"\nkind="bars"\ntitle="T"\nkeys=["T99"]', "names an unknown Task"),
    ],
)
def test_a_wrong_figure_is_refused_with_what_is_right(tmp_path: Path, figures: str, message: str) -> None:
    benchmark = known_benchmarks()["cmdar"]
    (tmp_path / "figures.toml").write_text(f"[[figures]]\n{figures}\n", encoding="utf-8")
    (tmp_path / "spec.toml").write_bytes((benchmark.folder / "spec.toml").read_bytes())
    with pytest.raises(SpecError, match=message):
        load_figures(dataclasses.replace(benchmark, folder=tmp_path))
