"""Runs that are hidden, tagged and noted; filter expressions over the list of Runs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from triptych.records import RunNote
from triptych.store.run_notes import NAME, change_run_note, read_run_note, tags_of
from triptych.viewer.app import make_app


class Desk:
    """Two Runs of the test's own, and the form about Runs."""

    def __init__(self, path: Path, root: Path) -> None:
        self.path = path
        for name in ("random", "knowing"):
            shutil.copytree(root / "xmodbench" / name, path / name)
        self.client = TestClient(make_app(path), base_url="http://127.0.0.1:8765", follow_redirects=False)
        found = re.search(r'name="token" value="([^"]+)"', self.client.get("/notes?run=random").text)
        assert found
        self.token = found[1]

    def send(self, *runs: str, **form: str) -> int:
        data = {"token": self.token, **{f"run{n}": run for n, run in enumerate(runs)}, **form}
        return self.client.post("/notes", data=data).status_code

    def note(self, name: str = "random") -> RunNote:
        return read_run_note(self.path / name)

    def listed(self, **given: str) -> list[str]:
        page = self.client.get("/", params=given).text
        return sorted(set(re.findall(r'name="run" value="([^"]+)"', page)))


@pytest.fixture
def desk(tmp_path: Path, root: Path) -> Desk:
    return Desk(tmp_path, root)


def test_a_run_is_tagged_noted_and_hidden_and_shown_again(desk: Desk) -> None:
    before = (desk.path / "random" / "manifest.json").read_bytes()
    assert desk.send("random", tags="final,  paper v2, final", note="第一次 <b>", by="W", hidden="yes") == 303
    note = desk.note()
    assert (note.hidden, note.tags, note.note, note.by) == (True, ("final", "paper v2"), "第一次 <b>", "W")
    assert (desk.path / "random" / "manifest.json").read_bytes() == before
    assert desk.listed() == ["knowing"] and desk.listed(hidden="1") == ["knowing", "random"]
    home = desk.client.get("/").text
    assert "1 hidden" in home
    page = desk.client.get("/", params={"hidden": "1"}).text
    assert "paper v2" in page and "第一次 &lt;b&gt;" in page
    assert "第一次 &lt;b&gt;" in desk.client.get("/runs/random/").text
    assert desk.send("random", tags="final", note="") == 303
    assert desk.listed() == ["knowing", "random"] and desk.note().tags == ("final",)
    assert len((desk.path / "random" / NAME).read_text().splitlines()) == 2
    assert desk.send("random", tags="final", note="") == 303
    assert len((desk.path / "random" / NAME).read_text().splitlines()) == 2, "the same note is not written again"


def test_several_runs_at_once_keep_what_the_form_leaves_open(desk: Desk) -> None:
    desk.send("random", tags="a, b", note="of its own")
    assert desk.send("random", "knowing", add="c", remove="a", hide="", note="") == 303
    assert (desk.note().tags, desk.note().note) == (("b", "c"), "of its own")
    assert desk.note("knowing").tags == ("c",)
    assert desk.send("random", "knowing", hide="hide", note="both") == 303
    assert desk.listed() == [] and "No Run matches" in desk.client.get("/").text
    assert desk.note().note == desk.note("knowing").note == "both" and desk.note().tags == ("b", "c")
    assert desk.send("random", "knowing", hide="show") == 303
    assert desk.listed() == ["knowing", "random"]


def test_expressions_over_runs(desk: Desk) -> None:
    desk.send("random", tags="final, v2")
    desk.send("knowing", tags="draft", hidden="yes")
    assert desk.listed(where="tag = final") == ["random"]
    assert desk.listed(where="tag = draft") == [], "hidden Runs are not listed unless they are asked for"
    assert desk.listed(where="tag = draft and hidden = yes") == ["knowing"]
    assert desk.listed(where="model ~ RANDOM and benchmark = xmodbench and limit <= 4 and seed = 5") == ["random"]
    assert desk.listed(where="tag != final") == []
    page = desk.client.get("/", params={"where": "colour = red"})
    assert page.status_code == 200 and "unknown field" in page.text and "No Run matches" in page.text
    assert desk.listed(q="v2") == ["random"], "words are searched for in tags, too"


def test_forms_that_are_not_believed(desk: Desk) -> None:
    assert desk.client.post("/notes", data={"token": "x", "run0": "random", "tags": "a"}).status_code == 403
    data = {"token": desk.token, "run0": "random", "tags": "a"}
    assert desk.client.post("/notes", data=data, headers={"Origin": "http://evil.example"}).status_code == 403
    assert desk.send("../random", tags="a") == 404 and desk.send(tags="a") == 400
    assert desk.client.get("/notes").status_code == 400 and desk.client.get("/notes?run=none").status_code == 404
    assert desk.note() == RunNote()


def test_limits(desk: Desk) -> None:
    assert desk.send("random", tags=",".join(f"t{n}" for n in range(20)), note="n" * 9000, by="b" * 900) == 303
    note = desk.note()
    assert (len(note.tags), len(note.note), len(note.by)) == (20, 4000, 80)
    more = {"token": desk.token, "run0": "random", "run1": "knowing", "add": "one more"}
    page = desk.client.post("/notes", data=more)
    assert "too many tags" in page.text and desk.note("knowing") == RunNote(), "of several, all are changed or none"
    assert tags_of(" , ,") == ()


def test_tags_are_saved_whole_or_refused(desk: Desk) -> None:
    """Neither the rest of a long tag nor the tags after the twentieth are dropped without a message."""
    refused = {
        "too many tags": ",".join(f"t{n}" for n in range(21)),
        "is too long": f"good, {'x' * 41}",
    }
    for problem, tags in refused.items():
        page = desk.client.post("/notes", data={"token": desk.token, "run0": "random", "tags": tags})
        assert page.status_code >= 400 and problem in page.text and desk.note() == RunNote()
    assert desk.send("random", tags="x" * 40) == 303 and desk.note().tags == ("x" * 40,)


def test_a_damaged_file_of_notes_is_reported_and_the_run_is_shown(desk: Desk) -> None:
    (desk.path / "random" / NAME).write_text('{"tags": 5}\n{"tags": ["a"]}\n', encoding="utf-8")
    assert desk.listed() == ["knowing", "random"]
    assert NAME in desk.client.get("/").text and NAME in desk.client.get("/runs/random/").text
    (desk.path / "random" / NAME).write_text('{"tags": ["a"]}\n{"ta', encoding="utf-8")
    assert desk.note().tags == ("a",), "a line that a kill left incomplete is ignored"
    change_run_note(desk.path / "random", lambda note: RunNote(tags=(*note.tags, "b")))
    assert desk.note().tags == ("a", "b")
