"""Analyses, kinds of error and findings are the same in one process and in several."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import api
from triptych.analysis import analyse
from triptych.reports.findings.checks import Checks
from triptych.reports.report import collect
from triptych.store import processes
from triptych.store.folder import RunFolder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    place = tmp_path_factory.mktemp("runs")
    names = ("baseline/random", "baseline/first", "baseline/longest")
    return [api.run("cmdar/main", name, out=place / name.replace("/", "-")).folder.path for name in names]


@pytest.mark.parametrize("at_once", [2, 4])
def test_a_report_is_the_same_from_several_processes(
    runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    one, several = tmp_path / "one", tmp_path / "several"
    api.report(runs, to=one, formats=["csv", "md"])
    in_several(monkeypatch, at_once)
    started: list[int] = []
    start = processes._started
    monkeypatch.setattr(processes, "_started", lambda job: (started.append(1), start(job))[1])
    api.report(runs, to=several, formats=["csv", "md"])
    assert len(started) > 5
    files = sorted(path.name for path in one.iterdir())
    assert "analyses.md" in files and files == sorted(path.name for path in several.iterdir())
    for name in files:
        assert (several / name).read_bytes() == (one / name).read_bytes(), name


def test_every_part_is_the_same_from_several_processes(runs: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    (report,) = collect([RunFolder.open(run) for run in runs])
    alone, together = Checks(report, report.protocols()[0]), Checks(report, report.protocols()[0])
    in_several(monkeypatch, 3)
    together.compute()
    assert vars(together).keys() >= {"analyses", "error_kinds", "findings"}
    assert together.sections == alone.sections and together.findings == alone.findings
    assert alone.analyses and alone.error_kinds and alone.findings


def in_several(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(analyse, "LARGE", 1)
    monkeypatch.setattr(processes, "can_fork", lambda: True)
    monkeypatch.setattr(processes, "cores", lambda: at_once)
