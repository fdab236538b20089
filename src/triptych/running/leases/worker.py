"""A worker: answers leases with one adapter, and journals each Response before it asks the next Request."""

from __future__ import annotations

import asyncio
import os
import platform
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import ProviderError, RunFolderError, TriptychError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Adapter
from triptych.models.registry import load_adapter
from triptych.models.worker.trust import allow_foreign_code
from triptych.records import Request
from triptych.running.ask import Asker
from triptych.running.gate import Gate
from triptych.running.leases.files import WorkerLine, read_requests
from triptych.running.prices import load_prices
from triptych.running.stop import Stop, Stopped
from triptych.running.tally import Tally
from triptych.secrets import scrub
from triptych.store.journals.journal import JournalWriter

YIELD_EVERY = 32


class Setup(msgspec.Struct, frozen=True):
    """Everything that a worker needs besides leases: names and paths, no media, no weights and no secrets.

    `extra`: SHA-256 -> path of files that Conditions mix into media; `cwd`: the driver's working folder, for relative
    paths in settings. `foreign_code`: whether the user allowed code that is not Triptych's (`models.worker.trust`).
    """

    model: str
    settings: dict[str, Any]
    data: str | None = None
    extra: dict[str, str] = {}
    concurrency: int = 16
    retries: int = 5
    timeout_s: float | None = 120.0
    prices: str | None = None
    price: tuple[float, float] | None = None
    cwd: str = ""
    foreign_code: bool = False

    def make_worker(self) -> Worker:
        """Return a worker that is ready to be opened. Raises SpecError as `load_adapter` does."""
        allow_foreign_code(self.foreign_code)
        with suppress(OSError):
            os.chdir(self.cwd or ".")
        extra = {digest: Path(path) for digest, path in self.extra.items()}
        media = MediaReader(Path(self.data) if self.data is not None else None, extra=extra)
        return Worker(load_adapter(self.model, self.settings), media, self)


class Worker:
    """Answers the Requests of leases, at most `setup.concurrency` at once over all of its leases."""

    def __init__(self, adapter: Adapter, media: MediaReader, setup: Setup) -> None:
        self._adapter, self._media = adapter, media
        width = min(setup.concurrency, getattr(adapter, "most_at_once", setup.concurrency))
        self._room, self._stop = asyncio.Semaphore(width), Stop()
        self._asker = Asker(
            adapter,
            media,
            Gate(width),
            self._stop,
            Tally(),
            load_prices(Path(setup.prices) if setup.prices else None, setup.price),
            None,
            setup.retries,
            setup.timeout_s,
        )
        self._request_count = 0

    async def open(self) -> str:
        """Load the model. Returns the reason why no Request can be answered; empty if all is well."""
        try:
            await self._adapter.open()
        except TriptychError as error:
            return scrub(str(error))
        return ""

    async def carry(self, asks: Path, replies: Path) -> str:
        """Answer the Requests in the file `asks`, and append the Responses to `replies`, until the lease is fenced.

        Returns the reason why no Request can be answered, or no Response written; empty if all is well.
        """
        try:
            requests = read_requests(asks)
            writer = JournalWriter(replies)
        except FileNotFoundError:  # fenced before it began
            return "" if asks.parent.is_dir() else _not_shared(asks.parent)
        except TriptychError as error:
            return scrub(str(error))
        try:
            await asyncio.gather(*(self._answer(request, asks, writer) for request in requests))
        except TriptychError as error:
            self._stop.set(scrub(str(error)), fatal=True)
        finally:
            writer.close()
        return (self._stop.reason or "") if self._stop.fatal else ""

    def stop(self) -> None:
        """Ask no further Requests; those in progress may finish."""
        self._stop.interrupt()

    async def close(self) -> None:
        """Release the model."""
        await self._adapter.close()

    async def _answer(self, request: Request, asks: Path, writer: JournalWriter) -> None:
        async with self._room:
            if self._stop.is_set or not asks.exists():
                return
            try:
                response = await self._asker.ask(request)
            except Stopped:
                return
            except ProviderError as error:
                self._stop.set(scrub(str(error)), fatal=True)
                return
            if asks.exists():
                writer.append(WorkerLine(response, self._media_hashes(request)))
            self._request_count += 1
            if (
                self._request_count % YIELD_EVERY == 0
            ):  # an adapter that never waits would block messages from the driver
                await asyncio.sleep(0)

    def _media_hashes(self, request: Request) -> dict[str, str]:
        parts = request.item.all_parts if request.item is not None and not request.unaskable else ()
        hashes = {part.path: self._media.known_hash(part.path) for part in parts if part.is_media}
        return {path: digest for path, digest in hashes.items() if digest}


def _not_shared(folder: Path) -> str:
    fix = "keep Run folders on a file system that all machines share, under the same path"
    return str(RunFolderError("a worker can't see the Run folder", where=f"{folder} on {platform.node()}", fix=fix))
