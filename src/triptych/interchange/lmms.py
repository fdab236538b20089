"""Export a Run as lmms-eval's sample logs: `TIME_samples_TASK.jsonl` next to `TIME_results.json`.

Source of the format: the evaluation tracker of lmms-eval 0.7. Reading: `harness_logs.py`.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from triptych.interchange.inspect_write import KEY
from triptych.interchange.samples import Sample, ScoredRun
from triptych.store.files.atomic import atomic_file, write_atomically
from triptych.store.files.names import file_name, file_names


def write_lmms(run: ScoredRun, to: Path) -> list[Path]:
    """Write a `samples` file for each Task and one of `results` under `to/MODEL`; return the files.

    `filtered_resps` is the reply, empty if there is none (`status` says why). Each score is under its metric's name,
    and is left out, not 0, if the Unit has none.
    """
    manifest = run.folder.manifest
    location = to / file_name(manifest.model, "__")
    time = re.sub(r"[^0-9]+", "", manifest.created[:19]) or "0"
    tasks: dict[str, list[Sample]] = defaultdict(list)
    for sample in run.samples():
        tasks[sample.item.task].append(sample)
    written, names = [], file_names(tasks)
    for task, samples in tasks.items():
        path = location / f"{time}_samples_{names[task]}.jsonl"
        with atomic_file(path) as file:
            for number, sample in enumerate(samples):
                file.write(msgspec.json.encode(_line(number, sample)) + b"\n")
        written.append(path)
    results = location / f"{time}_results.json"
    outcomes = _results(run, {names[task]: task_rows for task, task_rows in tasks.items()})
    write_atomically(results, msgspec.json.format(msgspec.json.encode(outcomes), indent=2) + b"\n")
    return [*written, results]


def _line(number: int, sample: Sample) -> dict[str, Any]:
    response = sample.response
    return {
        "doc_id": number,
        "target": sample.target[0] if len(sample.target) == 1 else json.dumps(sample.target, ensure_ascii=False),
        "filtered_resps": response.text if response else "",
        "input": "\n".join([sample.stem, *sample.choices]),
        "status": response.status if response else "missing",
        **{score.metric: score.value for score in sample.scores if score.value is not None},
        KEY: sample.provenance,
    }


def _results(run: ScoredRun, tasks: Mapping[str, list[Sample]]) -> dict[str, Any]:
    """Return the document of results; `tasks`: the samples by the name in their file."""
    manifest = run.folder.manifest
    results: dict[str, dict[str, Any]] = {
        name: {"alias": name_tasks[0].item.task} for name, name_tasks in tasks.items()
    }
    places = {result_group["alias"]: result_group for result_group in results.values()}
    for figure in run.aggregates:
        if not figure.slice and figure.value is not None:
            if figure.task not in places:
                places[figure.task] = results.setdefault(file_name(figure.task), {"alias": figure.task})
            places[figure.task][f"{figure.metric},none"] = figure.value
    return {
        "results": results,
        "versions": dict.fromkeys(results, manifest.benchmark_version),
        "n-samples": {name: {"original": len(s), "effective": len(s)} for name, s in tasks.items()},
        "config": {"model": manifest.model, "gen_kwargs": manifest.decoding},
        "date": manifest.created,
        "model_name": manifest.model,
        KEY: {"manifest": msgspec.to_builtins(manifest), "protocol": run.protocol},
    }
