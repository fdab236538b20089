"""Tests of `models/openai/stream.py`: parsing a chat completion that is streamed as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.models.openai.test_adapter import Pieces, read
from triptych.errors import ProviderError
from triptych.models.openai.stream import MAX_EVENT_BYTES, events, read_stream


def test_a_line_without_end_is_read_in_linear_time_and_refused_beyond_its_limit() -> None:
    piece = b"data: " + b"x" * 65_530

    class Endless:
        """Pieces of one line; counts what was taken of them."""

        taken = 0

        async def iter_any(self) -> AsyncIterator[bytes]:
            for _ in range(2000):
                self.taken += len(piece)
                yield piece

    endless = Endless()
    with pytest.raises(ProviderError, match="16 MB") as error:
        asyncio.run(read_stream(endless))
    assert (error.value.kind, error.value.retryable) == ("malformed", False)
    assert endless.taken <= MAX_EVENT_BYTES + 2 * len(piece)
    with pytest.raises(ProviderError, match="16 MB"):
        read(b"data: xxxxxxxxxxxxx\n" * (MAX_EVENT_BYTES // 16), 1 << 20)


def test_events_are_split_by_empty_lines() -> None:
    async def collect() -> list[bytes]:
        return [e async for e in events(Pieces(b"data:1\n\nid: 4\ndata: 2\ndata: 3\n\n\ndata: half", 4))]

    assert asyncio.run(collect()) == [b"1", b"2\n3"]
