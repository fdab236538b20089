"""Ten million Units in ten shards: each shard is scored in a process of its own, and one process merges them.

The questions are made up and short: Instances of XModBench in six directions, each answered by lot. Instance n is in
shard 1 + n mod SHARDS, as `run --shard` divides them, so that the lines of all shards interleave in the merged Run.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np

from benchmarks_speed import measure, scale, table
from triptych.benchmarks import load_benchmark
from triptych.records import ErrorInfo, Item, Part, Response, Usage
from triptych.store.folder import RunFolder

UNITS, SHARDS = 10_000_000, 10
PROTOCOL = "official"
ROWS = 10_000  # Instances that are written at a time
LIMIT = 7_200  # seconds for one command
Row = dict[str, Any]
_LETTERS = "AB"


def measure_all(place: Path, units: int = UNITS, shards: int = SHARDS) -> list[Row]:
    """Make the shards below `place`, score each, merge them, and return what each step cost. What it made is deleted.

    After an interruption, the shards that were made and scored before are used as they are.
    """
    rows = [_scored(place, units, shards, number) for number in range(1, shards + 1)]
    whole = place / "whole"
    shutil.rmtree(whole, ignore_errors=True)
    folders = [str(place / row["shard"]) for row in rows]
    merge = [*scale.TRIPTYCH, "merge", *folders, "--out", str(whole)]
    rows.append(_step(f"merge {shards} shards, with tables and intervals", merge, place))
    rows[-1]["gigabytes"] = measure.folder_mb(place) / 1000
    print((place / "output.txt").read_text("utf-8"))
    shutil.rmtree(place)
    return rows


def show(rows: Sequence[Row], units: int = UNITS) -> None:
    """Print the rows."""
    cells = [[row["step"], f"{row['cpu']:.1f}", f"{row['wall']:.1f}", f"{row['rss']:.0f}"] for row in rows]
    table.show(f"{units:,} Units in shards", ["", "CPU s", "wall s", "peak MB"], cells)


def _scored(place: Path, units: int, shards: int, number: int) -> Row:
    """Make and score a shard, and return what scoring it cost; the cost is kept next to it."""
    own = made(place, units, shards, number)
    cost = own.with_name(f"{own.name}.json")
    if not cost.exists():
        command = [*scale.TRIPTYCH, "score", "--protocol", PROTOCOL, str(own)]
        row = _step(f"score shard {number} of {shards}", command, place)
        cost.write_bytes(msgspec.json.encode({**row, "shard": own.name}))
    return dict(msgspec.json.decode(cost.read_bytes()))


def _step(step: str, command: list[str], place: Path) -> Row:
    cost = measure.run(command, place, limit=LIMIT)
    if "Traceback" in cost.output or cost.code not in (0, 1):  # 1: some Responses failed
        raise SystemExit(f"{step}: {cost.output[-2000:]}")
    return {"step": step, "cpu": cost.cpu, "wall": cost.wall, "rss": cost.rss}


def made(place: Path, units: int, shards: int, number: int) -> Path:
    """Return a shard; it is written if it isn't there yet."""
    own = place / f"shard-{number:02d}"
    if own.exists():
        return own
    unfinished = own.with_name(f".{own.name}")
    shutil.rmtree(unfinished, ignore_errors=True)
    every = -(-units // len(_directions()))
    instances = np.arange(number - 1, every, shards)
    whole = scale.manifest(units, 0)
    manifest = msgspec.structs.replace(
        whole,
        shard=f"{number}/{shards}",
        planned=len(instances) * len(_directions()),
        planned_whole=every * len(_directions()),
    )
    RunFolder.create(unfinished, manifest)
    with (unfinished / "items.jsonl").open("wb") as items, (unfinished / "responses.jsonl").open("wb") as replies:
        _write(instances.tolist(), np.random.default_rng([7, number]), items, replies)
    unfinished.rename(own)
    return own


def _write(instances: Sequence[int], rng: np.random.Generator, items: BinaryIO, replies: BinaryIO) -> None:
    encoder = msgspec.json.Encoder()
    for begin in range(0, len(instances), ROWS):
        own = list(_questions(instances[begin : begin + ROWS]))
        items.write(encoder.encode_lines(own))
        replies.write(encoder.encode_lines(list(_replies(own, rng))))


def _directions() -> dict[str, str]:
    """Return direction -> its letters in ids."""
    modalities = {"audio": "a", "text": "t", "vision": "v"}
    return {f"{one}_{other}": a + b for one, a in modalities.items() for other, b in modalities.items() if a != b}


def _questions(instances: Sequence[int]) -> Iterator[Item]:
    tasks = {task.id for task in load_benchmark("xmodbench").spec.tasks}
    subtasks = sorted({task.rpartition("/")[0] for task in tasks})
    subtasks = [name for name in subtasks if all(f"{name}/{direction}" in tasks for direction in _directions())]
    facets = {
        (name, d): dict(zip(("family", "subtask"), name.split("/"), strict=True), direction=d)
        for name in subtasks
        for d in _directions()
    }
    parts = (Part("text", "Which one fits?", role="question"),)
    options = tuple((Part("text", text),) for text in ("rain", "wind"))
    labels = tuple(_LETTERS)
    for instance in instances:
        name, target = subtasks[instance * 7919 % len(subtasks)], _LETTERS[instance * 31 % 2]
        for direction, letters in _directions().items():
            yield Item(
                f"{instance:07d}/{letters}",
                f"xmodbench/{name}/{direction}",
                parts,
                options,
                labels,
                "letter",
                target,
                instance=f"{instance:07d}",
                facets=facets[name, direction],
            )


def _replies(items: Sequence[Item], rng: np.random.Generator) -> Iterator[Response]:
    """Yield a right reply to about half of the Items; some are sentences, one in a hundred is chatter, few failed."""
    draws = rng.random((len(items), 2))
    seconds = rng.integers(50, 150, len(items)).tolist()
    for number, (item, (luck, fault)) in enumerate(zip(items, draws.tolist(), strict=True)):
        if fault < 0.002:
            yield Response(item.id, "", 0, "failed", error=ErrorInfo("timeout", "no answer in time"), seconds=60.0)
            continue
        letter = str(item.target) if luck < 0.4 else _LETTERS[int(luck * 1000) % 2]
        text = "I can't tell." if fault < 0.01 else letter if fault < 0.8 else f"The answer is {letter}."
        usage = Usage(400 + number % 700, 2)
        yield Response(item.id, "", 0, "answered", text, usage=usage, seconds=seconds[number] / 100, cost_usd=0.0001)
