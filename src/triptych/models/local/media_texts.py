"""From a Request's media to words: each file is read once, even when many Requests ask for it at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any

from triptych.media.payload import MediaReader, Payload
from triptych.records import Intermediate, Kind, Part
from triptych.store.user_cache import TextCache

ReadFile = Callable[[Kind, bytes], str]


class MediaTexts:
    """Words for media Parts, from the cache or by `reading` in an executor."""

    def __init__(self, engine: str, settings: Mapping[str, Any], reading: ReadFile, cache: TextCache) -> None:
        self.engine: str = engine
        self._settings, self._reading, self._cache = dict(settings), reading, cache
        self._underway: dict[str, asyncio.Task[str]] = {}

    async def words(self, part: Part, media: MediaReader, pool: Executor) -> Intermediate:
        """Return the text extracted from one Part. Raises MediaError."""
        payload = await asyncio.get_running_loop().run_in_executor(None, media.load, part)
        key = f"{part.kind}/{payload.sha256}"
        task = self._underway.get(key)
        if task is None:
            task = asyncio.create_task(self._read(payload, pool))
            self._underway[key] = task
            task.add_done_callback(lambda _: self._underway.pop(key, None))
        text = await asyncio.shield(task)
        return Intermediate(self.engine, part.kind, part.path, text, payload.sha256)

    async def _read(self, payload: Payload, pool: Executor) -> str:
        kind, settings = payload.part.kind, {**self._settings, "kind": payload.part.kind}
        stored = self._cache.get(self.engine, settings, payload.sha256)
        if stored is not None:
            return stored
        text = await asyncio.get_running_loop().run_in_executor(pool, self._reading, kind, payload.data)
        self._cache.put(self.engine, settings, payload.sha256, text)
        return text
