"""Tests of `portal/checking.py`: the checks of recordings, from the queue of checks to the verdict."""

from __future__ import annotations

import io
from collections.abc import Callable
from hashlib import sha256

import pytest
import soundfile
from sqlalchemy import select

from tests.portal.conftest import Visitor, visitor
from tests.portal.recording.test_recording import RATE, SHOWS, send, sound, states
from triptych.media.sound.coding import encode_wav
from triptych.portal import checking
from triptych.portal.checking import CHECKS, check_next, work_next
from triptych.portal.project import Portal
from triptych.portal.store.tables import checks, submission_blobs
from triptych.portal.work.queues import NewTask, put_queue, put_tasks


@pytest.fixture
def reader(small: Portal) -> Visitor:
    """A reader who has one clip open."""
    with small.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {}, None)
        put_tasks(connection, queue, [NewTask(f"w/{n}", "d", {"shows": SHOWS}, "w", n, 2) for n in range(2)])
    who = visitor(small, "recorder")
    who.client.get("/record/record")
    return who


def test_nothing_waits_in_an_empty_portal(portal: Portal) -> None:
    assert not check_next(portal) and not work_next(portal)


def test_an_accepted_recording_is_kept_as_16_khz_mono_beside_the_original(small: Portal, reader: Visitor) -> None:
    data = encode_wav(sound(), RATE)
    assert send(reader, data).status_code == 201
    assert work_next(small) and not work_next(small)
    assert states(small) == [("accepted", [])]
    with small.database.reading() as connection:
        names = {row.form: row.sha256 for row in connection.execute(select(submission_blobs))}
    assert names["original"] == sha256(data).hexdigest()
    with small.blobs.open_file(names["16k"]) as file:
        made = file.read()
    info = soundfile.info(io.BytesIO(made))
    assert (info.samplerate, info.channels, info.format) == (16_000, 1, "WAV")
    assert info.duration == pytest.approx(3.0, abs=0.01) and sha256(made).hexdigest() == names["16k"]
    assert not list((small.path / "incoming").iterdir())


@pytest.mark.parametrize(
    ("data", "reason", "forms"),
    [
        (encode_wav(sound(level=0.0), RATE), "silent", {"original", "16k"}),
        (b"RIFF\x00\x00\x00\x00WAVE" + bytes(400), "unreadable", {"original"}),
    ],
)
def test_a_recording_with_a_fault_comes_back_and_what_can_be_heard_of_it_is_kept(
    small: Portal, reader: Visitor, data: bytes, reason: str, forms: set[str]
) -> None:
    assert send(reader, data).status_code == 201
    assert check_next(small)
    assert states(small) == [("again", [reason])]
    with small.database.reading() as connection:
        assert set(connection.execute(select(submission_blobs.c.form)).scalars()) == forms


def test_a_recording_whose_file_is_gone_is_unreadable_and_the_next_one_is_checked(
    small: Portal, reader: Visitor
) -> None:
    first, second = encode_wav(sound(), RATE), encode_wav(sound(level=0.3), RATE)
    assert send(reader, first).status_code == 201
    reader.client.get("/record/record")
    assert send(reader, second, 2, task=2).status_code == 201
    small.blobs.erase(sha256(first).hexdigest())
    while check_next(small):
        pass
    assert states(small) == [("again", ["unreadable"]), ("accepted", [])]
    with small.database.reading() as connection:
        assert set(connection.execute(select(checks.c.state)).scalars()) == {"failed", "passed"}


def test_a_large_queue_that_somebody_looks_at_is_counted_in_between(
    small: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process of checks must not pause while either is left to do."""
    counted = [True, False]
    monkeypatch.setattr(checking, "count_next", lambda database: counted.pop(0))
    assert work_next(small)
    assert not work_next(small)


def test_every_kind_of_job_that_is_checked_has_its_check(small: Portal, enter: Callable[..., Visitor]) -> None:
    """A submission of any other kind is accepted at once, so that none waits for a check that doesn't exist."""
    assert set(CHECKS) == {"recording"}
    with small.database.writing() as connection:
        queue = put_queue(connection, "review", "review", {}, None)
        put_tasks(connection, queue, [NewTask("a", "d", {"form": {"verdict": ["approve"]}, "shows": {}})])
    who = enter("reviewer")
    who.client.get("/review/review")
    body = {"values": {"verdict": "approve"}, "seconds": 3}
    head = {"x-form-token": who.token, "accept": "application/json"}
    assert who.client.put(f"/review/review/1/{'a' * 20}", json=body, headers=head).status_code == 201
    assert states(small) == [("accepted", [])] and not check_next(small)
