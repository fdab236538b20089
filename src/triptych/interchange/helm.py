"""Runs of HELM: a folder with `scenario_state.json`, `per_instance_stats.json`, `stats.json` and `run_spec.json`.

Instances that HELM perturbed are left out; its figures of the split `test` are compared with the other ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from triptych.errors import DataError
from triptych.interchange.foreign import ForeignLog, ForeignSample
from triptych.records.log_figures import LogFigure
from triptych.store.files.limits import read_json

STATE = "scenario_state.json"
# Beginnings of the names of statistics that describe a request, not the quality of its reply
_NO_SCORES = (
    "num_",
    "training_",
    "inference_",
    "batch_size",
    "finish_reason",
    "prompt_",
    "max_prob",
    "logprob",
    "perplexity",
    "bits_per",
    "estimated_",
)
Key = tuple[str, int]  # instance, train trial


def is_helm(path: Path) -> bool:
    """Return whether a folder is a run of HELM."""
    return path.is_dir() and (path / STATE).is_file()


def read_helm(path: Path) -> ForeignLog:
    """Read a run's folder. Raises DataError if a document is missing or not of HELM."""
    state, spec = _document(path / STATE), _document(path / "run_spec.json", {})
    states = state.get("request_states") if isinstance(state, dict) else None
    if not isinstance(states, list):
        raise DataError("not a run of HELM", where=path / STATE, expected="an object with request_states")
    adapter = state.get("adapter_spec") or {}
    task = str(spec.get("name") or path.name).partition(",model=")[0].partition(":model=")[0]
    scores = _scores(_document(path / "per_instance_stats.json", []))
    return ForeignLog(
        harness="helm",
        task=task,
        model=str(adapter.get("model") or "unknown"),
        path=path,
        samples=(_sample(entry, task, scores) for entry in states if _is_unperturbed(entry.get("instance"))),
        settings={k: v for k, v in adapter.items() if k in ("temperature", "max_tokens", "num_outputs")},
        figures=tuple(_figures(_document(path / "stats.json", []), task)),
    )


def _document(path: Path, default: Any = None) -> Any:
    if not path.is_file():
        if default is not None:
            return default
        raise DataError("a document of the run is missing", where=path)
    return read_json(path.read_bytes(), path)


def _is_unperturbed(instance: Any) -> bool:
    return isinstance(instance, dict) and "id" in instance and not instance.get("perturbation")


def _is_score(stat: Mapping[str, Any]) -> bool:
    name = str(stat["name"].get("name"))
    return bool(stat.get("count")) and not stat["name"].get("perturbation") and not name.startswith(_NO_SCORES)


def _scores(entries: Any) -> dict[Key, dict[str, float]]:
    scores_by_unit: dict[Key, dict[str, float]] = defaultdict(dict)
    for entry in entries:
        if not entry.get("perturbation"):
            key = (str(entry["instance_id"]), int(entry.get("train_trial_index") or 0))
            for stat in filter(_is_score, entry.get("stats") or ()):
                scores_by_unit[key][str(stat["name"]["name"])] = float(stat["sum"]) / stat["count"]
    return scores_by_unit


def _figures(stats: Any, task: str) -> Iterator[LogFigure]:
    """Yield the figures of each split; tasks of other splits than `test` end in their name."""
    counts = {s["name"].get("split"): s.get("sum") for s in stats if s["name"].get("name") == "num_instances"}
    for stat in filter(_is_score, stats):
        split = stat["name"].get("split")
        n = counts.get(split)
        if split:
            yield LogFigure(
                _task(task, split),
                str(stat["name"]["name"]),
                float(stat["sum"]) / stat["count"],
                aggregation="mean",
                n=int(n) if isinstance(n, int | float) else None,
            )


def _task(task: str, split: Any) -> str:
    return task if split in ("test", None, "") else f"{task}/{split}"


def _sample(entry: Mapping[str, Any], task: str, scores: Mapping[Key, Mapping[str, float]]) -> ForeignSample:
    instance, mapping = entry["instance"], entry.get("output_mapping") or {}
    result = entry.get("result") or {}
    completions = result.get("completions") or []
    texts = [str(r["output"]["text"]) for r in instance.get("references") or ()]
    right = [str(r["output"]["text"]) for r in instance.get("references") or () if "correct" in (r.get("tags") or ())]
    letters = [letter for letter, text in mapping.items() if text in right]
    trial = int(entry.get("train_trial_index") or 0)
    return ForeignSample(
        id=str(instance["id"]),
        question=str((instance.get("input") or {}).get("text") or ""),
        target=tuple(letters or right),
        choices=tuple(map(str, mapping.values())) if mapping else tuple(texts) if len(texts) > 1 else (),
        labels=tuple(map(str, mapping)),
        reply=str(completions[0].get("text") or "") if completions else "",
        status="answered" if completions else "failed",
        error=str(result.get("error") or "the log has no reply"),
        epoch=trial,
        scores=scores.get((str(instance["id"]), trial), {}),
        task=_task(task, instance.get("split")),
    )
