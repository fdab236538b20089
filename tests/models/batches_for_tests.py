"""What tests of the batch interfaces of several services do with a batch."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from triptych.models.batch import BatchResult, BatchState


def use(adapter: Any, work: Callable[[Any, Any], Awaitable[Any]]) -> Any:
    """Open an adapter, do something with its batches, close it."""

    async def whole() -> Any:
        await adapter.open()
        try:
            return await work(adapter.batches(), adapter)
        finally:
            await adapter.close()

    return asyncio.run(whole())


async def carried_out(batches: Any, lines: Path) -> list[BatchResult]:
    """Submit lines, wait for their end, find the batch by its name, and return its results."""
    batch = await batches.submit(lines, "3f2a")
    assert await batches.state(batch) == BatchState(False)
    assert await batches.state(batch) == BatchState(True)
    assert await batches.find("3f2a", 2, 0.0, ()) == batch
    assert await batches.find("3f2a", 2, 0.0, (batch,)) == "" == await batches.find("other", 2, 0.0, ())
    return [result async for result in batches.results(batch)]
