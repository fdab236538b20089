"""One system's questions and replies, from a Run folder or from results in the authors' own format."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from triptych.audit.recognise import recognise
from triptych.benchmarks import Benchmark, load_benchmark
from triptych.errors import DataError, TwoAnswersError
from triptych.protocols.protocol import Unit
from triptych.records import Item, Response, RunManifest, Score
from triptych.releases.archives import is_archive, named_by_archives, unpack_results
from triptych.scoring.apply import scores_of
from triptych.scoring.queue import NAME as QUEUE
from triptych.scoring.queue import decide, read_queue
from triptych.scoring.units import forget_units, group_units, units_kept
from triptych.store.folder import RunFolder

Answer = tuple[str, str, str]  # its Task, the reference answer, what was answered


@dataclass
class System:
    """One system's Items, Responses, and what is stored of its scores. `manifest`: a Run folder's; None for results."""

    name: str
    path: Path
    benchmark: Benchmark
    items: dict[str, Item]
    responses: dict[str, Response]
    notes: tuple[str, ...] = ()
    stored: Mapping[str, Any] = field(default_factory=dict)
    manifest: RunManifest | None = None
    known: dict[str, list[Sequence[Score]]] = field(default_factory=dict)
    read: tuple[Sequence[Item], Sequence[Response]] | None = None  # a Run folder's, as they were read
    doubled: str = ""  # why the results can't be read: two answers to one question

    @cached_property
    def units(self) -> list[Unit]:
        """The Units, each with its Responses, and with what people decided of a Run's ambiguous replies."""
        if self.read is None:
            return list(group_units(self.items.values(), self.responses.values()))
        return decide(units_kept(*self.read), read_queue(self.path / QUEUE))

    @cached_property
    def joined(self) -> frozenset[str]:
        """Tasks with Units that are several questions together."""
        return frozenset(unit.item.task for unit in self.units if len(unit.items) > 1)

    @cached_property
    def sampled(self) -> dict[str, tuple[int, int]]:
        """Task -> (questions here, questions released), where results are of a sample: of the Tasks that results hold,
        at least half have fewer questions than were released, and at least four do. Empty otherwise, and for Runs."""
        if self.manifest is not None:
            return {}
        here = Counter(unit.items[0].task for unit in self.units)
        released = {self.benchmark.spec.full_id(task): task.count for task in self.benchmark.spec.tasks if task.count}
        fewer = {
            task: (n, released[task])
            for task, n in here.items()
            if task not in self.joined and n < released.get(task, 0)
        }
        return {} if len(fewer) < max(4, len(here) / 2) else fewer

    @cached_property
    def variants(self) -> frozenset[str]:
        """Tasks whose results are of another prompt than the benchmark's (the reader says so in the facet `variant`):
        no published cell is theirs."""
        return frozenset(item.task for item in self.items.values() if "variant" in item.facets)

    @cached_property
    def official(self) -> list[Score]:
        """Every Unit's first Score under the protocol that people see first, in the Units' order."""
        return [scores[0] for scores in self.scores(self.benchmark.spec.protocols[0])]

    @cached_property
    def answers(self) -> dict[str, Answer]:
        """Unit -> Answer, of the Units with one answer out of options."""
        found = {}
        for score, unit in zip(self.official, self.units, strict=True):
            key, said = unit.items[0].target, score.extraction
            if type(key) is str and type(said) is str and score.status == "scored":
                found[score.unit] = (score.task, key.strip(), said.strip())
        return found

    def forget(self) -> None:
        """Keep what was answered, and free questions, replies, Units and Scores, which take most memory."""
        _ = self.answers  # computed while what it needs is still there
        if self.read is not None:
            forget_units(*self.read)
        self.items, self.responses, self.read = {}, {}, None
        self.known.clear()
        for name in ("units", "official"):
            self.__dict__.pop(name, None)

    def scores(self, protocol: str) -> list[Sequence[Score]]:
        """Every Unit's Scores under a protocol, in the Units' order; those of the first one are kept."""
        if (known := self.known.get(protocol)) is not None:
            return known
        rules = self.benchmark.protocol(protocol)
        found = [scores_of(unit, rules) for unit in self.units]
        if protocol == self.benchmark.spec.protocols[0]:
            self.known[protocol] = found
        return found


Say = Callable[[str], None]


def load_systems(
    paths: Sequence[Path], benchmark: str | None, data: Path | None, say: Say = lambda line: None
) -> Iterator[System]:
    """One System for each Run folder, results file or folder of results; a folder of such folders holds several (of one
    that holds Runs, nothing else is looked at).

    Without `benchmark`, results tell by themselves which they are of, and `say` gets a line about it. Raises SpecError
    where they don't, DataError for what can't be read.
    """
    for path in paths:
        if not path.exists():
            raise DataError("nothing is there", where=path, expected="a Run folder, or results")
    for path in paths:
        if runs := _runs_in(path):
            yield from map(_from_run, runs)
        else:
            yield from _from_results(path, benchmark, data, say)


def _runs_in(path: Path) -> list[Path]:
    """The folder where it is a Run's, else the Run folders below."""
    if (path / "manifest.json").is_file():
        return [path]
    return sorted(found.parent for found in path.rglob("manifest.json")) if path.is_dir() else []


def _from_run(path: Path) -> System:
    folder = RunFolder.open(path)
    read = folder.all_items(), folder.all_responses()
    items = {item.id: item for item in read[0]}
    responses = {r.item: r for r in read[1] if not r.repeat}
    bench = load_benchmark(folder.manifest.benchmark)
    condition = f" ({folder.manifest.condition})" if folder.manifest.condition else ""
    name = folder.manifest.called + condition
    return System(name, path, bench, items, responses, manifest=folder.manifest, read=read)


def _from_results(path: Path, name: str | None, data: Path | None, say: Say) -> Iterator[System]:
    if path.is_file() and is_archive(path):
        yield from _from_archive(path, name, data, say)
        return
    benchmark = load_benchmark(name or recognise(path))
    if name is None:
        say(f"{path.name}: recognised as results of {benchmark.name}")
    questions = {item.id: item for item in benchmark.items(data, None, lambda problem: None)} if data else None
    for name, place in _places(path, benchmark):
        try:
            outputs = benchmark.outputs([place], questions)
        except TwoAnswersError as error:
            yield System(name, place, benchmark, {}, {}, doubled=f"{error.problem}: {error.got} ({error.where})")
            continue
        known = {id_: outputs.items.get(id_) or (questions or {}).get(id_) for id_ in outputs.responses}
        items = {id_: item for id_, item in known.items() if item is not None}
        if not items:
            raise DataError("the results name no known question", where=place, fix="pass --data")
        yield System(name, place, benchmark, items, dict(outputs.responses), outputs.notes, dict(outputs.stored or {}))


def _from_archive(path: Path, name: str | None, data: Path | None, say: Say) -> Iterator[System]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / path.name
        unpack_results(path, folder)
        try:
            for system in _from_results(folder, name, data, say):
                yield replace(system, path=path / system.path.relative_to(folder))
        except DataError as error:
            raise named_by_archives(error, {str(folder): str(path)}) from None


def _places(path: Path, benchmark: Benchmark) -> Iterator[tuple[str, Path]]:
    """(system's name, where its results are): the path itself, or each folder below that holds results."""
    below = [folder for folder in sorted(path.rglob("*/")) if any(f.is_file() for f in folder.iterdir())]
    if path.is_file() or not below or any(f.is_file() for f in path.iterdir()):
        yield path.stem if path.is_file() else path.name, path
        return
    for folder in below:
        yield folder.name, folder
