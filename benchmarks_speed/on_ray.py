"""`--engine ray` against the local engine at 50 ms latency, its object store, and Runs whose workers are killed.

python -m benchmarks_speed.run --only ray,ray-kill
"""

from __future__ import annotations

import dataclasses
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from tests.support.questions import write_questions
from tests.support.ray_cluster import cluster, environment, install_model, kill_on_ray, run_command
from tests.support.waiting import until

from benchmarks_speed import table
from triptych.running.leases.on_ray import connected

LATENCY, CONCURRENCY, ITEMS = 0.05, 16, 4000
CLIPS, CLIP_SECONDS, RATE = 1000, 20, 16_000
KILLS = {"worker_kills": 20, "node_kills": 2, "driver_kills": 2, "items": 2000}


def ray_section(*_: Any) -> list[dict[str, Any]]:
    """Wall time of the asking alone (from the first Request to the last), one worker against one process."""
    every_core()
    with tempfile.TemporaryDirectory(prefix="triptych-ray-") as name:
        folder = Path(name)
        plug_ins = install_model(folder / "plug-ins")
        path = os.pathsep.join([str(plug_ins), *filter(None, [os.environ.get("PYTHONPATH")])])
        with environment(PYTHONPATH=path), cluster(plug_ins, nodes=1, cpus=2) as made:
            options = ["--engine", "ray", "--ray-address", made.address, "--workers", "1"]
            data = write_questions(folder / "data", ITEMS)
            local = min(_asking(data, folder, f"local-{n}") for n in range(3))
            leased = min(_asking(data, folder, f"ray-{n}", *options) for n in range(3))
            clips = write_clips(folder / "clips")
            stored = _object_store(clips, folder, made.address, options)
    ideal = ITEMS * LATENCY / CONCURRENCY
    row = {
        "items": ITEMS,
        "latency": LATENCY,
        "ideal": ideal,
        "local": local,
        "ray": leased,
        "ratio": leased / local,
        "clips": CLIPS,
        "store_mb": stored / 1e6,
    }
    table.show(
        f"{ITEMS:,} Requests of {1000 * LATENCY:.0f} ms, {CONCURRENCY} at once; ideal {ideal:.1f} s",
        ["local s", "ray s", "ratio", f"object store MB, {CLIPS:,} clips of {CLIP_SECONDS} s"],
        [[f"{local:.2f}", f"{leased:.2f}", f"{leased / local:.3f}", f"{stored / 1e6:.3f}"]],
    )
    return [row]


def ray_kill_section(*_: Any) -> list[dict[str, Any]]:
    """SIGKILL workers, machines and the driver of a Run on three machines, and compare with the local engine's."""
    every_core()
    with tempfile.TemporaryDirectory(prefix="triptych-ray-") as name:
        row = dataclasses.asdict(kill_on_ray(Path(name), **KILLS))
    table.show("Ray: what was killed, and what came of it", list(row), [[str(value) for value in row.values()]])
    return [row]


def every_core() -> None:
    """Use all cores again: a cluster consists of several processes."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))


def _asking(data: Path, folder: Path, name: str, *options: str) -> float:
    """Seconds from the first Request to the last, by the times at which the model was asked."""
    log = folder / f"{name}.tsv"
    more = ["--concurrency", str(CONCURRENCY), "--protocol", "official", *options]
    subprocess.run(run_command(data, folder / name, log, LATENCY, *more), check=True, capture_output=True)
    seconds = [float(line.split("\t")[2]) for line in log.read_text("utf-8").splitlines()]
    return max(seconds) - min(seconds) + LATENCY


def _object_store(clips: Path, folder: Path, address: str, options: list[str]) -> float:
    """Bytes of the object store that a Run over recordings used at most."""
    command = run_command(clips, folder / "heard", folder / "heard.tsv", 0.005, "-M", "read=true", *options)
    at = command.index("--condition")
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([*command[:at], *command[at + 2 :]], stdout=quiet, stderr=quiet)
    ray, used = connected(address), 0.0
    while process.poll() is None:
        used = max(used, _used(ray))
        time.sleep(0.2)
    control = ray.put(np.zeros(5_000_000, dtype=np.uint8))  # what would be seen if a clip crossed Ray
    until(lambda: _used(ray) >= 5e6, "an object of 5 MB in the figure")
    del control
    ray.shutdown()
    if process.returncode:
        raise RuntimeError(f"the Run over recordings ended with {process.returncode}")
    return used


def _used(ray: Any) -> float:
    free = float(ray.available_resources().get("object_store_memory", 0))
    return float(ray.cluster_resources()["object_store_memory"]) - free


def write_clips(folder: Path) -> Path:
    """A data folder with questions about recordings, each with a recording of its own."""
    write_questions(folder, CLIPS)
    rng = np.random.default_rng(0)
    noise = rng.integers(-3000, 3000, CLIP_SECONDS * RATE + CLIPS, dtype=np.int16)
    for number in range(CLIPS):
        path = folder / f"bench_audios/output_clips_1/audio_{number}.wav"
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, noise[number : number + CLIP_SECONDS * RATE], RATE)
    return folder
