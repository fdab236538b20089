"""Tests of `models/http/bounded.py`."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest

from tests.models.http.test_posting import OK, Server, asked
from triptych.models.http.bounded import read_whole


def test_a_connection_is_used_again_if_the_body_was_read() -> None:
    server = Server()

    async def five(read: bool) -> int:
        before = server.connections
        async with asked(server) as (_, posting, _):
            for _ in range(5):
                async with posting.post(b"{}") as reply:
                    assert (reply.status, reply.content_type) == (200, "")
                    if read:
                        await read_whole(reply.content)
        return server.connections - before

    assert asyncio.run(five(read=True)) == 1
    server.answers = [b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nthe rest never comes"]
    assert asyncio.run(five(read=False)) == 5


@pytest.mark.parametrize(
    ("answer", "end_after", "error"),
    [
        (b"", 1, aiohttp.ServerDisconnectedError),
        (b"no HTTP at all\r\n\r\n", 0, aiohttp.ClientResponseError),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf", 1, aiohttp.ClientPayloadError),
    ],
)
def test_what_breaks_is_an_error_of_aiohttp_and_ends_the_connection(
    answer: bytes, end_after: int, error: type[Exception]
) -> None:
    server = Server(answer, OK, end_after=end_after)

    async def two() -> None:
        async with asked(server) as (_, posting, _):
            with pytest.raises(error):
                async with posting.post(b"{}") as reply:
                    await read_whole(reply.content)
            async with posting.post(b"{}") as reply:
                assert await reply.read() == b"OK"

    asyncio.run(two())
    assert server.connections == 2
