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
from typing import Any, NamedTuple

from tests.support.mock_process import MockProcess

from benchmarks_speed import measure, table, work
from benchmarks_speed.clients import BARE, CACHE, OURS, Client

WORK = work.TEXT
BUSY = 0, 2  # processes that never wait, one on each core in turn


def shared_section(clients: Sequence[Client], options: Any) -> list[dict[str, Any]]:
    """Rounds in which each client asks in turn, so that other work on the machine affects all alike.

    Two times are given of each Run. The one counts from the first Request, which the endpoint notes, until the process
    has ended. It contains all that Triptych does besides asking and the bare client doesn't: imports, scoring, tables.
    The other is that of the whole process less that of a Run over one Item in the same round: what each further Item
    costs. Imports, tables and the end of the process aren't in it; reading, asking and scoring are. On shared cores a
    Run over one Item varies as much as one over all, so its median needs many rounds (`--repeats 15`).
    """
    data = work.make(WORK, CACHE / "data")
    rows: list[dict[str, Any]] = []
    for busy in BUSY:
        rows += measured(data, {one.name: one for one in (BARE, OURS)}, busy, options.repeats)
    show(rows)
    return rows


def measured(data: Path, clients: Mapping[str, Client], busy: int, rounds: int) -> list[dict[str, Any]]:
    """A row for each client; the first is what the others are compared with."""
    costs: dict[str, list[tuple[float, ...]]] = {}
    with busy_processes(busy), MockProcess(cpu=measure.server_core(), latency=WORK.latency, answer="letter") as mock:
        for number in range(rounds + 1):
            for name, client in clients.items():
                first, whole = one(client, data, 1, mock), one(client, data, WORK.items, mock)
                if number:  # the first round warms the disk cache
                    further = whole.process - first.process, whole.cpu - first.cpu
                    costs.setdefault(name, []).append((whole.asking, *further))
    rows = [_row(name, busy, costs[name]) for name in clients]
    for row in rows:
        row["of_first"], row["further_of_first"] = (row[key] / rows[0][key] for key in ("share", "further_share"))
    return rows


def _row(name: str, busy: int, runs: list[tuple[float, ...]]) -> dict[str, Any]:
    wall, further, cpu = (statistics.median(column) for column in zip(*runs, strict=True))
    return {
        "client": name,
        "busy": busy,
        "wall": wall,
        "best_wall": min(run[0] for run in runs),
        "share": WORK.ideal_seconds / wall,
        "further_wall": further,
        "further_share": WORK.ideal_seconds / further,
        "cpu_s": cpu,
    }


class Seconds(NamedTuple):
    """What a Run took: from the first Request to the end of the process; the whole process; its CPU time."""

    asking: float
    process: float
    cpu: float


def one(client: Client, data: Path, items: int, mock: MockProcess) -> Seconds:
    """Carry out a Run over the first Items."""
    mock.reset()
    with tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:
        cost = measure.run(client.command(WORK, data, items, mock.base_url, Path(name)), Path(name))
        ended = time.monotonic()
    stats = mock.stats()
    if cost.code or stats["received"] != items:
        raise RuntimeError(f"{client.name} ended with code {cost.code}: {cost.output[-500:]}")
    return Seconds(ended - stats["began"], cost.wall, cost.cpu)


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
    head = ["client", "busy processes", "% of ideal", "of the bare client's", "wall s", "best"]
    head += ["% of ideal less one Item", "of the bare client's", "wall s", "CPU s"]
    cells = [
        [
            row["client"],
            str(row["busy"]),
            f"{100 * row['share']:.0f}",
            f"{100 * row['of_first']:.0f}%",
            f"{row['wall']:.2f}",
            f"{row['best_wall']:.2f}",
            f"{100 * row['further_share']:.0f}",
            f"{100 * row['further_of_first']:.0f}%",
            f"{row['further_wall']:.2f}",
            f"{row['cpu_s']:.2f}",
        ]
        for row in rows
    ]
    table.show(title, head, cells)
