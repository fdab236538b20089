"""The run loop: from a lazy plan to a journal, with bounded concurrency and memory for any number of Items."""

from __future__ import annotations

import asyncio
import gc
import threading
import warnings
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from importlib import import_module
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from triptych.errors import ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import OUT_OF_STEP, Adapter
from triptych.models.http.endpoints import hash_of
from triptych.records import Item, Part, Request, Response, Usage
from triptych.records.arguments import refuse_other, whole_number
from triptych.running.ask import Asker, priced_as
from triptych.running.descriptors import fit
from triptych.running.gate import Gate
from triptych.running.limits import Limits
from triptych.running.prices import Prices, load_prices
from triptych.running.progress import Progress, choose_progress
from triptych.running.stop import Stop, Stopped, heeding_signals
from triptych.running.tally import Tally
from triptych.running.tracking.trackers import check_tracker
from triptych.secrets import scrub
from triptych.store.folder import Entry
from triptych.store.response_cache import ResponseCache

if TYPE_CHECKING:
    from triptych.running.leases.options import RayOptions

Result = TypeVar("Result")
SYNC_EVERY_S = 5.0
YIELD_EVERY = 32
LAST_ROUNDS = 2  # Requests per worker that use a connection of their own, so that the others are checked meanwhile


class LedgerWriter(Protocol):
    """Appends Responses to a journal. Each line is passed to the operating system before the call returns."""

    def knows(self, item_id: str) -> bool:
        """True if `add_item` would write nothing."""

    def add_item(self, item: Item) -> None:
        """Write an Item before its first Response."""

    def add_response(self, response: Response) -> None:
        """Write a Response."""

    def sync(self) -> None:
        """Flush everything to disk."""


class Settled(Protocol):
    """A collection of entries."""

    def __len__(self) -> int: ...

    def __contains__(self, entry: object, /) -> bool: ...


class Ledger(Protocol):
    """Storage of Responses: a Run folder, or a judge's journal."""

    @property
    def planned(self) -> int | None:
        """Number of planned Requests, if known."""

    def settled(self, retry_statuses: frozenset[str]) -> Settled:
        """Return the entries that need not be asked."""

    def history(self) -> Iterable[Response]:
        """Yield all Responses ever written; a budget must count them all."""

    def writer(self) -> AbstractContextManager[LedgerWriter]:
        """Lock the storage and append."""


