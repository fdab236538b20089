"""Tests of `reports/html/write.py`: write the report file."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.reports.conftest import Reported, folders_of
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych import api
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


def test_a_report_of_one_run_of_own_questions_claims_no_authors_ranks_or_published_tables(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    questions = tmp_path / "mine.csv"
    questions.write_text("id,question,A,B,answer\n1,Which one barks?,cat,dog,B\n")
    folder = api.run(str(questions), "baseline/first", out=tmp_path / "run").folder
    (path,) = write_report([folder], to=tmp_path, formats=["html"])
    page = path.read_text(encoding="utf-8")
    assert "authors" not in page.partition('id="own-mine-scores"')[0].partition('id="own-mine"')[2]
    assert "Value and 95% interval" in page and "Value, rank" not in page
    assert f"triptych run {questions}" in page and "audit tables" not in page


def test_a_table_that_is_also_the_overview_has_an_id_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    (path,) = write_report(folders_of("mcga", tmp_path, limit=1), to=tmp_path, formats=["html"])
    ids = Counter(re.findall(r'<[^>]* id="([^"]+)"', path.read_text(encoding="utf-8")))
    assert [name for name, n in ids.items() if n > 1] == []
