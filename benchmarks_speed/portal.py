"""The portal under load: 200 people at once, processes killed in mid-load, 50 claims at once, lists over 100,000
tasks, and an export of 100,000 results. PostgreSQL is started here, with its default settings (tests/support).
"""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.postgres import programs, running

from benchmarks_speed import portal_people, table
from benchmarks_speed.portal_filling import emptied, filled, people_with_sessions, tasks_of
from benchmarks_speed.viewer import cpu_seconds

PEOPLE = 200
WORKERS = 2
LOAD_S = 120.0
KILLS = 5
CLAIMING = 50
MANY = 100_000
LIMIT_MS = 200
STARTED_CPU_S = 0.5  # of a worker that has imported what it needs
Rows = list[dict[str, Any]]


@dataclass
class Server:
    """`triptych portal serve` in processes of its own; its CPU time counts those that were killed as far as they are
    known."""

    project: Path
    url: str
    port: int = 0
    process: Any = None
    address: str = ""

    def start(self) -> None:
        """Start it, on the port that it had before."""
        command = [sys.executable, "-m", "triptych", "portal", "serve", "--project", str(self.project)]
        command += ["--port", str(self.port), "--workers", str(WORKERS)]
        while True:
            self.process = subprocess.Popen(
                command, stderr=subprocess.PIPE, text=True, env={**os.environ, "TRIPTYCH_PORTAL_DB": self.url}
            )
            line = self.process.stderr.readline()
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.address, self.port = found[0], int(found[1])
                return
            self.process.wait()  # the port is still held by processes of the one that was killed
            time.sleep(0.2)

    def ready(self) -> None:
        """Wait until every worker answers: their processes take some seconds to start."""
        while len(self.workers()) < WORKERS or any(cpu_seconds(pid) < STARTED_CPU_S for pid in self.workers()):
            time.sleep(0.1)
        for _ in range(50):
            with urllib.request.urlopen(self.address) as answer:
                answer.read()

    def workers(self) -> list[int]:
        """The processes that answer requests: the children that hold the listening socket."""
        return [pid for pid in children(self.process.pid) if listens(pid)]

    def all(self) -> list[int]:
        """Every process of the server."""
        return [self.process.pid, *children(self.process.pid)]

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.communicate()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    try:
        found = list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += [int(n) for n in (thread / "children").read_text().split() if int(n) not in found]
    except OSError:
        return []
    return found


def listens(pid: int) -> bool:
    """Whether a process was started to answer requests: the check process holds no socket that listens."""
    inodes = {line.split()[9] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "0A"}
    try:
        links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    except OSError:
        return False
    return any(link.startswith("socket:[") and link[8:-1] in inodes for link in links)


@contextmanager
def served(folder: Path, url: str) -> Iterator[Server]:
    """A server with an empty project."""
    server = Server(folder, url)
    server.start()
    try:
        yield server
    finally:
        server.stop()


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
        "people": PEOPLE, "workers": WORKERS, "think_s": portal_people.THINK_S, "pages": len(seen.pages),
        "submits": len(seen.submits), "problems": seen.problems, "server_cpu_s": sum(cpu), "client_cpu_s": own,
        "load_after": os.getloadavg()[0], "page": spread(seen.pages), "submit": spread(seen.submits),
        "backlog": _waiting(folder, url),
    }  # fmt: skip
    table.show(
        f"portal: {PEOPLE} people at once, {WORKERS} workers, thinking {portal_people.THINK_S:.0f} s on average, "
        f"{portal_people.SECONDS} s of sound each (wanted: p95 under {LIMIT_MS} ms)",
        ["", "requests", "median ms", "p95 ms", "p99 ms", "worst ms"],
        [[what, str(len(times)), *(f"{v:.0f}" for v in spread(times).values())]
         for what, times in (("page", seen.pages), ("submit", seen.submits))],
    )  # fmt: skip
    table.facts("portal: what it took", [
        ("seconds", LOAD_S), ("CPU seconds of the server with its checks", f"{sum(cpu):.1f}"),
        ("CPU seconds of the people", f"{own:.1f}"), ("problems", seen.problems or "none"),
        ("recordings that wait for their check at the end", row["backlog"]),
        ("load average before and after", f"{os.getloadavg()[1]:.1f} {os.getloadavg()[0]:.1f}"),
    ])  # fmt: skip
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
        "receipts": len(seen.receipts), "rows": len(ids), "media": files,
        "lost": len(seen.receipts.keys() - set(ids)), "without a receipt": len(set(ids) - seen.receipts.keys()),
        "other hash": sum(told.get(id) != sha for id, sha in seen.receipts.items()),
        "doubled": len(ids) - len(set(ids)) + len(media) - len(set(media)), "tried again": sum(seen.problems.values()),
    }  # fmt: skip


def _is_whole(blobs: Any, name: str) -> bool:
    import hashlib

    with blobs.opened(name) as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == name


def claims(folder: Path, url: str) -> Rows:
    """50 people claim from 10,000 tasks at once, and send what they did."""
    from triptych.portal.work.claiming import claim
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


def lists(folder: Path, url: str) -> Rows:
    """Pages over 100,000 tasks, their results, and an export."""
    from triptych.portal.work.tokens import add_token

    with filled(folder, url) as portal:
        done = tasks_of(portal, works=10_000, clips=10, done=MANY)
        cookie = people_with_sessions(portal, 1, "admin", "recorder", "reviewer")[0]
        with portal.database.writing() as connection:
            token = add_token(connection, "speed")
    rows: Rows = []
    with served(folder, url) as server:
        server.ready()

        def ask(path: str, **headers: str) -> tuple[float, int, int]:
            request = urllib.request.Request(server.address + path, headers=headers)
            began = time.perf_counter()
            with urllib.request.urlopen(request, timeout=600) as answer:
                size = 0
                while chunk := answer.read(1 << 20):
                    size += len(chunk)
                return 1000 * (time.perf_counter() - began), size, answer.status

        own = {"cookie": f"triptych_portal={cookie}", "accept": "text/html"}
        for path in ("/", "/queues", f"/recordings/{done.name}?state=accepted", f"/record/{done.name}", "/people",
                     "/audit", "/your-data", "/hours.csv"):  # fmt: skip
            found = [ask(path, **own) for _ in range(7)]
            rows.append({"page": path, "first_ms": found[0][0], "median_ms": statistics.median(f[0] for f in found),
                         "worst_ms": max(f[0] for f in found[1:]), "kB": found[0][1] / 1000})  # fmt: skip
        before = max(rss(pid) for pid in server.workers())
        ms, size, _ = ask(f"/api/queues/{done.name}/results", authorization=f"Bearer {token}")
        after = max(rss(pid) for pid in server.workers())
    table.show(
        f"portal: pages over {MANY:,} tasks and results (wanted: under {LIMIT_MS} ms)",
        ["page", "first ms", "median ms", "worst ms", "kB"],
        [[r["page"], *(f"{r[n]:.0f}" for n in ("first_ms", "median_ms", "worst_ms", "kB"))] for r in rows],
    )
    export = {"export_s": ms / 1000, "export_MB": size / 1e6, "rss_before_MB": before, "rss_after_MB": after}
    table.facts(f"portal: an export of {MANY:,} results (wanted: under 200 MB)", list(export.items()))
    return [*rows, export]


def rss(pid: int) -> float:
    """Peak resident MB of one process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


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
