"""Tests of `reports/html/units.py`: the data behind the numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.reports.html.test_html import Seen
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych.reports.report import write_report


def test_runs_that_are_too_large_are_left_to_the_viewer(
    make_run: MakeRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triptych.reports.html.units.MAX_EMBEDDED_UNITS", 2)
    items = [item(str(n)) for n in range(3)]
    folder = make_run(items, [response(i.id) for i in items])
    (path,) = write_report([folder], to=tmp_path / "out", formats=["html"])
    (told,) = [
        json.loads(content) for kind, content in Seen(path.read_text()).raw if content.startswith('{"benchmark"')
    ]
    assert told["runs"]["replay/x"]["units"] == [] and told["runs"]["replay/x"]["count"] == 3
