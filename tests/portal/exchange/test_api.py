"""Tests of `portal/exchange/api.py`: the HTTP API of an exchange, request by request."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from tests.portal.conftest import anonymous, visitor
from tests.portal.exchange.test_local import send, task
from triptych.portal.exchange import api
from triptych.portal.exchange.ends import Accepted, Batch, PortalPeople, Pushed
from triptych.portal.exchange.local import Local
from triptych.portal.project import Portal
from triptych.portal.routes import ROUTES
from triptych.portal.work.tokens import add_token


@dataclass
class Caller:
    """A program with a token."""

    client: TestClient

    def __call__(self, method: str, path: str, content: bytes = b"", **headers: str) -> Any:
        return self.client.request(method, f"/api/{path}", content=content, headers=headers)


@pytest.fixture
def call(small: Portal) -> Caller:
    """A program whose token was made here."""
    client = anonymous(small)
    with small.database.writing() as connection:
        client.headers.update({"authorization": f"Bearer {add_token(connection, 'build')}", "accept": "*/*"})
    return Caller(client)


def batch(*keys: str, settings: Any = None) -> bytes:
    return msgspec.json.encode(Batch("review", settings or {"slots": ["1"]}, [task(key) for key in keys]))


def test_a_file_comes_back_as_it_was_sent(small: Portal, call: Caller) -> None:
    data = "题\r\n".encode() * 1000
    name = sha256(data).hexdigest()
    assert call("GET", f"media/{name}").status_code == 404
    answer = call("PUT", f"media/{name}", data)
    assert (answer.status_code, answer.json()) == (201, {"sha256": name, "size": len(data)})
    assert call("GET", f"media/{name}").content == data
    wrong = call("PUT", f"media/{'0' * 64}", data)
    assert wrong.status_code >= 400 and call("GET", f"media/{'0' * 64}").status_code == 404


def test_tasks_are_put_and_results_end_with_their_number(small: Portal, call: Caller, monkeypatch: Any) -> None:
    monkeypatch.setattr(api, "PART", 64)  # each result is sent by itself
    made = call("PUT", "queues/check", batch("a", "b/1"))
    assert msgspec.json.decode(made.content, type=Pushed) == Pushed("check", "review", 2, 2, 0)
    who = visitor(small, "reviewer")
    first = call("GET", "queues/check/results").content.splitlines()
    assert [json.loads(line) for line in first[1:]] == [{"results": 0}]
    sent = [send(small, "check", who.id, number, {"verdict": "approve"}) for number in (1, 2)]
    head, *lines, last = call("GET", "queues/check/results").content.splitlines()
    assert msgspec.json.decode(head, type=PortalPeople).people == [who.session.person.pseudonym]
    results = [msgspec.json.decode(line, type=Accepted) for line in lines]
    assert [each.id for each in results] == sent and json.loads(last) == {"results": 2}
    assert results == list(Local(small).results("check")[1])
    export = msgspec.json.encode({"target": "build", "ids": [*sent, "of-nobody-000000"]})
    assert call("POST", "queues/check/exports", export).json() == sorted(sent)


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b'{"kind": "review"}', b"\xff\xfe", b"[" * 9000, b'{"kind": "review", "kind": "survey", "tasks": []}'],
)
def test_a_body_that_is_no_batch_is_refused_and_makes_no_queue(small: Portal, call: Caller, body: bytes) -> None:
    answer = call("PUT", "queues/check", body)
    assert 400 <= answer.status_code < 500 and "JSON" in answer.text
    assert call("GET", "queues/check/results").status_code == 422


def test_without_a_token_nothing_is_taken_or_told(small: Portal, call: Caller) -> None:
    stranger = anonymous(small)
    call("PUT", "queues/check", batch("a"))
    for method, path in (("PUT", "queues/check"), ("GET", "queues/check/results"), ("GET", f"media/{'0' * 64}")):
        assert stranger.request(method, f"/api/{path}", content=batch("b")).status_code == 401


def test_a_large_file_comes_in_chunks_and_says_how_far_it_is(small: Portal, call: Caller) -> None:
    data = bytes(range(256)) * 40
    name, parts = sha256(data).hexdigest(), [data[:5000], data[5000:]]
    there = next(page.path for page in ROUTES if page.answer is api.received).removeprefix("/api/").format(sha256=name)
    assert call("GET", there).json() == {"stored": False, "chunks": {}}
    chunk = next(page.path for page in ROUTES if page.answer is api.put_chunk).removeprefix("/api/").replace(":int", "")
    for number, part in enumerate(parts):
        own = sha256(part).hexdigest()
        path = chunk.format(sha256=name, number=number)
        assert call("PUT", path, part, **{"x-content-sha256": "0" * 64}).status_code >= 400
        assert call("PUT", path, part, **{"x-content-sha256": own}).json() == {"sha256": own, "size": len(part)}
    assert list(call("GET", there).json()["chunks"].values()) == [sha256(part).hexdigest() for part in parts]
    joined = next(page for page in ROUTES if page.answer is api.join_chunks)
    path = joined.path.removeprefix("/api/").format(sha256=name)
    assert call(joined.method, path, b"2").json() == {"sha256": name, "size": len(data)}
    assert call("GET", f"media/{name}").content == data and call("GET", there).json() == {"stored": True, "chunks": {}}
