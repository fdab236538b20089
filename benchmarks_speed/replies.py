"""Long replies through all scoring: CPU seconds and peak memory, each measurement in a process of its own.

python benchmarks_speed/replies.py BENCHMARK KIND CHARACTERS     (what `measure` runs)
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

MILLION = 1_000_000
LENGTHS = (MILLION, 5 * MILLION)
LIMIT_S = 600


def repeated(phrase: str) -> Callable[[int], str]:
    """A reply that repeats a phrase."""
    return lambda length: phrase * (length // len(phrase))


def drawn(first: int, last: int) -> Callable[[int], str]:
    """A reply of characters drawn at random between two code points."""

    def draw(length: int) -> str:
        points = np.random.default_rng(1).integers(first, last + 1, length, dtype=np.uint32)
        return str(points.astype("<u4").tobytes().decode("utf-32-le"))

    return draw


KINDS = {
    "an English phrase, repeated": repeated("the answer is that "),
    "a Chinese phrase, repeated": repeated("春眠不覺曉，"),
    "options, repeated": repeated("A. B) (C) D, "),
    "random Han characters": drawn(0x4E00, 0x9FA5),
    "random printable ASCII": drawn(0x20, 0x7E),
}


def measure(folder: Path) -> list[dict[str, Any]]:
    """Score replies of every kind and length under all protocols of the five benchmarks, and print the table."""
    from benchmarks_speed import measure as cost
    from benchmarks_speed import table
    from triptych.benchmarks import known_benchmarks

    found: list[dict[str, Any]] = []
    for name in sorted(known_benchmarks()):
        for kind in KINDS:
            for length in LENGTHS:
                done = cost.run([sys.executable, __file__, name, kind, str(length)], folder, limit=LIMIT_S)
                said = done.output.strip().splitlines()[-1:] if not done.code else []
                worst = json.loads(said[0]) if said else {"task": "", "protocol": "", "cpu": None, "mb": done.rss}
                if done.code:
                    print(f"{name}, {kind}, {length}: {done.output[-500:]}", file=sys.stderr)
                found.append({"benchmark": name, "kind": kind, "length": length, "code": done.code, **worst})
    table.show("long replies, the slowest Task and protocol of each benchmark", HEAD, list(rows(found)))
    return found


HEAD = ["benchmark", "reply", *(f"{head} {length // MILLION} M" for length in LENGTHS for head in ("CPU s", "peak MB"))]


def rows(found: list[dict[str, Any]]) -> list[list[str]]:
    """One row a benchmark and kind of reply, the lengths beside each other."""
    made: dict[tuple[str, str], list[str]] = {}
    for one in found:
        cpu = "-" if one["cpu"] is None else f"{one['cpu']:.1f}"
        made.setdefault((one["benchmark"], one["kind"]), []).extend((cpu, f"{one['mb']:.0f}"))
    return [[*names, *cells] for names, cells in made.items()]


def score(name: str, kind: str, length: int) -> dict[str, Any]:
    """Score the reply under every protocol of every kind of Task; the most CPU seconds of one, the peak of all."""
    from tests.scoring.test_apply_looping_replies import units_of

    from triptych.benchmarks import load_benchmark
    from triptych.records import Response
    from triptych.scoring.apply import score_units
    from triptych.scoring.stored.units import group_units

    worst: dict[str, Any] = {"cpu": 0.0}
    text = KINDS[kind](length)
    for items in units_of(name):
        replies = [Response(item.id, "", 0, "answered", text) for item in items[:1]]
        replies += [Response(item.id, "", 0, "answered", "x") for item in items[1:]]
        for protocol in load_benchmark(name).protocols.values():
            start = time.process_time()
            scores = score_units(group_units(items, replies), protocol)
            cpu = time.process_time() - start
            assert scores
            statuses = sorted({one.status for one in scores})
            if cpu >= worst["cpu"]:
                worst = {"task": items[0].task, "protocol": protocol.name, "cpu": cpu, "statuses": statuses}
    return {**worst, "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


if __name__ == "__main__":
    print(json.dumps(score(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
