"""A report that a page opens: made beside the server, kept until its Runs change."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import triptych
from tests.support.waiting import until
from triptych.records import RunNote
from triptych.store.folder import RunFolder
from triptych.store.run_notes import change_run_note
from triptych.viewer.app import make_app
from triptych.viewer.pages import reports
from triptych.viewer.pages.reports import Reports

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


def test_the_report_of_a_run_that_goes_on_is_shown_when_it_is_made(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page asks every two seconds, and the journal changes each time: what was begun is shown once."""
    copied = tmp_path / "a"
    shutil.copytree(folder / "deep" / "a", copied)
    runs, made = [RunFolder.open(copied)], Reports(tmp_path, home=tmp_path / "home")
    begun: list[str] = []

    def begin(self: Reports, key: str, folders: object, viewer: str) -> None:
        begun.append(key)

    monkeypatch.setattr(Reports, "_begin", begin)
    monkeypatch.setattr(Reports, "_reap", lambda self: None)
    for second in range(3):
        assert made.state(runs, "http://x").path is None
        os.utime(copied / "responses.jsonl", (second, second))
        made._running = (begun[-1], None)  # type: ignore[assignment]
    assert len(begun) == 1
    (tmp_path / "home" / begun[0]).mkdir(parents=True)
    (tmp_path / "home" / begun[0] / reports.NAME).write_text("made")
    made._running = None
    assert made.state(runs, "http://x").path == tmp_path / "home" / begun[0] / reports.NAME
    assert made.state(runs, "http://x").path is None and len(begun) == 2, "the next report has the newer replies"


def test_a_report_that_nobody_waited_for_is_made_anew_if_its_runs_changed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, made = [RunFolder.open(folder / "deep" / "a")], Reports(folder, home=tmp_path)
    made._begun["http://x", str(runs[0].path.absolute())] = "old"
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / reports.NAME).write_text("made")
    os.utime(tmp_path / "old" / reports.NAME, (1, 1))
    begun: list[str] = []
    monkeypatch.setattr(Reports, "_begin", lambda self, key, folders, viewer: begun.append(key))
    assert made.state(runs, "http://x").path is None and begun not in ([], ["old"])


def test_viewers_of_different_folders_share_no_report(folder: Path, tmp_path: Path) -> None:
    """Links in a report are those of the folder that the viewer shows, and its media come from the data it has."""
    begun = []
    for number, (root, data) in enumerate([(folder, {}), (folder / "deep", {}), (folder, {"cmdar": tmp_path})]):
        made = Reports(root, data, home=tmp_path / str(number))
        made._failed = Failed(begun)
        made.state([RunFolder.open(folder / "deep" / "a")], "http://x")
    assert len(set(begun)) == 3


def test_a_second_try_does_not_repeat_itself(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(folder)
    app.state.reports.home = tmp_path
    monkeypatch.setattr(Reports, "_begin", lambda self, key, folders, viewer: None)
    page = TestClient(app, base_url="http://127.0.0.1:9999").get("/report?run=deep~a&again=1").text
    assert 'content="2; url=/report?run=deep~a"' in page


def test_the_link_of_a_list_reports_the_runs_that_the_list_shows(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "deep", tmp_path / "deep")
    client = TestClient(make_app(tmp_path), base_url="http://127.0.0.1:9999")
    assert 'href="/report?benchmark=cmdar"' in client.get("/").text
    assert 'href="/report?run=deep~b"' in client.get("/", params={"q": "longest"}).text
    change_run_note(tmp_path / "deep" / "b", lambda note: RunNote(hidden=True))
    assert 'href="/report?run=deep~a"' in client.get("/").text
    assert 'href="/report?benchmark=cmdar"' in client.get("/", params={"hidden": "1"}).text


class Failed(dict[str, tuple[str, ...]]):
    """Failures that say that every report has failed, and keep the key that was asked for."""

    def __init__(self, keys: list[str]) -> None:
        super().__init__()
        self.keys_asked = keys

    def __contains__(self, key: object) -> bool:
        self.keys_asked.append(str(key))
        return True

    def __getitem__(self, key: str) -> tuple[str, ...]:
        return ("failed",)


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
