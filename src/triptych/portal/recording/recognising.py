"""Speech recognisers of the check: any model that takes sound, named in the settings."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from triptych.construction.stages.recording import ASR_PROMPT, reading_error_rate
from triptych.errors import ProviderError
from triptych.media.payload import DataFolder
from triptych.metrics.replies.thinking import split_thinking
from triptych.models.adapter import Adapter
from triptych.models.registry import load_adapter
from triptych.portal.blobs.store import Blobs
from triptych.portal.recording.check import Recognise
from triptych.records import Message, Request, media, text

TRIES = 3
SETTINGS = {"temperature": 0.0}


def recognisers(named: Mapping[str, Mapping[str, Any]], blobs: Blobs) -> Recognise | None:
    """Return the function that asks the models of a table `model -> its settings`; None for an empty one.

    `blobs`: where the sound may be written meanwhile: what a killed process leaves there is swept.
    """
    if not named:
        return None

    def recognise(wav: bytes, words: str) -> Mapping[str, float]:
        with blobs.incoming_file(suffix=".wav") as path:
            path.write_bytes(wav)
            rates = {name: _rate(name, settings, path, words) for name, settings in named.items()}
        return {name: rate for name, rate in rates.items() if rate is not None}

    return recognise


def _rate(model: str, settings: Mapping[str, Any], wav: Path, words: str) -> float | None:
    """The character error rate; None if the model didn't answer, so that a server that is down blocks nobody."""
    for _ in range(TRIES):
        try:
            transcript = asyncio.run(_transcript(load_adapter(model, settings), wav))
            return round(reading_error_rate(words, split_thinking(transcript)[0]), 4)
        except ProviderError as error:
            if not error.retryable:
                return None
    return None


async def _transcript(adapter: Adapter, wav: Path) -> str:
    parts = (media("audio", wav.name), text(ASR_PROMPT.content))
    request = Request("clip", (Message("user", parts),), dict(SETTINGS))
    await adapter.open()
    try:
        prepared = await adapter.prepare(request, DataFolder(wav.parent).reader())
        return (await adapter.respond(request, prepared)).text
    finally:
        await adapter.close()
