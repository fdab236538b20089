"""The body of a reply, read up to a limit: what a server can make us hold is bounded, compressed or not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from triptych.errors import ProviderError

LONGEST = 128 * 1024 * 1024  # bytes, decompressed: replies that are spoken are long


class Chunks(Protocol):
    """A body that comes in pieces, as aiohttp's StreamReader gives it."""

    def iter_any(self) -> AsyncIterator[bytes]:
        """Whatever has come."""


class Bounded:
    """A body in pieces. Raises ProviderError (`malformed`, not asked again) where it is longer than any answer: it may
    have no end."""

    def __init__(self, content: Chunks) -> None:
        self._content = content

    async def iter_any(self) -> AsyncIterator[bytes]:
        """Whatever has come."""
        size = 0
        async for piece in self._content.iter_any():
            size += len(piece)
            if size > LONGEST:
                raise ProviderError(f"a reply of more than {LONGEST >> 20} MB", kind="malformed")
            yield piece


async def whole(content: Chunks) -> bytes:
    """A body, read to its end. Raises ProviderError as `Bounded` does."""
    return b"".join([piece async for piece in Bounded(content).iter_any()])
