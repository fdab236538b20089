"""Tests of `portal/exchange/push.py`: push."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.construction.recipes.test_mcga import config
from tests.portal.conftest import visitor
from tests.portal.exchange.test_exchange import wav
from tests.portal.serving import served
from triptych.construction.build import build
from triptych.errors import DataError, RunFolderError
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.pull import pull
from triptych.portal.exchange.push import push, work_of
from triptych.portal.exchange.remote import TOKEN, Remote
from triptych.portal.project import Portal
from triptych.portal.store.tables import tasks
from triptych.portal.work.tokens import add_token

pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")

__all__ = ["config"]


def test_what_is_missing_is_said(tmp_path: Path, small: Portal, config: Path) -> None:
    with pytest.raises(RunFolderError, match="build folder"):
        push(Local(small), tmp_path, "record")
    to = tmp_path / "build"
    build("mcga", config, to)
    with pytest.raises(DataError, match="no open tasks"):
        push(Local(small), to, "recrod")
    with pytest.raises(DataError, match="no queue"):
        pull(Local(small), to, "record")
    with pytest.raises(DataError, match="kind of queue"):
        push(Local(small), to, "record", kind="singing")


def test_clips_of_a_work_are_in_their_order(small: Portal, tmp_path: Path, config: Path) -> None:
    assert work_of("a/b/12") == ("a/b", 12) and work_of("a/x") == ("", 0) and work_of("7") == ("", 0)
    to = tmp_path / "build"
    build("mcga", config, to)
    push(Local(small), to, "record")
    reader = visitor(small, "recorder", gender="man")
    assert "Clip 1 of" in reader.client.get("/record/record").text


def test_a_medium_that_a_task_shows_goes_with_it(
    small: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound, to = wav(1), tmp_path / "build"
    name = f"media/{sha256(sound).hexdigest()[:2]}/{sha256(sound).hexdigest()}.wav"
    (to / name).parent.mkdir(parents=True)
    (to / name).write_bytes(sound)
    (to / "tasks").mkdir()
    (to / "build.json").write_text("{}")
    task = {"id": "w/0", "shown": "d", "stage": "review", "form": {"verdict": ["yes"]}, "shows": {"audio": name}}
    (to / "tasks/review.jsonl").write_text(json.dumps(task) + "\n")
    with small.database.writing() as connection:
        monkeypatch.setenv(TOKEN, add_token(connection, "recipe"))
    with served(small) as address:
        assert push(Remote(address), to, "review").kind == "review"
    with small.blobs.open_file(sha256(sound).hexdigest()) as file:
        assert file.read() == sound
    with small.database.reading() as connection:
        body = connection.execute(select(tasks.c.body)).scalar_one()
    assert body["shows"]["media"] == {"audio": sha256(sound).hexdigest()}
    kept: list[str] = []
    monkeypatch.setattr(Local, "put_medium", lambda self, path, sha256, size: kept.append(sha256))
    for wrong in ({"verify": True}, {"abstract_first": True}, {"kind": "recording", "reviewers": 2}):
        with pytest.raises(DataError):
            push(Local(small), to, "review", **wrong)  # type: ignore[arg-type]
    assert kept == []
    (to / name).unlink()
    with pytest.raises(DataError, match="can't be read"):
        push(Local(small), to, "review")
