"""Recording without a browser: its rules, the check, and what the server takes."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from tests.portal.conftest import Visitor, visitor
from triptych.errors import ProviderError
from triptych.media.payload import MediaReader
from triptych.media.sound import encode_wav
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.portal.blobs.store import Blobs, open_place
from triptych.portal.checking import check_next
from triptych.portal.checks.queue import MAX_TRIES, release, take
from triptych.portal.project import Portal
from triptych.portal.recording import recognising
from triptych.portal.recording.check import check
from triptych.portal.recording.rules import Facts, Settings, faults, lost_frames, ruby, slot_of
from triptych.portal.store.tables import checks, submission_blobs, submissions
from triptych.portal.work.queues import NewTask, put_queue, put_tasks
from triptych.records import Request

RATE = 48_000
SHOWS = {"title": "静夜思", "author": "李白", "text": "床前明月光", "pinyin": "chuáng qián míng yuè guāng"}


def sound(seconds: float = 3.0, level: float = 0.2) -> Any:
    time = np.arange(int(seconds * RATE)) / RATE
    return (level * np.sin(2 * np.pi * 220 * time)).astype(np.float32).reshape(-1, 1)


def facts(seconds: float = 3.0, **more: int) -> Facts:
    counted = {"frames": int(seconds * RATE), "rate": RATE, "blocks": 9, "lost": 0, "milliseconds": int(1000 * seconds)}
    return Facts(**{**counted, **more})


def faults_of(samples: Any, given: Facts, **more: Any) -> list[str]:
    return check(encode_wav(samples, RATE), "床前", given, Settings(**more))[1]


def test_a_good_recording_has_no_fault_and_becomes_16_khz_mono() -> None:
    measures, found, made = check(encode_wav(np.hstack([sound(), sound()]), RATE), "床前", facts(), Settings())
    assert found == [] and measures["seconds"] == 3.0
    assert measures["level_db"] == pytest.approx(20 * np.log10(0.2 / np.sqrt(2)), abs=0.1)
    assert made[:4] == b"RIFF" and len(made) == 44 + 2 * 3 * 16_000


@pytest.mark.parametrize(
    ("samples", "given", "found"),
    [
        (sound(level=0.0), facts(), ["silent"]),
        (sound(level=0.001), facts(), ["silent"]),
        (np.clip(sound(level=3.0), -1, 1), facts(), ["clipped"]),
        (sound(0.5), facts(0.5), ["too-short"]),
        (sound(32.0), facts(32.0), ["too-long"]),
        (sound(), facts(lost=1), ["frames-missing"]),
        (sound(), facts(frames=3 * RATE + 128), ["frames-missing"]),
        (sound(), facts(milliseconds=4000), ["frames-missing"]),
        (sound(), facts(rate=44_100), ["frames-missing"]),
    ],
)
def test_each_fault_is_found(samples: Any, given: Facts, found: list[str]) -> None:
    assert faults_of(samples, given) == found


def test_a_telephones_rate_is_too_low() -> None:
    slow = encode_wav(sound()[::6], 8_000)
    assert check(slow, "", facts(frames=3 * 8_000, rate=8_000), Settings())[1] == ["low-rate"]


@pytest.mark.parametrize("data", [b"", b"RIFF", b"RIFF\x00\x00\x00\x00WAVEfmt " + bytes(100), b"<html>"])
def test_what_is_not_sound_is_unreadable(data: bytes) -> None:
    assert check(data, "", facts(), Settings())[1:] == (["unreadable"], b"")


@settings(max_examples=50, deadline=None)
@given(st.floats(1, 30), st.integers(0, 3), st.integers(-400, 400))
def test_missing_sound_is_noticed_whatever_the_length(seconds: float, lost: int, off: int) -> None:
    frames = int(seconds * RATE)
    measures = {"frames": frames, "rate": RATE, "seconds": frames / RATE, "level_db": -20.0, "clipped": 0.0}
    counted = Facts(frames, RATE, 1, lost, int(1000 * seconds) + off)
    clock = int(1000 * seconds) + off
    late = abs(clock / 1000 - frames / RATE) > 0.35 + 0.02 * clock / 1000
    assert lost_frames(measures, counted) == (lost > 0 or late)
    assert ("frames-missing" in faults(measures, counted, Settings())) == (lost > 0 or late)


def test_the_better_recogniser_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    wav = encode_wav(sound(), RATE)
    for rates, found in (({"a": 0.9, "b": 0.1}, []), ({"a": 0.9, "b": 0.2}, ["misread"]), ({}, [])):
        measures, reasons, _ = check(wav, "床前", facts(), Settings(), lambda data, text, rates=rates: rates)
        assert reasons == found and measures["cer"] == rates


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(open_place("media", tmp_path), tmp_path / "incoming")


class Hears(SimpleAdapter):
    """A recogniser that misses the last character, after a server that is busy once."""

    busy = True

    async def prepare(self, request: Request, media: MediaReader) -> Any:
        """Read the sound, as a real one does."""
        return media.load(request.media_parts[0]).data

    async def respond(self, request: Request, prepared: Any) -> Reply:
        """Answer."""
        if Hears.busy:
            Hears.busy = False
            raise ProviderError("busy", kind="server", retryable=True)
        assert prepared[:4] == b"RIFF"
        return Reply("床前，明月。")


def test_a_recogniser_is_asked_as_any_model(blobs: Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
    assert recognising.recognisers({}, blobs) is None
    monkeypatch.setattr(recognising, "load_adapter", lambda name, settings: Hears(settings))
    asked = recognising.recognisers({"any/model": {}}, blobs)
    assert asked and asked(encode_wav(sound(), RATE), "床前明月光") == {"any/model": 0.2}


def test_a_recogniser_that_does_not_answer_stops_nobody(blobs: Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
    class Down(SimpleAdapter):
        async def respond(self, request: Request, prepared: Any) -> Reply:
            raise ProviderError("no such model", kind="unknown_model", fatal=True)

    monkeypatch.setattr(recognising, "load_adapter", lambda name, settings: Down(settings))
    asked = recognising.recognisers({"any/model": {}}, blobs)
    assert asked and asked(encode_wav(sound(), RATE), "床前") == {}


def test_pinyin_is_above_its_own_character_or_not_shown() -> None:
    assert ruby("好，好", "hǎo hào") == [[("好", "hǎo"), ("，", ""), ("好", "hào")]]
    assert ruby("好，好", ["hǎo", "，", "hào"]) == [[("好", "hǎo"), ("，", ""), ("好", "hào")]]
    assert ruby("好\n好", ["hǎo", "\n", "hào"]) == [[("好", "hǎo")], [("好", "hào")]]
    assert ruby("好好", "hǎo") == [[("好", ""), ("好", "")]]
    assert ruby("", None) == []


@given(st.text("好\n，ab", max_size=20), st.lists(st.text("hao", min_size=1, max_size=3), max_size=20))
def test_no_character_is_lost(text: str, pinyin: list[str]) -> None:
    assert "".join(c for line in ruby(text, pinyin) for c, _ in line) == text.replace("\n", "")


def test_slots() -> None:
    assert slot_of(("man", "woman"), "undisclosed") is None and slot_of(("1",), "undisclosed") == "1"


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
