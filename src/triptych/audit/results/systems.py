"""One system's questions and replies, from a Run folder or from results in the authors' own format."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from triptych.audit.results.recognise import recognise
from triptych.benchmarks import Benchmark, addressed, load_benchmark
from triptych.errors import DataError, TwoAnswersError
from triptych.protocols.protocol import Outputs, Unit
from triptych.records import Finding, Item, Response, RunManifest, Score, finding
from triptych.records.checked import CheckedCell
from triptych.releases.archives import is_archive, named_by_archives, unpack_results
from triptych.scoring.apply import scores_of
from triptych.scoring.queue import NAME as QUEUE
from triptych.scoring.queue import decide, read_queue
from triptych.scoring.stored.units import forget_units, group_units, remember_units
from triptych.store.folder import RunFolder

Answer = tuple[str, str, str]  # its Task, the reference answer, what was answered


@dataclass(frozen=True, slots=True)
class Malformed:
    """A results file that can't be read, and why."""

    file: Path
    problem: str


@dataclass
class System:
    """One system's Items, Responses, and what is stored of its scores. `manifest`: a Run folder's; None for results.
    `row`: the row of the paper's tables that was named for it; empty if none was."""

    name: str
    path: Path
    benchmark: Benchmark
    items: dict[str, Item]
    responses: dict[str, Response]
    notes: tuple[str, ...] = ()
    stored: Mapping[str, Any] = field(default_factory=dict)
    manifest: RunManifest | None = None
    stored_scores: dict[str, list[Sequence[Score]]] = field(default_factory=dict)
    read: tuple[Sequence[Item], Sequence[Response]] | None = None  # a Run folder's, as they were read
    row: str = ""
    malformed: tuple[Malformed, ...] = ()  # files that can't be read, and were left out
    doubled: str = ""  # why the results can't be read: two answers to one question
    cells: list[CheckedCell] = field(default_factory=list)  # printed cells that were compared with the results
    figures: list[bool | None] = field(default_factory=list)  # whether each figure of an imported log follows
    drawn: int = 0  # number of answers that a harness drew at random
    published_row: str | None = None  # the row of the paper's tables with which the results were compared

    @cached_property
    def units(self) -> list[Unit]:
        """The Units, each with its Responses, and with what people decided of a Run's ambiguous replies."""
        if self.read is None:
            return list(group_units(self.items.values(), self.responses.values()))
        return decide(remember_units(*self.read), read_queue(self.path / QUEUE))

    @cached_property
    def joined_tasks(self) -> frozenset[str]:
        """Tasks with Units that are several questions together."""
        return frozenset(unit.item.task for unit in self.units if len(unit.items) > 1)

    @cached_property
    def facets(self) -> dict[str, dict[str, str]]:
        """Task -> the facets of its last Unit."""
        return {unit.items[0].task: unit.items[0].facets for unit in self.units}

    @cached_property
    def sampled_tasks(self) -> dict[str, tuple[int, int]]:
        """Task -> (questions here, questions released), where results are of a sample: of the Tasks that results hold,
        at least half have fewer questions than were released, and at least four do. Empty otherwise, and for Runs."""
        if self.manifest is not None:
            return {}
        here = Counter(unit.items[0].task for unit in self.units)
        released = {self.benchmark.spec.full_id(task): task.count for task in self.benchmark.spec.tasks if task.count}
        fewer = {
            task: (n, released[task])
            for task, n in here.items()
            if task not in self.joined_tasks and n < released.get(task, 0)
        }
        return {} if len(fewer) < max(4, len(here) / 2) else fewer

    @cached_property
    def variants(self) -> frozenset[str]:
        """Tasks whose results are of another prompt than the benchmark's (the reader says so in the facet `variant`):
        no published cell is theirs."""
        return frozenset(item.task for item in self.items.values() if "variant" in item.facets)

    @cached_property
    def headline_scores(self) -> list[Score]:
        """Every Unit's first Score under the protocol that people see first, in the Units' order."""
        return [scores[0] for scores in self.scores(self.benchmark.spec.protocols[0])]

    @cached_property
    def answers(self) -> dict[str, Answer]:
        """Unit -> Answer, of the Units with one answer out of options, as the first protocol reads them; as `standard`
        does if the first reads none (logs that state scores, but not what was read)."""
        first = self._answers_of(self.headline_scores)
        if first or "standard" not in self.benchmark.protocols:
            return first
        if not any(unit.items[0].answer == "letter" for unit in self.units):
            return {}
        return self._answers_of([scores[0] for scores in self.scores("standard")])

    def _answers_of(self, scores: Sequence[Score]) -> dict[str, Answer]:
        answers_by_unit = {}
        for score, unit in zip(scores, self.units, strict=True):
            key, extraction = unit.items[0].target, score.extraction
            if type(key) is str and type(extraction) is str and score.status == "scored":
                answers_by_unit[score.unit] = (score.task, key.strip(), extraction.strip())
        return answers_by_unit

    def forget(self) -> None:
        """Keep what was answered, and free questions, replies, Units and Scores, which take most memory."""
        _ = self.answers  # computed while what it needs is still there
        if self.read is not None:
            forget_units(*self.read)
        self.items, self.responses, self.read = {}, {}, None
        self.stored_scores.clear()
        for name in ("units", "official"):
            self.__dict__.pop(name, None)

    def scores(self, protocol: str) -> list[Sequence[Score]]:
        """Every Unit's Scores under a protocol, in the Units' order; those of the first one are kept."""
        if (stored := self.stored_scores.get(protocol)) is not None:
            return stored
        rules = self.benchmark.protocol(protocol)
        scores_by_unit = [scores_of(unit, rules) for unit in self.units]
        if protocol == self.benchmark.spec.protocols[0]:
            self.stored_scores[protocol] = scores_by_unit
        return scores_by_unit


