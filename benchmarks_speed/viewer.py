"""How long the viewer's pages take over Runs of 60,000 Items: two made-up ones, a real server, real requests.

The Runs are XModBench's mini Items many times over, each under an id of its own, with replies of some ten to a hundred
words in English and Chinese; they are kept between runs of this benchmark.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks_speed.measure import tree_rss

ITEMS = 60_000
WORDS = ("rain", "falls", "on", "a", "roof", "while", "somebody", "knocks", "at", "the", "door", "and", "dog", "barks")
WORDS_ZH = ("雨", "落在", "屋顶", "上", "有人", "敲门")
PAGES = {
    "all Runs": "/",
    "a Run": "/runs/1/",
    "its Items": "/runs/1/items",
    "by facet and outcome": "/runs/1/items?f.family=linguistic&f.direction=text_audio&outcome=wrong",
    "searched for words": "/runs/1/items?q=%E6%95%B2%E9%97%A8+dog",
    "searched for what isn't there": "/runs/1/items?q=nowhere",
    "sorted by length, page 1,000": "/runs/1/items?sort=-length&page=1000",
    "two Runs, only A right": "/compare?a=1&b=2&kind=a",
    "an Item": "",
    "an Item beside another Run's": "",
}


@dataclass(frozen=True)
class Looked:
    """One page: the server's CPU time for a look, the middle and the worst wall time of some, and its size."""

    page: str
    cpu_ms: float
    median_ms: float
    worst_ms: float
    kilobytes: float


def measure(home: Path, looks: int) -> tuple[float, list[Looked]]:
    """(seconds until the index of the first Run was made, what each page took after that)."""
    for seed in (1, 2):
        make(home / "viewer" / str(seed), seed)
    with served(home / "viewer") as (address, server):
        first, page = look(f"{address}/runs/1/items?f.direction=text_audio")
        for number in (1, 2):
            look(f"{address}/runs/{number}/items")
        item = re.findall(r'class="row-link" href="([^"?]+)', page)[7]
        pages = {**PAGES, "an Item": item, "an Item beside another Run's": f"{item}?vs=2&kind=a"}
        return first, [looked(name, address + path, looks, server) for name, path in pages.items()]


def first_look(run: Path) -> tuple[float, float, float]:
    """(seconds, CPU seconds, MB) until the Items of a Run that has no index yet are shown."""
    with served(run.parent) as (address, server):
        began = cpu_seconds(server)
        seconds, _ = look(f"{address}/runs/{run.name}/items?f.direction=text_audio")
        return seconds, cpu_seconds(server) - began, tree_rss(server)


@contextmanager
def served(runs: Path) -> Iterator[tuple[str, int]]:
    """A viewer over a folder, with an empty cache: its address and process."""
    cache = Path(tempfile.mkdtemp(prefix="triptych-speed-"))
    command = [sys.executable, "-m", "triptych", "view", str(runs), "--port", "0"]
    env = {**os.environ, "TRIPTYCH_CACHE": str(cache)}
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env)
    try:
        assert server.stderr is not None
        yield server.stderr.readline().split(": ", 1)[1].split()[0].rstrip("/"), server.pid
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(cache)


def looked(name: str, address: str, looks: int, server: int) -> Looked:
    """One page, some times over."""
    began = cpu_seconds(server)
    taken = [look(address) for _ in range(looks)]
    cpu, times = 1000 * (cpu_seconds(server) - began) / looks, [1000 * seconds for seconds, _ in taken]
    return Looked(name, cpu, statistics.median(times), max(times), len(taken[0][1].encode()) / 1000)


def cpu_seconds(process: int) -> float:
    """User and system time of a process so far; 0 where the system doesn't tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def look(address: str) -> tuple[float, str]:
    """(seconds, the page)."""
    began = time.perf_counter()
    with urllib.request.urlopen(address, timeout=1800) as answer:
        page = answer.read().decode()
    return time.perf_counter() - began, page


def make(path: Path, seed: int) -> None:
    """A Run of 60,000 Items, scored."""
    import msgspec

    from triptych.benchmarks import load_benchmark
    from triptych.records import SCHEMA_VERSION, Response, RunManifest, Usage
    from triptych.scoring.runs import score_run
    from triptych.store.folder import RunFolder

    if (path / "summary.json").exists():
        return
    benchmark, draw = load_benchmark("xmodbench"), random.Random(seed)
    mini, every = list(benchmark.items(benchmark.mini)), [*WORDS, *WORDS_ZH]
    manifest = RunManifest(
        schema_version=SCHEMA_VERSION,
        benchmark="xmodbench",
        benchmark_version=benchmark.spec.version,
        data="mini",
        data_sha256="made-up",
        tasks=("perception",),
        model=f"made-up/{seed}",
        revision="",
        model_settings={},
        conditions=(),
        prompt=benchmark.spec.prompt,
        decoding={},
        seed=seed,
        repeats=1,
        planned=ITEMS,
    )
    folder = RunFolder.create(path, manifest)
    with folder.writer() as writer:
        for number in range(ITEMS):
            own = mini[number % len(mini)]
            group = f"{own.instance_id}/{number // len(mini)}"
            item = msgspec.structs.replace(own, id=f"{own.id}/{number}", instance=group)
            words = " ".join([f"{draw.choice('ABCD')}.", *draw.choices(every, k=draw.randint(5, 120))])
            writer.add_item(item)
            writer.add_response(
                Response(item.id, "", 0, "answered", words, usage=Usage(100, 20), seconds=draw.random())
            )
    score_run(folder)
