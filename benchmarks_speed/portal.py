"""The portal under load: 200 people at once, processes killed in mid-load, 50 claims at once, lists over queues of
100,000 tasks, and an export of 100,000 results. PostgreSQL is started here, with its default settings (tests/support).
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.support.postgres import programs, running

from benchmarks_speed import portal_people, table
from benchmarks_speed.portal_filling import emptied, filled, people_with_sessions, tasks_of
from benchmarks_speed.portal_lists import lists
from benchmarks_speed.portal_server import WORKERS, served
from benchmarks_speed.viewer import cpu_seconds

PEOPLE = 200
LOAD_S = 120.0
KILLS = 5
CLAIMING = 50
LIMIT_MS = 200
Rows = list[dict[str, Any]]


def measure() -> Rows:
    """Everything, on all cores; empty where PostgreSQL is not installed."""
    place = programs()
    if place is None:
        print("\nportal: left out, PostgreSQL is not installed (apt-get install postgresql)")
        return []
    rows: Rows = []
    with running(place) as url, tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:
        for part in (load, kills, claims, lists):
            emptied(url)
            busy = os.getloadavg()[0]
            found = part(Path(name) / part.__name__, url)
            rows += [{"part": part.__name__, "load_before": busy, **row} for row in found]
        rows += [{"part": "lists", **row} for row in lists(Path(name) / "sqlite", "")]
    return rows


def load(folder: Path, url: str) -> Rows:
    """200 people at once, with checks running."""
    with filled(folder, url) as portal:
        tasks_of(portal, works=400, clips=10)
        cookies = people_with_sessions(portal, PEOPLE, "recorder")
    with served(folder, url) as server:
        server.ready()
        processes = server.all()
        before = [cpu_seconds(pid) for pid in processes]
        own = time.process_time()
        seen = asyncio.run(portal_people.crowd(server.address, cookies, LOAD_S))
        own, cpu = time.process_time() - own, [cpu_seconds(p) - b for p, b in zip(processes, before, strict=True)]
    row = {
        "people": PEOPLE,
        "workers": WORKERS,
        "think_s": portal_people.THINK_S,
        "pages": len(seen.pages),
        "submits": len(seen.submits),
        "problems": seen.problems,
        "server_cpu_s": sum(cpu),
        "client_cpu_s": own,
        "load_after": os.getloadavg()[0],
        "page": spread(seen.pages),
        "submit": spread(seen.submits),
        "backlog": _waiting(folder, url),
    }
    table.show(
        f"portal: {PEOPLE} people at once, {WORKERS} workers, thinking {portal_people.THINK_S:.0f} s on average, "
        f"{portal_people.SECONDS} s of sound each (wanted: p95 under {LIMIT_MS} ms)",
        ["", "requests", "median ms", "p95 ms", "p99 ms", "worst ms"],
        [
            [what, str(len(times)), *(f"{v:.0f}" for v in spread(times).values())]
            for what, times in (("page", seen.pages), ("submit", seen.submits))
        ],
    )
    table.facts(
        "portal: what it took",
        [
            ("seconds", LOAD_S),
            ("CPU seconds of the server with its checks", f"{sum(cpu):.1f}"),
            ("CPU seconds of the people", f"{own:.1f}"),
            ("problems", seen.problems or "none"),
            ("recordings that wait for their check at the end", row["backlog"]),
            ("load average before and after", f"{os.getloadavg()[1]:.1f} {os.getloadavg()[0]:.1f}"),
        ],
    )
    return [row]


def kills(folder: Path, url: str) -> Rows:
    """Five processes killed in mid-load, by turns a worker and the whole server."""
    import threading

    with filled(folder, url) as portal:
        tasks_of(portal, works=400, clips=10)
        cookies = people_with_sessions(portal, PEOPLE, "recorder")
    with served(folder, url) as server:
        done: list[str] = []

        def kill() -> None:
            for number in range(KILLS):
                time.sleep(9)
                whole = number % 2 == 1
                victim = server.process.pid if whole else server.workers()[number % WORKERS]
                os.kill(victim, 9)
                done.append("server" if whole else "worker")
                if whole:
                    server.process.communicate()
                    server.start()

        killer = threading.Thread(target=kill)
        killer.start()
        seen = asyncio.run(portal_people.crowd(server.address, cookies, KILLS * 9 + 20, 8.0))
        killer.join()
    row = {"killed": done, **compared(folder, url, seen)}
    table.facts("portal: processes killed (kill -9) in mid-load", list(row.items()))
    return [row]


def compared(folder: Path, url: str, seen: portal_people.Seen) -> dict[str, Any]:
    """Receipts, rows and media of a load test."""
    from sqlalchemy import select

    from triptych.portal.store.tables import receipts, submission_blobs, submissions

    with filled(folder, url) as portal:
        with portal.database.reading() as connection:
            ids = list(connection.execute(select(submissions.c.id)).scalars())
            told = {id: sha for id, sha in connection.execute(select(receipts.c.submission_id, receipts.c.sha256))}  # noqa: C416
            named = connection.execute(select(submission_blobs.c.sha256).where(submission_blobs.c.form == "original"))
            media = list(named.scalars())
        files = sum(_is_whole(portal.blobs, name) for name in media)
    return {
        "receipts": len(seen.receipts),
        "rows": len(ids),
        "media": files,
        "lost": len(seen.receipts.keys() - set(ids)),
        "without a receipt": len(set(ids) - seen.receipts.keys()),
        "other hash": sum(told.get(id) != sha for id, sha in seen.receipts.items()),
        "doubled": len(ids) - len(set(ids)) + len(media) - len(set(media)),
        "tried again": sum(seen.problems.values()),
    }


def _is_whole(blobs: Any, name: str) -> bool:
    import hashlib

    with blobs.opened(name) as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == name


def claims(folder: Path, url: str) -> Rows:
    """50 people claim from 10,000 tasks at once, and send what they did."""
    from triptych.portal.work.claims import claim
    from triptych.portal.work.submitting import Sent, submit

    with filled(folder, url) as portal:
        queue = tasks_of(portal, works=0, clips=10_000, kind="review")
        people = people_with_sessions(portal, CLAIMING, "reviewer", cookies=False)
        times: list[float] = []

        def work(number: int) -> list[int]:
            made = []
            for turn in range(8):
                began = time.perf_counter()
                found = claim(portal.database, queue, people[number], "1")
                times.append(time.perf_counter() - began)
                assert found
                sent = Sent(f"claimed-{number:06}-{turn:04}", found.id, found.slot, people[number], {})
                submit(portal.database, sent, checked=False)
                made.append(found.id)
            return made

        with ThreadPoolExecutor(CLAIMING) as pool:
            taken = [task for own in pool.map(work, range(CLAIMING)) for task in own]
    row = {"claims": len(taken), "twice": len(taken) - len(set(taken)), **spread(times)}
    table.facts(f"portal: {CLAIMING} claim at once from 10,000 tasks", list(row.items()))
    return [row]


def spread(seconds: list[float]) -> dict[str, float]:
    """Median, 95th and 99th percentile and the worst, in ms."""
    ordered = sorted(1000 * each for each in seconds) or [0.0]
    at = {"median": 0.5, "p95": 0.95, "p99": 0.99, "worst": 1.0}
    return {name: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for name, share in at.items()}


def _waiting(folder: Path, url: str) -> int:
    from sqlalchemy import func, select

    from triptych.portal.store.tables import checks

    with filled(folder, url) as portal, portal.database.reading() as connection:
        which = checks.c.state.in_(("waiting", "running"))
        return int(connection.execute(select(func.count()).select_from(checks).where(which)).scalar() or 0)
