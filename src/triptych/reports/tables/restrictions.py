"""Restrictions of a Run that a reader must know before comparing it: the mini set, a sample, a subset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from triptych.analysis.catalogue_facts import catalogue_facts
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.records import ANSWERED, Aggregate, RunManifest
from triptych.reports.tables.fill import RunRemarks
from triptych.reports.tables.marks import OTHER_DATA, OTHER_SETTINGS, UNCONFIRMED, UNFINISHED
from triptych.reports.tables.words import UNSCORED
from triptych.scoring.notes.differences import NOT_STATED, settings_apart

if TYPE_CHECKING:
    from triptych.store.folder import RunFolder

_NOT_ASKED = ("baseline/", "replay/", "human/")  # no model was asked with settings of ours
_FROM_ELSEWHERE = ("replay/", "human/")  # what they lack was not left out by an interrupted Run
_FEW_MISSING = 0.01  # share of missing replies up to which a Run is still over all questions
_REPLIED = (*ANSWERED, *UNSCORED)
_MAX_SETTINGS = 4  # settings that a mark shows


def remarks_of(
    spec: BenchmarkSpec, folder: RunFolder | None, figures: Sequence[Aggregate], notes: Sequence[str] = ()
) -> RunRemarks:
    """Return the Run's marks and the description of its model; without a Run folder, the marks that follow from its
    figures. `notes`: those of its scoring, which say whether all Requests were asked."""
    manifest = folder.manifest if folder else None
    marks = list(_selected(manifest, spec)) if manifest else []
    if not (manifest and manifest.data == "mini") and (part := _part(spec, figures)):
        marks.append(part)
    if not (manifest and manifest.model.startswith(_FROM_ELSEWHERE)):
        marks += [note for note in notes if note.startswith(UNFINISHED)] or filter(None, [_missing(spec, figures)])
    if manifest and manifest.about.get("weights"):
        marks.append(f"{UNCONFIRMED}: {manifest.about['weights']}")
    about = {**catalogue_facts(manifest), **manifest.about} if manifest else {}
    return RunRemarks(tuple(marks), about, baseline=manifest is not None and is_baseline(manifest))


def is_baseline(manifest: RunManifest) -> bool:
    """Return True for a Run of a built-in baseline, which is not a model; one that has a name of its own is shown as
    a model."""
    return manifest.model.startswith("baseline/") and not manifest.name


def data_versions(folders: Mapping[str, RunFolder]) -> dict[str, tuple[str, ...]]:
    """Return label -> the version of its data, if Runs on released data have several: their figures are over other
    questions. Runs of the mini set say so themselves, and results made elsewhere say nothing about their data."""
    hashes = {
        label: folder.manifest.data_sha256
        for label, folder in folders.items()
        if folder.manifest.data != "mini" and not folder.manifest.model.startswith("replay/")
    }
    if len(set(hashes.values())) < 2:
        return {}
    return {label: (f"{OTHER_DATA} (version {digest[:8]})",) for label, digest in hashes.items()}


def settings_marks(folders: Mapping[str, RunFolder]) -> dict[str, tuple[str, ...]]:
    """Return label -> the Run's values of the settings (temperature, token limit, packing …) that are not the same in
    all Runs whose models were asked. A setting that the label shows is left out, and so is an address:
    an endpoint isn't a condition of the measurement, and reports are handed on."""
    manifests = {
        label: folder.manifest for label, folder in folders.items() if not folder.manifest.model.startswith(_NOT_ASKED)
    }
    apart = {
        name: values
        for name, values in settings_apart(list(manifests.values())).items()
        if not any("://" in value for value in values)
    }
    marks_by_label: dict[str, tuple[str, ...]] = {}
    for number, label in enumerate(manifests):
        values = {name: field_values[number] for name, field_values in apart.items() if f"{name}=" not in label}
        texts = [f"no {name}" if value == NOT_STATED else f"{name} {value}" for name, value in values.items()]
        more = [f"{len(texts) - _MAX_SETTINGS} more"] if len(texts) > _MAX_SETTINGS else []
        if texts:
            marks_by_label[label] = (f"{OTHER_SETTINGS}: {', '.join([*texts[:_MAX_SETTINGS], *more])}",)
    return marks_by_label