@dataclass(frozen=True)
class RunOptions:
    """How a Run is carried out. Nothing here can change an answer, so nothing here is part of an identity.

    Attributes:
        concurrency: Requests in progress at once.
        retries: Attempts after the first.
        timeout_s: Time limit of one attempt, in seconds; None for none.
        rate_per_minute: Requests per minute at most; None for no limit.
        tokens_per_minute: Tokens per minute at most; None for no limit.
        budget_usd: Dollars at most, over all sessions of the Run. Requests in progress count as the mean of those
            answered, so only the first `concurrency` Requests can exceed it substantially.
        budget_tokens: Tokens at most, in the same way.
        retry_statuses: Responses with these statuses are asked again on resume.
        prices: A price file, used before the built-in one.
        price: (input, output) in US dollars per million tokens of the model, before all price files.
        cache: A folder of answers shared by Runs, or an SQLite file.
        planned: Number of planned Requests, for the remaining time.
        in_data: Number of Items of the Run's Tasks in the data, for the display; 0 if not known.
        same_model: Accept that another endpoint than in earlier sessions serves the same model.
        progress: True for a display on standard error, False for none, or a custom object.
        grace_s: Seconds that Requests in progress may continue after an interruption.
        track: Services that get progress and figures: `wandb:PROJECT`, `jsonl:FILE` … (`running.tracking`).
        batch: Send the Requests through the service's batch interface; judges and readers are asked singly.
        poll_s: Seconds between two looks at the batches.
        ray: Have the model asked by workers on a Ray cluster; None: in this process. Judges, and models that read media
            first, are always asked from this process.
        meanwhile: Called once, in a thread, when all answers are in the journal and connections are checked for the
            last time, which takes as long as an answer. The check may still withdraw answers.
        imports: Modules that are needed once all answers are there; imported while the first ones are awaited.

    Raises SpecError for a number out of range.
    """

    concurrency: int = 16
    retries: int = 5
    timeout_s: float | None = 120.0
    rate_per_minute: float | None = None
    tokens_per_minute: float | None = None
    budget_usd: float | None = None
    budget_tokens: int | None = None
    retry_statuses: frozenset[str] = frozenset({"failed"})
    prices: Path | None = None
    price: tuple[float, float] | None = None
    cache: Path | None = None
    planned: int | None = None
    in_data: int = 0
    same_model: bool = False
    progress: bool | Progress = False
    grace_s: float = 5.0
    track: tuple[str, ...] = ()
    batch: bool = False
    poll_s: float = 30.0
    ray: RayOptions | None = None
    meanwhile: Callable[[], None] | None = None
    imports: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for word in self.track:
            check_tracker(word)
        for name in ("concurrency", "retries", "budget_tokens"):
            whole_number(name, getattr(self, name))
        for name in ("timeout_s", "rate_per_minute", "tokens_per_minute", "budget_usd"):
            refuse_other(name, getattr(self, name), Real, "a number")
        if self.concurrency < 1:
            raise SpecError("concurrency must be at least 1", got=self.concurrency)
        for name, value in (
            ("retries", self.retries),
            ("budget in USD", self.budget_usd),
            ("budget of tokens", self.budget_tokens),
        ):
            if value is not None and not value >= 0:
                raise SpecError(f"{name} must be at least 0", got=value)
        for name, value in (
            ("time limit", self.timeout_s),
            ("rate", self.rate_per_minute),
            ("rate of tokens", self.tokens_per_minute),
        ):
            if value is not None and not value > 0:
                raise SpecError(f"{name} must be above 0", got=value)


@dataclass(frozen=True)
class RunOutcome:
    """How a session of a Run ended.

    Attributes:
        counts: Number of Responses of this session by status.
        already: Number of entries completed in earlier sessions.
        usage: Tokens of this session.
        cost_usd: Cost of this session in US dollars; None if a price is unknown.
        unpriced: Number of answers whose price is unknown.
        cached: Number of answers from the cache.
        retries: Number of repeated attempts.
        seconds: Duration of the session.
        interrupted: Whether a signal ended it.
        stopped: The reason if it ended before its plan; None otherwise.
        fatal: Whether it ended because no Request can succeed.
    """

    counts: dict[str, int] = field(default_factory=dict)
    already: int = 0
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    unpriced: int = 0
    cached: int = 0
    retries: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    stopped: str | None = None
    fatal: bool = False


async def execute(
    plan: Iterable[Request],
    adapter: Adapter,
    folder: Ledger,
    media: MediaReader,
    options: RunOptions | None = None,
) -> RunOutcome:
    """Send every Request of the plan that has no Response yet, and journal the Responses.

    The plan is read as workers become free, so at most `concurrency` Requests are in memory. A worker journals each
    Response before it takes the next Request, so if the process is killed, only the Requests in progress are sent
    twice. Raises RunFolderError (locked, disk full), SpecError (a budget that can't be enforced), and whatever the plan
    or `adapter.open` raises; never because of a single Request.
    """
    options = options or RunOptions()
    with folder.writer() as writer:
        return await _Sitting(plan, adapter, folder, media, options, writer).run()


