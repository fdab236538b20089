"""What many Units and many Runs cost: XModBench's questions, and systems that answer them by lot.

The questions are the released ones where they are at hand, else those of the mini set many times over; both are
repeated under new ids until there are as many as wanted. Of two systems the better one is right more often, on the
same easy and hard Instances; some replies are chatter, some failed. The Runs are kept between runs of this benchmark.
"""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec
import numpy as np

from benchmarks_speed import measure, table, viewer, work
from benchmarks_speed.clients import OURS
from triptych.benchmarks import load_benchmark
from triptych.records import SCHEMA_VERSION, ErrorInfo, Item, Response, RunManifest, Usage
from triptych.store.folder import RunFolder

UNITS, SYSTEMS = 66_000, 13
GROWING_RUNS, GROWING_UNITS = (1, 2, 4, 8, 16), (8_250, 16_500, 33_000, 66_000, 132_000)
LONGEST, LARGEST = 1_800, 4_000  # seconds and MB of a job
Row = dict[str, Any]
TRIPTYCH = [sys.executable, "-m", "triptych"]


@dataclass(frozen=True)
class Job:
    """A command over some Runs, and what it may cost."""

    name: str
    command: tuple[str, ...]
    runs: int
    units: int = UNITS
    seconds: float = 0.0
    megabytes: float = 0.0


GOALS = (
    Job("score a Run", ("score",), 1, seconds=4),
    Job("replay 51,944 released results", ("run", "xmodbench", "--model", "replay/released"), 0, seconds=6),
    Job("compare two Runs", ("compare",), 2, seconds=3),
    Job("report on two Runs (HTML, CSV, Markdown)", ("report",), 2, seconds=12),
    Job("audit five Runs", ("audit", "run"), 5, seconds=15),
    Job("report on 13 Runs (HTML, CSV, Markdown)", ("report",), SYSTEMS, seconds=90, megabytes=1500),
    Job("score a Run of 1,000,000 Units", ("score",), 1, units=1_000_000, seconds=60, megabytes=2000),
)
LOOKED_AT, ASKED = 860_000, 1_500


def measure_goals(home: Path, released: Path | None) -> list[Row]:
    """Every job once, and what it cost."""
    jobs = [job for job in GOALS if job.runs or released]
    return [*(carried_out(job, home, released) for job in jobs), first_look(home, released), first_asked(home)]


def first_look(home: Path, released: Path | None) -> Row:
    """The viewer's first look at the Items of a large Run: it makes its index meanwhile."""
    place = made(home, released, LOOKED_AT, 0)
    wall, cpu, rss = viewer.first_look(place)
    return {
        "job": f"first look at {LOOKED_AT:,} Items in the viewer",
        "cpu": cpu,
        "wanted_s": 10.0,
        "wall": wall,
        "rss": rss,
        "wanted_mb": 0.0,
    }


def first_asked(home: Path) -> Row:
    """From the start of `run` until the first of its Items is asked; the best of three starts."""
    kind = work.Work("text", ASKED)
    data = work.make(kind, home)
    starts = [_until_asked(kind, data) for _ in range(3)]
    wall, cpu = min(starts)
    return {
        "job": f"run: until the first of {ASKED:,} Items is asked",
        "cpu": cpu,
        "wanted_s": 0.5,
        "wall": wall,
        "rss": 0.0,
        "wanted_mb": 0.0,
    }


def _until_asked(kind: work.Work, data: Path) -> tuple[float, float]:
    """(seconds, CPU seconds) until a server hears of the first Item."""
    place = Path(tempfile.mkdtemp(prefix="triptych-speed-"))
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        command = OURS.own_command(kind, data, ASKED, address, place)
        began = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=measure.usual_environment(),
        )
        try:
            server.settimeout(60)
            with server.accept()[0] as connection:
                assert connection.recv(1), "the connection was closed without a Request"
                return time.perf_counter() - began, viewer.cpu_seconds(process.pid)
        finally:
            process.kill()
            process.wait()
            shutil.rmtree(place, ignore_errors=True)


def measure_growth(home: Path, released: Path | None, done: Callable[[list[Row]], None]) -> list[Row]:
    """A report on more and more Runs; and one on two Runs of more and more Units. `done` gets the rows after each."""
    jobs = [Job(f"{runs} {'Run' if runs == 1 else 'Runs'} of {UNITS:,}", ("report",), runs) for runs in GROWING_RUNS]
    jobs += [Job(f"2 Runs of {units:,}", ("report",), 2, units=units) for units in GROWING_UNITS]
    rows: list[Row] = []
    for job in dict.fromkeys(jobs):  # two Runs of 66,000 are in both
        rows.append(carried_out(job, home, released))
        done(rows)
    return rows


