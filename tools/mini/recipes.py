"""The mini sets that recipes make: raw material and what people returned go through `triptych build`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tools.mini import cmdar_set, mcga_set
from triptych.construction.build import build

HERE = Path(__file__).parent
RECIPES = ("cmdar", "mcif", "mcs_bench", "mcga", "xmodbench")
Answer = Callable[[Mapping[str, Any]], dict[str, Any]]
ANSWERS: dict[str, tuple[Answer, str]] = {
    "cmdar": (cmdar_set.answer, "author"),
    "mcga": (mcga_set.answer, "author"),
}


def build_set(name: str, work: Path) -> Path:
    """Build a set in `work/NAME`, from nothing; the folder of the finished benchmark.

    People's results are kept as files of answers: each open task is answered from them, and the build goes on, as often
    as it takes.
    """
    to = work / name
    shutil.rmtree(to, ignore_errors=True)
    config = HERE / name / "recipe.toml"
    built = build(name, config, to)
    while not built.complete and answer_tasks(name, to):
        built = build(name, config, to)
    if not built.complete:
        raise SystemExit(f"{name}: {built.waiting} records wait; see {to}/tasks and triptych build status {to}")
    return to / "out"


def answer_tasks(name: str, to: Path) -> int:
    """Return something for each open task; how many there were."""
    answer, author = ANSWERS[name]
    results = to / "results"
    results.mkdir(exist_ok=True)
    tasks = [task for path in sorted((to / "tasks").glob("*.jsonl")) for task in map(json.loads, path.open("rb"))]
    for task in tasks:
        values = answer(task)
        person = author if task["stage"] != "record" else _reader(name, values, results)
        line = {"id": task["id"], "shown": task["shown"], "person": person, "values": values}
        with (results / f"{task['stage']}.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return len(tasks)


def _reader(name: str, values: Mapping[str, Any], results: Path) -> str:
    """Puts a reader's recording among the results; the reader's pseudonym."""
    shutil.copyfile(HERE / name / "recordings" / values["audio"], results / values["audio"])
    return "synthetic-" + mcga_set.returned()[values["audio"].partition(".")[0]]["voice"]
