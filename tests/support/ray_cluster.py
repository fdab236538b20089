"""A cluster of Ray on this computer, a model that takes its time, and Runs on it that lose workers, machines, drivers.

The tests carry the experiment out small; `python -m benchmarks_speed.run --only ray-kill` at full size.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.experiments import derived_files, journal, start
from tests.support.questions import write_questions
from tests.support.waiting import until

# A plug-in: an adapter that logs every Request that it is asked, waits, and picks an option by the question's text
MODEL = """
import asyncio, os, time, zlib
from triptych.models.adapter import Reply, SimpleAdapter, take_settings

SETTINGS = {"latency": 0.05, "log": "", "read": False}

def make(name, settings):
    return Slow(name, settings)

class Slow(SimpleAdapter):
    def __init__(self, name, given):
        self._taken = take_settings("slow", given, SETTINGS)
        super().__init__({})
        self.name = f"slow/{name}"

    async def prepare(self, request, media):
        return [media.load(part) for part in request.media_parts] if self._taken["read"] else None

    async def respond(self, request, prepared):
        if self._taken["log"]:
            handle = os.open(self._taken["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(handle, f"{request.id}\\t{os.getpid()}\\t{time.time()}\\n".encode())
            os.close(handle)
        await asyncio.sleep(self._taken["latency"])
        options = request.item.option_texts()
        return Reply(options[zlib.crc32(request.id.encode()) % len(options)] if options else "A")
"""
ROOT = Path(__file__).resolve().parents[2]
STORE_BYTES = 80_000_000
# A lost machine refuses connections, which is noticed within a second; one that is only busy may take a minute
HEALTH = {
    "RAY_health_check_initial_delay_ms": "500",
    "RAY_health_check_period_ms": "300",
    "RAY_health_check_timeout_ms": "60000",
    "RAY_health_check_failure_threshold": "3",
    "RAY_USAGE_STATS_ENABLED": "0",
}


def install_model(folder: Path) -> Path:
    """Write the plug-in `slow/NAME`, and the name of `every/NAME`, into a folder for PYTHONPATH."""
    about = folder / "slow_model-1.dist-info"
    about.mkdir(parents=True, exist_ok=True)
    (folder / "slow_model.py").write_text(MODEL, "utf-8")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-model\nVersion: 1\n", "utf-8")
    models = "slow = slow_model\nevery = tests.support.every_class\n"
    (about / "entry_points.txt").write_text(f"[triptych.models]\n{models}", "utf-8")
    return folder


@contextmanager
def environment(**values: str) -> Iterator[None]:
    """Set variables for the processes that are started inside."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})


@contextmanager
def cluster(plug_ins: Path, nodes: int = 3, cpus: int = 2) -> Iterator[Any]:
    """A head without CPUs for workers, and machines (raylets) with some; all processes end with the block."""
    from ray._private.utils import get_ray_address_file
    from ray.cluster_utils import Cluster

    path = os.pathsep.join([str(plug_ins), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    place = tempfile.mkdtemp(prefix="rk", dir="/tmp")  # short: sockets have paths of at most 107 characters
    arguments = {"object_store_memory": STORE_BYTES, "include_dashboard": False}
    with environment(PYTHONPATH=path, **HEALTH):
        # Ray writes the cluster's address below its usual folder, which is missing where Ray has never been started
        Path(get_ray_address_file(None)).parent.mkdir(parents=True, exist_ok=True)
        made = Cluster(initialize_head=True, head_node_args={**arguments, "num_cpus": 0, "temp_dir": place})
        made.more = {**arguments, "num_cpus": cpus}
        try:
            for _ in range(nodes):
                made.add_node(**made.more)
            made.wait_for_nodes()
            yield made
        finally:
            made.shutdown()
            shutil.rmtree(place, ignore_errors=True)


def run_command(data: Path, out: Path, log: Path, latency: float, *more: str) -> list[str]:
    """`triptych run` of the slow model over our questions as text."""
    command = [sys.executable, "-m", "triptych", "run", "cmdar/main", "--model", "slow/it", "--data", str(data)]
    return [*command, "--condition", "blind", "-M", f"latency={latency}", "-M", f"log={log}", "--out", str(out), *more]


def asked(log: Path) -> list[tuple[str, int]]:
    """Every Request that reached the model: Item and process."""
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    return [(line.split("\t")[0], int(line.split("\t")[1])) for line in lines if line.count("\t") == 2]


@dataclass
class KilledOnRay:
    """What came of a Run whose workers, machines and driver were killed."""

    items: int = 0
    worker_kills: int = 0
    node_kills: int = 0
    driver_kills: int = 0
    in_flight_at_kills: int = 0  # the most Requests that the killed workers can have had in progress
    asked_again: int = 0  # askings beyond one for each Item
    journaled_asked_again: int = 0  # Items whose answer was in the Run's journal and which were asked all the same
    written_twice: int = 0
    lost: int = 0
    differences: list[str] = field(default_factory=list)  # derived files that differ from the local engine's


def kill_on_ray(folder: Path, items: int, worker_kills: int, node_kills: int, driver_kills: int) -> KilledOnRay:
    """Run once with the local engine and once on three machines with SIGKILLs, then compare."""
    rng, result = random.Random(0), KilledOnRay(items)
    data, concurrency, latency = write_questions(folder / "data", items), 4, 0.05
    plug_ins, log = install_model(folder / "plug-ins"), folder / "asked.tsv"
    path = os.pathsep.join([str(plug_ins), *filter(None, [os.environ.get("PYTHONPATH")])])
    with environment(PYTHONPATH=path):
        whole = run_command(data, folder / "whole", folder / "whole.tsv", 0)
        subprocess.run(whole, check=True, capture_output=True)
    kills = ["worker"] * worker_kills + ["node"] * node_kills + ["driver"] * driver_kills
    rng.shuffle(kills)
    sizes = iter([4, 2, 5, 3] * len(kills))
    with cluster(plug_ins) as made, environment(PYTHONPATH=path), ExitStack() as stack:

        def begin() -> tuple[subprocess.Popen[bytes], int]:
            size = next(sizes)
            options = ["--engine", "ray", "--ray-address", made.address, "--workers", str(size)]
            options += ["--concurrency", str(concurrency)]
            return start(run_command(data, folder / "killed", log, latency, *options)), size

        process, size = begin()
        stack.callback(lambda: process.poll() is None and process.kill())
        settled: set[str] = set()
        before: Counter[str] = Counter()
        for number, what in enumerate(kills, 1):
            wanted = rng.randint((number - 1) * items // len(kills), number * items // len(kills) - 1)
            await_answers(process, folder / "killed", wanted)
            if process.poll() is not None:
                break
            times = Counter(item for item, _ in asked(log))
            fresh = answered(folder / "killed") - settled
            before.update({item: times[item] for item in fresh})
            settled |= fresh
            if what == "driver":
                process.send_signal(signal.SIGKILL)
                process.wait()
                result.in_flight_at_kills += size * concurrency
                process, size = begin()
                result.driver_kills += 1
            elif what == "node":
                node = rng.choice(list(made.worker_nodes))
                made.remove_node(node, allow_graceful=False)
                made.add_node(**made.more)
                result.in_flight_at_kills += made.more["num_cpus"] * concurrency
                result.node_kills += 1
            else:
                victim = asked(log)[-1][1]
                with suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
                result.in_flight_at_kills += concurrency
                result.worker_kills += 1
        until(lambda: process.poll() is not None, "the end of the Run")
    compare(folder, result, before, log)
    return result


def await_answers(process: subprocess.Popen[bytes], run: Path, wanted: int) -> None:
    """Wait until the Run's journal has some answers, or its process has ended."""

    def there() -> bool:
        time.sleep(0.05)
        return process.poll() is not None or len(answered(run)) >= wanted

    until(there, f"{wanted} answers")


def answered(run: Path) -> set[str]:
    """The Items whose answers are in the journal."""
    return {line["item"] for line in journal(run) if line["status"] == "answered"}


def compare(folder: Path, result: KilledOnRay, before: Counter[str], log: Path) -> None:
    """Fill in what the journals, the model's log and the derived files say in the end."""
    times = Counter(item for item, _ in asked(log))
    lines = Counter(line["item"] for line in journal(folder / "killed"))
    result.asked_again = sum(times.values()) - len(times)
    result.journaled_asked_again = sum(times[item] > count for item, count in before.items())
    result.written_twice = sum(count > 1 for count in lines.values())
    result.lost = result.items - sum(count == 1 for count in lines.values())
    result.differences = differing(folder / "whole", folder / "killed")


def differing(one: Path, two: Path) -> list[str]:
    """Scores and tables of two Runs that differ, but for the time that the model took, which is measured each time."""
    own = [
        {
            name: b"\n".join(line for line in table.split(b"\n") if b",hours," not in line.lower())
            for name, table in derived_files(run).items()
            if name != "tables/cost-total.csv"
        }
        for run in (one, two)
    ]
    if not any(name.startswith("scores/") for name in own[0]):
        return ["the first Run has no scores"]
    return sorted(name for name in own[0].keys() | own[1].keys() if own[0].get(name) != own[1].get(name))


def reply_texts(run: Path) -> dict[str, str]:
    """Item -> the text of its reply."""
    return {line["item"]: line.get("text", "") for line in journal(run)}
