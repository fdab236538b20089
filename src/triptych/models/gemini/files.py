"""Uploaded files at Google: each is uploaded once per session, awaited until it is ready, and deleted at the end."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triptych.errors import ProviderError
from triptych.models.gemini.content import Media

if TYPE_CHECKING:
    from google.genai import types

EXPIRES_S = 40 * 3600.0  # the service keeps a file for 48 hours
POLL_S = 2.0  # seconds between checks of a video that is being processed
DELETE_WITHIN_S = 10.0


@dataclass(frozen=True, slots=True)
class _Upload:
    name: str
    uri: str
    made: float


class Uploads:
    """The files of one session. Concurrent Requests that need the same file share its upload."""

    def __init__(self, files: Any) -> None:
        self._files = files  # as in the SDK
        self._there: dict[str, _Upload] = {}
        self._underway: dict[str, asyncio.Task[_Upload]] = {}

    async def ensure_uploaded(self, wanted: Iterable[Media]) -> dict[str, str]:
        """Return the addresses of these files by `Media.name`, and upload missing ones. Raises the exceptions of an
        upload.
        """
        return {media.name: (await self._uploaded_file(media)).uri for media in wanted}

    def forget(self, gone: Iterable[Media]) -> None:
        """Forget earlier uploads that the service doesn't know any more."""
        for media in gone:
            self._there.pop(media.name, None)

    async def delete_all(self) -> None:
        """Delete every file; those that can't be deleted in time expire by themselves."""
        with suppress(Exception):  # failures don't matter here
            async with asyncio.timeout(DELETE_WITHIN_S):
                await asyncio.gather(
                    *(self._files.delete(name=upload.name) for upload in self._there.values()), return_exceptions=True
                )
        self._there.clear()

    async def _uploaded_file(self, media: Media) -> _Upload:
        uploaded = self._there.get(media.name)
        if uploaded and time.monotonic() - uploaded.made < EXPIRES_S:
            return uploaded
        task = self._underway.get(media.name)
        if task is None:
            task = asyncio.create_task(self._upload(media))
            self._underway[media.name] = task
            task.add_done_callback(lambda done: self._record_upload(media.name, done))
        # The time limit of one Request must not cancel an upload that others wait for
        return await asyncio.shield(task)

    def _record_upload(self, name: str, task: asyncio.Task[_Upload]) -> None:
        self._underway.pop(name, None)
        if not task.cancelled() and task.exception() is None:
            self._there[name] = task.result()

    async def _upload(self, media: Media) -> _Upload:
        source: Any = str(media.path) if media.data is None else io.BytesIO(media.data)
        file = await self._files.upload(
            file=source, config={"mime_type": media.mime, "display_name": media.sha256[:16]}
        )
        while _state(file) == "PROCESSING":
            await asyncio.sleep(POLL_S)
            file = await self._files.get(name=file.name)
        if _state(file) == "FAILED" or not file.uri:
            why = file.error.message if file.error else "no reason given"
            raise ProviderError(f"the service can't process {media.path.name}: {why}", kind="media")
        return _Upload(file.name, file.uri, time.monotonic())


def _state(file: types.File) -> str:
    return "" if file.state is None else str(file.state.value)
