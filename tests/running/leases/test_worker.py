"""Tests of `running/leases/worker.py`: a lease is answered until it is fenced, and errors become sentences."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path

import msgspec
import pytest

from tests.support.runs import Told, item, request, requests
from triptych.errors import ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply
from triptych.models.worker.trust import allow_foreign_code
from triptych.records import Message, Request, media
from triptych.running.leases.files import Grant
from triptych.running.leases.worker import Setup, Worker


def grant_of(folder: Path, count: int) -> Grant:
    return Grant.write(folder, "s-1-0", requests(count))


def worker_of(adapter: Told, data: Path | None = None, **setup: object) -> Worker:
    return Worker(adapter, MediaReader(data), Setup("told/it", {}, **{"retries": 0, **setup}))  # type: ignore[arg-type]


def carried(worker: Worker, grant: Grant) -> str:
    return asyncio.run(worker.carry(grant.requests_file, grant.replies))


def statuses(grant: Grant) -> dict[str, str]:
    return {line.response.item: line.response.status for line in grant.collect()}


def test_every_request_of_a_lease_has_a_reply_and_few_are_asked_at_once(tmp_path: Path) -> None:
    grant, adapter = grant_of(tmp_path, 40), Told(latency=0.001)
    assert carried(worker_of(adapter, concurrency=3), grant) == ""
    assert statuses(grant) == {f"{n:05}": "answered" for n in range(40)} and adapter.peak == 3


def test_an_adapter_that_takes_fewer_at_once_gets_fewer(tmp_path: Path) -> None:
    adapter = Told(latency=0.001)
    adapter.most_at_once = 2  # type: ignore[attr-defined]
    carried(worker_of(adapter, concurrency=8), grant_of(tmp_path, 12))
    assert adapter.peak == 2


def test_a_fence_ends_the_asking_and_the_reply_in_progress_is_not_written(tmp_path: Path) -> None:
    grant = grant_of(tmp_path, 10)

    def answer(asked: Request, times: int) -> Reply:
        if asked.id == "00003":
            grant.fence()
        return Reply("A")

    adapter = Told(answer)
    assert carried(worker_of(adapter, concurrency=1), grant) == ""
    assert statuses(grant) == dict.fromkeys(["00000", "00001", "00002"], "answered") and len(adapter.asked) == 4


def test_a_lease_that_was_fenced_before_it_began_asks_nothing(tmp_path: Path) -> None:
    grant, adapter = grant_of(tmp_path, 2), Told()
    grant.fence()
    assert carried(worker_of(adapter), grant) == "" and adapter.asked == []
    assert not grant.replies.exists()


def test_a_folder_that_the_worker_cannot_see_is_named_with_what_to_do(tmp_path: Path) -> None:
    said = asyncio.run(worker_of(Told()).carry(tmp_path / "run" / "leases" / "a", tmp_path / "run" / "leases" / "b"))
    assert "a worker can't see the Run folder" in said and str(tmp_path / "run" / "leases") in said
    assert "all machines share" in said


def test_a_damaged_lease_is_a_sentence(tmp_path: Path) -> None:
    grant = grant_of(tmp_path, 1)
    grant.requests_file.write_bytes(b'{"id": 1}\n')
    said = carried(worker_of(Told()), grant)
    assert "a lease can't be read" in said and str(grant.requests_file) in said and "Traceback" not in said


def test_a_fatal_error_ends_the_worker_and_its_reason_has_no_secret(tmp_path: Path) -> None:
    def refuse(asked: Request, times: int) -> Reply:
        if asked.id == "00001":
            raise ProviderError("the key is wrong: http://user:Zq7xMarker@host/v1", kind="auth", fatal=True)
        return Reply("A")

    grant, adapter = grant_of(tmp_path, 6), Told(refuse)
    said = carried(worker_of(adapter, concurrency=1), grant)
    assert "the key is wrong" in said and "Zq7xMarker" not in said
    assert statuses(grant) == {"00000": "answered"} and adapter.asked == ["00000", "00001"]


def test_a_worker_that_is_asked_to_stop_begins_nothing_else(tmp_path: Path) -> None:
    grant = grant_of(tmp_path, 5)

    def answer(asked: Request, times: int) -> Reply:
        worker.stop()
        return Reply("A")

    worker = worker_of(Told(answer), concurrency=1)
    assert carried(worker, grant) == "" and statuses(grant) == {"00000": "answered"}


def test_a_model_that_cannot_be_loaded_is_a_sentence_and_all_others_are_released() -> None:
    class Missing(Told):
        async def open(self) -> None:
            raise SpecError("no weights of told/it", fix="triptych fetch")

    assert "no weights of told/it" in asyncio.run(worker_of(Missing()).open())
    adapter = Told()

    async def life(worker: Worker) -> str:
        why = await worker.open()
        await worker.close()
        return why

    assert asyncio.run(life(worker_of(adapter))) == "" and (adapter.opened, adapter.closed) == (1, 1)


def test_the_hashes_of_the_media_that_were_read_come_with_the_reply(tmp_path: Path) -> None:
    (tmp_path / "图.png").write_bytes(b"not a picture, but read")
    shown = item(1, media("image", "图.png"))
    asked = Request(shown.id, (Message("user", shown.parts),), {}, "", 0, shown)

    class Reads(Told):
        accepts = frozenset({"text", "image"})

        async def prepare(self, request: Request, media: MediaReader) -> None:
            for part in request.media_parts:
                media.load(part)

    grant = Grant.write(tmp_path / "leases", "s-1-0", [asked, request(2)])
    carried(worker_of(Reads(), tmp_path), grant)
    hashes = {line.response.item: line.hashes for line in grant.collect()}
    assert hashes == {"00001": {"图.png": hashlib.sha256(b"not a picture, but read").hexdigest()}, "00002": {}}


def test_a_setup_travels_as_json_and_makes_a_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    setup = Setup("baseline/constant", {"letter": "B"}, cwd=str(tmp_path / "gone"), concurrency=2)
    document = msgspec.json.encode(setup)
    assert "key" not in json.loads(document)
    try:
        worker = msgspec.json.decode(document, type=Setup).make_worker()
    finally:
        allow_foreign_code(allowed=False)
    assert Path.cwd() == tmp_path, "a working folder that another machine lacks is no error"
    grant = grant_of(tmp_path / "leases", 2)
    assert carried(worker, grant) == "" and set(statuses(grant)) == {"00000", "00001"}
    with pytest.raises(SpecError, match="nowhere"):
        Setup("nowhere/x", {}).make_worker()