def pooled_facets(spec: BenchmarkSpec, figures: Sequence[Aggregate]) -> Iterator[str]:
    """Yield a note for each facet that the paper keeps separate and that the Run's undivided figures pool."""
    for facet in spec.apart:
        values = dict.fromkeys(figure.slice[facet] for figure in figures if facet in figure.slice)
        if len(values) > 1:
            yield f"figures pooled over {facet}: {', '.join(values)}; other tables show them separately"


def describe_partial_scores(figures: Sequence[Aggregate]) -> str:
    """Say how a Run is scored that has figures of parts only (a log whose replies were parsed by several filters);
    otherwise return an empty string."""
    facets = [set(figure.slice) for figure in figures]
    names = sorted(set.intersection(*facets)) if facets else []
    return f"scored separately by {' and '.join(names)}, without an overall figure" if names else ""


def _selected(manifest: RunManifest, spec: BenchmarkSpec) -> Iterator[str]:
    """Yield the ways in which, by its manifest, the Run covers less than the whole benchmark."""
    if manifest.data == "mini":
        yield "on the built-in mini set, not on the benchmark's data"
    if manifest.sample:
        yield f"on the sample {manifest.sample} only"
    if parts := list(_parts(manifest, spec)):
        yield f"on a subset: {'; '.join(parts)}"


def _parts(manifest: RunManifest, spec: BenchmarkSpec) -> Iterator[str]:
    """Yield what restricted the Items: a limit, values of facets, a list of Items."""
    if manifest.limit:
        yield f"--limit {manifest.limit}"
    for name, values in manifest.filters.items():
        if name in spec.apart:  # one modality is all that a system of the paper was asked in
            continue
        if tuple(sorted(spec.default_filters.get(name, ()))) != values:
            yield f"{name}={','.join(values)}"
    if manifest.shard:
        yield f"shard {manifest.shard}"
    if manifest.items_file:
        yield "a list of Items (--items)"


def _missing(spec: BenchmarkSpec, figures: Sequence[Aggregate]) -> str:
    """Return `unfinished: asked 624, answered 44`, or an empty string if hardly any reply is missing."""
    tasks = {spec.full_id(task) for task in spec.tasks}
    widest: dict[str, Aggregate] = {}
    for figure in figures:
        if not figure.slice and (figure.task not in widest or widest[figure.task].units < figure.units):
            widest[figure.task] = figure
    chosen = [figure for task, figure in widest.items() if task in tasks] or list(widest.values())
    missing = sum(figure.counts.get("missing", 0) for figure in chosen)
    units = sum(figure.units for figure in chosen)
    if missing <= _FEW_MISSING * units:
        return ""
    answered = sum(n for figure in chosen for status, n in figure.counts.items() if status in _REPLIED)
    return f"{UNFINISHED}: asked {units:,}, answered {answered:,}"


def _part(spec: BenchmarkSpec, figures: Sequence[Aggregate]) -> str:
    """Return `on a subset: 60 of the benchmark's 1,500 Units in 1 Task` if Tasks have fewer Units than the benchmark's;
    otherwise an empty string."""
    units = {spec.full_id(task): task.units or task.count for task in spec.tasks}
    counts: dict[str, int] = {}
    for figure in figures:
        if not figure.slice and figure.task in units:
            counts[figure.task] = max(counts.get(figure.task, 0), figure.units)
    planned_units = {task: units[task] or 0 for task in counts}
    if all(counts[task] >= planned_units[task] for task in counts):
        return ""
    tasks_known = [task for task in counts if planned_units[task]]
    there = sum(min(counts[task], planned_units[task]) for task in tasks_known)
    tasks = "1 Task" if len(tasks_known) == 1 else f"{len(tasks_known)} Tasks"
    return f"on a subset: {there:,} of the benchmark's {sum(planned_units.values()):,} Units in {tasks}"
