"""Peak memory of a Run that is resumed: many Items, nearly all of which have a Response.

python -m benchmarks_speed.run --only resumed

The folder is written by hand (Items and Responses as the journals have them); a process of its own then reads it and
asks the Items that are left. `loop`: the loop alone, whose Requests come one at a time. `questions`: a file of one's
own questions, from its columns to the last Response, with the checks of a resumed Run.
"""

from __future__ import annotations

import asyncio
import hashlib
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from benchmarks_speed import measure, table
from triptych.benchmarks import own_questions
from triptych.experiment.execution import execute_plan
from triptych.experiment.plan import Plan
from triptych.experiment.planning import plan
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Item, Message, Request, Response, RunManifest, text
from triptych.records.exchange import full_revision
from triptych.running.loop import RunOptions, execute
from triptych.store.folder import RunFolder

SIZES = (100_000, 1_000_000)
GOAL, GOAL_MB, LEFT = 10_000_000, 4_000, 1_000
QUESTION = "Which of the four recordings was made in the same place as the picture? Answer with a letter. " * 3
MANIFEST = RunManifest(
    schema_version=1,
    benchmark="toy",
    benchmark_version="1",
    data="mini",
    data_sha256="d",
    tasks=("one",),
    model="instant/it",
    revision="",
    model_settings={},
    conditions=(),
    prompt="p",
    decoding={},
    seed=0,
    repeats=1,
)


class Instant(SimpleAdapter):
    """Answers at once."""

    name = "instant/it"

    async def respond(self, request: Request, media: Any) -> Reply:
        """Return always the same letter."""
        return Reply(text="A", finish_reason="stop")


def item(number: int) -> Item:
    return Item(f"perception/general/audio_text/{number}", "toy/one", (text(f"{QUESTION}{number}"),), target="A")


def requests(count: int) -> Iterator[Request]:
    """Yield the Requests of all Items, each made when it is needed."""
    for number in range(count):
        own = item(number)
        yield Request(own.id, (Message("user", own.parts),), {}, "", 0, own)


def write(path: Path, count: int) -> None:
    """Write a Run of `count` Items of which the last have no Response yet."""
    folder, encoder = RunFolder.create(path, MANIFEST), msgspec.json.Encoder()
    with (path / "items.jsonl").open("wb") as items, (path / "responses.jsonl").open("wb") as responses:
        for number in range(count - LEFT):
            own = item(number)
            items.write(encoder.encode(own) + b"\n")
            responses.write(encoder.encode(Response(own.id, "", 0, "answered", "A", key=f"{number:064x}")) + b"\n")
    assert folder.path == path


def row(number: int) -> dict[str, Any]:
    """Return a row of a file of questions, of some 350 bytes."""
    words = hashlib.sha256(str(number).encode()).hexdigest()
    options = {letter: f"the recording of {words[n * 8 : n * 8 + 8]}" for n, letter in enumerate("ABCD")}
    return {"id": number, "question": f"{QUESTION[:190]}{words[32:]}", **options, "answer": "ABCD"[number % 4]}


def write_questions(path: Path, count: int) -> None:
    """Write a file of questions, and the Run of it in the folder `run` next to it."""
    encoder = msgspec.json.Encoder()
    with path.open("wb") as file:
        for number in range(count):
            file.write(encoder.encode(row(number)) + b"\n")
    ready = of_questions(path)
    folder = RunFolder.create(path.with_name("run"), ready.manifest)
    revision = full_revision(ready.adapter.revision, ready.adapter.settings)
    with (folder.path / "items.jsonl").open("wb") as items, (folder.path / "responses.jsonl").open("wb") as responses:
        for request in islice(ready.requests(), count - LEFT):
            key = request.key(ready.adapter.name, revision, {})
            items.write(encoder.encode(request.item) + b"\n")
            responses.write(encoder.encode(Response(request.id, "", 0, "answered", "A", key=key)) + b"\n")


def of_questions(path: Path) -> Plan:
    """Return the plan of a file of questions."""
    bench = own_questions(str(path))
    assert bench is not None
    return plan(bench, "baseline/first")


def resume_questions(path: Path) -> None:
    """Resume the Run of a file of questions in this process, as `triptych run --no-score` does."""
    print(execute_plan(of_questions(path), out=path.with_name("run"), scored=False).outcome)


def resume(path: Path, count: int) -> None:
    """Resume the Run in this process."""
    done = asyncio.run(
        execute(requests(count), Instant(), RunFolder.open(path), MediaReader(path), RunOptions(progress=False))
    )
    print(done)


def resumed_section(clients: list[Any], options: Any) -> list[dict[str, Any]]:
    """Two sizes of each kind, and what follows for the goal, since memory grows with the number of Items."""
    return [*_section("loop"), *_section("questions")]


def _section(kind: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for count in SIZES:
        with tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:
            path = Path(name) / ("run" if kind == "loop" else "questions.jsonl")
            (write if kind == "loop" else write_questions)(path, count)
            command = [sys.executable, "-m", "benchmarks_speed.resumed", kind, str(path), str(count)]
            root = str(Path(__file__).parents[1])
            cost = measure.run(command, Path(name), {"PYTHONPATH": root}, 3_600)
        if cost.code:
            raise RuntimeError(f"the Run ended with code {cost.code}: {cost.output[-500:]}")
        rows.append({"kind": kind, "items": count, "rss": cost.rss, "cpu": cost.cpu})
    (small, large) = rows
    each = (large["rss"] - small["rss"]) / (large["items"] - small["items"])  # MB an Item
    expected = large["rss"] + each * (GOAL - large["items"])
    goal = {"items": GOAL, "rss": expected, "bytes_an_item": each * 1e6, "wanted_mb": GOAL_MB, "expected": True}
    rows.append({"kind": kind, **goal})
    cells = [[f"{row['items']:,}", f"{row['rss']:,.0f}", f"{row.get('cpu', 0):.0f}"] for row in rows[:2]]
    cells.append([f"{GOAL:,} (expected)", f"{expected:,.0f}", f"{each * 1e6:.0f} bytes an Item"])
    table.show(f"resumed with {LEFT:,} Items left: {kind}", ["Items", "peak memory, MB", "CPU s"], cells)
    return rows


if __name__ == "__main__":
    if sys.argv[1] == "loop":
        resume(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        resume_questions(Path(sys.argv[2]))
