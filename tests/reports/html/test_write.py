"""Tests of `reports/html/write.py`: write the report file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports.conftest import Reported
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych.reports.report import write_report


def test_the_file_is_small_and_in_the_layout_of_a_report(reported: Reported) -> None:
    assert len(reported.text.encode()) < 3_000_000
    for words in (
        "At a glance",
        "XModBench",
        "CMDAR",
        "Runs",
        "Scores",
        "Figures",
        "Breakdowns",
        "Example errors",
        "Reproduce",
        "baseline/<wbr>random",
        "95% intervals",
        "protocol official",
        "mini set",
        "(Table 2)",
        "triptych run cmdar --model baseline/random",
        "bench:cmdar@1|data:",
        "Gemini 2.5 Pro",
        ">paper</span>",
    ):
        assert words in reported.text, words


@pytest.mark.parametrize("runs", [True, False])
def test_links_to_the_viewer_are_there_only_while_it_runs(
    make_run: MakeRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: bool
) -> None:
    import socket

    from triptych.reports.html import write

    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    with socket.socket() as served:
        served.bind(("127.0.0.1", 0))
        if runs:
            served.listen()
        monkeypatch.setattr(write, "VIEWER", f"http://127.0.0.1:{served.getsockname()[1]}")
        (path,) = write_report([make_run([item("1")], [response("1")])], to=tmp_path, formats=["html"])
    assert ('data-viewer="http' in path.read_text(encoding="utf-8")) is runs
