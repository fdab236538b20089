"""lmms-eval's sample logs (`TIME_samples_TASK.jsonl` beside `TIME_results.json`): written, and read.

lm-evaluation-harness writes the same kind of file and is read alike. Source of the format: the evaluation tracker of
lmms-eval 0.7.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import DataError
from triptych.interchange.foreign import ForeignLog, ForeignSample
from triptych.interchange.inspect_write import KEY
from triptych.interchange.samples import Sample, ScoredRun
from triptych.records import Usage
from triptych.store.atomic import atomic_file, write_atomically

_NAME = re.compile(r"(?P<time>.*?)_?samples_(?P<task>.+)\.jsonl$")
# Numbers of a sample that are no scores.
_NO_SCORES = {"doc_id", "token_counts", "idx", "index"}


def write_lmms(run: ScoredRun, to: Path) -> list[Path]:
    """Write a `samples` file for each Task and one of `results` under `to/MODEL`; returns the files.

    `filtered_resps` is the reply, empty where there is none (`status` says why); each score stands under its metric's
    name, and is left out, not 0, where the Unit has none.
    """
    manifest = run.folder.manifest
    place = to / re.sub(r"[^\w.-]+", "__", manifest.model)
    time = re.sub(r"[^0-9]+", "", manifest.created[:19]) or "0"
    tasks: dict[str, list[Sample]] = defaultdict(list)
    for sample in run.samples():
        tasks[sample.item.task].append(sample)
    written = []
    for task, samples in tasks.items():
        path = place / f"{time}_samples_{task.replace('/', '-')}.jsonl"
        with atomic_file(path) as file:
            for number, sample in enumerate(samples):
                file.write(msgspec.json.encode(_line(number, sample)) + b"\n")
        written.append(path)
    results = place / f"{time}_results.json"
    write_atomically(results, msgspec.json.format(msgspec.json.encode(_results(run, tasks)), indent=2) + b"\n")
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
    manifest = run.folder.manifest
    results: dict[str, dict[str, Any]] = {task.replace("/", "-"): {"alias": task} for task in tasks}
    for figure in run.aggregates:
        if not figure.slice and figure.value is not None:
            own = results.setdefault(figure.task.replace("/", "-"), {"alias": figure.task})
            own[f"{figure.metric},none"] = figure.value
    return {
        "results": results,
        "versions": dict.fromkeys(results, manifest.benchmark_version),
        "n-samples": {t.replace("/", "-"): {"original": len(s), "effective": len(s)} for t, s in tasks.items()},
        "config": {"model": manifest.model, "gen_kwargs": manifest.decoding},
        "date": manifest.created,
        "model_name": manifest.model,
        KEY: {"manifest": msgspec.to_builtins(manifest), "protocol": run.protocol},
    }


def read_lmms(path: Path) -> ForeignLog:
    """One samples file; the model's name comes from the results file beside it, else from the folder.

    Raises DataError for what is no such file.
    """
    match = _NAME.match(path.name)
    results = _results_beside(path, match["time"] if match else "")
    own = results.get(KEY) or {}
    name = str(results.get("model_name") or path.resolve().parent.name)
    task = match["task"] if match else path.stem
    manifest = own.get("manifest")
    return ForeignLog(
        harness="lmms-eval",
        task=f"triptych/{manifest['benchmark']}" if manifest else task,
        model=name,
        path=path,
        samples=_samples(path),
        created=str(results.get("date") or ""),
        manifest=manifest,
    )


def _results_beside(path: Path, time: str) -> dict[str, Any]:
    beside = path.with_name(f"{time}_results.json" if time else "results.json")
    if not beside.is_file():
        return {}
    try:
        found = json.loads(beside.read_bytes())
    except ValueError as error:
        raise DataError("the results file can't be read", where=beside, got=str(error)) from None
    return found if isinstance(found, dict) else {}


def _samples(path: Path) -> Iterator[ForeignSample]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise DataError("the log can't be read", where=path, got=error.strerror) from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _sample(line, f"{path}:{number}")


def _sample(line: bytes, where: str) -> ForeignSample:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise DataError("a line is no JSON", where=where, got=str(error)) from None
    if not isinstance(row, dict) or "doc_id" not in row:
        raise DataError("a line is no sample of lmms-eval", where=where, expected="an object with doc_id and resps")
    reply = row.get("filtered_resps", row.get("resps"))
    while isinstance(reply, list):  # one list a request, and one a repeat
        reply = reply[0] if reply else None
    counted = row.get("token_counts") or []
    usage = counted[0] if counted and isinstance(counted[0], dict) else {}
    return ForeignSample(
        id=str(row["doc_id"]),
        question=_question(row),
        target=(str(row.get("target", "")),),
        reply="" if reply is None else str(reply),
        status="failed" if reply is None else "answered",
        error="the log holds no reply",
        usage=Usage(usage.get("input_tokens"), usage.get("output_tokens")) if usage else None,
        scores={k: float(v) for k, v in row.items() if isinstance(v, bool | int | float) and k not in _NO_SCORES},
        ours=row.get(KEY),
    )


def _question(row: Mapping[str, Any]) -> str:
    """The prompt: `input`, or in older files the first argument of the first request."""
    asked = row.get("input")
    if asked is None:
        asked = row.get("arguments")
    while isinstance(asked, list | tuple):
        asked = asked[0] if asked else ""
    if isinstance(asked, dict):  # lm-evaluation-harness: {"gen_args_0": {"arg_0": prompt, …}}
        first = next(iter(asked.values()), "")
        asked = first.get("arg_0", "") if isinstance(first, dict) else first
    return str(asked or "")