Report = Callable[[str], None]
LeftOut = Callable[[Path, DataError], None]  # the Run that can't be read, and why


def load_systems(
    paths: Sequence[Path],
    benchmark: str | None,
    data: Path | None,
    say: Report = lambda line: None,
    *,
    recover: bool = False,
    left_out: LeftOut | None = None,
) -> Iterator[System]:
    """One System for each Run folder, results file or folder of results; a folder of such folders holds several (of one
    that holds Runs, nothing else is looked at).

    Without `benchmark`, results tell by themselves which they are of, and `say` gets a line about it. Raises SpecError
    where they don't, DataError for what can't be read; a Run that can't be is passed to `left_out` instead, if given.
    Of a folder, malformed files are left out (`recover`: read as far as possible); if none can be read, the error is
    that of the first.
    """
    for path in paths:
        if not path.exists():
            raise DataError("nothing is there", where=path, expected="a Run folder, or results")
    for path in paths:
        if runs := _runs_in(path):
            yield from _from_runs(runs, left_out)
        else:
            yield from _from_results(path, benchmark, data, say, recover)


def _runs_in(path: Path) -> list[Path]:
    """The folder where it is a Run's, else the Run folders below."""
    if (path / "manifest.json").is_file():
        return [path]
    return sorted(manifest_path.parent for manifest_path in path.rglob("manifest.json")) if path.is_dir() else []


def _from_runs(runs: Sequence[Path], left_out: LeftOut | None) -> Iterator[System]:
    for path in runs:
        try:
            system = _from_run(path)
        except DataError as error:
            if left_out is None:
                raise
            left_out(path, error)
        else:
            yield system


def unreadable(path: Path, error: DataError, benchmark: str) -> Finding:
    """Return a finding on a Run or log that was left out because it can't be read."""
    text = "; ".join(str(part) for part in (error.problem, error.got, error.where, error.expected) if part)
    return finding(
        "malformed",
        "warning",
        benchmark,
        f"{path.name} can't be read and was left out: {text}",
        file=str(path),
        rows=[path.name],
        effect="its replies are not in this audit",
    )


def _from_run(path: Path) -> System:
    folder = RunFolder.open(path)
    read = folder.all_items(), folder.all_responses()
    items = {item.id: item for item in read[0]}
    responses = {r.item: r for r in read[1] if not r.repeat}
    bench = load_benchmark(folder.manifest.benchmark)
    condition = f" ({folder.manifest.condition})" if folder.manifest.condition else ""
    called = folder.manifest.called
    if folder.manifest.model_settings.get("harness"):  # a log of another harness, whose model was not asked from here
        called = called.removeprefix("replay/")
    name = called + condition
    return System(name, path, bench, items, responses, manifest=folder.manifest, read=read)


