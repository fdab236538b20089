"""What a withdrawal leaves, what a refusal leaves, and what a killed process leaves: nothing of a person."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from tests.portal.conftest import Visitor, visitor
from triptych.media.sound.coding import encode_wav
from triptych.portal.checking import check_next
from triptych.portal.people.sessions import invite
from triptych.portal.project import Portal
from triptych.portal.store.tables import LIVE, submissions, tasks
from triptych.portal.work.queues import NewTask, put_queue, put_tasks

RATE = 48_000


def voice(seed: int = 1, seconds: float = 2.0) -> bytes:
    draw = np.random.default_rng(seed)
    return encode_wav((0.2 * draw.normal(size=(int(seconds * RATE), 1))).clip(-0.9, 0.9).astype(np.float32), RATE)


def clips(portal: Portal, number: int = 3, name: str = "record") -> list[int]:
    with portal.database.writing() as connection:
        queue = put_queue(connection, name, "recording", {"slots": ["1"]}, None)
        put_tasks(connection, queue, [NewTask(f"{name}/{n}", "d", {"shows": {"text": "床"}}) for n in range(number)])
        return list(connection.execute(select(tasks.c.id).where(tasks.c.queue_id == queue.id)).scalars())


def upload(who: Visitor, task: int, wav: bytes, id: str = "a" * 20, **more: str) -> Any:
    facts = {"frames": 2 * RATE, "rate": RATE, "blocks": 9, "lost": 0, "milliseconds": 2000, "worked": 3}
    headers = {
        "x-form-token": who.token,
        "x-content-sha256": sha256(wav).hexdigest(),
        "x-facts": json.dumps(facts),
        "accept": "application/json",
        **more,
    }
    return who.client.put(f"/record/record/{task}/{id}", content=wav, headers=headers)


def files(portal: Portal) -> list[Path]:
    """All files of media and of what is being received."""
    return [path for name in ("media", "incoming") for path in (portal.path / name).rglob("*") if path.is_file()]


def live(portal: Portal) -> int:
    with portal.database.reading() as connection:
        return len(connection.execute(select(submissions.c.id).where(submissions.c.state.in_(LIVE))).all())


# --- refusals


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"x-content-sha256": "0" * 64}, 422),
        ({"x-facts": "[]"}, 400),
        ({"x-facts": '{"frames": 1}'}, 400),
    ],
)
def test_a_refused_upload_leaves_no_file(small: Portal, change: dict[str, str], status: int) -> None:
    number, who = clips(small)[0], visitor(small, "recorder")
    who.client.get("/record/record")
    assert upload(who, number, voice(), **change).status_code == status
    assert not files(small)


def test_a_take_of_somebody_elses_task_or_of_a_done_one_leaves_no_file(portal: Portal) -> None:
    numbers, who, other = clips(portal), visitor(portal, "recorder"), visitor(portal, "recorder")
    who.client.get("/record/record")
    assert upload(other, numbers[0], voice(2), "b" * 20).status_code == 409
    assert not files(portal)
    assert upload(who, numbers[0], voice(3)).status_code == 201
    for number, (wav, id) in enumerate(((voice(4), "c" * 20), (voice(5), "a" * 20), (voice(6), "?" * 20))):
        assert upload(who, numbers[0], wav, id).status_code in (400, 404, 409), number
    kept = {path.name for path in files(portal)}
    assert kept == {sha256(voice(3)).hexdigest()}


def test_a_refused_take_with_the_sound_of_an_accepted_one_erases_nothing(portal: Portal) -> None:
    numbers, who = clips(portal), visitor(portal, "recorder")
    who.client.get("/record/record")
    wav = voice()
    assert upload(who, numbers[0], wav).status_code == 201
    assert upload(who, numbers[0], wav, "b" * 20).status_code == 409
    assert {path.name for path in files(portal)} == {sha256(wav).hexdigest()}


# --- every byte


def everything(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path, path.read_bytes()


def test_no_byte_of_somebody_who_withdrew_is_left(
    small: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Database, write-ahead log, media, incoming, and the folder of temporary files."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    numbers, who = clips(small), visitor(small, "recorder")
    told = {"gender": "other", "age_band": "41-50", "native_language": "Kreol-Morisien-77", "major": "Bryology-of-moss"}
    assert who.client.post("/about-you", data={"token": who.token, **told}).status_code == 303
    with small.database.writing() as connection:
        invite(connection, small.secret, "recorder", label="Zebedee Quince-Hawthorn", person=who.id)
    marks = ["Kreol-Morisien-77", "Bryology-of-moss", "Zebedee Quince-Hawthorn"]
    who.client.get("/record/record")
    for n, number in enumerate(numbers[:2]):
        who.client.get("/record/record")
        assert upload(who, number, voice(10 + n), f"{n:020}").status_code == 201
    check_next(small)
    upload(who, numbers[0], voice(30), "r" * 20)  # refused
    planted = [mark.encode() for mark in marks] + [voice(seed)[4000:4064] for seed in (10, 11, 30)]
    before = b"".join(content for _, content in everything(small.path))
    assert sum(mark in before for mark in planted) == 5
    assert who.client.post("/withdraw", data={"token": who.token, "sure": "yes"}).status_code == 200
    for path, content in everything(tmp_path):
        assert not [mark for mark in planted if mark in content], path


def test_the_browsers_own_copies_are_removed_by_the_page_of_the_withdrawal(small: Portal) -> None:
    who = visitor(small, "recorder")
    name = who.session.person.pseudonym
    answer = who.client.post("/withdraw", data={"token": who.token, "sure": "yes"})
    assert "/static/forget.js" in answer.text and f'data-forget="{name}"' in answer.text
