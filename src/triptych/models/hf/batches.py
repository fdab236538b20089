"""Batches out of concurrent Requests: jobs of similar length are answered together by one thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")
QUIET_S = 0.02  # if no job arrives for this long, an incomplete batch is run


@dataclass(frozen=True)
class Rules(Generic[Job]):
    """How jobs are put together.

    group     jobs with equal groups can share a batch
    length    expected length of a job; a batch takes the jobs that are closest in length to the oldest one
    too_much  whether an exception means that memory ran out
    free      called after such an exception, before a smaller batch is tried
    """

    group: Callable[[Job], Hashable]
    length: Callable[[Job], float]
    too_much: Callable[[Exception], bool]
    free: Callable[[], None] = lambda: None


class Batcher(Generic[Job, Result]):
    """Collects jobs and runs them in batches of at most `size`, in a thread of its own.

    If a batch raises an exception, its halves are run, down to single jobs: the job that causes it gets the exception,
    the others get their results. If memory ran out, later batches are at most half as large.
    """

    def __init__(self, run: Callable[[Sequence[Job]], Sequence[Result]], size: int, rules: Rules[Job]) -> None:
        self.size: int = size
        self._run, self._rules = run, rules
        self._waiting: list[tuple[Job, asyncio.Future[Result]]] = []
        self._arrived = asyncio.Event()
        self._pool = ThreadPoolExecutor(1, "model")
        self._task: asyncio.Task[None] | None = None

    async def ask(self, job: Job) -> Result:
        """Return the job's result, or raise the exception that it alone causes."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._serve())
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((job, future))
        self._arrived.set()
        return await future

    async def close(self) -> None:
        """End the thread after the batch that is running; jobs that wait are cancelled."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        for _, future in self._waiting:
            future.cancel()
        await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)

    async def _serve(self) -> None:
        while True:
            await self._arrived.wait()
            await self._wait_until_quiet()
            batch = self._take()
            if not self._waiting:
                self._arrived.clear()
            if not batch:
                continue
            results = await asyncio.get_running_loop().run_in_executor(
                self._pool, self._in_halves, [job for job, _ in batch]
            )
            for (_, future), result in zip(batch, results, strict=True):
                if future.done():  # its attempt timed out
                    continue
                if isinstance(result, Exception):
                    future.set_exception(result)
                else:
                    future.set_result(result)

    async def _wait_until_quiet(self) -> None:
        """Wait until a batch is full, or no more jobs arrive."""
        waiting = -1
        while waiting != len(self._waiting) < self.size:
            waiting = len(self._waiting)
            await asyncio.sleep(QUIET_S)

    def _take(self) -> list[tuple[Job, asyncio.Future[Result]]]:
        """Remove the next batch from the waiting jobs: the oldest, and those of its group closest to it in length."""
        self._waiting = [(job, future) for job, future in self._waiting if not future.done()]
        if not self._waiting:
            return []
        oldest = self._waiting[0][0]
        group, length = self._rules.group(oldest), self._rules.length(oldest)
        fitting = [one for one in self._waiting if self._rules.group(one[0]) == group]
        fitting.sort(key=lambda one: abs(self._rules.length(one[0]) - length))
        batch = fitting[: self.size]
        taken = {id(future) for _, future in batch}
        self._waiting = [one for one in self._waiting if id(one[1]) not in taken]
        return batch

    def _in_halves(self, jobs: Sequence[Job]) -> list[Result | Exception]:
        """Return the result or exception of each job."""
        try:
            return list(self._run(jobs))
        except Exception as error:  # noqa: BLE001 - each job gets its own
            failure = error.with_traceback(None)  # a traceback would keep the batch's tensors
        if self._rules.too_much(failure):
            self.size = max(1, min(self.size, len(jobs) // 2))
            self._rules.free()
        if len(jobs) == 1:
            return [failure]
        middle = len(jobs) // 2
        return [*self._in_halves(jobs[:middle]), *self._in_halves(jobs[middle:])]
