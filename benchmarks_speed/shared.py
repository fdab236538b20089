"""What is left of the ideal on a machine whose cores are shared with busy processes: Triptych and the bare client.

python -m benchmarks_speed.run --only shared
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.mock_process import MockProcess

from benchmarks_speed import measure, table, work
from benchmarks_speed.clients import BARE, CACHE, OURS, Client

WORK = work.TEXT
BUSY = 0, 2  # processes that never wait, one on each core in turn


def shared_section(clients: Sequence[Client], options: Any) -> list[dict[str, Any]]:
    """Rounds in which each client asks in turn, so that other work on the machine affects all alike.

    The time of a Run is counted from the first Request, which the endpoint notes, until the process has ended: start-up
    doesn't count; reading, asking, checks of connections, scoring, tables and the end of the process do. Nothing is
    subtracted: on shared cores the time of a Run over one Item varies by more than what is to be measured.
    """
    data = work.make(WORK, CACHE / "data")
    rows: list[dict[str, Any]] = []
    for busy in BUSY:
        rows += measured(data, {one.name: one for one in (BARE, OURS)}, busy, options.repeats)
    show(rows)
    return rows


def measured(data: Path, clients: Mapping[str, Client], busy: int, rounds: int) -> list[dict[str, Any]]:
    """A row for each client; the first is what the others are compared with."""
    costs: dict[str, list[tuple[float, float]]] = {}
    with busy_processes(busy), MockProcess(cpu=measure.server_core(), latency=WORK.latency, answer="letter") as mock:
        for number in range(rounds + 1):
            for name, client in clients.items():
                cost = one(client, data, WORK.items, mock)
                if number:  # the first round warms the disk cache
                    costs.setdefault(name, []).append(cost)
    rows = [_row(name, busy, costs[name]) for name in clients]
    for row in rows:
        row["of_first"] = row["share"] / rows[0]["share"]
    return rows


def _row(name: str, busy: int, runs: list[tuple[float, float]]) -> dict[str, Any]:
    wall, cpu = (statistics.median(column) for column in zip(*runs, strict=True))
    return {
        "client": name,
        "busy": busy,
        "wall": wall,
        "best_wall": min(wall for wall, _ in runs),
        "share": WORK.ideal_seconds / wall,
        "cpu_s": cpu,
    }


def one(client: Client, data: Path, items: int, mock: MockProcess) -> tuple[float, float]:
    """Seconds from the first Request to the end of the process, and its CPU seconds."""
    mock.reset()
    with tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:
        cost = measure.run(client.command(WORK, data, items, mock.base_url, Path(name)), Path(name))
        ended = time.monotonic()
    stats = mock.stats()
    if cost.code or stats["received"] != items:
        raise RuntimeError(f"{client.name} ended with code {cost.code}: {cost.output[-500:]}")
    return ended - stats["began"], cost.cpu


@contextmanager
def busy_processes(number: int) -> Iterator[None]:
    """Processes that never wait, each bound to one core."""
    cores = os.cpu_count() or 1
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        for index, process in enumerate(processes):
            os.sched_setaffinity(process.pid, {index % cores})
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def show(rows: Sequence[Mapping[str, Any]]) -> None:
    """A line for each client and number of busy processes."""
    title = f"{WORK.items:,} text Requests, {WORK.concurrency} at once, answered after {1000 * WORK.latency:.0f} ms"
    head = ["client", "busy processes", "% of ideal", "of the bare client's", "wall s", "best", "CPU s, with start-up"]
    cells = [
        [
            row["client"],
            str(row["busy"]),
            f"{100 * row['share']:.0f}",
            f"{100 * row['of_first']:.0f}%",
            f"{row['wall']:.2f}",
            f"{row['best_wall']:.2f}",
            f"{row['cpu_s']:.2f}",
        ]
        for row in rows
    ]
    table.show(title, head, cells)
