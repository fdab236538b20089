"""Small Runs made by hand: manifests, Items, Requests, and an adapter that does as it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from tests.support.clock import Clock
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Item, Message, Part, Request, RunManifest, Usage, text
from triptych.running.loop import RunOptions, RunOutcome, execute
from triptych.store.folder import RunFolder

MANIFEST = RunManifest(
    schema_version=1,
    benchmark="toy",
    benchmark_version="1",
    data="mini",
    data_sha256="d",
    tasks=("one",),
    model="told/it",
    revision="",
    model_settings={},
    conditions=(),
    prompt="p",
    decoding={},
    seed=0,
    repeats=1,
)


def manifest(**changes: Any) -> RunManifest:
    return msgspec.structs.replace(MANIFEST, **changes)


def item(number: int, *media: Part) -> Item:
    return Item(f"{number:05}", "toy/one", (text(f"question {number}"), *media), target="A")


def request(number: int, *media: Part, repeat: int = 0, **settings: Any) -> Request:
    asked = item(number, *media)
    return Request(asked.id, (Message("user", asked.parts),), settings, "", repeat, asked)


def requests(count: int) -> Iterator[Request]:
    return (request(number) for number in range(count))


class Told(SimpleAdapter):
    """Answers by a function of the Request and the number of times it came; awaits `latency` first."""

    name = "told/it"

    def __init__(self, answer: Callable[[Request, int], Reply] | None = None, latency: float = 0.0) -> None:
        super().__init__()
        self.answer = answer or (lambda request, times: Reply("A", usage=Usage(10, 1)))
        self.latency = latency
        self.asked: list[str] = []
        self.in_flight = self.peak = self.opened = self.closed = 0

    async def open(self) -> None:
        self.opened += 1

    async def close(self) -> None:
        self.closed += 1

    async def respond(self, request: Request, prepared: Any) -> Reply:
        self.asked.append(request.id)
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            await asyncio.sleep(self.latency)
            return self.answer(request, self.asked.count(request.id))
        finally:
            self.in_flight -= 1


def carry_out(
    path: Path,
    adapter: Any,
    plan: Iterable[Request],
    media: MediaReader | None = None,
    *,
    clock: Clock | None = None,
    **options: Any,
) -> tuple[RunFolder, RunOutcome]:
    """Run a plan in a folder, made or resumed; with `clock`, waiting takes no time."""
    folder = RunFolder.create(path, MANIFEST)
    wanted = RunOptions(**{"concurrency": 4, "retries": 2, **options})
    work = execute(plan, adapter, folder, media or MediaReader(None), wanted)
    return folder, clock.run(work) if clock else asyncio.run(work)
