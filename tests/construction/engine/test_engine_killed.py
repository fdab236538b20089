"""A build that is killed and started again ends with the same files, and asks for no journaled reply twice."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.support.waiting import until
from triptych.construction.engine.folder import BuildFolder

ROOT = Path(__file__).parents[3]
PROGRAM = """
import asyncio, sys
from pathlib import Path
from tests.construction import toy
from triptych.construction.build import build
from triptych.models import registry
from triptych.running.loop import RunOptions

class Slow(toy.Counting):
    async def respond(self, request, prepared):
        await asyncio.sleep(0.01)
        with open(sys.argv[2], "a") as log:
            log.write(request.id + " " + str(request.repeat) + "\\n")
        return await super().respond(request, prepared)

toy.make = lambda name, settings: Slow(settings)
registry.ADAPTERS["toy"] = ("tests.construction.toy", "")
words = ["One", "Late", "Bad", "Six"]
texts = {f"t{n}": ". ".join(f"{w} number {n} of {i}" for i, w in enumerate(words)) for n in range(25)}
config = {"texts": texts, "models": {"maker": {"model": "toy/counting"}}}
build(toy.RECIPE, config, Path(sys.argv[1]), options=RunOptions(concurrency=4))
"""


def start(folder: Path, log: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", PROGRAM, str(folder), str(log)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finish(folder: Path, log: Path) -> None:
    process = start(folder, log)
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()


def asked(log: Path) -> int:
    return len(log.read_text().splitlines()) if log.exists() else 0


def files(folder: Path) -> dict[str, bytes]:
    names = [
        *sorted((folder / "out").rglob("*")),
        folder / "funnel.json",
        *sorted(folder.glob("stages/*/records.jsonl")),
    ]
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in names if p.is_file()}


@pytest.mark.slow
def test_twenty_kills(tmp_path: Path) -> None:
    finish(tmp_path / "whole", tmp_path / "whole.log")
    folder, log, draw = tmp_path / "killed", tmp_path / "killed.log", random.Random(7)
    kept: set[tuple[str, int]] = set()
    for number in range(20):
        process = start(folder, log)
        # the moment is drawn by progress, so that a slow machine is not always killed while it starts
        wanted = asked(log) + draw.randrange(9)
        until(lambda: process.poll() is not None or asked(log) > wanted, "another reply")  # noqa: B023
        process.send_signal(signal.SIGKILL)
        process.communicate()
        journals = list((folder / "stages").glob("*-question/replies/*.jsonl")) if folder.exists() else []
        for line in (line for journal in journals for line in journal.read_bytes().split(b"\n")[:-1]):
            entry = json.loads(line)
            kept.add((entry["item"], entry["repeat"]))
        asked_before = Counter(log.read_text().split("\n")) if log.exists() else Counter()
        if number == 19:
            break
    finish(folder, log)
    assert files(folder) == files(tmp_path / "whole")
    after = Counter(log.read_text().split("\n")) - asked_before
    assert not [entry for entry in kept if after[f"{entry[0]} {entry[1]}"]], "a journaled reply was asked for again"
    assert BuildFolder(folder).funnel()
