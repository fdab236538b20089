"""The Requests of a Run sent through a service's batch interface, at its lower price.

A session collects what earlier sessions sent, sends what is left in as few batches as fit, and waits. It can be killed
at any moment: each batch is recorded before it is sent, and looked for at the service if it is not known whether it was
received. Requests without an answer (expired, cancelled, an error of the server) are sent again, as often as `retries`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import closing, nullcontext
from typing import Any

from msgspec import structs
from msgspec.json import encode

from triptych.errors import ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Adapter
from triptych.models.batch import BatchService
from triptych.records import Request, Response
from triptych.running.ask import Asker
from triptych.running.batch_files import Batch, BatchFolder, BatchRequest, new_batch, place_of
from triptych.running.gate import Gate, backoff
from triptych.running.limits import Limits
from triptych.running.loop import RunOptions, RunOutcome, check_price, open_cache, outcome_of, with_hashes
from triptych.running.prices import load_prices
from triptych.running.progress import choose_progress
from triptych.running.stop import Stop, Stopped, heeding_signals
from triptych.running.tally import Tally
from triptych.store.folder import Entry, RunFolder

WAITING = ("sending", "sent")
SLOWEST_S = 600.0  # between two looks at batches that take hours


async def execute_in_batches(
    plan: Iterable[Request], adapter: Adapter, folder: RunFolder, media: MediaReader, options: RunOptions
) -> RunOutcome:
    """Send every Request of the plan that has no Response yet in batches, and journal the Responses.

    Raises SpecError for an adapter without a batch interface, and what `running.loop.execute` raises.
    """
    check_batches(adapter)
    with folder.writer() as writer:
        return await _Session(list_of(plan), adapter, folder, media, options, writer).run()


def list_of(plan: Iterable[Request]) -> Iterable[Request]:
    """Return the plan, which is read once in each round."""
    return plan if isinstance(plan, list) else list(plan)


def check_batches(adapter: Adapter) -> None:
    """Raise SpecError for an adapter without a batch interface."""
    if not hasattr(adapter, "batches"):
        raise SpecError(
            f"{adapter.name} can't be asked in batches",
            expected="openai/…, anthropic/… or gemini/…",
            fix="ask without --batch",
        )


class _Session:
    """One session: collects, sends and waits until nothing is left, or until it is stopped."""

    def __init__(
        self,
        plan: Iterable[Request],
        adapter: Adapter,
        folder: RunFolder,
        media: MediaReader,
        options: RunOptions,
        writer: Any,
    ) -> None:
        self.plan, self.adapter, self.media, self.options, self.writer = plan, adapter, media, options, writer
        self.files = BatchFolder(folder.path)
        self.done = folder.settled(options.retry_statuses)
        self.journaled: set[Entry] = set()  # in this session
        planned = options.planned if options.planned is not None else folder.planned
        self.tally, self.stop = Tally(planned, len(self.done), in_data=options.in_data), Stop()
        self.tally.already_answered = self.done.with_number(1)
        self.prices = load_prices(options.prices, options.price).in_batches()
        self.limits = Limits(
            adapter.name, self.tally, self.stop, options.budget_usd, options.budget_tokens, options.concurrency
        )
        if self.limits.has_budget:
            check_price(self.prices, adapter, options)
            for response in folder.history():
                if not response.cached:
                    self.tally.spend(response)

    async def run(self) -> RunOutcome:
        """Open the adapter, work until nothing is left, close it."""
        self.files.prepare()
        cache = open_cache(self.options.cache, self.adapter) if self.options.cache else None
        progress = choose_progress(self.options.progress)
        with closing(cache) if cache else nullcontext(), heeding_signals(self.stop):
            self.asker = Asker(
                self.adapter, self.media, Gate(1), self.stop, self.tally, self.prices, cache, self.options.retries, None
            )
            try:
                await self.adapter.open()
                self.service: BatchService = self.adapter.batches()  # type: ignore[attr-defined]
                progress.start(self.adapter.name, self.tally)
                self.progress = progress
                try:
                    await self._work()
                except Stopped:
                    pass
                except ProviderError as error:
                    self.stop.set(str(error), fatal=not error.retryable)
                finally:
                    self.writer.sync()
                    progress.finish()
            finally:
                await self.adapter.close()
        return outcome_of(self.tally, self.stop)

    async def _work(self) -> None:
        pause = self.options.poll_s
        while True:
            for batch in self._open():
                await self._collect(batch)
            sent = await self._send_rest()
            waiting = self._open()
            self.tally.in_batches = sum(batch.count for batch in waiting)
            self.progress.refresh()
            if not waiting or self.stop.is_set:
                return
            pause = self.options.poll_s if sent else min(SLOWEST_S, pause * 1.25)
            await self.stop.sleep(pause)

    def _open(self) -> list[Batch]:
        return [batch for batch in self.files.read_batches() if batch.state in WAITING]

    # --- sending

    async def _send_rest(self) -> int:
        """Send what is in no batch and has no Response. Returns the number of batches."""
        underway = {
            (one.request.id, one.request.condition, one.request.repeat)
            for batch in self._open()
            for one in self.files.requests(batch.name)
        }
        tries, count, sent = self.files.count_tries(), 0, 0
        room = self._room(len(underway))
        parcel = _Parcel(self.files)
        for request in self.plan:
            if self.stop.is_set or count >= room:
                break
            entry = (request.id, request.condition, request.repeat)
            if entry in self.done or entry in self.journaled or entry in underway:
                continue
            line = await self._line(request, parcel, tries[entry])
            if line is None:
                continue
            if parcel.lines and not parcel.has_room_for(line, self.service):
                await self._send(parcel)
                parcel, sent = _Parcel(self.files), sent + 1
                line = await self._line(request, parcel, tries[entry])  # its key has the batch's name
                if line is None:
                    continue
            parcel.add(line, self.latest)
            count += 1
        if parcel.lines and not self.stop.is_set:
            await self._send(parcel)
            sent += 1
        else:
            parcel.drop()
        return sent

    def _room(self, underway: int) -> int:
        """Return how many Requests the budget allows to send; those in batches are assumed to cost the mean."""
        if not self.limits.has_budget:
            return 1 << 62
        if not underway and self.limits.over_budget():
            return 0
        return self.limits.room(underway) or 0

    async def _line(self, request: Request, parcel: _Parcel, before: int) -> bytes | None:
        """Return a Request as a line; None if it has a Response without being sent."""
        key = f"{parcel.name}-{parcel.lines}"
        try:
            prepared, response = await self.asker.prepare_request(request)
            if response is not None:
                self._record(request, response)
                return None
            line = await self.service.line(key, request, prepared)
        except ProviderError as error:
            if error.fatal or error.retryable:
                raise
            self._record(request, self.asker.failed_response(request, error))
            return None
        if len(line) > self.service.limits.size:
            text = f"this Request alone is larger than a batch ({len(line):,} bytes); ask it without --batch"
            self._record(request, self.asker.failed_response(request, ProviderError(text, kind="bad_request")))
            return None
        item = None if request.item is None else with_hashes(request.item, self.media.known_hash)
        plain = Request(request.id, request.messages, dict(request.settings), request.condition, request.repeat, item)
        self.latest = BatchRequest(plain, self.asker.key_of(request), tuple(getattr(prepared, "sent", ())), before)
        return line

    async def _send(self, parcel: _Parcel) -> None:
        parcel.close()
        batch = self.files.save(new_batch(parcel.name, self.adapter.endpoint, parcel.lines))
        await self._submit(batch)

    async def _submit(self, batch: Batch) -> Batch:
        """Send a batch that is recorded. If the connection breaks, it is looked for before it is sent again."""
        for attempt in range(self.options.retries + 1):
            try:
                id_ = await self.service.submit(self.files.lines(batch.name), batch.name)
                return self.files.save(structs.replace(batch, id=id_, state="sent"))
            except ProviderError as error:
                if not error.retryable:
                    self.files.save(structs.replace(batch, state="failed", why=error.problem))
                    raise
                if attempt == self.options.retries:
                    raise
                await self.stop.sleep(error.retry_after or backoff(attempt + 1, min(1.0, self.options.poll_s)))
                if (submitted := await self._received_batch(batch)).state == "sent":
                    return submitted
        return batch

    async def _received_batch(self, batch: Batch) -> Batch:
        """Return the batch with its id, if the service has received it."""
        batch_ids = [one.id for one in self.files.read_batches() if one.id]
        id_ = await self.service.find(batch.name, batch.count, batch.made, [*batch.foreign, *batch_ids])
        return self.files.save(structs.replace(batch, id=id_, state="sent")) if id_ else batch

    # --- collecting

    async def _collect(self, batch: Batch) -> None:
        """Journal the results of a batch, if it has ended. One that may not have been sent is looked for and sent."""
        if batch.state == "sending":
            batch = await self._received_batch(batch)
            if batch.state == "sending":
                batch = await self._submit(batch)
        state = await self._call_patiently(self.service.state, batch.id)
        if state.failed:
            self.files.save(structs.replace(batch, state="failed", why=state.failed))
            self.stop.set(f"the service refused the batch {batch.id}: {state.failed}", fatal=True)
        elif state.ended:
            await self._journal(batch)

    async def _journal(self, batch: Batch) -> None:
        requests = list(self.files.requests(batch.name))
        left = dict(enumerate(requests))
        again: list[Entry] = []
        async for result in self.service.results(batch.id):
            entry = place_of(result.key, batch.name)
            if entry is None:  # taken for ours because of its size
                self.files.save(structs.replace(batch, id="", state="sending", foreign=(*batch.foreign, batch.id)))
                return
            one = left.pop(entry, None)
            if one is not None and result.reply is not None:
                self._answer(one, result.reply)
            elif one is not None and result.error is not None:
                again += self._journal_failure(one, result.error)
        missing = ProviderError("the batch ended without this Request", kind="timeout", retryable=True)
        for one in left.values():
            again += self._journal_failure(one, missing)
        self.writer.sync()
        self.files.save(structs.replace(batch, state="collected", again=tuple(again)))

    def _answer(self, one: BatchRequest, reply: Any) -> None:
        response = self.asker.answered_response(one.request, reply, one.before + 1, one.key)
        self._record(one.request, structs.replace(response, sent=one.sent), hashed=True)

    def _journal_failure(self, one: BatchRequest, error: ProviderError) -> list[Entry]:
        """Journal a Request without an answer as failed; return its entry instead if it is worth asking again."""
        entry = (one.request.id, one.request.condition, one.request.repeat)
        if error.kind == "refused":
            from triptych.models.adapter import Reply

            self._answer(one, Reply("", "refused", "content_filter", note=error.problem))
            return []
        if error.retryable and one.before < self.options.retries:
            self.tally.retries += 1
            return [entry]
        failed = self.asker.failed_response(one.request, error, one.before + 1, one.key)
        self._record(one.request, failed, hashed=True)
        return []

    def _record(self, request: Request, response: Response, *, hashed: bool = False) -> None:
        """Journal a Response after its Item, unless a killed session has journaled it already."""
        if response.entry in self.done or response.entry in self.journaled:
            return
        if request.item is not None and not self.writer.knows(request.item.id):
            as_it_is = hashed or request.unaskable
            self.writer.add_item(request.item if as_it_is else with_hashes(request.item, self.media.known_hash))
        self.writer.add_response(response)
        self.journaled.add(response.entry)
        self.tally.add(response)
        self.limits.watch(response)

    async def _call_patiently(self, call: Any, *arguments: Any) -> Any:
        """Call the service, again if it can't be reached for a while."""
        for attempt in range(self.options.retries + 1):
            try:
                return await call(*arguments)
            except ProviderError as error:
                if not error.retryable or attempt == self.options.retries:
                    raise
                await self.stop.sleep(error.retry_after or backoff(attempt + 1, min(1.0, self.options.poll_s)))
        raise RuntimeError("unreachable")


class _Parcel:
    """The lines of a batch that is being made, in its files."""

    def __init__(self, files: BatchFolder) -> None:
        self.name, self.lines, self.size = secrets.token_hex(6), 0, 0
        self._paths = files.lines(self.name), files.asked_path(self.name)
        self._sent, self._requests = (path.open("wb") for path in self._paths)

    def has_room_for(self, line: bytes, service: BatchService) -> bool:
        """Return whether another line fits."""
        return self.lines < service.limits.requests and self.size + len(line) <= service.limits.size

    def add(self, line: bytes, request: BatchRequest) -> None:
        """Append a Request."""
        self._sent.write(line)
        self._requests.write(encode(request) + b"\n")
        self.lines += 1
        self.size += len(line)

    def close(self) -> None:
        """Flush the files to disk."""
        import os

        for file in (self._sent, self._requests):
            file.flush()
            os.fsync(file.fileno())
            file.close()

    def drop(self) -> None:
        """Delete the files of a batch that is not sent."""
        self.close()
        for path in self._paths:
            path.unlink(missing_ok=True)
