"""The Runs of a report: manifest, outcomes of the Requests, cost, and the command that repeats the Run."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.experiment.prompts import requested
from triptych.judges.panel import Judge, Panel, load_panel
from triptych.judges.rubric import Rubric, load_rubric
from triptych.models.http.endpoints import last_shared, official_address
from triptych.models.registry import known_settings
from triptych.records import AS_IN_RESULTS, RESPONSE_STATUSES, RunManifest, signature_of
from triptych.reports.tables.book import Report
from triptych.reports.tables.costs import Cost
from triptych.running.other_endpoint import last_address
from triptych.running.readings import FOLDER, journal_name
from triptych.scoring.outcome import Scored
from triptych.store.folder import RunFolder
from triptych.store.journals.replies import ReplyJournal


@dataclass(frozen=True)
class RunDescription:
    """One Run as the report describes it."""

    label: str
    folder: RunFolder
    spec: BenchmarkSpec
    counts: dict[str, int]
    notes: tuple[str, ...]
    signatures: dict[str, str]

    @property
    def manifest(self) -> RunManifest:
        """Everything needed to repeat the Run."""
        return self.folder.manifest

    @cached_property
    def cost(self) -> Cost:
        """The cost according to the Responses."""
        return Cost.of(self.folder.all_responses())

    @property
    def units(self) -> int:
        """The number of all Units."""
        return sum(self.counts.values())

    @cached_property
    def requests(self) -> int:
        """The number of Requests: more than Units if replies to several questions are scored together."""
        return len(self.folder.all_items()) * self.manifest.repeats

    @property
    def in_data(self) -> int:
        """The number of Units of the Run's Tasks in its data; 0 if it is not known (part of a mini set)."""
        manifest = self.manifest
        chosen = manifest.limit or manifest.filters or manifest.sample or manifest.items_file or manifest.shard
        if manifest.planned and not chosen and self.requests == self.units:  # each Request is a Unit
            return max(manifest.planned, self.units)
        if manifest.data == "mini":
            return 0 if chosen else self.units
        counts = [task.units or task.count for task in self.spec.tasks if task.id in manifest.tasks]
        return sum(count or 0 for count in counts) if counts and all(counts) else 0 if chosen else self.units

    @property
    def bars(self) -> list[tuple[str, int, float, float]]:
        """(status, Units, start of its bar, length of its bar), out of 100."""
        pieces, start = [], 0.0
        for status in (*RESPONSE_STATUSES, "missing"):
            if n := self.counts.get(status, 0):
                share = 100 * n / self.units
                pieces.append((status, n, round(start, 3), round(share, 3)))
                start += share
        return pieces

    @property
    def command(self) -> str:
        """The command that asks the same questions again."""
        return run_command(self.manifest, self.spec, self.folder)


def ran(report: Report) -> list[RunDescription]:
    """Return every Run of the report that has a folder, in the report's order."""
    rows = []
    for label, folder in report.folders.items():
        scored = report.runs[label]
        counts, notes = (scored.counts, scored.notes) if isinstance(scored, Scored) else ({}, ())
        counts = counts or dict(Counter(response.status for response in folder.responses()))
        signatures = {protocol: signature_of(figures) for protocol, figures in scored.items()}
        rows.append(
            RunDescription(
                label, folder, report.benchmark.spec, counts, notes, {k: v for k, v in signatures.items() if v}
            )
        )
    return rows


def run_command(manifest: RunManifest, spec: BenchmarkSpec, folder: RunFolder) -> str:
    """Return `triptych run …` with all settings of the manifest, without secrets."""
    words = ["triptych", "run", manifest.benchmark]
    if set(manifest.tasks) != {task.id for task in spec.asked(())}:
        words += manifest.tasks
    words += ["--model", manifest.model, *_where(manifest)]
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


def _prompt(manifest: RunManifest, spec: BenchmarkSpec, folder: RunFolder) -> list[str]:
    """Return `--prompt`; a prompt that is not the benchmark's is read from the manifest, which holds its text."""
    if manifest.prompt.startswith("authors@"):
        return ["--prompt", str(folder.path / "manifest.json")]
    if (name := requested(spec, manifest)) is None:
        return []
    known = spec.prompts.get(name)
    same = known is not None and manifest.prompts.get(name) in (None, known.sent())
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
        known = known_settings(model)
        return words + [w for k, v in settings.items() if k in known and v is not None for w in _setting("-R", k, v)]
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


def _where(manifest: RunManifest) -> list[str]:
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