def carried_out(job: Job, home: Path, released: Path | None) -> Row:
    """The job in a process of its own, on all cores: CPU and wall seconds, and megabytes at the peak.

    A job that exceeds `LONGEST` or `LARGEST` is stopped, and its row says so.
    """
    scored = job.command[0] != "score"
    runs = [made(home, released, job.units, number, scored=scored) for number in range(job.runs)]
    place = Path(tempfile.mkdtemp(prefix="triptych-speed-"))
    more = ["--to", str(place / "report")] if job.command[0] == "report" else []
    if job.command[0] == "run":
        more = ["-M", f"path={_results(released)}", "--out", str(place / "run")]
    try:
        command = [*TRIPTYCH, *job.command, *map(str, runs), *more]
        cost = measure.run(command, place, limit=LONGEST, most_mb=LARGEST, every_core=True)
    finally:
        shutil.rmtree(place)
    name = f"{job.name}: stopped" if cost.code == -signal.SIGKILL else job.name
    sound = (0, 1, -signal.SIGKILL)  # 1: an audit found something, results hold failures
    if "Traceback" in cost.output or cost.code not in sound:
        raise SystemExit(f"{job.name}: {cost.output[-2000:]}")
    return {
        "job": name,
        "cpu": cost.cpu,
        "wanted_s": job.seconds,
        "wall": cost.wall,
        "rss": cost.rss,
        "wanted_mb": job.megabytes,
    }


def show(title: str, rows: Sequence[Row]) -> None:
    """Print the rows."""
    cells = [
        [
            row["job"],
            f"{row['cpu']:.1f}",
            f"{row['wanted_s'] or '':}",
            f"{row['wall']:.1f}",
            f"{row['rss']:.0f}",
            f"{row['wanted_mb'] or '':}",
        ]
        for row in rows
    ]
    table.show(title, ["", "CPU s", "wanted", "wall s", "peak MB", "wanted"], cells)


def _results(released: Path | None) -> Path:
    """The released results of one system."""
    assert released is not None
    return next(path for path in sorted((released / "released_results").rglob("qwen*")) if path.is_dir())


def made(home: Path, released: Path | None, units: int, system: int, *, scored: bool = True) -> Path:
    """A Run of so many Items, scored unless that is what is measured; made where it isn't there yet."""
    from triptych.scoring.runs import score_run

    place = home / "scale" / f"{units}" / f"system-{system:02d}"
    if not place.exists():
        _write(place, units, released, system)
    if scored and not (place / "summary.json").exists():
        score_run(RunFolder.open(place))
    return place


def _write(place: Path, units: int, released: Path | None, system: int) -> None:
    """Write the Items and Responses of a Run: under another name until all are there."""
    unfinished = place.with_name(f".{place.name}")
    shutil.rmtree(unfinished, ignore_errors=True)
    folder = RunFolder.create(unfinished, manifest(units, system))
    with folder.writer() as writer:
        for item, response in zip(items := questions(units, released), replies(items, system), strict=True):
            writer.add_item(item)
            writer.add_response(response)
    unfinished.rename(place)


def manifest(units: int, system: int) -> RunManifest:
    """What such a Run says of itself."""
    spec = load_benchmark("xmodbench").spec
    return RunManifest(
        schema_version=SCHEMA_VERSION,
        benchmark="xmodbench",
        benchmark_version=spec.version,
        data="made-up",
        data_sha256="made-up",
        tasks=tuple(task.id for task in spec.tasks),
        model=f"made-up/system-{system:02d}",
        revision="",
        model_settings={},
        conditions=(),
        prompt=spec.prompt,
        decoding={},
        seed=0,
        repeats=1,
        planned=units,
    )


def questions(units: int, released: Path | None) -> list[Item]:
    """So many Items of the six directions, Instance by Instance."""
    return list(islice(_endless(_known(released)), units))


def _known(released: Path | None) -> list[Item]:
    benchmark = load_benchmark("xmodbench")
    source = released / "released_questions" if released else benchmark.mini
    items = benchmark.items(source, report=lambda problem: None)
    own = [item for item in items if not item.task.endswith("audiovision_text")]
    return sorted(own, key=lambda item: (crc32(item.instance_id.encode()), item.id))


def _endless(items: Sequence[Item]) -> Iterator[Item]:
    yield from items
    for turn in count(1):
        for item in items:
            # "+" is in no released id, so no Item of two turns has the same
            yield msgspec.structs.replace(item, id=f"{item.id}+{turn}", instance=f"{item.instance_id}+{turn}")


def replies(items: Sequence[Item], system: int) -> Iterator[Response]:
    """What a system says: the more often right the higher its number."""
    rng = np.random.default_rng([7, system])
    skill, draws = 0.35 + 0.03 * system, rng.random((len(items), 3))
    for number, (item, (luck, which, fault)) in enumerate(zip(items, draws.tolist(), strict=True)):
        easy = 0.6 + 0.8 * (crc32(item.instance_id.encode()) % 1000) / 1000
        wrong = [label for label in item.labels if label != item.target]
        letter = str(item.target) if luck < skill * easy else wrong[int(which * len(wrong))]
        usage, seconds = Usage(400 + number % 700, 2), 0.5 + which
        if fault < 0.002:
            yield Response(item.id, "", 0, "failed", error=ErrorInfo("timeout", "no answer in time"), seconds=60.0)
        elif fault < 0.01:
            yield Response(
                item.id, "", 0, "answered", "I can't tell which of them it is.", usage=usage, seconds=seconds
            )
        else:
            text = letter if fault < 0.8 else f"The answer is {letter}."
            yield Response(item.id, "", 0, "answered", text, usage=usage, seconds=seconds, cost_usd=0.0001)
