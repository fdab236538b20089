"""Benchmarks of a package: specification, reader, protocols; a mini set is tried (`benchmark_trial`)."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

from triptych.api.benchmark_trial import trial
from triptych.api.contracts.benchmark_files import file_faults
from triptych.api.contracts.signatures import NOTE, plainly_takes
from triptych.api.layout_trial import published_faults
from triptych.benchmarks import Benchmark, load_benchmark
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.benchmarks.spec_file import load_spec
from triptych.conditions.applying import type_fault
from triptych.errors import DataError, SpecError, nearest
from triptych.protocols.protocol import Protocol
from triptych.records import Item, Problem
from triptych.records.plug_ins import shown


def check(point: EntryPoint, module: ModuleType, model: str) -> Iterator[str]:
    """Yield the faults of a package of the group `triptych.benchmarks`."""
    try:
        bench = load_benchmark(point.name)
    except SpecError:
        if (name := _name_in_spec(module)) in ("", point.name):
            raise
        yield f"spec.toml says name = {name!r}; the entry point is {point.name!r}: the two must be equal"
        return
    if bench.origin == "triptych":
        yield f"the name {point.name!r} belongs to a built-in benchmark; this one can't be used"
        return
    if bench.name != point.name:
        yield f"spec.toml says name = {bench.name!r}; the entry point is {point.name!r}"
    yield from file_faults(bench)
    faults = [*protocol_faults(import_module(f"{point.value}.protocols").PROTOCOLS, bench.spec)]
    yield from faults
    if any(not fault.startswith(NOTE) for fault in faults):
        return
    reader = import_module(f"{point.value}.reader")
    yield from plainly_takes(reader, "source_files", 1, "source_files(data) of reader.py")
    yield from _published(bench)
    if not bench.mini.is_dir():
        yield f"{NOTE}there is no mini set (folder mini), so reading and scoring were not tried"
        return
    faults = list(_mini(bench))
    yield from faults
    if any(not fault.startswith(NOTE) for fault in faults):
        return
    with tempfile.TemporaryDirectory(prefix="triptych-check-") as folder:
        yield from trial(bench, Path(folder) / "run")


def protocol_faults(protocols: object, spec: BenchmarkSpec) -> Iterator[str]:
    """Yield the faults of `PROTOCOLS`: names, versions, headlines and functions."""
    if not isinstance(protocols, Mapping):
        yield f"PROTOCOLS is {shown(protocols)}; expected a dict of names and Protocols"
        return
    for key, protocol in protocols.items():
        if not isinstance(protocol, Protocol):
            yield f"PROTOCOLS[{key!r}] is {shown(protocol)}, not Protocol"
            continue
        about = f"PROTOCOLS[{key!r}]"
        if protocol.name != key:
            yield f"{about}: name is {protocol.name!r}; expected its key, {key!r}"
        if not isinstance(protocol.version, str) or not protocol.version:
            yield f"{about}: version is {protocol.version!r}; expected a text such as '1'"
        if protocol.headline not in ("all", "answered"):
            yield f"{about}: headline is {protocol.headline!r}; expected all or answered"
        yield from plainly_takes(protocol, "score", 1, f"{about}: score(unit)")
        yield from plainly_takes(protocol, "aggregate", 2, f"{about}: aggregate(cells, sums)")
        if key not in spec.protocols:
            yield f"{NOTE}{about} is not among the protocols of spec.toml, so it can't be used"


def _published(bench: Benchmark) -> Iterator[str]:
    try:
        yield from published_faults(bench.spec, bench.folder)
    except DataError as error:
        yield str(error)


def _mini(bench: Benchmark) -> Iterator[str]:
    """Yield what is wrong with the Items of the mini set: how they are read, their ids, options and slices."""
    sources = list(import_module(f"{bench.package}.reader").source_files(bench.mini))
    if not any(isinstance(path, Path) and path.is_file() for path in sources):
        yield f"source_files of reader.py names no file that the mini set has: {', '.join(map(str, sources)) or 'none'}"
        return
    malformed: list[str] = []

    def report(problem: Problem) -> None:
        malformed.append(f"{problem.where}: {problem.message}")

    items = list(bench.items(bench.mini, report=report))
    yield from (f"mini: {line}" for line in malformed[:5])
    yield from item_faults(items)
    yield from slice_names(bench.spec, items)
    yield from modality_faults(bench.spec, items)
    again = [item.id for item in bench.items(bench.mini, report=lambda problem: None)]
    if again != [item.id for item in items]:
        yield "the reader gives other ids, or another order, the second time; a Run that is resumed would ask all again"
    for task in bench.spec.tasks if len(bench.spec.tasks) > 1 else ():
        list(bench.items(bench.mini, [task], report=lambda problem: None))  # raises SpecError for Items of other Tasks
    if not items:
        yield "mini: the reader yields no Items"


def item_faults(items: Collection[Item]) -> Iterator[str]:
    """Yield what is wrong with Items by themselves: doubled ids, other types than declared, labels, equal options."""
    for id, count in Counter(item.id for item in items).items():
        if count > 1:
            yield f"mini: several Items have the same id: {id!r}"
    for item in items:
        if not isinstance(item.id, str) or not isinstance(item.parts, tuple) or not isinstance(item.facets, dict):
            types = f"id {shown(item.id)}, parts {shown(item.parts)}, facets {shown(item.facets)}"
            yield f"mini: Item {item.id!r} has {types}; expected str, tuple and dict"
            return
        if fault := type_fault(item):
            yield f"mini: the reader makes {fault}"
            return
        if item.labels and item.options and len(item.labels) != len(item.options):
            yield f"mini: Item {item.id!r} has {len(item.labels)} labels for {len(item.options)} options"
        equal = [text for text, count in Counter(item.option_texts()).items() if count > 1]
        if equal:
            yield f"mini: Item {item.id!r} has the option {equal[0]!r} twice"


def modality_faults(spec: BenchmarkSpec, items: Collection[Item]) -> Iterator[str]:
    """Yield the Tasks whose Items have nothing of the modalities that the specification gives them."""
    for task in spec.tasks:
        kinds = {part.kind for item in items if item.task == spec.full_id(task) for part in item.all_parts}
        if kinds and task.modalities and kinds.isdisjoint(task.modalities):
            stated, content = ", ".join(task.modalities), ", ".join(sorted(kinds))
            yield f"the Task {task.id!r} has the modalities {stated}, but its Items consist of {content}"


def slice_names(spec: BenchmarkSpec, items: Collection[Item]) -> Iterator[str]:
    """Yield the `slices` that no Item and no Task has as a facet: a fault if one of theirs has a similar name."""
    facets = {facet for item in items for facet in item.facets} | {
        facet for task in spec.tasks for facet in task.facets
    }
    for name in spec.slices:
        if name not in facets:
            similar = nearest(name, facets) if facets else ""
            line = f"slices names the facet {name!r}, which no Item of the mini set has"
            yield f"{line}; {similar}" if similar.startswith("did you mean") else f"{NOTE}{line}"


def _name_in_spec(module: ModuleType) -> str:
    """Return the name in the `spec.toml` of a benchmark's package; empty if it can't be read."""
    try:
        return load_spec(Path(str(module.__file__)).parent / "spec.toml").name
    except SpecError:
        return ""
