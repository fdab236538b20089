"""A report that a page opens: made beside the server, kept until its Runs change."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import triptych
from tests.support.waiting import until
from triptych.store.folder import RunFolder
from triptych.viewer import reports
from triptych.viewer.app import make_app
from triptych.viewer.reports import Reports

pytest.importorskip("matplotlib", reason="reports as HTML need matplotlib (pip install 'triptych[report]')")


@pytest.fixture(scope="module")
def folder(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small Runs of this module's own."""
    root = tmp_path_factory.mktemp("reported")
    for name, model in (("a", "baseline/random"), ("b", "baseline/longest")):
        triptych.run("cmdar/main", model, limit=2, seed=1, out=root / "deep" / name)
    return root


def test_the_page_shows_progress_and_then_the_report(folder: Path) -> None:
    app = make_app(folder)
    client = TestClient(app, base_url="http://127.0.0.1:9999")
    address = "/report?run=deep~a&run=deep~b"
    try:
        first = client.get(address)
        assert first.status_code == 200 and "The report is being made" in first.text
        assert f"triptych report {folder / 'deep' / 'a'}" in first.text
        until(lambda: "The report is being made" not in client.get(address).text, "the report")
        made = client.get(address)
    finally:
        app.state.reports.close()
    assert "<h1>" in made.text and "baseline/random and baseline/longest" in made.text
    assert 'data-viewer="http://127.0.0.1:9999"' in made.text
    assert "/runs/deep~a/items/" in made.text, "links lead to the Runs as this viewer names them"
    stated = made.headers["content-security-policy"]
    assert "sha256-" in stated and "unsafe" not in stated and "frame-ancestors 'none'" in stated
    assert re.search(r'href="/report\?run=deep~a"', client.get("/runs/deep~a/").text)


def test_a_report_belongs_to_the_runs_as_they_are(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Run that goes on has a new report; a failure is shown and can be tried again."""
    runs = [RunFolder.open(folder / "deep" / "a")]
    assert reports._key(runs, "http://x") == reports._key(runs, "http://x")
    before = reports._key(runs, "http://x")
    responses = runs[0].path / "responses.jsonl"
    os.utime(responses, ns=(time.time_ns(), time.time_ns()))
    assert reports._key(runs, "http://x") != before
    monkeypatch.setattr(sys, "executable", "/bin/false")
    made = Reports(folder, home=tmp_path)
    made.state(runs, "http://x")
    until(lambda: made.state(runs, "http://x").failed, "the failure")
    assert made.state(runs, "http://x").lines == ("ended with exit code 1",)
    assert not made.state(runs, "http://x", again=True).failed
    made.close()
    assert not list(tmp_path.iterdir()), "nothing half made is left"


@pytest.mark.parametrize(
    ("address", "status"), [("/report", 404), ("/report?run=deep~a&run=gone", 404), ("/report?run=../../etc", 404)]
)
def test_only_runs_of_this_folder_are_reported(folder: Path, address: str, status: int) -> None:
    client = TestClient(make_app(folder), base_url="http://127.0.0.1:9999")
    assert client.get(address).status_code == status


def test_another_site_can_not_begin_a_report(folder: Path) -> None:
    client = TestClient(make_app(folder), base_url="http://127.0.0.1:9999")
    found = client.get("/report?run=deep~a", headers={"sec-fetch-site": "cross-site"})
    assert found.status_code == 403
