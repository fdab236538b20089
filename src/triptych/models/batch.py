"""The batch interfaces of hosted services, for the run loop: many Requests in one job, at a lower price."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from triptych.errors import ProviderError
from triptych.models.adapter import Reply
from triptych.models.http.faults import UNREAD_BY_SDK
from triptych.records import Request


@dataclass(frozen=True)
class BatchLimits:
    """The most that one batch can hold: Requests, and bytes of their lines together."""

    requests: int
    size: int


@dataclass(frozen=True)
class BatchState:
    """The state of a batch at the service. `ended`: its results can be read. `failed`: why it has none at all."""

    ended: bool
    failed: str = ""


@dataclass(frozen=True)
class BatchResult:
    """The result of one Request of a batch: a Reply, or why there is none."""

    key: str
    reply: Reply | None = None
    error: ProviderError | None = None


class BatchService(Protocol):
    """A service's batch interface, given by the `batches()` of an open adapter. All methods raise ProviderError."""

    limits: BatchLimits

    async def line(self, key: str, request: Request, prepared: Any) -> bytes:
        """Return one Request as a line of the batch, from what the adapter prepared. `key` names its result."""

    async def submit(self, lines: Path, name: str) -> str:
        """Create a batch of the lines in a file, and return its id. `name` is stored with it, if that is possible."""

    async def find(self, name: str, count: int, since: float, without: Sequence[str]) -> str:
        """Return the id of a batch that may have been created by an interrupted `submit`; empty if there is none.

        count    number of its Requests
        since    seconds since the epoch before which it can't have been created
        without  ids of other batches
        """

    async def state(self, batch: str) -> BatchState:
        """Return the state of a batch."""

    def results(self, batch: str) -> AsyncIterator[BatchResult]:
        """Yield the results of a batch that has ended, in any order. Requests that it did not reach may be missing."""


def expired(what: str) -> ProviderError:
    """Return the error of a Request that its batch did not reach; it is worth asking again."""
    return ProviderError(f"the batch {what} before this Request was answered", kind="timeout", retryable=True)


def read_result(key: str, read: Callable[[], BatchResult]) -> BatchResult:
    """Return what `read` returns, or why it can't: an unreadable result costs its own Request only."""
    try:
        return read()
    except ProviderError as error:
        return BatchResult(key, error=error)
    except UNREAD_BY_SDK as broken:
        text = f"a result that can't be read ({type(broken).__name__})"
        return BatchResult(key, error=ProviderError(text, kind="malformed", retryable=True))


def read_line(line: bytes, name: str, read: Callable[[str, dict[str, Any]], BatchResult]) -> BatchResult | None:
    """Return the result in a line of JSON, read from the Request's key and the document.

    `name`: the field of the key. None for a line that names no Request, which then counts as not reached.
    """
    try:
        document = json.loads(line)
        key = str(document[name])
    except UNREAD_BY_SDK:
        return None
    return read_result(key, lambda: read(key, document))
