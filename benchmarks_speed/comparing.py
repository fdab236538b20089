"""How long a paired comparison takes: 10,000 replicates for two Runs, through the benchmark's own aggregation."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from triptych.analysis.joint import join
from triptych.benchmarks import load_benchmark
from triptych.records import Score

from benchmarks_speed import table

INSTANCES, REPLICATES, WANTED = 11_000, 10_000, 3.0
TOTAL = ("xmodbench", "acc", ())


def measure(repeats: int = 3) -> list[dict[str, Any]]:
    """Seconds (best of `repeats`) for two Runs over 11,000 Instances with six Units each."""
    benchmark = load_benchmark("xmodbench")
    protocol, spec = benchmark.protocol("official"), benchmark.spec
    runs = [made(0.60, 1), made(0.58, 2)]
    steps: dict[str, float] = {}
    cpu: dict[str, float] = {}
    for _ in range(repeats):
        started = (time.perf_counter(), time.process_time())

        def note(step: str, work: Callable[[], Any], since: tuple[float, float] = started) -> Any:
            found = work()
            wall, used = time.perf_counter() - since[0], time.process_time() - since[1]
            steps[step], cpu[step] = min(wall, steps.get(step, wall)), min(used, cpu.get(step, used))
            return found

        joint = note("Scores to arrays", lambda: join(runs, protocol, spec, "answered", replicates=REPLICATES))
        interval = note("and every figure's interval", lambda: joint.interval(TOTAL, 0, 1))
        p = note("and its p-value by permutation", lambda: joint.permutation(0, 1)[TOTAL])
    title = (
        f"paired comparison: {INSTANCES:,} Instances x 6 Units x 2 Runs, {REPLICATES:,} replicates, {len(joint.values)} "
        f"figures (wanted: an interval in under {WANTED:.0f} s); difference {_spoken(interval)}, p = {p:.4f}"
    )
    table.show(
        title, ["up to", "wall s", "CPU s"], [[step, f"{steps[step]:.2f}", f"{cpu[step]:.2f}"] for step in steps]
    )
    return [{"step": step, "wall_s": steps[step], "cpu_s": cpu[step]} for step in steps]


def made(skill: float, seed: int) -> list[Score]:
    """A Run's Scores: harder and easier Instances, spread over the 17 subtasks."""
    spec, rng = load_benchmark("xmodbench").spec, np.random.default_rng(seed)
    tasks = [spec.full_id(task) for task in spec.tasks if not task.id.endswith("audiovision_text")]
    subtasks = sorted({task.rpartition("/")[0] for task in tasks})
    found = []
    for number in range(INSTANCES):
        subtask, easy = subtasks[number % len(subtasks)], 0.7 + 0.6 * ((number * 7919) % 1000) / 1000
        for task in (task for task in tasks if task.startswith(f"{subtask}/")):
            right = float(rng.random() < skill * easy)
            found.append(Score(f"{task}/{number}", task, "acc", "scored", right, 1.0, "A", f"{subtask}/{number}"))
    return found


def _spoken(interval: tuple[float, float] | None) -> str:
    return "unknown" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"


if __name__ == "__main__":
    measure()
