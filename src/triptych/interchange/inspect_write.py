"""Export a Run as a log of Inspect (`.eval`: a zip of JSON documents), which its viewer opens.

Source of the format: the log file documentation of inspect_ai, and its models `EvalLog` and `EvalSample`, version 2.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from triptych.experiment.sent_requests import sent_messages
from triptych.interchange.samples import Sample, ScoredRun
from triptych.records import Aggregate, Message, Part, Response, Score
from triptych.store.files.atomic import atomic_file
from triptych.store.files.names import file_name

VERSION = 2  # of the log format
KEY = "triptych"  # our own records in a sample's metadata
_PLAN = {"name": "plan", "steps": [{"solver": "generate", "params": {}}], "config": {}}
_STOPS = {"truncated": "max_tokens", "refused": "content_filter"}


def write_inspect(run: ScoredRun, to: Path) -> Path:
    """Write `TIME_BENCHMARK_MODEL.eval` under `to` atomically; return it.

    There is one log per Run, and one sample per Item and repeat (Inspect's epoch). Media are named by their path, not
    embedded. A Unit without a score has none in the log (Inspect leaves such samples out of its means and counts them),
    and its metadata has the reason. The figures are the protocol's own, not Inspect's means.
    """
    manifest = run.folder.manifest
    path = to / f"{file_name(f'{_created_time(run)}_{manifest.benchmark}_{manifest.model}')}.eval"
    summaries: list[dict[str, Any]] = []
    with atomic_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as log:
        _write_member(log, "_journal/start.json", {"version": VERSION, "eval": _spec(run), "plan": _PLAN})
        for sample in run.samples():
            entry = _sample(run, sample)
            _write_member(log, f"samples/{entry['id']}_epoch_{entry['epoch']}.json", entry)
            summaries.append(_summary(entry))
        _write_member(log, "summaries.json", summaries)
        _write_member(log, "header.json", _header(run, summaries))
    return path


def _write_member(log: zipfile.ZipFile, name: str, content: Any) -> None:
    log.writestr(name, msgspec.json.encode(content))


def _header(run: ScoredRun, summaries: list[dict[str, Any]]) -> dict[str, Any]:
    manifest = run.folder.manifest
    completed = sum(summary["completed"] for summary in summaries)
    is_complete = manifest.planned is None or len(summaries) >= manifest.planned
    return {
        "version": VERSION,
        "status": "success" if is_complete else "cancelled",
        "eval": _spec(run),
        "plan": _PLAN,
        "results": {
            "total_samples": manifest.planned or len(summaries),
            "completed_samples": completed,
            "scores": list(_figures(run.aggregates)),
        },
        "stats": {"started_at": _created_time(run), "completed_at": _ended(run), "model_usage": _total_usage(run)},
    }


def _spec(run: ScoredRun) -> dict[str, Any]:
    manifest = run.folder.manifest
    run_name = _short_digest(run.folder.path.resolve().name, manifest.benchmark, manifest.model, manifest.created)
    return {
        "eval_id": run_name,
        "run_id": run_name,
        "task_id": _short_digest(manifest.benchmark, manifest.data_sha256, run.protocol),
        "created": _created_time(run),
        "task": f"triptych/{manifest.benchmark}",
        "task_version": manifest.benchmark_version,
        "task_args": {"tasks": list(manifest.tasks), "condition": manifest.condition, "prompt": manifest.prompt},
        "dataset": {"name": manifest.benchmark, "location": manifest.data, "samples": manifest.planned},
        "model": manifest.model,
        "model_args": manifest.model_settings,
        "model_generate_config": {k: v for k, v in manifest.decoding.items() if k in _GENERATE},
        "config": {"limit": manifest.limit, "epochs": manifest.repeats},
        "packages": {KEY: manifest.code_version, **manifest.packages},
        "metadata": {KEY: {"manifest": msgspec.to_builtins(manifest), "protocol": run.protocol}},
    }


_GENERATE = ("temperature", "top_p", "top_k", "max_tokens", "seed")


def _sample(run: ScoredRun, sample: Sample) -> dict[str, Any]:
    item, response, manifest = sample.item, sample.response, run.folder.manifest
    messages = sent_messages(item, response, manifest, run.spec).messages
    sent = [_message(message) for message in messages] or [{"role": "user", "content": sample.stem}]
    output = _output(response, manifest.model)
    entry: dict[str, Any] = {
        "id": item.id,
        "epoch": sample.repeat + 1,
        "input": sent,
        "choices": sample.choices or None,
        "target": sample.target if len(sample.target) != 1 else sample.target[0],
        "messages": [*sent, output["choices"][0]["message"]] if output["choices"] else sent,
        "output": output,
        "scores": {score.metric: _score(score) for score in sample.scores if score.value is not None},
        "metadata": {**item.facets, "task": item.task, "instance": item.instance_id, **_statuses(sample)},
        "model_usage": {manifest.model: usage} if (usage := _usage(response)) else {},
    }
    entry["metadata"][KEY] = sample.provenance
    if response is not None:
        entry |= {"total_time": response.seconds, "working_time": response.seconds}
        if response.status == "failed":
            problem = response.error.message if response.error else "no answer"
            entry["error"] = {"message": problem, "traceback": "", "traceback_ansi": ""}
    return entry


def _statuses(sample: Sample) -> dict[str, Any]:
    response = sample.response.status if sample.response else "missing"
    return {"status": response, "score_status": {score.metric: score.status for score in sample.scores}}


def _message(message: Message) -> dict[str, Any]:
    return {"role": message.role, "content": [_content(part) for part in message.parts]}


def _content(part: Part) -> dict[str, Any]:
    if part.kind == "image":
        return {"type": "image", "image": part.path}
    if part.kind in ("audio", "video"):
        suffix = Path(part.path).suffix.lstrip(".").lower()
        formats = {"audio": ("wav", "mp3"), "video": ("mp4", "mpeg", "mov")}[part.kind]
        if suffix in formats:
            return {"type": part.kind, part.kind: part.path, "format": suffix}
        return {"type": "text", "text": f"[{part.kind}: {part.path}]"}  # a format without a name in Inspect
    return {"type": "text", "text": part.text}


def _output(response: Response | None, model: str) -> dict[str, Any]:
    if response is None or response.status in ("failed", "skipped"):
        problem = response.error.message if response is not None and response.error else None
        return {"model": model, "choices": [], "error": problem}
    content: Any = response.text
    if response.thinking:
        content = [{"type": "reasoning", "reasoning": response.thinking}, {"type": "text", "text": response.text}]
    choice = {
        "message": {"role": "assistant", "content": content, "model": model},
        "stop_reason": _STOPS.get(response.status, "stop"),
    }
    return {
        "model": response.served_model or model,
        "choices": [choice],
        "completion": response.text,
        "usage": _usage(response),
        "time": response.seconds,
    }


def _usage(response: Response | None) -> dict[str, int] | None:
    usage = response.usage if response else None
    if usage is None:
        return None
    counted = {
        "input_tokens": usage.input_tokens or 0,
        "output_tokens": usage.output_tokens or 0,
        "total_tokens": (usage.input_tokens or 0) + (usage.output_tokens or 0),
    }
    more = {"input_tokens_cache_read": usage.cached_tokens, "reasoning_tokens": usage.reasoning_tokens}
    return counted | {name: n for name, n in more.items() if n is not None}


def _total_usage(run: ScoredRun) -> dict[str, Any]:
    totals: dict[str, int] = {}
    for response in run.folder.responses():
        for name, n in (_usage(response) or {}).items():
            totals[name] = totals.get(name, 0) + n
    return {run.folder.manifest.model: totals} if totals else {}


def _score(score: Score) -> dict[str, Any]:
    extraction = score.extraction
    return {
        "value": score.value,
        "answer": "; ".join(extraction) if isinstance(extraction, tuple) else extraction,
        "explanation": score.note or None,
        "metadata": {"status": score.status, "numerator": score.numerator, "denominator": score.denominator},
    }


def _figures(aggregates: Iterable[Aggregate]) -> Iterator[dict[str, Any]]:
    """Yield every figure with a value as a score of its own, since Inspect's results have no slices."""
    for figure in aggregates:
        if figure.value is None:
            continue
        slice_ = ", ".join(f"{k}={v}" for k, v in sorted(figure.slice.items()))
        name = f"{figure.task} {figure.metric}" + (f" [{slice_}]" if slice_ else "")
        values = {"value": figure.value, "n": figure.n, "coverage": figure.coverage}
        if figure.interval:
            values |= {"low": figure.interval[0], "high": figure.interval[1]}
        yield {
            "name": name,
            "scorer": f"triptych/{figure.protocol}",
            "scored_samples": figure.n,
            "unscored_samples": figure.units - figure.n,
            "metrics": {key: {"name": key, "value": value} for key, value in values.items()},
            "metadata": {"counts": figure.counts, "signature": figure.signature},
        }


def _summary(entry: dict[str, Any]) -> dict[str, Any]:
    keys = ("id", "epoch", "input", "choices", "target", "scores", "model_usage", "total_time", "working_time")
    metadata = {k: v for k, v in entry["metadata"].items() if isinstance(v, str)}
    summary = {key: entry[key] for key in keys if key in entry} | {"metadata": metadata}
    failed = entry.get("error")
    return summary | {"completed": not failed, "error": failed["message"] if failed else None}


def _created_time(run: ScoredRun) -> str:
    return run.folder.manifest.created or datetime.fromtimestamp(0, UTC).isoformat(timespec="seconds")


def _ended(run: ScoredRun) -> str:
    """Return when the last reply came; if unknown, when the Run began."""
    return max((response.time for response in run.folder.responses()), default="") or _created_time(run)


def _short_digest(*names: str) -> str:
    """Return 22 characters that identify these names, always the same."""
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:22]
