"""Tests of `reports/plots/gallery.py`: all figures of a report."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from tests.reports.plots.figures import words
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych.reports.plots.gallery import gallery
from triptych.reports.report import collect, write_report

pytest.importorskip("matplotlib")


def test_a_benchmark_without_figures_gets_its_overview(make_run: MakeRun, tmp_path: Path) -> None:
    folder = make_run(
        [item("1"), item("2"), item("3")], [response("1"), response("2", "B"), response("3", "", "failed")]
    )
    (report,) = collect([folder])
    drawings = list(gallery(report, "official"))
    assert [drawing.id for drawing in drawings] == ["overview", "outcomes"]
    assert "%" in words(drawings[0].svg()), "the unit of the axis"
    written = write_report([folder], to=tmp_path / "out", formats=["pdf", "png"])
    assert {path.suffix for path in written} == {".pdf", ".png", ".csv", ".tex"} and len(written) == 12
    for path in (path for path in written if path.suffix == ".tex"):
        line = path.read_text(encoding="utf-8")
        assert line.count("\n") == 1 and rf"\includegraphics[width=\linewidth]{{{path.stem}.pdf}}" in line
        assert path.with_suffix(".pdf") in written and path.with_suffix(".csv").read_text("utf-8").startswith(
            "protocol,"
        )
    assert all(path.parent == tmp_path / "out" / "figures" for path in written)


def test_a_condition_with_a_number_is_a_line(make_run: MakeRun) -> None:
    items = [item("1"), item("2")]
    folders = [
        make_run(
            items,
            [structs.replace(response("1", a), condition=c), structs.replace(response("2"), condition=c)],
            f"r{n}",
            conditions=(c,) if c else (),
        )
        for n, (c, a) in enumerate((("snr:db=5,seed=1", "B"), ("snr:db=-5,seed=1", "B"), ("", "A")))
    ]
    (report,) = collect(folders)
    (dose,) = [drawing for drawing in gallery(report, "official") if drawing.id == "dose-snr-db-seed-1"]
    shown = words(dose.svg())
    assert shown.index("-5") < shown.index("5") < shown.index("as it is")
