"""Tests of `models/http/in_step_session.py`: a session whose connections are watched."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest

from tests.models.http.test_posting import OK, Server
from triptych.errors import ProviderError
from triptych.models.http import in_step_session
from triptych.models.http.in_step import InStep, WatchedConnection
from triptych.models.http.in_step_session import Answer, Connector, session_parts
from triptych.records import Message, Request, text

REQUEST = Request("1", (Message("user", (text("?"),)),))
Work = Callable[[aiohttp.ClientSession, str, InStep], Awaitable[Any]]
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def with_session(serve: Serve, work: Work, **options: Any) -> Any:
    """Do something with a session and the address of a server."""

    async def whole() -> Any:
        listening = await asyncio.start_server(serve, "127.0.0.1", 0)
        steps = InStep()
        url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
        async with aiohttp.ClientSession(**session_parts(steps, **options)) as session:
            done = await work(session, url, steps)
        listening.close()
        return done

    return asyncio.run(whole())


async def post(session: aiohttp.ClientSession, url: str, steps: InStep) -> tuple[bytes, WatchedConnection | None]:
    with steps.context_of(REQUEST) as asking:
        async with session.post(url, data=b"{}") as answer:
            return await answer.read(), asking.line


def test_a_connection_is_used_again_and_answers_know_it() -> None:
    server = Server()

    async def work(session: aiohttp.ClientSession, url: str, steps: InStep) -> list[Any]:
        return [await post(session, url, steps) for _ in range(3)]

    answers = with_session(server.serve, work)
    assert [body for body, _ in answers] == [b"OK"] * 3 and server.connections == 1
    lines = {line for _, line in answers}
    assert len(lines) == 1 and isinstance(lines.pop(), WatchedConnection)


def test_a_connection_that_brought_an_answer_too_many_is_not_used_again() -> None:
    server = Server(OK + OK, OK)

    async def work(session: aiohttp.ClientSession, url: str, steps: InStep) -> list[Any]:
        first = await post(session, url, steps)
        await asyncio.sleep(0.05)
        return [first, await post(session, url, steps)]

    (_, first), (body, second) = with_session(server.serve, work)
    assert body == b"OK" and first is not second and first.unasked and server.connections == 2


@pytest.mark.parametrize(("is_usable", "connections"), [(True, 1), (False, 2)])
def test_a_connection_that_is_not_usable_rests_and_another_one_is_opened(is_usable: bool, connections: int) -> None:
    server, asked_about, rested = Server(), list[WatchedConnection](), list[WatchedConnection]()

    async def work(session: aiohttp.ClientSession, url: str, steps: InStep) -> list[Any]:
        def usable(line: WatchedConnection) -> bool:
            asked_about.append(line)
            return is_usable

        def rest(connection: Any, line: WatchedConnection) -> None:
            rested.append(line)
            connection.close()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(steps, "is_usable", usable)
            patch.setattr(steps, "set_aside", rest)
            return [await post(session, url, steps) for _ in range(2)]

    (_, first), (body, second) = with_session(server.serve, work)
    assert body == b"OK" and server.connections == connections and (first is second) is is_usable
    assert asked_about == [first], "a new connection is usable without a question"
    assert rested == ([] if is_usable else [first])


def test_a_server_that_speaks_first_is_no_server() -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(OK)
        await writer.drain()
        await reader.read()
        writer.close()

    async def work(session: aiohttp.ClientSession, url: str, steps: InStep) -> str:
        connector = session.connector
        assert isinstance(connector, Connector)
        real = aiohttp.TCPConnector.connect

        async def slow(self: Any, *options: Any, **named: Any) -> Any:
            connection = await real(self, *options, **named)
            await asyncio.sleep(0.1)  # what it says arrives before anything is asked
            return connection

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(aiohttp.TCPConnector, "connect", slow)
            with pytest.raises(aiohttp.ServerDisconnectedError) as caught:
                await post(session, url, steps)
        return str(caught.value)

    assert "sent data before a Request" in with_session(greet, work)


def test_a_body_without_end_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.models.http.bounded.MAX_BODY_BYTES", 1 << 20)
    body = b" " * (1 << 21)
    server = Server(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    async def work(session: aiohttp.ClientSession, url: str, steps: InStep) -> None:
        with pytest.raises(ProviderError, match="more than 1 MB"):
            await post(session, url, steps)

    with_session(server.serve, work)
    assert len(server.seen) == 1


def test_with_another_aiohttp_connections_are_used_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its inside may change; the public interface does not."""
    monkeypatch.setattr(in_step_session, "missing", lambda: ["ResponseHandler.feed_data"])
    server = Server()

    async def work(session: aiohttp.ClientSession, url: str, steps: InStep) -> list[Any]:
        assert not isinstance(session.connector, Connector)
        return [await post(session, url, steps) for _ in range(3)]

    answers = with_session(server.serve, work, keepalive_timeout=30, limit=5)
    assert answers == [(b"OK", None)] * 3 and server.connections == 3


def test_options_reach_the_connector() -> None:
    async def parts() -> dict[str, Any]:
        made = session_parts(InStep(), limit=7, keepalive_timeout=30)
        await made["connector"].close()
        return made

    made = asyncio.run(parts())
    assert made["response_class"] is Answer and made["connector"].limit == 7
