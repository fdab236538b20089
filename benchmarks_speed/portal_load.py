"""200 people at once for some minutes, with SQLite and with PostgreSQL: `python -m benchmarks_speed.portal_load`.

Each opens the recording page, reads for 20 s on average (an exponential distribution), and sends 11 s of sound at
48 kHz (1 MB). Printed for each database: page and upload (median, 95th and 99th percentile, longest), violations
(results that were lost, doubled or damaged), CPU time of the server and of the
simulated people apart, and the load average before and after.
On a machine with more than two cores, server and database get the first two, and the simulated people the others.
Figures mean something only if nothing else runs: the load before should be under 0.5.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.support.postgres import programs, running

from benchmarks_speed import portal_people, table
from benchmarks_speed.portal import compared, spread
from benchmarks_speed.portal_filling import emptied, filled, people_with_sessions, tasks_of
from benchmarks_speed.portal_server import WORKERS, served
from benchmarks_speed.viewer import cpu_seconds

CORES = 2
SOUND_S = 11  # 1.06 MB
PAGE_MS, UPLOAD_MS = 300, 800  # goals for the 95th percentiles
VIOLATIONS = ("lost", "without a receipt", "other hash", "doubled")


def loaded(folder: Path, url: str, people: int, seconds: float) -> dict[str, Any]:
    """One load test. `url`: of PostgreSQL; empty for SQLite in the folder."""
    before = os.getloadavg()[0]
    with filled(folder, url) as portal:
        tasks_of(portal, works=2 * people, clips=max(10, int(seconds / 15)))
        cookies = people_with_sessions(portal, people, "recorder")
    with served(folder, url) as server:
        server.ready()
        processes = server.all()
        used = [cpu_seconds(pid) for pid in processes]
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, set(range(os.cpu_count() or 1)) - cores or cores)
        own, began = time.process_time(), time.monotonic()
        seen = asyncio.run(portal_people.crowd(server.address, cookies, seconds, sound_s=SOUND_S))
        own, took = time.process_time() - own, time.monotonic() - began
        spent = sum(cpu_seconds(p) - b for p, b in zip(processes, used, strict=True))
        os.sched_setaffinity(0, cores)
    found = compared(folder, url, seen)
    return {
        "database": "PostgreSQL" if url else "SQLite",
        "people": people,
        "workers": WORKERS,
        "seconds": round(took, 1),
        "pages": len(seen.pages),
        "uploads": len(seen.submits),
        "page": spread(seen.pages),
        "upload": spread(seen.submits),
        "violations": sum(found[name] for name in VIOLATIONS),
        **found,
        "problems": seen.problems,
        "server_cpu_s": round(spent, 1),
        "client_cpu_s": round(own, 1),
        "load_before": before,
        "load_after": os.getloadavg()[0],
    }


def show(row: dict[str, Any]) -> None:
    """Print one load test, with what missed its goal."""
    table.show(
        f"portal, {row['database']}: {row['people']} people, {WORKERS} workers, {row['seconds']:.0f} s, 1 MB an upload",
        ["", "requests", "median ms", "p95 ms", "p99 ms", "worst ms", "goal for p95"],
        [
            [what, str(row[f"{what}s"]), *(f"{value:.0f}" for value in row[what].values()), str(goal)]
            for what, goal in (("page", PAGE_MS), ("upload", UPLOAD_MS))
        ],
    )
    names = ("violations", "problems", "server_cpu_s", "client_cpu_s", "load_before", "load_after")
    table.facts(f"portal, {row['database']}", [(name.replace("_", " "), row[name] or "none") for name in names])


def main() -> int:
    """Run it; the exit code is 1 if anything was violated."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--db", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    wanted = parser.parse_args()
    rows = []
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])  # what is started inherits it
    with tempfile.TemporaryDirectory(prefix="triptych-load-") as name:
        if wanted.db != "postgresql":
            rows.append(loaded(Path(name) / "sqlite", "", wanted.people, 60 * wanted.minutes))
            show(rows[-1])
        place = programs() if wanted.db != "sqlite" else None
        if wanted.db != "sqlite" and place is None:
            print("PostgreSQL is left out: it is not installed (apt-get install postgresql)")
        if place is not None:
            with running(place) as url:
                emptied(url)
                rows.append(loaded(Path(name) / "postgresql", url, wanted.people, 60 * wanted.minutes))
                show(rows[-1])
    if wanted.json:
        wanted.json.write_text(json.dumps(rows, indent=1) + "\n")
    return int(any(row["violations"] for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