def run_sync(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end from synchronous code; within a running event loop (a notebook), in another thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    return _in_thread(coroutine)


class _Sitting:
    """One session of a Run: the workers and their shared state."""

    def __init__(
        self,
        plan: Iterable[Request],
        adapter: Adapter,
        folder: Ledger,
        media: MediaReader,
        options: RunOptions,
        writer: LedgerWriter,
    ) -> None:
        self.plan: Iterator[Request] = iter(plan)
        self.adapter, self.media, self.options, self.writer = adapter, media, options, writer
        # a model in this process may limit concurrency; more Requests would only wait and time out
        width = min(options.concurrency, getattr(adapter, "most_at_once", options.concurrency))
        self.width, narrowed = fit(width) if adapter.endpoint.startswith("http") else (width, "")
        self.done = folder.settled(options.retry_statuses)
        planned = options.planned if options.planned is not None else folder.planned
        self.tally = Tally(planned, len(self.done), note=narrowed, in_data=options.in_data)
        with_number = getattr(self.done, "with_number", None)  # a judge's journal has only what is answered
        self.tally.already_answered = with_number(1) if with_number else len(self.done)
        if narrowed and options.progress is False:  # otherwise the display shows it
            warnings.warn(narrowed, RuntimeWarning, stacklevel=2)
        self.prices = load_prices(options.prices, options.price)
        self.stop = Stop()
        self.limits = Limits(
            adapter.name,
            self.tally,
            self.stop,
            options.budget_usd,
            options.budget_tokens,
            options.concurrency,
            hopeful=not getattr(adapter, "reads_media", True),  # the errors of a replay belong to another Run
        )
        self.meanwhile: Callable[[], None] | None = options.meanwhile
        self.imported: asyncio.Future[None] | None = None
        self.again: deque[Request] = deque()  # Requests whose answer may belong to another question
        self.taken_back: Counter[Entry] = Counter()
        self.taken = 0  # Requests of the plan so far
        self.is_ending = False
        if options.budget_usd is not None or options.budget_tokens is not None:
            check_price(self.prices, adapter, options)
            for response in folder.history():
                if not response.cached:
                    self.tally.spend(response)

    async def run(self) -> RunOutcome:
        """Open the adapter, send the Requests, close it."""
        cache = open_cache(self.options.cache, self.adapter) if self.options.cache else None
        with closing(cache) if cache else nullcontext(), heeding_signals(self.stop):
            gate = Gate(self.width, self.options.rate_per_minute, self.options.tokens_per_minute)
            self.asker = Asker(
                self.adapter,
                self.media,
                gate,
                self.stop,
                self.tally,
                self.prices,
                cache,
                self.options.retries,
                self.options.timeout_s,
            )
            try:
                await self._until_stopped(self._open_and_work(), self.options.grace_s)
            finally:
                await self.adapter.close()
        return outcome_of(self.tally, self.stop)

    async def _open_and_work(self) -> None:
        await self.adapter.open()
        with _freeze_objects():
            await self._work_all()

    async def _work_all(self) -> None:
        progress = choose_progress(self.options.progress)
        progress.start(self.adapter.name, self.tally)
        ended = asyncio.Event()
        display = asyncio.create_task(self._tend_session(progress, ended))
        workers: list[asyncio.Task[None]] = []
        try:
            while True:
                for _ in range(self.width):
                    workers.append(asyncio.create_task(self._work()))
                    # Let it send before the next one starts, so that answers don't arrive all at once
                    await asyncio.sleep(0)
                if self.imported is None:
                    self.imported = asyncio.get_running_loop().run_in_executor(None, _import_all, self.options.imports)
                await asyncio.gather(*workers)
                if not await self._settle():
                    break
        finally:
            await cancel(workers)
            self._hear_doubts()
            ended.set()
            await display
            if self.imported is not None:
                await self.imported

    async def _settle(self) -> bool:
        """Check whether all answers belong to their Requests; returns True if some must be asked again."""
        if (steps := getattr(self.adapter, "in_step", None)) is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            if meanwhile is None or steps.is_settled or self.stop.is_set:
                await steps.settle()
            else:
                await asyncio.gather(steps.settle(), self._after_imports(meanwhile))
        self._hear_doubts()
        return bool(self.again) and not self.stop.is_set

    async def _after_imports(self, work: Callable[[], None]) -> None:
        """Do work in a thread once the modules are imported: two threads must not import what imports each other."""
        if self.imported is not None:
            await self.imported
        await asyncio.get_running_loop().run_in_executor(None, work)

    def _hear_doubts(self) -> None:
        """Withdraw answers from connections that are out of step: they are `failed` until asked again."""
        steps = getattr(self.adapter, "in_step", None)
        trusted, doubted = steps.trusted_and_doubted() if steps is not None else ((), ())
        for request in trusted:
            self.asker.trust(request)
        for connection in doubted:
            why = ProviderError(OUT_OF_STEP, kind="connection", retryable=True)
            self.writer.add_response(self.asker.doubted_response(connection.request, why))
            entry = _entry(connection.request)
            self.tally.take_back(connection.status)
            self.taken_back[entry] += 1
            if self.taken_back[entry] <= self.options.retries:
                self.again.append(connection.request)

    async def _until_stopped(self, work: Coroutine[Any, Any, None], grace_s: float) -> None:
        """Wait for the workers; after a stop allow them some time, after a second signal none."""
        task = asyncio.create_task(work)
        stopped = asyncio.create_task(self.stop.event.wait())
        at_once = asyncio.create_task(self.stop.at_once.wait())
        try:
            await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                limit = grace_s if self.stop.interrupted else None  # Requests in progress are already paid for
                await asyncio.wait({task, at_once}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                task.cancel()
                await asyncio.wait({task})
            if not task.cancelled():
                task.result()
        finally:
            await cancel([task, stopped, at_once])

    async def _work(self) -> None:
        """A worker: take the next Request, send it, journal the Response, until none is left."""
        while (request := self._next_request()) is not None:
            self.tally.in_flight += 1
            try:
                response = await self.asker.ask(request)
            except Stopped:
                return
            except ProviderError as error:
                self.stop.set(scrub(str(error)), fatal=True)
                return
            finally:
                self.tally.in_flight -= 1
            self._record(request, response)
            # an adapter that never waits would block signals and the display
            if self.tally.responses % YIELD_EVERY == 0:
                await asyncio.sleep(0)

    def _next_request(self) -> Request | None:
        """Return the next Request without a Response; None at the end of the plan or the budget."""
        self._hear_doubts()
        if self.stop.is_set or self.limits.over_budget():
            return None
        if self.again:
            return self.again.popleft()
        for request in self.plan:
            if _entry(request) not in self.done:
                self._note_taken()
                return request
            if request.item is not None and not self.writer.knows(request.item.id):
                self.writer.add_item(request.item)  # its line was lost, and without it the answer would not be counted
        return None

    def _note_taken(self) -> None:
        """Count a Request of the plan, and say so to the connections when the last ones are sent."""
        self.taken += 1
        planned = self.tally.planned
        if self.is_ending or planned is None or planned - self.tally.already - self.taken > LAST_ROUNDS * self.width:
            return
        self.is_ending = True
        if (steps := getattr(self.adapter, "in_step", None)) is not None:
            steps.end_soon()

    def _record(self, request: Request, response: Response) -> None:
        """Journal a Response after its Item. A Request that wasn't sent has an Item without hashes."""
        if request.item is not None and not self.writer.knows(request.item.id):
            read = with_hashes(request.item, self.media.known_hash)
            self.writer.add_item(request.item if request.unaskable else read)
        self.writer.add_response(response)
        if self.taken_back and self.taken_back[_entry(request)]:
            self.tally.take_back("failed")
        self.tally.add(response)
        self.limits.watch(response)

    async def _tend_session(self, progress: Progress, ended: asyncio.Event) -> None:
        """Regularly refresh the display and flush the journals."""
        loop, since_sync = asyncio.get_running_loop(), 0.0
        while not ended.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(progress.every_s):
                    await ended.wait()
            progress.refresh()
            since_sync += progress.every_s
            if since_sync >= SYNC_EVERY_S:
                since_sync = 0.0
                await loop.run_in_executor(None, self.writer.sync)
        progress.finish()


def outcome_of(tally: Tally, stop: Stop) -> RunOutcome:
    """Return how a session ended, by its counts."""
    return RunOutcome(
        counts={status: count for status, count in tally.counts.items() if count},
        already=tally.already,
        usage=tally.usage,
        cost_usd=tally.cost_usd,
        unpriced=tally.unpriced,
        cached=tally.cached,
        retries=tally.retries,
        seconds=tally.seconds,
        interrupted=stop.interrupted,
        stopped=stop.reason,
        fatal=stop.fatal,
    )


def _entry(request: Request) -> Entry:
    return request.id, request.condition, request.repeat


def with_hashes(item: Item, known_hash: Callable[[str], str]) -> Item:
    """Return the Item with the content hashes of all media files that were read. `known_hash`: path -> hash or ""."""

    if not item.has_media:
        return item

    def hashed(part: Part) -> Part:
        digest = known_hash(part.path) if part.is_media else ""
        return msgspec.structs.replace(part, sha256=digest) if digest else part

    options = tuple(tuple(hashed(part) for part in option) for option in item.options)
    return msgspec.structs.replace(item, parts=tuple(hashed(part) for part in item.parts), options=options)


def _import_all(modules: Iterable[str]) -> None:
    """Import modules; an error is left to whoever needs the module, and will meet it again."""
    for module in modules:
        with suppress(Exception):
            import_module(module)


@contextmanager
def _freeze_objects() -> Iterator[None]:
    """Exclude existing objects from garbage collection while Requests are sent: each collection would take
    milliseconds, during which all connections wait.
    """
    mine = not gc.get_freeze_count()
    gc.freeze()
    try:
        yield
    finally:
        if mine:
            gc.unfreeze()


def open_cache(path: Path, adapter: Adapter) -> ResponseCache:
    """Open the cache (a folder or an SQLite file) for one endpoint: another endpoint can serve other weights under the
    same name, unless a revision is given.
    """
    endpoint_hash = "" if adapter.revision else hash_of(adapter.endpoint)
    return ResponseCache(path if path.suffix in (".sqlite", ".db") else path / "answers.sqlite", endpoint_hash)


async def cancel(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until they have ended."""
    alive = [task for task in tasks if not task.done()]
    for task in alive:
        task.cancel()
    await asyncio.gather(*alive, return_exceptions=True)


def check_price(prices: Prices, adapter: Adapter, options: RunOptions) -> None:
    """Raise SpecError if a budget in USD can't be enforced since the model's price is unknown."""
    price = prices.find(priced_as(adapter), adapter.endpoint, frozenset({"text"}))
    if options.budget_usd is not None and price is None:
        raise SpecError(
            "the USD budget can't be enforced: the price is unknown",
            got=adapter.name,
            fix="give its price (--price-in, --price-out, or a file with --prices), or set a token budget",
        )


def _in_thread(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run in a thread with its own event loop; if the waiting thread is interrupted, the coroutine is cancelled."""
    results: list[Result] = []
    errors: list[BaseException] = []
    runner = asyncio.Runner()
    tasks: list[asyncio.Task[Result]] = []

    async def hold() -> Result:
        tasks.append(asyncio.ensure_future(coroutine))
        return await tasks[0]

    def work() -> None:
        try:
            with runner:
                results.append(runner.run(hold()))
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    thread = threading.Thread(target=work, name="triptych-run")
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        if tasks:
            runner.get_loop().call_soon_threadsafe(tasks[0].cancel)
        thread.join()
        raise
    if errors:
        raise errors[0]
    return results[0]