def _from_results(path: Path, name: str | None, data: Path | None, say: Report, recover: bool) -> Iterator[System]:
    if path.is_file() and is_archive(path):
        yield from _from_archive(path, name, data, say, recover)
        return
    benchmark = addressed(name)[0] if name else load_benchmark(recognise(path))
    if name is None:
        say(f"{path.name}: recognised as results of {benchmark.name}")
    data_folder_ = data or benchmark.home  # questions of one's own are where their file is
    questions = (
        {item.id: item for item in benchmark.items(data_folder_, None, lambda problem: None)} if data_folder_ else None
    )
    places, unread = list(_places(path)), list[DataError]()
    for name, data_folder_ in places:
        try:
            outputs, malformed = _read(benchmark, data_folder_, questions, recover)
        except TwoAnswersError as error:
            yield System(name, data_folder_, benchmark, {}, {}, doubled=f"{error.problem}: {error.got} ({error.where})")
            continue
        except DataError as error:
            unread.append(error)
            if len(unread) == len(places):
                raise unread[0] from None
            yield System(
                name,
                data_folder_,
                benchmark,
                {},
                {},
                malformed=(Malformed(data_folder_, _describe_error(error, data_folder_)),),
            )
            continue
        items_by_id = {id_: outputs.items.get(id_) or (questions or {}).get(id_) for id_ in outputs.responses}
        items = {id_: item for id_, item in items_by_id.items() if item is not None}
        if items and benchmark.home and questions:  # a file of questions: those without a reply are lost
            items = {**questions, **items}  # in the order of the questions
        if not items:
            raise DataError("the results name no known question", where=data_folder_, fix="pass --data")
        yield System(
            name,
            data_folder_,
            benchmark,
            items,
            dict(outputs.responses),
            outputs.notes,
            dict(outputs.stored or {}),
            malformed=malformed,
        )


def _read(
    benchmark: Benchmark, path: Path, questions: Mapping[str, Item] | None, recover: bool
) -> tuple[Outputs, tuple[Malformed, ...]]:
    """Return what a file or folder holds, without the malformed files of a folder. Raises DataError, of the first
    malformed file if none can be read, and what a reader raises that names no single file."""
    left, malformed, first = [path], list[Malformed](), None
    while True:
        try:
            return benchmark.outputs(left, questions, recover=recover), tuple(malformed)
        except TwoAnswersError:
            raise
        except DataError as error:
            first = first or error
            if left == [path]:
                left = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else []
            at_fault = next((file for file in left if _names(error, file)), None)
            left = [file for file in left if file != at_fault]
            if at_fault is None or not left:
                raise first from None
            malformed.append(Malformed(at_fault, _describe_error(error, at_fault)))


def _names(error: DataError, file: Path) -> bool:
    """Return whether an error is about one file: its place is the file, or a line or character of it."""
    where, name = str(error.where or ""), str(file)
    return where == name or (where.startswith(name) and where[len(name)] in ",:")


def _describe_error(error: DataError, file: Path) -> str:
    """Return an error in one line, without the file's name."""
    where = str(error.where or "").removeprefix(str(file)).strip(" ,:")
    return "; ".join(str(part) for part in (error.problem, error.got, where, error.fix) if part)


def _from_archive(path: Path, name: str | None, data: Path | None, say: Report, recover: bool) -> Iterator[System]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / path.name
        unpack_results(path, folder)
        try:
            for system in _from_results(folder, name, data, say, recover):
                moved = tuple(replace(m, file=path / m.file.relative_to(folder)) for m in system.malformed)
                yield replace(system, path=path / system.path.relative_to(folder), malformed=moved)
        except DataError as error:
            raise named_by_archives(error, {str(folder): str(path)}) from None


def _places(path: Path) -> Iterator[tuple[str, Path]]:
    """(system's name, where its results are): the path itself, or each folder below that holds results."""
    below = [folder for folder in sorted(path.rglob("*/")) if any(f.is_file() for f in folder.iterdir())]
    if path.is_file() or not below or any(f.is_file() for f in path.iterdir()):
        yield path.stem if path.is_file() else path.name, path
        return
    for folder in below:
        yield folder.name, folder
