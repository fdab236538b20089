"""Every list of the portal over queues of 100,000 tasks with 100,000 results each (200,000 reviews), and an export."""

from __future__ import annotations

import os
import re
import statistics
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks_speed import table
from benchmarks_speed.portal_answers import annotations_of, reviews_of, survey_of
from benchmarks_speed.portal_filling import filled, people_with_sessions, tasks_of
from benchmarks_speed.portal_server import Server, children, rss, served

MANY = 100_000
LIMIT_MS = 200
ROLES = ("admin", "recorder", "reviewer", "annotator", "participant")
TURNS = 7
DEEP = 20  # pages that are turned to see whether a later one takes longer
PAGES = (
    "/",
    "/queues",
    "/people",
    "/people?find=p-7",
    "/audit",
    "/your-data",
    "/hours.csv",
    "/dashboard",
    "/days.csv",
    "/record/record",
    "/recordings/record?state=accepted",
    "/recordings/record",
    "/review/review",
    "/reviews/review",
    "/annotate/annotate",
    "/annotations/annotate",
    "/survey/survey",
    "/survey-cells/survey",
)
DEEPER = ("/recordings/record?state=accepted", "/annotations/annotate", "/survey-cells/survey", "/people", "/audit")
_OLDER = re.compile(r'href="([^"]*before=[^"]+)"')
Rows = list[dict[str, Any]]


def lists(folder: Path, url: str) -> Rows:
    """Pages over four queues of 100,000 tasks, and an export; `url`: empty for SQLite."""
    from triptych.portal.work.tokens import add_token

    began = time.perf_counter()
    with filled(folder, url) as portal:
        tasks_of(portal, works=MANY // 10, clips=10, done=MANY)
        for make in (reviews_of, annotations_of, survey_of):
            make(portal, MANY)
        cookie = people_with_sessions(portal, 1, *ROLES)[0]
        with portal.database.writing() as connection:
            token = add_token(connection, "speed")
    name, filled_s = "PostgreSQL" if url else "SQLite", time.perf_counter() - began
    with served(folder, url) as server:
        server.ready()
        own = {"cookie": f"triptych_portal={cookie}", "accept": "text/html"}
        first_ms, counted_s = _counted(server, own)
        rows = [_page(server, url, path, own) for path in PAGES]
        rows += [_page(server, url, _deep(server, path, own), own, f"{path}, {DEEP} pages on") for path in DEEPER]
        before = max(rss(pid) for pid in server.workers())
        ratings_ms, ratings = _ask(server, "/reviews/review/ratings.csv", **own)
        ms, data = _ask(server, "/api/queues/record/results", authorization=f"Bearer {token}")
        after = max(rss(pid) for pid in server.workers())
    columns = ("first_ms", "median_ms", "worst_ms", "cpu_ms", "kB")
    table.show(
        f"portal on {name}: lists over queues of {MANY:,} tasks (wanted: under {LIMIT_MS} ms)",
        ["page", "first ms", "median ms", "worst ms", "CPU ms", "kB"],
        [[row["page"], *(f"{row[column]:.0f}" for column in columns)] for row in rows],
    )
    export = {
        "database": name,
        "filled_s": filled_s,
        "reviews_first_ms": first_ms,
        "reviews_counted_s": counted_s,
        "ratings_s": ratings_ms / 1000,
        "ratings_MB": len(ratings) / 1e6,
        "export_s": ms / 1000,
        "export_MB": len(data) / 1e6,
        "rss_before_MB": before,
        "rss_after_MB": after,
    }
    table.facts(
        f"portal on {name}: the first look at {2 * MANY:,} reviews, their ratings, and an export of {MANY:,} "
        "results (wanted: under 200 MB)",
        list(export.items()),
    )
    return [*({"database": name, **row} for row in rows), export]


def _counted(server: Server, own: dict[str, str]) -> tuple[float, float]:
    """Milliseconds of the first look at the reviews, and seconds until a page with their agreement came."""
    began = time.perf_counter()
    first, page = _ask(server, "/reviews/review", **own)
    while b"data-value" not in page:
        time.sleep(0.5)
        _, page = _ask(server, "/reviews/review", **own)
    return first, time.perf_counter() - began


def _page(server: Server, url: str, path: str, own: dict[str, str], name: str = "") -> dict[str, Any]:
    used = _cpu(server, url)
    before = used()
    found = [_ask(server, path, **own) for _ in range(TURNS)]
    times = [ms for ms, _ in found]
    return {
        "page": name or path,
        "first_ms": times[0],
        "median_ms": statistics.median(times),
        "worst_ms": max(times[1:]),
        "cpu_ms": 1000 * (used() - before) / TURNS,
        "kB": len(found[0][1]) / 1000,
    }


def _deep(server: Server, path: str, own: dict[str, str]) -> str:
    """The address of a list's page after some turns of `older`, or of its last one."""
    for _ in range(DEEP):
        _, page = _ask(server, path, **own)
        links = _OLDER.findall(page.decode())
        if not links:
            break
        link = links[-1].replace("&amp;", "&")
        path = link if link.startswith("/") else path.partition("?")[0] + link
    return path


def _ask(server: Server, path: str, **headers: str) -> tuple[float, bytes]:
    request = urllib.request.Request(server.address + path, headers=headers)
    began = time.perf_counter()
    with urllib.request.urlopen(request, timeout=600) as answer:
        data: bytes = answer.read()
    return 1000 * (time.perf_counter() - began), data


def _cpu(server: Server, url: str) -> Callable[[], float]:
    """Returns the CPU seconds that the workers and the database have used so far."""
    found = re.search(r"host=([^&]+)", url)
    lines = (Path(found[1]) / "data" / "postmaster.pid").read_text().split() if found else []
    root = [int(line) for line in lines[:1]]
    return lambda: sum(map(_spent, [*server.workers(), *root, *(pid for own in root for pid in children(own))]))


def _spent(process: int) -> float:
    """CPU seconds of a process and of its children that have ended, such as PostgreSQL's parallel workers."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
