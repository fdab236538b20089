"""Tests of `running/leases/held.py`: leases in progress, their replies, and workers that are silent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support.runs import requests
from triptych.records import Request, Response
from triptych.running.leases import held
from triptych.running.leases.files import Grant
from triptych.running.leases.files import WorkerLine as Line
from triptych.running.leases.held import Granted
from triptych.running.leases.queue import SUSPECT, Lease, Queue
from triptych.store.journals.journal import JournalWriter


class Worker:
    """A member of a team that only has an identity: its journal is written by the tests."""

    async def wait_until_ready(self) -> str:
        return ""

    async def carry(self, asks: Path, replies: Path) -> str:
        return ""

    async def stop(self) -> None: ...

    async def close(self) -> None: ...

    def kill(self) -> None: ...


class Session:
    """Grants of a plan, and what was journaled: (item, status, text)."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder = folder
        self.queue = Queue(requests(count), lambda: None, 1)
        self.journal: list[tuple[str, str, str]] = []
        self.hashes: dict[str, str] = {}
        self.errors: list[str] = []
        self.granted = Granted(folder, "s", self.queue, self.record)

    def record(self, asked: Request, response: Response, hashes: Mapping[str, str]) -> None:
        assert asked.id == response.item
        self.journal.append((response.item, response.status, response.text))
        self.hashes |= hashes
        self.errors += [response.error.message] if response.error else []

    def lease(self) -> Lease:
        lease = self.queue.next_lease()
        assert lease is not None
        return lease

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.glob("*"))


def reply(grant: Grant, *numbers: int, text: str = "A", hashes: dict[str, str] | None = None) -> None:
    writer = JournalWriter(grant.replies)
    for number in numbers:
        writer.append(Line(Response(f"{number:05}", "", 0, "answered", text), hashes or {}))
    writer.close()


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The clock of silence: the tests set its one number."""
    clock = [100.0]
    monkeypatch.setattr(held, "_loop_time", lambda: clock[0])
    yield clock


def test_replies_are_journaled_once_with_their_hashes(tmp_path: Path, seconds: list[float]) -> None:
    session = Session(tmp_path, 3)
    grant = session.granted.grant_lease(session.lease(), Worker())
    assert (len(session.granted), session.granted.pending) == (1, 3)
    reply(grant, 1, text="答", hashes={"一.wav": "ab"})
    reply(grant, 1, text="again")
    assert session.granted.collect() == 1 and session.granted.collect() == 0
    assert session.journal == [("00001", "answered", "答")] and session.hashes == {"一.wav": "ab"}
    assert session.granted.pending == 2


def test_the_end_of_a_grant_takes_its_last_replies_and_leaves_no_file(tmp_path: Path, seconds: list[float]) -> None:
    session = Session(tmp_path, 3)
    grant = session.granted.grant_lease(session.lease(), Worker())
    reply(grant, 0, 2)
    assert session.granted.end(grant) == 2 and session.granted.end(grant) == 0, "a grant ends once"
    assert session.files() == [] and not session.granted
    again = session.lease()
    assert [asked.id for asked in again.requests] == ["00001"] and (again.epoch, again.deaths) == (1, 0)


def test_at_the_end_of_a_session_nothing_returns_to_the_queue(tmp_path: Path, seconds: list[float]) -> None:
    session = Session(tmp_path, 3)
    reply(session.granted.grant_lease(session.lease(), Worker()), 0)
    session.granted.end_all()
    assert session.journal == [("00000", "answered", "A")] and session.queue.next_lease() is None
    assert session.files() == [] and len(session.granted) == 0


def test_a_request_that_ends_every_worker_fails_with_the_number_of_them(tmp_path: Path, seconds: list[float]) -> None:
    session = Session(tmp_path, 1)
    for _ in range(SUSPECT):
        session.granted.end(session.granted.grant_lease(session.lease(), Worker()))
    assert session.journal == [("00000", "failed", "")] and session.queue.next_lease() is None
    assert session.errors == [f"the worker was lost {SUSPECT} times with this Request"]


def test_only_a_worker_without_replies_is_silent(tmp_path: Path, seconds: list[float]) -> None:
    """Two workers for 50 s: one replies after 40 s; after 60 s only the other has been silent for more than 30 s."""
    session = Session(tmp_path, 450)
    quick, slow = Worker(), Worker()
    first = session.granted.grant_lease(session.lease(), quick)
    session.granted.grant_lease(session.lease(), slow)
    seconds[0] += 40
    reply(first, 0)
    session.granted.collect()
    assert session.granted.end_silent(40.0) == [], "exactly the limit is not longer than it"
    seconds[0] += 20
    session.granted.grant_lease(session.lease(), slow)
    assert session.granted.end_silent(30.0) == [slow], "another lease is no reply"
    assert len(session.granted) == 1 and session.granted.pending == 199
    assert sum(len(lease.requests) for lease in iter(session.queue.next_lease, None)) == 250


def test_a_worker_that_had_nothing_to_do_is_not_silent(tmp_path: Path, seconds: list[float]) -> None:
    session = Session(tmp_path, 201)
    worker = Worker()
    session.granted.end(session.granted.grant_lease(session.lease(), worker), again=False)
    seconds[0] += 1000
    session.granted.grant_lease(session.lease(), worker)
    assert session.granted.end_silent(5.0) == []


def test_files_bear_the_session_the_lease_and_its_epoch(tmp_path: Path) -> None:
    """A zombie of another session or of an earlier grant writes into another file."""

    async def given() -> list[str]:
        session = Session(tmp_path, 1)
        session.granted.end(session.granted.grant_lease(session.lease(), Worker()))
        session.granted.grant_lease(session.lease(), Worker())
        return session.files()

    assert asyncio.run(given()) == ["s-000001-1.requests.jsonl"]
