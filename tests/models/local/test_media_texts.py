"""Tests of `models/local/media_texts.py`: from a Request's media to words."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from tests.models.local.test_cascade import read
from triptych.media.payload import MediaReader
from triptych.models.local.media_texts import MediaTexts
from triptych.records import media
from triptych.store.user_cache import TextCache


def test_a_file_is_read_once_however_many_ask(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[bytes] = []
    gate = threading.Event()

    def slowly(kind: str, content: bytes) -> str:
        assert gate.wait(600)
        calls.append(content)
        return read(kind, content)

    def shield(task: asyncio.Task[str]) -> asyncio.Future[str]:
        waiting.append(task)
        if len(waiting) == 5:  # all wait for one reading: now it may end
            gate.set()
        return shielded(task)

    waiting: list[asyncio.Task[str]] = []
    shielded = asyncio.shield
    monkeypatch.setattr(asyncio, "shield", shield)

    async def together() -> list[str]:
        from concurrent.futures import ThreadPoolExecutor

        texts = MediaTexts("stand-in", {}, slowly, TextCache(data / "texts"))
        with ThreadPoolExecutor(4) as pool:
            tasks = [
                asyncio.create_task(texts.words(media("audio", "a.wav"), MediaReader(data), pool)) for _ in range(5)
            ]
            found = [(await task).text for task in tasks]
            found.append((await texts.words(media("audio", "a.wav"), MediaReader(data), pool)).text)
        return found

    assert asyncio.run(together()) == ['[audio: "hello"]'] * 6
    assert calls == [b"hello"]
