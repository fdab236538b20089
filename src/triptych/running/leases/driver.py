"""The driver of a Run on many machines: it owns the plan, the leases, the budget and the journal."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from triptych.models.adapter import Adapter
from triptych.records import Request, Response
from triptych.running.leases.files import FOLDER, entry_of
from triptych.running.leases.held import Granted
from triptych.running.leases.queue import Lease, Queue
from triptych.running.leases.recovery import recover, write_reply
from triptych.running.leases.team import Member, Team, WorkerLost, say, wait_briefly
from triptych.running.limits import Limits
from triptych.running.loop import SYNC_EVERY_S, RunOptions, RunOutcome, cancel, check_price, outcome_of
from triptych.running.prices import load_prices
from triptych.running.progress import choose_progress
from triptych.running.stop import Stop, heeding_signals
from triptych.running.tally import Tally
from triptych.store.folder import RunFolder, RunWriter

POLL_S = 0.1  # seconds between two looks at the journals of the workers
_POLL_EACH_S = 0.001  # more for every journal, so that 1,000 journals are not read ten times a second
CLOSE_S = 10.0  # seconds that a worker has to release its model, or to hear that it should stop
ALONE_S = 8.0  # without a ready worker, until that is said
# Leases that a worker has: it begins the second while the last Requests of the first are in progress
LEASES_PER_WORKER = 2


async def execute_leased(
    plan: Iterable[Request],
    adapter: Adapter,
    folder: RunFolder,
    team: Team,
    options: RunOptions,
    patience_s: float | None = None,
) -> RunOutcome:
    """Have a team answer every Request of the plan that has no Response yet; as `execute`, which uses this process.

    `adapter`: the model, for names and prices; it is not opened. `patience_s`: a worker that gives no reply for so long
    is replaced; by default longer than all attempts of a Request can take. Raises what `execute` raises.
    """
    with folder.writer() as writer:
        return await _Driver(plan, adapter, folder, team, options, writer, patience_s).run()


class _Driver:
    def __init__(
        self,
        plan: Iterable[Request],
        adapter: Adapter,
        folder: RunFolder,
        team: Team,
        options: RunOptions,
        writer: RunWriter,
        patience_s: float | None,
    ) -> None:
        self.adapter, self.folder, self.team, self.options, self.writer = adapter, folder, team, options, writer
        self.lease_folder = folder.path / FOLDER
        recovered = recover(folder, writer)
        self.done = folder.settled(options.retry_statuses)
        planned = options.planned if options.planned is not None else folder.planned
        self.tally = Tally(planned, len(self.done), in_data=options.in_data)
        self.tally.already_answered = self.done.with_number(1)
        self.tally.note = f"{recovered:,} Responses of an interrupted session were found" if recovered else ""
        self.stop, self.prices = Stop(), load_prices(options.prices, options.price)
        self.limits = Limits(
            adapter.name, self.tally, self.stop, options.budget_usd, options.budget_tokens, team.size * team.width
        )
        if options.budget_usd is not None or options.budget_tokens is not None:
            check_price(self.prices, adapter, options)
            for response in folder.history():
                if not response.cached:
                    self.tally.spend(response)
        self.queue = Queue(self._unanswered_requests(plan), self._requests_left, team.size)
        self.granted = Granted(self.lease_folder, secrets.token_hex(4), self.queue, self._record)
        self.members: set[Member] = set()
        self.opened: set[Member] = set()
        self.changed, self.finished = asyncio.Event(), asyncio.Event()
        self.lost_in_a_row = 0
        attempts = (options.timeout_s or 600.0) * (options.retries + 1)
        self.patience_s = patience_s if patience_s is not None else 2 * attempts + 60

    async def run(self) -> RunOutcome:
        """Start the workers, grant the leases, and end the workers."""
        if (first := self.queue.next_lease()) is None:
            return outcome_of(self.tally, self.stop)
        self.queue.put_back(first)
        with heeding_signals(self.stop):
            progress = choose_progress(self.options.progress)
            progress.start(self.adapter.name, self.tally)
            tending = asyncio.create_task(self._tend_workers(progress.every_s, progress.refresh))
            alone = asyncio.create_task(self._say_if_alone())
            slots = [asyncio.create_task(self._slot()) for _ in range(self.team.size)]
            try:
                await self._until_done([tending, *slots])
                await asyncio.gather(*(wait_briefly(member.close(), CLOSE_S) for member in self.opened))
            finally:
                await cancel([tending, alone, *slots])
                for member in list(self.members):
                    member.kill()
                progress.finish()
                self.granted.end_all()
        with suppress(OSError):
            self.lease_folder.rmdir()
        return outcome_of(self.tally, self.stop)

    async def _until_done(self, tasks: list[asyncio.Task[None]]) -> None:
        """Wait for the last reply or a stop; after a stop, Requests in progress may finish. Raises a task's error."""
        all_tasks = asyncio.gather(*tasks)  # ends with the first error
        events = self.finished, self.stop.event, self.stop.at_once
        finished, stopped, at_once = waiting = [asyncio.create_task(event.wait()) for event in events]
        try:
            await _first(finished, stopped, all_tasks)
            if not finished.done():
                self._change()
                await asyncio.gather(*(wait_briefly(member.stop(), CLOSE_S) for member in self.opened))
                limit = self.options.grace_s if self.stop.interrupted else None
                await _first(finished, at_once, all_tasks, limit=limit)
        finally:
            await cancel(waiting)
            all_tasks.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await all_tasks

    async def _say_if_alone(self) -> None:
        """Say that no worker is ready, which looks like a Run that hangs, and why that may be."""
        await asyncio.sleep(ALONE_S)
        if self.opened:
            return
        waiting_text = getattr(self.team, "waiting_reason", None)
        why = await asyncio.to_thread(waiting_text) if waiting_text else "they are being started"
        say(f"no worker is ready after {ALONE_S:g} s: {why}")

    async def _slot(self) -> None:
        """Keep one worker at work; if it is lost, start another one."""
        while not self._is_finished():
            member = self.team.start()
            self.members.add(member)
            try:
                if problem := await member.wait_until_ready():
                    self.stop.set(problem, fatal=True)
                    return
                self.opened.add(member)
                await self._feed(member, only_suspects=True)
                feeds = [asyncio.create_task(self._feed(member)) for _ in range(LEASES_PER_WORKER)]
                try:
                    await asyncio.gather(*feeds)
                finally:
                    await cancel(feeds)
            except WorkerLost as error:
                self._count_loss(error)
            finally:
                if not self.finished.is_set():  # otherwise `run` closes it
                    self.members.discard(member)
                    self.opened.discard(member)
                    member.kill()
            if self.stop.is_set:
                return

    async def _feed(self, member: Member, *, only_suspects: bool = False) -> None:
        """Give leases to a worker until none is left."""
        while (lease := self._suspect_lease() if only_suspects else await self._next_lease()) is not None:
            grant = self.granted.grant_lease(lease, member)
            try:
                problem = await member.carry(grant.requests_file, grant.replies)
            finally:
                self._count_replies(self.granted.end(grant, again=not self.stop.is_set))
                self._change()
            if problem:
                self.stop.set(problem, fatal=True)
                return

    def _suspect_lease(self) -> Lease | None:
        return None if (limit := self._max_requests()) == 0 else self.queue.suspect_lease(limit)

    async def _next_lease(self) -> Lease | None:
        """Wait for a lease. None after the last one: nothing is left, and no lease in progress can come back."""
        while not self.stop.is_set and not self.limits.over_budget(reserved=True):
            if (limit := self._max_requests()) != 0:
                if (lease := self.queue.next_lease(limit)) is not None:
                    return lease
                if not self.granted:
                    break
            await self.changed.wait()
        self._change()
        return None

    def _max_requests(self) -> int | None:
        """Return how many Requests the next lease may have under the budget; None without a budget.

        All Requests in leases are counted as if they were answered. As long as much is left of the budget, one lease
        takes a small part of it, since the mean cost of an answer is only an estimate.
        """
        room, share = self.limits.room(self.granted.pending), 2 * LEASES_PER_WORKER * self.team.size
        return None if room is None else min(room, max(self.team.width, room // share))

    def _count_replies(self, replies: int) -> None:
        if replies:
            self.lost_in_a_row = 0
        self.tally.in_flight = min(self.granted.pending, self.team.size * self.team.width)

    def _record(self, request: Request, response: Response, hashes: Mapping[str, str]) -> None:
        write_reply(self.writer, request, response, hashes)
        self.tally.add(response)
        self.limits.watch(response)

    async def _tend_workers(self, every_s: float, refresh: Callable[[], None]) -> None:
        """Read the workers' journals, replace workers that give no reply, refresh the display, flush the journals."""
        loop, since_sync, since_shown = asyncio.get_running_loop(), 0.0, 0.0
        while True:
            pause = POLL_S + _POLL_EACH_S * len(self.granted)
            await asyncio.sleep(pause)
            if replies := self.granted.collect():
                self._count_replies(replies)
                if self.limits.has_budget:  # leases may wait for what these answers cost
                    self._change()
            self.limits.over_budget(reserved=True)
            for member in self.granted.end_silent(self.patience_s, again=not self.stop.is_set):
                member.kill()
                self._change()
            since_sync, since_shown = since_sync + pause, since_shown + pause
            if since_shown >= every_s:
                since_shown = 0.0
                refresh()
            if since_sync >= SYNC_EVERY_S:
                since_sync = 0.0
                await loop.run_in_executor(None, self.writer.sync)

    def _count_loss(self, error: WorkerLost) -> None:
        self.lost_in_a_row += 1
        if self.lost_in_a_row > max(10, 3 * self.team.size) and not self.stop.is_set:
            what = f"{self.lost_in_a_row} workers were lost one after the other without a reply"
            self.stop.set(f"{what}; the last: {error}", fatal=True)

    def _change(self) -> None:
        """Wake everything that waits for a lease."""
        self.changed.set()
        self.changed = asyncio.Event()
        if self._is_finished():
            self.finished.set()

    def _is_finished(self) -> bool:
        if self.granted:
            return False
        return self.stop.is_set or self.queue.is_empty

    def _unanswered_requests(self, plan: Iterable[Request]) -> Iterator[Request]:
        for request in plan:
            if entry_of(request) not in self.done:
                yield request
            elif request.item is not None and not self.writer.knows(request.item.id):
                self.writer.add_item(request.item)

    def _requests_left(self) -> int | None:
        if self.tally.planned is None:
            return None
        return max(0, self.tally.planned - self.tally.already - self.tally.responses)


async def _first(*tasks: asyncio.Future[Any], limit: float | None = None) -> None:
    """Wait for the first of some tasks. Raises its error, if it has one."""
    done, _ = await asyncio.wait(tasks, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
