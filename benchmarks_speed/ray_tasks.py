"""Ray tasks over small shards in place of leases: the comparison of docs/decisions/0034-leases-and-ray-tasks.md.

python -m benchmarks_speed.run --only ray-tasks

`by_tasks` is what a Run would be without `running/leases`: each shard of the plan is a task that answers its Requests
with the model of its process and returns the Responses; the driver journals them. Ray runs the task of a lost worker
again.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from tests.support.questions import write_questions
from tests.support.ray_cluster import asked, cluster, environment, install_model

from benchmarks_speed import table
from benchmarks_speed.on_ray import every_core
from triptych.experiment.plan import Plan
from triptych.experiment.planning import plan
from triptych.records import Request, Response
from triptych.running.leases.driver import execute_leased
from triptych.running.leases.on_ray import RayTeam, connected
from triptych.running.leases.options import RayOptions
from triptych.running.leases.worker import Setup
from triptych.running.loop import RunOptions, run_sync
from triptych.store.folder import RunFolder

ITEMS, CONCURRENCY, WORKERS, KILLS = 2_000, 16, 2, 6
SIZES = (20, 50, 200)
TASKS_IN_ADVANCE = 2  # for each worker, as leases
_READY: dict[str, Any] = {}  # of a worker's process: its model
Engine = Callable[[Any, Plan, RunFolder, Setup], None]


def answer(setup: str, shard: Sequence[bytes]) -> list[bytes]:
    """A task: the Responses to the Requests of a shard, as JSON."""
    if setup not in _READY:
        loop, worker = asyncio.new_event_loop(), msgspec.json.decode(setup, type=Setup).worker()
        loop.run_until_complete(worker.open())
        _READY[setup] = loop, worker
    loop, worker = _READY[setup]
    requests = [msgspec.json.decode(one, type=Request) for one in shard]

    async def everyone() -> list[Response]:
        limit = asyncio.Semaphore(CONCURRENCY)

        async def one(request: Request) -> Response:
            async with limit:
                return await worker._asker.ask(request)

        return await asyncio.gather(*map(one, requests))

    return [msgspec.json.encode(response) for response in loop.run_until_complete(everyone())]


def by_tasks(size: int) -> Engine:
    """A Run by tasks of `size` Requests."""

    def engine(ray: Any, ready: Plan, folder: RunFolder, setup: Setup) -> None:
        task = ray.remote(num_cpus=1, max_retries=10)(answer)
        settings = msgspec.json.encode(setup).decode()
        with folder.writer() as writer:
            plan_left, running = iter(ready.requests()), dict[Any, list[Request]]()
            while shard := list(islice(plan_left, size)) if len(running) < TASKS_IN_ADVANCE * WORKERS else [None]:
                if shard != [None]:
                    running[task.remote(settings, [msgspec.json.encode(one) for one in shard])] = shard
                else:
                    _collect(ray, running, writer)
            while running:
                _collect(ray, running, writer)

    return engine


def _collect(ray: Any, running: dict[Any, list[Request]], writer: Any) -> None:
    """Journal the replies of the first task that ends."""
    (ended, *_), _ = ray.wait(list(running))
    for request, line in zip(running.pop(ended), ray.get(ended), strict=True):
        if request.item is not None and not writer.knows(request.item.id):
            writer.add_item(request.item)
        writer.add_response(msgspec.json.decode(line, type=Response))


def by_leases(ray: Any, ready: Plan, folder: RunFolder, setup: Setup) -> None:
    """A Run as `--engine ray` makes it."""
    options = RunOptions(concurrency=CONCURRENCY, ray=RayOptions(workers=WORKERS))
    run_sync(
        execute_leased(ready.requests(), ready.adapter, folder, RayTeam(RayOptions(workers=WORKERS), setup), options)
    )


def ray_tasks_section(*_: Any) -> list[dict[str, Any]]:
    """Both ways: seconds of the asking and CPU seconds of the driver, without and with latency, and with kills."""
    every_core()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="triptych-ray-") as name:
        folder = Path(name)
        data, plug_ins = write_questions(folder / "data", ITEMS), install_model(folder / "plug-ins")
        path = os.pathsep.join([str(plug_ins), *filter(None, [os.environ.get("PYTHONPATH")])])
        with environment(PYTHONPATH=path), cluster(plug_ins, nodes=1, cpus=WORKERS) as made:
            sys.path.insert(0, str(plug_ins))
            ray = connected(made.address)
            ways: list[tuple[str, Engine]] = [("leases", by_leases), *((f"tasks of {n}", by_tasks(n)) for n in SIZES)]
            try:
                for latency, kills in ((0.0, 0), (0.05, 0), (0.05, KILLS)):
                    for way, engine in ways:
                        row = {"way": way, "latency": latency, "kills": kills}
                        row |= _measured(ray, engine, data, folder, latency, kills)
                        print(row, flush=True)
                        rows.append(row)
            finally:
                ray.shutdown()
    table.show(
        f"{ITEMS:,} Requests, {WORKERS} workers, {CONCURRENCY} at once in each",
        list(rows[0]),
        [[f"{value}" for value in row.values()] for row in rows],
    )
    return rows


def _measured(ray: Any, engine: Engine, data: Path, folder: Path, latency: float, kills: int) -> dict[str, Any]:
    name = f"run-{random.random()}"
    log = folder / f"{name}.tsv"
    ready = plan(
        "cmdar/main", "slow/it", data=data, conditions=["blind"], settings={"latency": latency, "log": str(log)}
    )
    setup = Setup("slow/it", {"latency": latency, "log": str(log)}, str(data), concurrency=CONCURRENCY)
    run = RunFolder.create(folder / name, ready.manifest)
    done = threading.Event()
    killer = threading.Thread(target=_kill, args=(log, kills, done))
    killer.start()
    began, cpu = time.perf_counter(), time.process_time()
    engine(ray, ready, run, setup)
    wall, used = time.perf_counter() - began, time.process_time() - cpu
    done.set()
    killer.join()
    times = [float(line.split("\t")[2]) for line in log.read_text("utf-8").splitlines() if line.count("\t") == 2]
    lines = [response.item for response in run.history()]
    return {
        "wall_s": round(wall, 2),
        "asking_s": round(max(times) - min(times) + latency, 2),
        "driver_cpu_s": round(used, 2),
        "asked_again": len(times) - ITEMS,
        "journaled_twice": len(lines) - len(set(lines)),
        "lost": ITEMS - len(set(lines)),
    }


def _kill(log: Path, kills: int, done: threading.Event) -> None:
    """SIGKILL the worker that asked last, at even distances."""
    for number in range(1, kills + 1):
        while not done.wait(0.02) and len({item for item, _ in asked(log)}) < number * ITEMS // (kills + 1):
            pass
        if done.is_set():
            return
        with suppress(ProcessLookupError):
            os.kill(asked(log)[-1][1], signal.SIGKILL)
