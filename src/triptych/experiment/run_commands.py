"""The commands that repeat a Run and its scoring, `triptych run …` and `triptych score …`, with all settings."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from triptych.benchmarks import is_own, question_file
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.experiment.prompts import requested_prompt
from triptych.judges.panel import Judge, Panel, load_panel
from triptych.judges.rubric import Rubric, load_rubric
from triptych.models.http.endpoints import last_shared, official_address
from triptych.models.registry import known_settings
from triptych.records import AS_IN_RESULTS, RunManifest
from triptych.running.other_endpoint import last_address
from triptych.running.readings import FOLDER, journal_name
from triptych.store.folder import RunFolder
from triptych.store.journals.replies import ReplyJournal


def run_command(manifest: RunManifest, spec: BenchmarkSpec, folder: RunFolder) -> str:
    """Return `triptych run …` with all settings of the manifest, without secrets."""
    words = ["triptych", "run", _questions(manifest), *_mapping(manifest)]
    if set(manifest.tasks) != {task.id for task in spec.chosen_tasks(())}:
        words += manifest.tasks
    words += ["--model", manifest.model, *_endpoint_options(manifest)]
    if manifest.data not in ("mini", AS_IN_RESULTS):
        words += ["--data", manifest.data]
    for condition in manifest.conditions:
        words += ["--condition", condition]
    words += _reader(manifest, folder)
    words += _prompt(manifest, spec, folder)
    words += ["--as-in", manifest.as_in] if manifest.as_in else []
    for key, value in _settings(manifest, spec).items():
        words += _setting("-M", key, value)
    for key, values in manifest.filters.items():
        if tuple(sorted(spec.default_filters.get(key, ()))) != values:
            words += [word for value in values for word in ("--filter", f"{key}={value}")]
    words += ["--items", "IDS.txt"] if manifest.items_file else []  # the manifest keeps their hash alone
    for flag, cell_value in (("--limit", manifest.limit), ("--sample", manifest.sample.partition("@")[0])):
        words += [flag, str(cell_value)] if cell_value else []
    words += ["--shard", manifest.shard] if manifest.shard else []
    words += ["--repeats", str(manifest.repeats)] if manifest.repeats > 1 else []
    words += ["--seed", str(manifest.seed)] if manifest.decoding.get("seed") == manifest.seed else []
    return shlex.join([*words, "--out", str(folder.path)])


def _questions(manifest: RunManifest) -> str:
    """Return the benchmark's name; for questions of the user's own, their file (`QUESTIONS` if it isn't there)."""
    if not is_own(manifest.benchmark):
        return manifest.benchmark
    return str(question_file(manifest.benchmark, Path(manifest.data)) or "QUESTIONS")


def _mapping(manifest: RunManifest) -> list[str]:
    pairs = manifest.map.items()
    return [w for k, v in pairs for w in (("--instance", v) if k == "instance" else ("--map", f"{k}={v}"))]


def _prompt(manifest: RunManifest, spec: BenchmarkSpec, folder: RunFolder) -> list[str]:
    """Return `--prompt`; a prompt that is not the benchmark's is read from the manifest, which holds its text."""
    if manifest.prompt.startswith("authors@"):
        return ["--prompt", str(folder.path / "manifest.json")]
    if (name := requested_prompt(spec, manifest)) is None:
        return []
    prompt = spec.prompts.get(name)
    same = prompt is not None and manifest.prompts.get(name) in (None, prompt.sent_fields())
    return ["--prompt", name if same else f"{folder.path / 'manifest.json'}#{name}"]


def _reader(manifest: RunManifest, folder: RunFolder) -> list[str]:
    """Return endpoint and settings of a separate model that converted media to text first."""
    for condition, condition_readings in manifest.readings.items():
        if (model := str(condition_readings.get("model", ""))) == manifest.model:
            continue
        at = last_address(ReplyJournal(folder.path / FOLDER, journal_name(condition)))
        words = ["--reader-base-url", at] if at and at != official_address(model) else []
        settings = {
            **condition_readings.get("settings", {}),
            **({"revision": condition_readings["revision"]} if condition_readings.get("revision") else {}),
        }
        settings_of_model = known_settings(model)
        return words + [
            w for k, v in settings.items() if k in settings_of_model and v is not None for w in _setting("-R", k, v)
        ]
    return []


def score_command(folder: RunFolder, spec: BenchmarkSpec) -> str:
    """Return `triptych score RUN` with the judges used last and their settings."""
    panel = load_panel(folder.verdicts_path)
    judged = _judges(panel, folder, spec) if panel else []
    return shlex.join(["triptych", "score", str(folder.path), *judged])


def _judges(panel: Panel, folder: RunFolder, spec: BenchmarkSpec) -> list[str]:
    rubrics = [load_rubric(name) for task in spec.tasks for name in task.rubrics.values()]
    addresses = [_asked_at(judge, (*panel.rubrics.values(), *rubrics), folder) for judge in panel.judges]
    makers = [official_address(judge.model) for judge in panel.judges]
    words = [word for judge in panel.judges for word in ("--judge", judge.model)]
    if any(at and at != maker for at, maker in zip(addresses, makers, strict=True)):
        each = [at or maker for at, maker in zip(addresses, makers, strict=True)]
        words += [word for at in (each if len(set(each)) > 1 else each[:1]) for word in ("--judge-base-url", at)]
    first = panel.judges[0]
    fields = {**first.settings, **first.decoding, **({"revision": first.revision} if first.revision else {})}
    for key, value in fields.items():
        words += _setting("-J", key, value) if value is not None else []
    words += ["--judge-repeats", str(panel.evaluations)] if panel.evaluations > 1 else []
    words += ["--judge-combine", panel.combine] if panel.combine != "mean" else []
    if panel.descriptions:
        words += ["--judge-descriptions", panel.files.get("descriptions", panel.descriptions_from.partition("(")[0])]
    for metric, rubric in panel.rubrics.items():
        words += ["--rubric", f"{metric}={panel.files.get(metric, f'{rubric.id}.toml')}"]
    return words


def _asked_at(judge: Judge, rubrics: Iterable[Rubric], folder: RunFolder) -> str:
    journals = (ReplyJournal(folder.verdicts_path, judge.signature(rubric)) for rubric in rubrics)
    return next(filter(None, map(last_address, journals)), "")


def _setting(option: str, key: str, value: Any) -> list[str]:
    return [option, f"{key}={str(value).lower() if isinstance(value, bool) else value}"]


def _endpoint_options(manifest: RunManifest) -> list[str]:
    """Return the endpoints used last, unless it is the vendor's own, and the Run's name."""
    last = [one.address for one in last_shared(manifest.endpoints)]
    is_official = last == [official_address(manifest.model)]
    words = [word for address in last if not is_official for word in ("--model-base-url", address)]
    return [*words, *(["--name", manifest.name] if manifest.name else [])]


def _settings(manifest: RunManifest, spec: BenchmarkSpec) -> dict[str, Any]:
    """Return the `-M` options: the adapter's settings, and decoding unless it is the benchmark's own or follows
    `--seed`."""
    settings = {key: value for key, value in manifest.model_settings.items() if key != "seed" and value is not None}
    decoding = {key: value for key, value in manifest.decoding.items() if spec.decoding.get(key) != value}
    if decoding.get("seed") == manifest.seed:
        del decoding["seed"]
    if manifest.revision and "revision" in known_settings(manifest.model):
        settings["revision"] = manifest.revision
    return settings | decoding
