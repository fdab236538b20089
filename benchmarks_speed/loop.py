"""How many text Requests a second one process of Triptych feeds to an endpoint, and what each costs it.

python -m benchmarks_speed.run --only loop
"""

from __future__ import annotations

import datetime
import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec
from tests.support.mock_process import MockProcess

from benchmarks_speed import measure, table, work
from benchmarks_speed.clients import CACHE, OURS

WORK = work.Work("text", 10_000, latency=0.01)  # 64 at once: at most 6,400 a second


def loop_section(clients: list[Any], options: Any) -> list[dict[str, Any]]:
    """The run with the least CPU of some over all Items, less the best of as many over one Item."""
    data = work.make(WORK, CACHE / "data")
    with MockProcess(cpu=measure.server_core(), latency=WORK.latency, answer="letter") as mock:
        _run(data, 1, mock)
        starts = [_run(data, 1, mock) for _ in range(options.repeats)]
        runs = [_run(data, WORK.items, mock) for _ in range(options.repeats)]
    start, best = min(one["cpu"] for one in starts), min(runs, key=lambda one: one["cpu"])
    cpu = (best["cpu"] - start) / (WORK.items - 1)
    row = {
        "requests": WORK.items,
        "concurrency": WORK.concurrency,
        "latency": WORK.latency,
        "per_s": max(one["per_s"] for one in runs),
        "cpu_ms": 1000 * cpu,
        "core_per_s": 1 / cpu,
        "server_cpu_ms": 1000 * best["server_cpu"] / WORK.items,
    }
    title = f"{WORK.items:,} text Requests, {WORK.concurrency} at once, answered after {1000 * WORK.latency:.0f} ms"
    head = ["Requests/s, while asking", "CPU ms a Request, all in", "Requests/s of a core", "CPU ms of the server"]
    cells = [f"{row['per_s']:,.0f}", f"{row['cpu_ms']:.3f}", f"{row['core_per_s']:,.0f}"]
    table.show(title, head, [[*cells, f"{row['server_cpu_ms']:.3f}"]])
    return [row]


def _run(data: Path, limit: int, mock: MockProcess) -> dict[str, float]:
    """One Run: CPU seconds of the client (asking, journal, scoring, tables) and of the server, Requests a second."""
    mock.reset()
    with tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:
        out, before = Path(name), _cpu_of(mock.process.pid)
        cost = measure.run(OURS.command(WORK, data, limit, mock.base_url, out), out)
        spent = _cpu_of(mock.process.pid) - before
        if cost.code or mock.stats()["received"] != limit:
            raise RuntimeError(f"the Run ended with code {cost.code}: {cost.output[-500:]}")
        times = _answered(out / "run" / "responses.jsonl")
    seconds = (max(times) - min(times)).total_seconds()
    return {"cpu": cost.cpu, "server_cpu": spent, "per_s": (limit - 1) / seconds if seconds else 0.0}


class _Line(msgspec.Struct):
    time: datetime.datetime


def _answered(journal: Path) -> list[datetime.datetime]:
    """When each Response was journaled."""
    return [one.time for one in msgspec.json.Decoder(_Line).decode_lines(journal.read_bytes())]


def _cpu_of(pid: int) -> float:
    """CPU seconds of a process that is alive."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
