"""Anthropic's message batches, through Anthropic's SDK."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.models.anthropic.reply import read_reply
from triptych.models.batch import BatchLimits, BatchResult, BatchState, expired, read_result
from triptych.models.http.faults import fault
from triptych.records import Request

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    import anthropic

CLOCKS_S = 300.0  # the service's clock and ours may differ by so much
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}


class AnthropicBatches:
    """The batch interface of an open client. `faults`: turns the SDK's exceptions into ProviderErrors."""

    limits: BatchLimits = BatchLimits(100_000, 250_000_000)  # 256 MB, with room for what is between the lines

    def __init__(self, client: anthropic.AsyncAnthropic, faults: Callable[[], AbstractContextManager[None]]) -> None:
        self._client, self._faults = client, faults

    async def line(self, key: str, request: Request, prepared: Any) -> bytes:
        """Return `{"custom_id", "params"}`; what a single Request sends beyond the SDK's arguments is in the body."""
        params = {name: value for name, value in prepared.items() if name != "extra_body"}
        params |= prepared.get("extra_body") or {}
        return json.dumps({"custom_id": key, "params": params}, ensure_ascii=False).encode() + b"\n"

    async def submit(self, lines: Path, name: str) -> str:
        """Create a batch. The service stores no name with it: the keys of its Requests begin with it."""
        with self._faults():
            with lines.open("rb") as file:
                requests: Any = [json.loads(line) for line in file]
            return (await self._client.messages.batches.create(requests=requests)).id

    async def find(self, name: str, count: int, since: float, without: Sequence[str]) -> str:
        """Return a batch of this size that was created since then. Its results show whether it is this one."""
        with self._faults():
            async for batch in await self._client.messages.batches.list(limit=100):
                if batch.created_at.timestamp() < since - CLOCKS_S:
                    return ""
                counts = batch.request_counts
                total = counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
                if total == count and batch.id not in without:
                    return batch.id
        return ""

    async def state(self, batch: str) -> BatchState:
        """Return the state; `ended` also of batches that expired or were cancelled."""
        with self._faults():
            reply = await self._client.messages.batches.retrieve(batch)
        if reply.archived_at is not None:
            return BatchState(True, "its results are not available any more (29 days)")
        return BatchState(reply.processing_status == "ended")

    async def results(self, batch: str) -> AsyncIterator[BatchResult]:
        """Yield the results, each as the service types it."""
        with self._faults():
            async for one in await self._client.messages.batches.results(batch):
                yield read_result(one.custom_id, partial(_result, one.custom_id, one.result))


def _result(key: str, result: Any) -> BatchResult:
    if result.type == "succeeded":
        return BatchResult(key, read_reply(result.message))
    if result.type in ("expired", "canceled"):
        return BatchResult(key, error=expired(result.type))
    inner = result.error.error
    return BatchResult(key, error=fault(_STATUS.get(inner.type, 500), inner.message, inner.type))
