"""Tests of `portal/exchange/local.py`: an exchange with the project folder on this computer."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from tests.portal.conftest import visitor
from triptych.construction.people.stage import Task
from triptych.errors import DataError
from triptych.portal.exchange.ends import Batch
from triptych.portal.exchange.local import Local
from triptych.portal.project import DATABASE, Portal
from triptych.portal.store.tables import audit, blobs, exported, exports, people, tasks
from triptych.portal.work.claims import claim
from triptych.portal.work.keeping import Medium
from triptych.portal.work.queues import queue_of
from triptych.portal.work.submitting import Sent, submit
from triptych.portal.work.withdrawing import withdraw

PNG = b"\x89PNG\r\n\x1a\n" + bytes(30)
FORM = {"audio": "media", "gender": ["man", "woman"], "age": ["young", "middle-aged", "old"], "major": "text"}


def task(key: str, form: dict[str, Any] | None = None, people: int = 1) -> Task:
    return Task(key, "d", "stage", form or {"verdict": ["approve", "reject"]}, {"text": "床前"}, "Listen.", people)


def send(portal: Portal, queue: str, person: str, number: int, values: dict[str, Any], *media: Medium) -> str:
    with portal.database.reading() as connection:
        found = queue_of(connection, queue)
    assert found
    claimed = claim(portal.database, found, person, "1")
    assert claimed
    name = f"sent-{number:012}"
    submit(portal.database, Sent(name, claimed.id, "1", person, values, 5, media), checked=False)
    return name


def test_a_file_is_stored_once_with_the_type_of_its_content(portal: Portal, tmp_path: Path) -> None:
    names = {}
    for name, data in (("picture.wav", PNG), ("notes", b"whatever")):
        (tmp_path / name).write_bytes(data)
        names[name] = sha256(data).hexdigest()
        for _ in range(2):
            Local(portal).put_medium(tmp_path / name, names[name], len(data))
        with Local(portal).medium(names[name]) as file:
            assert file.read() == data
    with portal.database.reading() as connection:
        types = dict(connection.execute(select(blobs.c.sha256, blobs.c.type)).all())  # type: ignore[arg-type]
    assert types == {names["picture.wav"]: "image/png", names["notes"]: "application/octet-stream"}


def test_a_file_with_another_hash_is_refused_and_leaves_nothing(portal: Portal, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"changed on the way")
    with pytest.raises(DataError, match="SHA-256"):
        Local(portal).put_medium(tmp_path / "file", "0" * 64, 18)
    with portal.database.reading() as connection:
        assert connection.execute(select(blobs)).all() == []
    files = [path for path in portal.path.rglob("*") if path.is_file() and DATABASE not in path.name]
    assert [path.name for path in files] == ["secret"]


def test_clips_of_a_work_have_places_from_0_and_reviews_have_none(small: Portal) -> None:
    end, keys = Local(small), ["guanju/007", "alone", "guanju/012", "guanju/2"]
    made = end.put_tasks("record", Batch("recording", {"slots": ["1"]}, [task(key) for key in keys]))
    assert (made.queue, made.kind, made.added, made.open, made.closed) == ("record", "recording", 4, 4, 0)
    end.put_tasks("check", Batch("review", {"slots": ["1"]}, [task(key) for key in keys]))
    with small.database.reading() as connection:
        rows = connection.execute(select(tasks.c.key, tasks.c.work, tasks.c.place).order_by(tasks.c.id)).all()
    places = {row.key: (row.work, row.place) for row in rows[:4]}
    assert places == {
        "guanju/2": ("guanju", 0),
        "guanju/007": ("guanju", 1),
        "guanju/012": ("guanju", 2),
        "alone": ("", 0),
    }
    assert {(row.work, row.place) for row in rows[4:]} == {("", 0)}
    again = end.put_tasks("record", Batch("recording", None, [task("guanju/2")]))
    assert (again.added, again.open, again.closed) == (0, 1, 3)
    with pytest.raises(DataError, match="queue"):
        end.put_tasks("new", Batch("recording", None, []))  # there are no settings that it could keep


@pytest.mark.parametrize(
    ("band", "age"), [("26-30", "young"), ("41-50", "middle-aged"), ("over-60", "old"), ("under-18", None)]
)
def test_a_reader_is_described_as_the_form_asks_and_a_reviewer_is_not(
    small: Portal, band: str, age: str | None
) -> None:
    end, who = Local(small), visitor(small, "recorder", gender="man")
    with small.database.writing() as connection:
        connection.execute(update(people).where(people.c.id == who.id).values(age_band=band, major="=1+1 文学"))
    end.put_tasks("record", Batch("recording", {"slots": ["1"]}, [task("a", FORM)]))
    end.put_tasks("check", Batch("review", {"slots": ["1"]}, [task("a", {"gender": ["man", "woman"]})]))
    sha = sha256(b"take").hexdigest()
    send(small, "record", who.id, 1, {}, Medium("audio", sha, 4, "audio/wav"))
    send(small, "check", who.id, 2, {"gender": "woman"})
    _, offered = end.results("record")
    (accepted,) = offered
    expected = {"audio": f"portal/{sha}.wav", "gender": "man", "age": age, "major": "=1+1 文学"}
    assert accepted.result.values == {name: value for name, value in expected.items() if value is not None}
    assert accepted.files == {sha: f"portal/{sha}.wav"} and accepted.chosen
    assert [each.result.values for each in end.results("check")[1]] == [{"gender": "woman"}]


def test_an_export_holds_what_still_counts_and_is_written_down(portal: Portal) -> None:
    end, one, gone = Local(portal), visitor(portal, "reviewer"), visitor(portal, "reviewer")
    end.put_tasks("check", Batch("review", {"slots": ["1"]}, [task("a"), task("b")]))
    stays = send(portal, "check", one.id, 1, {"verdict": "approve"})
    leaves = send(portal, "check", gone.id, 2, {"verdict": "reject"})
    known, offered = end.results("check")
    assert {each.id for each in offered} == {stays, leaves} and known.withdrawn == []
    withdraw(portal.database, portal.blobs, gone.id, None)
    assert end.confirm("check", {stays, leaves, "of-nobody-000000"}, "/builds/题") == {stays}
    assert end.confirm("check", [], "/empty") == set()
    known, offered = end.results("check")
    pseudonyms = [who.session.person.pseudonym for who in (one, gone)]
    assert [each.id for each in offered] == [stays]
    assert (known.people, known.withdrawn) == (sorted(pseudonyms), [pseudonyms[1]])
    with portal.database.reading() as connection:
        assert list(connection.execute(select(exports.c.target).order_by(exports.c.id)).scalars()) == [
            "/builds/题",
            "/empty",
        ]
        assert connection.execute(select(exported.c.submission_id)).scalars().all() == [stays]
        details = connection.execute(select(audit.c.detail).where(audit.c.action == "exported")).scalars().all()
    assert details == [{"target": "/builds/题", "results": 1}, {"target": "/empty", "results": 0}]


def test_a_queue_that_is_not_there_is_named(small: Portal) -> None:
    for ask in (lambda: Local(small).results("reviw"), lambda: Local(small).confirm("reviw", [], "x")):
        with pytest.raises(DataError, match="queue") as caught:
            ask()
        assert "reviw" in str(caught.value)
