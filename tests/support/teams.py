"""Teams of workers in this process, for the driver of leases: workers can be killed, and killed ones can live on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from triptych.media.payload import MediaReader
from triptych.models.adapter import Adapter
from triptych.running.leases.team import WorkerLost
from triptych.running.leases.worker import Setup, Worker


class LocalMember:
    """A worker in this event loop. `zombie`: it goes on working after it was killed."""

    def __init__(self, worker: Worker, zombie: bool = False) -> None:
        self.worker, self.zombie = worker, zombie
        self.killed = asyncio.Event()
        self.work: set[asyncio.Task[str]] = set()

    async def wait_until_ready(self) -> str:
        return await self._unless_killed(asyncio.create_task(self.worker.open()))

    async def carry(self, asks: Path, replies: Path) -> str:
        return await self._unless_killed(asyncio.create_task(self.worker.carry(asks, replies)))

    async def stop(self) -> None:
        self.worker.stop()

    async def close(self) -> None:
        await self.worker.close()

    def kill(self) -> None:
        self.killed.set()
        for task in self.work if not self.zombie else ():
            task.cancel()

    async def _unless_killed(self, task: asyncio.Task[str]) -> str:
        self.work.add(task)
        dead = asyncio.create_task(self.killed.wait())
        await asyncio.wait({task, dead}, return_when=asyncio.FIRST_COMPLETED)
        dead.cancel()
        if task.done() and not task.cancelled():
            return task.result()
        raise WorkerLost("killed")


class LocalTeam:
    """`make(number)` returns the adapter of the worker that is started as this one, from 0."""

    def __init__(
        self,
        size: int,
        make: Callable[[int], Adapter],
        concurrency: int = 4,
        zombies: bool = False,
        prices: Path | None = None,
    ) -> None:
        self.size, self.width, self.make, self.zombies = size, concurrency, make, zombies
        self.prices = str(prices) if prices else None
        self.members: list[LocalMember] = []

    def start(self) -> LocalMember:
        setup = Setup("told/it", {}, concurrency=self.width, retries=0, prices=self.prices)
        worker = Worker(self.make(len(self.members)), MediaReader(None), setup)
        self.members.append(LocalMember(worker, self.zombies))
        return self.members[-1]
