"""Tests of `reports/tables/book.py`: all tables of some Runs of one benchmark."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reports.samples import figure
from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.reports.tables import book
from triptych.reports.tables.book import Report


def test_a_note_says_where_the_papers_question_files_are_unknown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(book.Report, "paper_differences", lambda *_: {})
    for name, task, known in (("cmdar", "main", True), ("mcga", "asr", False)):
        run = api.run(f"{name}/{task}", "baseline/reference", out=tmp_path / name, limit=4).folder
        api.report([run.path], to=tmp_path / f"to-{name}", formats=("csv",), with_published=True)
        notes = (tmp_path / f"to-{name}" / "notes.csv").read_text()
        assert ("it is not known which version of the question files" in notes) is not known


def test_parts_of_results_made_elsewhere_are_counted() -> None:
    """Two of CMDAR's 1,500 questions scored without a Run folder: the row says so."""
    benchmark = load_benchmark("cmdar")
    own = [figure(50.0, task="cmdar/main", counts={"scored": 2})]
    whole = [figure(50.0, task="cmdar/main", counts={"scored": 1500})]
    marks = Report(benchmark, {"part": {"official": own}, "whole": {"official": whole}}).marks()
    assert marks == {"part": ("on a subset: 2 of the benchmark's 1,500 Units in 1 Task",), "whole": ()}
