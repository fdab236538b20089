"""Table 1 of CMDAR marks models by their training; a Run's marks and size come from the catalogue."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.reports.tables.fill import fill
from triptych.reports.tables.published import load_published


def test_the_papers_marks() -> None:
    bench = load_benchmark("cmdar")
    layout = next(one for one in bench.spec.layouts if one.id == "main")
    rows = {
        row.label: dict(zip(layout.about, row.about, strict=False))
        for row in fill(layout, {}, load_published(bench.folder)).rows
        if row.about
    }
    assert rows["Omni-R1"]["trained"] == "Chinese, RL"
    assert rows["Qwen2.5-Omni-7B"]["trained"] == "Chinese, several sizes"
    assert rows["MiDashengLM"]["trained"] == "Chinese, RL" and rows["GPT-4o Audio"]["trained"] == ""


@pytest.mark.parametrize(
    ("name", "expected"),
    [("omni-r1", ("7B", "Chinese, RL")), ("Qwen2.5-Omni-7B", ("7B", "Chinese")), ("nobody-knows-it", None)],
)
def test_a_runs_facts_come_from_the_catalogue(
    name: str, expected: tuple[str, str] | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    api.run("cmdar/main", "baseline/random", out=tmp_path / "run", name=name, limit=2)
    api.report([tmp_path / "run"], to=tmp_path / "report", formats=["csv"])
    head, row, *_ = (tmp_path / "report" / "main.csv").read_text(encoding="utf-8").splitlines()
    told = dict(zip(head.split(","), next(iter(__import__("csv").reader([row]))), strict=False))
    assert (told.get("size"), told.get("trained")) == (expected or (None, None))
