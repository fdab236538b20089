"""Reading the body of a reply up to a size limit, so that a server can't exhaust memory, compressed or not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from triptych.errors import ProviderError

MAX_BODY_BYTES = 128 * 1024 * 1024  # bytes, decompressed; spoken replies are long


class Chunks(Protocol):
    """A body that arrives in pieces, such as aiohttp's StreamReader."""

    def iter_any(self) -> AsyncIterator[bytes]:
        """Yield the bytes as they arrive."""


class Bounded:
    """A body in pieces. Raises ProviderError (`malformed`, not retryable) if it is longer than any answer."""

    def __init__(self, content: Chunks) -> None:
        self._content = content

    async def iter_any(self) -> AsyncIterator[bytes]:
        """Yield the bytes as they arrive."""
        size = 0
        async for piece in self._content.iter_any():
            size += len(piece)
            if size > MAX_BODY_BYTES:
                raise ProviderError(f"a reply of more than {MAX_BODY_BYTES >> 20} MB", kind="malformed")
            yield piece


async def read_whole(content: Chunks) -> bytes:
    """Return a body, read to its end. Raises ProviderError as `Bounded` does."""
    return b"".join([piece async for piece in Bounded(content).iter_any()])
