"""Small bodies sent without aiohttp's session: the same bytes, the same connections, the same errors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from yarl import URL

from triptych.errors import ProviderError, SpecError
from triptych.models.http.in_step import InStep
from triptych.models.http.in_step_session import Answer, Connector
from triptych.models.http.posting import SMALL, Posting
from triptych.models.openai.adapter import make
from triptych.records import Request

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK"
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Server:
    """Keeps every Request as it came, and replies with `answers` in turn; the last one again and again."""

    def __init__(self, *answers: bytes, end_after: int = 0) -> None:
        self.answers, self.end_after = list(answers) or [OK], end_after
        self.seen: list[tuple[bytes, bytes]] = []  # head, body
        self.connections = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
                self.seen.append((head, await reader.readexactly(length)))
                writer.write(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0])
                if len(self.seen) == self.end_after:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()


@asynccontextmanager
async def asked(server: Server, address: str = "http://127.0.0.1:{port}/v1/chat/completions", **headers: str) -> Any:
    """A session and a Posting to the server."""
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    url = URL(address.format(port=listening.sockets[0].getsockname()[1]))
    async with aiohttp.ClientSession(
        connector=Connector(InStep()),
        response_class=Answer,
        headers={"Content-Type": "application/json", **headers},
        cookie_jar=aiohttp.DummyCookieJar(),
        skip_auto_headers=("User-Agent", "Accept-Encoding"),
    ) as session:
        yield session, Posting(session, url, ("User-Agent", "Accept-Encoding")), url
    listening.close()


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:{port}/v1/chat/completions",
        "http://localhost:{port}/a b/对话?deployment=ü&x=1%202#end",
        "http://user:p%40ss@127.0.0.1:{port}/v1",
        "http://127.0.0.1:{port}",
    ],
)
def test_the_bytes_are_those_of_a_session(address: str) -> None:
    server = Server()

    async def both() -> None:
        headers = {} if "@" in address else {"Authorization": "Bearer schlüssel"}
        async with asked(server, address, **headers) as (session, posting, url):
            async with posting.post(b'{"a": 1}') as reply:
                assert await reply.read() == b"OK"
            async with session.post(url, data=b'{"a": 1}') as reply:
                await reply.read()

    asyncio.run(both())
    (ours, body), (theirs, same) = server.seen
    assert body == same == b'{"a": 1}'
    first, *fields = ours.split(b"\r\n")
    assert first == theirs.split(b"\r\n")[0]
    assert sorted(fields) == sorted(theirs.split(b"\r\n")[1:])


def test_an_answer_may_be_announced() -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
    server = Server(early + OK.replace(b"OK\r\n", b"OK\r\nContent-Type: Text/Event-Stream ;charset=utf-8\r\n", 1))

    async def one() -> None:
        async with asked(server) as (_, posting, _), posting.post(b"{}") as reply:
            assert (reply.status, reply.content_type) == (200, "text/event-stream")
            assert await reply.read() == b"OK"

    asyncio.run(one())


def test_a_request_that_is_cancelled_ends_its_connection() -> None:
    server = Server(b"", OK)

    async def two() -> None:
        async with asked(server) as (_, posting, _):
            waits = asyncio.ensure_future(posting.post(b"{}").__aenter__())
            while not server.seen:
                await asyncio.sleep(0)
            waits.cancel()
            await asyncio.gather(waits, return_exceptions=True)
            async with posting.post(b"{}") as reply:
                assert await reply.read() == b"OK"

    asyncio.run(two())
    assert server.connections == 2


def respond(address: str, body: bytes) -> Any:
    adapter = make("m", {"base_url": address})

    async def once() -> Any:
        try:
            await adapter.open()
            return await adapter.respond(Request("1", ()), body)
        finally:
            await adapter.close()

    return asyncio.run(once())


@pytest.mark.parametrize("size", [SMALL, SMALL + 1])
def test_a_body_of_any_size_is_sent(size: int) -> None:
    answer = b'{"choices": [{"message": {"content": "B"}}]}'
    server = Server(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(answer), answer))

    async def once() -> Any:
        async with asked(server) as (_, _, url):
            adapter = make("m", {"base_url": str(url.with_path("/v1"))})
            await adapter.open()
            try:
                return await adapter.respond(Request("1", ()), b" " * size)
            finally:
                await adapter.close()

    assert asyncio.run(once()).text == "B"
    assert [len(body) for _, body in server.seen] == [size]


def test_a_proxy_is_asked_by_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")

    async def once() -> None:
        async with asked(server) as (_, _, url):
            monkeypatch.setenv("http_proxy", str(url.origin()))
            adapter = make("m", {"base_url": "http://model.invalid/v1"})
            await adapter.open()
            try:
                await adapter.respond(Request("1", ()), b"{}")
            finally:
                await adapter.close()

    with pytest.raises(ProviderError, match="HTTP 500"):
        asyncio.run(once())
    assert server.seen[0][0].startswith(b"POST http://model.invalid/v1/chat/completions HTTP/1.1\r\n")


def test_a_key_with_a_line_break_is_refused_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "one-key\nanother-key")
    with pytest.raises(SpecError, match="Authorization") as error:
        respond("http://127.0.0.1:9/v1", b"{}")
    assert "one-key" not in str(error.value) and "another-key" not in str(error.value)


def test_a_closed_port_is_named() -> None:
    with pytest.raises(ProviderError, match=r"no connection to http://127\.0\.0\.1:9/v1") as error:
        respond("http://127.0.0.1:9/v1", b"{}")
    assert error.value.kind == "connection"
