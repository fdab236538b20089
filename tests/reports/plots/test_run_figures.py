"""Tests of `reports/plots/run_figures.py`: figures that every benchmark's Runs have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec import structs

import triptych
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych.reports.plots.run_figures import run_figures
from triptych.reports.report import collect, write_report

pytest.importorskip("matplotlib")


def test_a_model_under_a_condition_stands_beside_itself(make_run: MakeRun) -> None:
    items = [item("1"), item("2")]
    folders = [
        make_run(
            items,
            [structs.replace(response(i, a), condition=c) for i, a in (("1", answer), ("2", "A"))],
            f"r{n}",
            conditions=(c,) if c else (),
        )
        for n, (c, answer) in enumerate((("", "A"), ("noise:seed=1", "B")))
    ]
    (report,) = collect(folders)
    (table,) = [t for spec, t in run_figures(report, report.overview("official")) if spec.id == "conditions"]
    assert (table.headings, [r.label for r in table.rows]) == (("replay/x",), ["as it is", "noise:seed=1"])
    assert [r.cells[0].value for r in table.rows] == [100, 50]


def test_every_caption_in_a_report_of_mini_sets_says_so(tmp_path: Path) -> None:
    """Also those of figures whose rows aren't Runs: Conditions, places, costs, what became of the questions."""
    folders = [
        triptych.run("xmodbench/perception/general", model, conditions=conditions, limit=2, out=tmp_path / name).folder
        for name, model, conditions in (
            ("random", "baseline/random", []),
            ("blind", "baseline/random", ["blind"]),
            ("first", "baseline/first", []),
            ("20", "baseline/first", ["snr:20"]),
            ("10", "baseline/first", ["snr:10"]),
        )
    ]
    (path,) = write_report(folders, to=tmp_path / "report", formats=["html"])
    captions = re.findall(r"<figcaption><b>(.*?)</b>(.*?)</figcaption>", path.read_text("utf-8"), re.S)
    assert len(captions) > 4 and {"Effect of each Condition" in title for title, _ in captions} == {True, False}
    page = path.read_text("utf-8")
    sections = re.findall(r'<p class="caption">([^<]*)</p>\s*<div class="gallery', page)  # said once for its figures
    assert sections and all("on the built-in mini set" in told for told in sections)
    alone = [told for _, told in captions if "rotocol" in told]
    assert all("on the built-in mini set" in told for told in alone) and len(alone) < len(captions)


def test_an_interrupted_run_is_not_cheap(make_run: MakeRun) -> None:
    """It has a tenth of the replies, at twice the price of each."""
    questions = [item(f"a{n}") for n in range(20)]
    runs = []
    for name, number, usd in (("whole", 20, 0.001), ("part", 2, 0.002)):
        replies = [structs.replace(response(one.id, "A"), cost_usd=usd) for one in questions[:number]]
        runs.append(make_run(questions, replies, name, model=f"openai/{name}"))
    (report,) = collect(runs)
    (table,) = [table for spec, table in run_figures(report, report.overview("official")) if spec.id == "cost"]
    assert table.headings[0] == "US$ for 1,000 replies"
    assert {row.label: row.cells[0].value for row in table.rows} == {
        "openai/whole": pytest.approx(1.0),
        "openai/part": pytest.approx(2.0),
    }
