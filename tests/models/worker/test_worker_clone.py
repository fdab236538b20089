"""Tests of `models/worker`: worker clone."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import numpy as np

from tests.models.worker.clones import write_clone
from triptych.media.payload import MediaReader
from triptych.media.sound.coding import encode_wav
from triptych.models.adapter import Reply
from triptych.models.registry import load_adapter
from triptych.models.worker.trust import allow_foreign_code
from triptych.records import Message, Request, media
from triptych.records import text as words


def test_a_clone_is_asked_through_a_worker_process(tmp_path: Path) -> None:
    """VideoLLaMA2.1-AV: the adapter finds the clone, starts the process, and says how much was encoded."""
    folder = write_clone("videollama2_av", tmp_path / "clone")
    (tmp_path / "a.wav").write_bytes(encode_wav(np.zeros((31 * 16000, 1), np.float32), 16000))
    allow_foreign_code()
    try:
        given = {"source": str(tmp_path), "python": sys.executable, "code": str(folder)}
        model = load_adapter("videollama2.1-7b-av", given)
        request = Request("a", (Message("user", (media("audio", "a.wav"), words("What is heard?"))),), {})

        two = Request("b", (Message("user", 2 * (media("audio", "a.wav"),)),), {})

        async def ask() -> list[Reply]:
            await model.open()
            reader = MediaReader(tmp_path)
            try:
                return [await model.respond(one, await model.prepare(one, reader)) for one in (request, two)]
            finally:
                await model.close()

        reply, other = asyncio.run(ask())
    finally:
        allow_foreign_code(allowed=False)
    assert reply.text == "A of audio"
    assert [(one.given, one.encoded) for one in reply.encoded] == [(31.0, 30.0)]
    assert other.status == "skipped" and other.note.endswith("not audio, audio")
