"""lmms-eval's sample logs (`TIME_samples_TASK.jsonl` beside `TIME_results.json`): written, and read.

lm-evaluation-harness writes the same kind of file and is read alike. Source of the format: the evaluation tracker of
lmms-eval 0.7.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import DataError
from triptych.interchange.foreign import ForeignLog, ForeignSample
from triptych.interchange.inspect_write import KEY
from triptych.interchange.samples import Sample, ScoredRun
from triptych.records import Usage
from triptych.store.atomic import atomic_file, write_atomically
from triptych.store.names import file_name, file_names

_NAME = re.compile(r"(?P<time>.*?)_?samples_(?P<task>.+)\.jsonl$")
MAX_LINE = 256 * 1024 * 1024  # bytes of one sample
# Numbers of a sample that are no scores.
_NO_SCORES = {"doc_id", "token_counts", "idx", "index"}


def write_lmms(run: ScoredRun, to: Path) -> list[Path]:
    """Write a `samples` file for each Task and one of `results` under `to/MODEL`; returns the files.

    `filtered_resps` is the reply, empty where there is none (`status` says why); each score stands under its metric's
    name, and is left out, not 0, where the Unit has none.
    """
    manifest = run.folder.manifest
    place = to / file_name(manifest.model, "__")
    time = re.sub(r"[^0-9]+", "", manifest.created[:19]) or "0"
    tasks: dict[str, list[Sample]] = defaultdict(list)
    for sample in run.samples():
        tasks[sample.item.task].append(sample)
    written, names = [], file_names(tasks)
    for task, samples in tasks.items():
        path = place / f"{time}_samples_{names[task]}.jsonl"
        with atomic_file(path) as file:
            for number, sample in enumerate(samples):
                file.write(msgspec.json.encode(_line(number, sample)) + b"\n")
        written.append(path)
    results = place / f"{time}_results.json"
    told = _results(run, {names[task]: own for task, own in tasks.items()})
    write_atomically(results, msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n")
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
    """`tasks`: the samples by the name that their file carries."""
    manifest = run.folder.manifest
    results: dict[str, dict[str, Any]] = {name: {"alias": own[0].item.task} for name, own in tasks.items()}
    places = {own["alias"]: own for own in results.values()}
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


def read_lmms(path: Path) -> ForeignLog:
    """One samples file; the model's name comes from the results file beside it, else from the folder.

    Raises DataError for what is no such file.
    """
    match = _NAME.match(path.name)
    return _log([path], _results_beside(path, match["time"] if match else ""), path)


def _is_log(path: Path) -> bool:
    """A log of Inspect, or a folder with samples files in it."""
    return path.suffix == ".eval" or (path.is_dir() and any(_NAME.match(inside.name) for inside in path.iterdir()))


def read_lmms_folder(folder: Path) -> ForeignLog:
    """All samples files of one evaluation, a Task each, as one log.

    Raises DataError where the folder holds none, or several evaluations.
    """
    files = sorted(path for path in folder.iterdir() if _NAME.match(path.name))
    times = sorted({found["time"] for path in files if (found := _NAME.match(path.name))})
    if len(times) != 1:
        got, fix = ", ".join(times) or "none", "name one samples file, or a folder of one evaluation's"
        if not times and (inside := [str(path) for path in sorted(folder.iterdir()) if _is_log(path)]):
            fix = f"name {'one of ' * (len(inside) > 1)}{', '.join(inside[:5])}"
        raise DataError("not the samples files of one evaluation", where=folder, got=got, fix=fix)
    return _log(files, _results_beside(files[0], times[0]), folder)


def _log(files: Sequence[Path], results: Mapping[str, Any], path: Path) -> ForeignLog:
    own = results.get(KEY)
    manifest = own.get("manifest") if isinstance(own, dict) else None
    manifest = manifest if isinstance(manifest, dict) else None
    names = [match["task"] if (match := _NAME.match(file.name)) else file.stem for file in files]
    return ForeignLog(
        harness="lmms-eval",
        task=f"triptych/{manifest.get('benchmark')}" if manifest else names[0],
        model=str(results.get("model_name") or files[0].resolve().parent.name),
        path=path,
        samples=(sample for file, name in zip(files, names, strict=True) for sample in _samples(file, name)),
        created=str(results.get("date") or ""),
        manifest=manifest,
    )


def _results_beside(path: Path, time: str) -> dict[str, Any]:
    beside = path.with_name(f"{time}_results.json" if time else "results.json")
    if not beside.is_file():
        return {}
    try:
        found = json.loads(beside.read_bytes())
    except (ValueError, RecursionError) as error:
        raise DataError("the results file can't be read", where=beside, got=str(error)) from None
    return found if isinstance(found, dict) else {}


def _samples(path: Path, task: str) -> Iterator[ForeignSample]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE + 1), b""), 1):
                if len(line) > MAX_LINE:
                    raise DataError("a line is too long", where=f"{path}:{number}", expected=f"{MAX_LINE:,} bytes")
                if line.strip():
                    yield _sample(line, f"{path}:{number}", task)
    except OSError as error:
        raise DataError("the log can't be read", where=path, got=error.strerror) from None


def _sample(line: bytes, where: str, task: str) -> ForeignSample:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
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
        scores={k: n for k, v in row.items() if k not in _NO_SCORES and (n := _score(v)) is not None},
        ours=row.get(KEY),
        task=task,
    )


def _score(value: Any) -> float | None:
    """A number, or that of an object with a `score`, as many tasks of lmms-eval write; None for what is none."""
    found = value.get("score") if isinstance(value, dict) else value
    return float(found) if isinstance(found, bool | int | float) and math.isfinite(found) else None


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
