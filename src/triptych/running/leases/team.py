"""Workers as the driver sees them, wherever they are: actors of Ray, or in tests objects of this process."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import Protocol


class WorkerLost(Exception):
    """A worker has ended, or can't be reached."""


class Member(Protocol):
    """A worker somewhere. Every method raises WorkerLost if the worker has ended."""

    async def wait_until_ready(self) -> str:
        """Wait until the model is loaded. Returns the reason why no Request can be answered, or an empty string."""

    async def carry(self, asks: Path, replies: Path) -> str:
        """Answer a lease: see `Worker.carry`."""

    async def stop(self) -> None:
        """Let the worker finish what is in progress, and begin nothing else."""

    async def close(self) -> None:
        """Release the model."""

    def kill(self) -> None:
        """End the worker at once."""


class Team(Protocol):
    """Makes workers. `size`: number of workers at the same time; `width`: Requests that each has in progress."""

    size: int
    width: int

    def start(self) -> Member:
        """Begin to start a worker, which may have to wait for a free machine."""


def say(words: str) -> None:
    """Print a line on standard error."""
    print(words, file=sys.stderr, flush=True)  # noqa: T201


async def wait_briefly(work: Awaitable[None], limit: float) -> None:
    """Wait for what a worker was asked to do, for at most `limit` seconds; a lost worker is ignored."""
    with suppress(WorkerLost, TimeoutError):
        async with asyncio.timeout(limit):
            await work
