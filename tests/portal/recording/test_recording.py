"""Recording without a browser: its rules, the check, and what the server takes."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import msgspec
import numpy as np
import pytest
from sqlalchemy import select, update

from tests.portal.conftest import Visitor, visitor
from triptych.media.sound.coding import encode_wav
from triptych.portal.checking import check_next
from triptych.portal.checks.queue import MAX_TRIES, release, take
from triptych.portal.project import Portal
from triptych.portal.recording.rules import Facts
from triptych.portal.store.tables import checks, submission_blobs, submissions
from triptych.portal.work.queues import NewTask, put_queue, put_tasks

RATE = 48_000
SHOWS = {"title": "静夜思", "author": "李白", "text": "床前明月光", "pinyin": "chuáng qián míng yuè guāng"}


def sound(seconds: float = 3.0, level: float = 0.2) -> Any:
    time = np.arange(int(seconds * RATE)) / RATE
    return (level * np.sin(2 * np.pi * 220 * time)).astype(np.float32).reshape(-1, 1)


def facts(seconds: float = 3.0, **more: int) -> Facts:
    counted = {"frames": int(seconds * RATE), "rate": RATE, "blocks": 9, "lost": 0, "milliseconds": int(1000 * seconds)}
    return Facts(**{**counted, **more})


# What the server takes.


@pytest.fixture
def reader(portal: Portal) -> Visitor:
    with portal.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {}, None)
        put_tasks(connection, queue, [NewTask(f"w/{n}", "d", {"shows": SHOWS}, "w", n, 2) for n in range(3)])
    return visitor(portal, "recorder")


def send(
    who: Visitor, data: bytes, number: int = 1, *, task: int = 1, given: Facts | None = None, **headers: str
) -> Any:
    counted = json.dumps(msgspec.to_builtins(given or facts()))
    told = {"x-form-token": who.token, "x-content-sha256": sha256(data).hexdigest(), "x-facts": counted}
    told["accept"] = "application/json"
    return who.client.put(f"/record/record/{task}/recording-{number:08}", content=data, headers={**told, **headers})


def states(portal: Portal) -> list[tuple[str, list[str]]]:
    with portal.database.reading() as connection:
        query = select(submissions.c.state, submissions.c.reasons).order_by(submissions.c.received_at)
        return [(row.state, row.reasons) for row in connection.execute(query)]


def test_a_recording_gets_a_receipt_and_is_checked_once(portal: Portal, reader: Visitor) -> None:
    page = reader.client.get("/record/record").text
    assert "chuáng" in page and "静夜思 · 李白" in page
    data = encode_wav(sound(), RATE)
    first = send(reader, data)
    assert first.status_code == 201
    assert first.json()["sha256"] == sha256(data).hexdigest() and first.json()["size"] == len(data)
    assert send(reader, data).json() == first.json()  # after a receipt that was lost on the way
    assert check_next(portal) and not check_next(portal)
    assert states(portal) == [("accepted", [])]
    assert not list((portal.path / "incoming").glob("in-*"))


def test_a_bad_recording_is_made_again_and_the_page_says_why(portal: Portal, reader: Visitor) -> None:
    reader.client.get("/record/record")
    send(reader, encode_wav(sound(level=0.0), RATE))
    assert check_next(portal)
    assert states(portal) == [("again", ["silent"])]
    page = reader.client.get("/record/record").text
    assert "almost nothing is heard" in page and "Clip 1 of 3" in page
    assert send(reader, encode_wav(sound(), RATE), 2).status_code == 201
    assert check_next(portal)
    assert [state for state, _ in states(portal)] == ["again", "accepted"]


def test_what_can_not_be_taken_is_refused_and_nothing_is_stored(portal: Portal, reader: Visitor) -> None:
    reader.client.get("/record/record")
    data = encode_wav(sound(), RATE)
    assert send(reader, data, **{"x-content-sha256": "0" * 64}).status_code == 422
    assert send(reader, b"<html>" + bytes(100)).status_code == 415
    assert send(reader, b"OggS" + bytes(100)).status_code == 415
    assert send(reader, data, **{"x-facts": "{}"}).status_code == 400
    assert send(reader, data, task=99).status_code == 404
    assert send(reader, bytes((16 << 20) + 1)).status_code == 413
    assert send(reader, data, **{"x-form-token": ""}).status_code == 403
    other = visitor(portal, "recorder")
    assert send(other, data).status_code == 409
    assert states(portal) == [] and not list((portal.path / "incoming").glob("in-*"))


def test_a_recording_is_heard_by_its_reader_and_by_those_who_judge(portal: Portal, reader: Visitor) -> None:
    reader.client.get("/record/record")
    data = encode_wav(sound(), RATE)
    send(reader, data)
    path = "/sound/recording-00000001/original"
    answer = reader.client.get(path, headers={"range": "bytes=0-3"})
    assert (answer.status_code, answer.content) == (206, b"RIFF") and "sandbox" in answer.headers[
        "content-security-policy"
    ]
    assert visitor(portal, "reviewer").client.get(path).content == data
    assert visitor(portal, "recorder").client.get(path).status_code == 404


def test_a_person_decides_about_a_recording(portal: Portal, reader: Visitor) -> None:
    reader.client.get("/record/record")
    send(reader, encode_wav(sound(), RATE))
    admin = visitor(portal, "admin")
    form = {"token": admin.token, "id": "recording-00000001", "state": "again", "reason": "noise"}
    assert admin.client.post("/recordings/record", data=form).status_code == 303
    assert states(portal) == [("again", ["noise"])]
    check_next(portal)
    assert states(portal) == [("again", ["noise"])]  # the check doesn't overrule a person
    assert "noise in the background" in admin.client.get("/recordings/record?state=again").text
    reader.client.get("/record/record")
    send(reader, encode_wav(sound(), RATE), 2)
    accept = {**form, "state": "accepted"}
    assert admin.client.post("/recordings/record", data=accept).status_code == 409
    assert admin.client.post("/recordings/record", data={**form, "reason": "king"}).status_code == 400


def test_a_reader_without_a_slot_is_told_which_readers_are_wanted(portal: Portal, reader: Visitor) -> None:
    other = visitor(portal, "recorder", gender="other")
    answer = other.client.get("/record/record")
    assert answer.status_code == 409 and "man, woman" in answer.text


def test_a_check_whose_process_dies_is_tried_again_and_at_last_given_up(portal: Portal, reader: Visitor) -> None:
    reader.client.get("/record/record")
    send(reader, encode_wav(sound(), RATE))
    for _ in range(MAX_TRIES):
        assert take(portal.database) and take(portal.database) is None
        release(portal.database)  # the next process
    assert take(portal.database) is None
    assert states(portal) == [("again", ["unreadable"])]
    with portal.database.reading() as connection:
        assert connection.execute(select(checks.c.state)).scalars().all() == ["broken"]


def test_the_checked_sound_is_stored_once(portal: Portal, reader: Visitor) -> None:
    reader.client.get("/record/record")
    send(reader, encode_wav(sound(), RATE))
    assert check_next(portal)
    with portal.database.writing() as connection:
        connection.execute(update(checks).values(state="waiting"))
    assert check_next(portal)
    with portal.database.reading() as connection:
        forms = connection.execute(select(submission_blobs.c.form)).scalars().all()
    assert sorted(forms) == ["16k", "original"]


def test_withdrawal_erases_recordings(portal: Portal, reader: Visitor) -> None:
    reader.client.get("/record/record")
    send(reader, encode_wav(sound(), RATE))
    check_next(portal)
    files = [path for path in (portal.path / "media").rglob("*") if path.is_file()]
    assert len(files) == 2
    assert reader.client.post("/withdraw", data={"token": reader.token, "sure": "yes"}).status_code == 200
    assert not any(path.exists() for path in files)
    assert states(portal) == [("erased", ["withdrawn"])]
    assert not check_next(portal)
