"""Recordings in the demo: clips of the MCGA mini set, read by a synthetic voice, checked as in any project."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from triptych.construction.people.stage import Task
from triptych.construction.recipes.mcga import RECORD
from triptych.media.sound.coding import decode_sound, encode_wav
from triptych.portal.checking import check_next
from triptych.portal.demo.content import content, mini
from triptych.portal.exchange.ends import Batch
from triptych.portal.exchange.local import Local
from triptych.portal.project import Portal
from triptych.portal.recording.rules import Facts, Settings
from triptych.portal.work.claims import claim
from triptych.portal.work.keeping import Medium
from triptych.portal.work.queues import queue_of
from triptych.portal.work.submitting import Sent, submit

QUEUE = "poems"
READ = {"woman": 2, "man": 1}  # clips that are read already


def fill(portal: Portal, readers: list[str]) -> None:
    """Make the queue, and read the first clips; one recording is silent and comes back."""
    rows = {row["id"]: row for row in _rows(mini("mcga") / "MCGA_asr_test.jsonl")}
    texts = content()["recording"]
    chosen = [rows[name] for name in texts["clips"]]
    tasks = [
        Task(
            row["id"],
            "demo",
            "record",
            dict(RECORD.form),
            _shows(row, texts["pinyin"]),
            RECORD.guide,
            2,
            guides=dict(RECORD.guides),
        )
        for row in chosen
    ]
    settings = msgspec.to_builtins(Settings(slots=("man", "woman")))
    Local(portal).put_tasks(QUEUE, Batch("recording", settings, tasks))
    sounds = {row["id"]: mini("mcga") / row["audio"] for row in chosen}
    for slot, person in zip(READ, readers, strict=True):
        for number in range(READ[slot]):
            _read(portal, slot, person, sounds, silent=slot == "woman" and number == 1)
    while check_next(portal):
        pass


def _rows(path: Path) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines() if line]


def _shows(row: dict[str, Any], pinyin: dict[str, str]) -> dict[str, Any]:
    return {"text": row["asr"], **({"pinyin": pinyin[row["id"]]} if row["id"] in pinyin else {})}


def _read(portal: Portal, slot: str, person: str, sounds: dict[str, Path], *, silent: bool) -> None:
    """Submit a recording of the next clip, as the page does."""
    with portal.database.reading() as connection:
        queue = queue_of(connection, QUEUE)
    claimed = claim(portal.database, queue, person, slot) if queue else None
    if claimed is None:
        return
    sound = decode_sound(sounds[claimed.key].read_bytes())
    samples = np.zeros_like(sound.samples) if silent else sound.samples
    data = encode_wav(samples, sound.rate)
    name = hashlib.sha256(data).hexdigest()
    with portal.blobs.incoming_file() as path:
        path.write_bytes(data)
        portal.blobs.put(path, name)
    facts = Facts(len(samples), sound.rate, 1, 0, round(1000 * sound.seconds))
    medium = Medium("audio", name, len(data), "audio/wav")
    sent = Sent(
        f"demo-{slot}-{claimed.key:>16}".replace(" ", "0"),
        claimed.id,
        slot,
        person,
        {"facts": msgspec.to_builtins(facts)},
        45,
        (medium,),
    )
    submit(portal.database, sent, checked=True)
