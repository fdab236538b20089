"""The catalogue of known sets: benchmarks by a mapping, one TOML file each in `known/`.

Their questions are those of the authors' files; their scores are by a rule that this project wrote from the authors'
code, not proved against their scorer. A set becomes a Benchmark of its own name when its data is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

import msgspec

from triptych.benchmarks._questions.benchmark import Loaded, QuestionFileBenchmark, own_benchmark
from triptych.benchmarks._questions.folder_file import FolderFile
from triptych.benchmarks._questions.mapping import SEPARATOR
from triptych.benchmarks._questions.protocols import PROTOCOLS, official_protocol
from triptych.benchmarks._questions.rows import FORMATS
from triptych.benchmarks._questions.scorers import RULES
from triptych.benchmarks.registry import MAPPED
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import DataError, SpecError, TriptychError
from triptych.prompts.template import PromptSpec
from triptych.protocols.protocol import Protocol
from triptych.records import Item, Problem
from triptych.records.checked_calls import checked_arguments
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason
from triptych.releases.release import Release

CATALOGUE_FOLDER = Path(__file__).with_name("known")
Otherwise = Literal["wrong", "first", "random", "left_out"]


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published figure: of which model, the value in percent unless `basis` says otherwise, and what it rests on."""

    model: str
    value: float
    basis: str


class Scorer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule of `official`. `otherwise`: what it does if it finds no letter. `source`: whose code it follows."""

    rule: str
    otherwise: Otherwise
    source: str


class CatalogueSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set of the catalogue.

    `count`: its questions; 0 if unknown here. `files`: patterns of the question file, the first that matches is read.
    `map`: its columns,
    as in `benchmark.toml`. `media`: where the media go, in words. `access`: `open`, `gated`, `email` or `none`;
    `hindrance`: what makes it hard to use. `prompt`: the authors' own, quoted; without one ours is used. `scorer`: None
    if no rule of ours is the authors'. `figures`: the paper's headline figures.
    """

    name: str
    title: str
    count: int
    licence: str
    authors: str
    year: int
    url: str
    files: tuple[str, ...]
    media: str
    access: Literal["open", "gated", "email", "none"]
    hindrance: str
    map: dict[str, str | list[str]] = {}
    repo: str = ""
    code: str = ""
    prompt: PromptSpec | None = None
    scorer: Scorer | None = None
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()

    def stated_mapping(self) -> dict[str, str]:
        """Return the mapping as `--map` takes it."""
        return {k: SEPARATOR.join(v) if isinstance(v, list) else v for k, v in self.map.items()}


@cache
def known_set(name: str) -> CatalogueSet | None:
    """Return a set of the catalogue; None if it has none of this name. Raises SpecError for a damaged file."""
    if name not in _names():
        return None
    path = CATALOGUE_FOLDER / f"{name}.toml"
    try:
        set_ = msgspec.convert(parse_toml(path.read_text(encoding="utf-8")), CatalogueSet)
    except (*NO_TOML, msgspec.ValidationError) as error:
        raise SpecError("a set of the catalogue is malformed", where=path, got=reason(error)) from None
    if set_.scorer and set_.scorer.rule not in RULES:
        raise SpecError("a set of the catalogue has an unknown rule", where=path, got=set_.scorer.rule)
    return set_


@cache
def _names() -> frozenset[str]:
    return frozenset(path.stem for path in CATALOGUE_FOLDER.glob("*.toml"))


def known_sets() -> list[CatalogueSet]:
    """Return all sets of the catalogue, by name."""
    sets = [known_set(name) for name in sorted(_names())]
    return [one for one in sets if one is not None]


@dataclass(frozen=True)
class MappedBenchmark(QuestionFileBenchmark):
    """A set of the catalogue. Its question file is looked for in the data folder."""

    about_set: CatalogueSet | None = None
    more: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def catalogue_set(self) -> CatalogueSet:
        """The set."""
        assert self.about_set is not None
        return self.about_set

    @cached_property
    def spec(self) -> BenchmarkSpec:
        """The specification of question files, with the title, licence and prompt of the set."""
        spec, catalogue_set = super().spec, self.catalogue_set
        prompts = {**spec.prompts, **({"choice": catalogue_set.prompt} if catalogue_set.prompt else {})}
        release = Release(repo=catalogue_set.repo, questions=catalogue_set.files, apply=catalogue_set.hindrance)
        tasks = tuple(
            msgspec.structs.replace(task, metrics=(*task.metrics, "spread.draws"))
            if task.id == "choice" and catalogue_set.scorer and catalogue_set.scorer.otherwise == "random"
            else task
            for task in spec.tasks
        )
        official = ("official",) if catalogue_set.scorer else ()
        return msgspec.structs.replace(
            spec,
            prompts=prompts,
            release=release,
            protocols=(*official, "standard"),
            tasks=tasks,
            summary=MAPPED,
            notes=(f"{catalogue_set.title}: {MAPPED}.", catalogue_set.hindrance, *catalogue_set.notes),
        )

    @property
    def protocols(self) -> dict[str, Protocol]:
        """`official`, if the authors' rule is one of ours, and `standard`."""
        scorer = self.catalogue_set.scorer
        official = {"official": official_protocol(scorer.rule, scorer.otherwise, scorer.source)} if scorer else {}
        return {**official, **PROTOCOLS}

    @property
    def mapped(self) -> Mapping[str, str]:
        """The mapping given by the user in place of the set's own, role -> column."""
        return self.more

    @property
    def home(self) -> Path | None:
        """None: its data is given by --data."""
        return None

    def benchmark_in(self, data: Path) -> QuestionFileBenchmark:
        """Return the benchmark of the question file in a data folder. Raises DataError if there is none."""
        benchmark = self._benchmark_by_path.get(data)
        if benchmark is None:
            about = FolderFile(name=self.catalogue_set.name)
            stated = {**self.catalogue_set.stated_mapping(), **self.more}
            benchmark = self._benchmark_by_path[data] = own_benchmark(
                self.own_name,
                self._file(data),
                about,
                stated,
                folder=None,
                kind=QuestionFileBenchmark,
                released=self.catalogue_set.title,
                mapped_roles=frozenset(self.more),
            )
        return benchmark

    @cached_property
    def _benchmark_by_path(self) -> dict[Path, QuestionFileBenchmark]:
        return {}

    def _file(self, data: Path) -> Path:
        paths = sorted(p for p in data.rglob("*") if p.is_file() and not any(x.startswith(".") for x in p.parts[-2:]))
        for pattern in self.catalogue_set.files:
            here = [path for path in paths if fnmatchcase(path.relative_to(data).as_posix(), pattern)]
            here = here or [path for path in paths if fnmatchcase(path.name, pattern)]
            if len(here) == 1:
                return here[0]
            if here:
                got = ", ".join(path.relative_to(data).as_posix() for path in here[:4])
                raise DataError(
                    f"several files could be the questions of {self.catalogue_set.name}",
                    where=data,
                    got=got,
                    fix="--data: a folder with one of them",
                )
        fix = f"triptych fetch {self.catalogue_set.name}" if self.catalogue_set.repo else self.catalogue_set.hindrance
        there = [path.relative_to(data).as_posix() for path in paths if path.suffix.lower() in FORMATS]
        raise DataError(
            f"no question file of {self.catalogue_set.name} here",
            where=data,
            got=", ".join(there[:6]) or None,
            expected=" or ".join(self.catalogue_set.files),
            fix=fix,
        )

    def _load_questions(self, data: Path | None) -> Loaded:
        if data is None:
            raise DataError(f"the data of {self.catalogue_set.name} is not given", fix=self.catalogue_set.hindrance)
        return self.benchmark_in(data).load_questions(data)

    def require_sound(self, data: Path) -> None:
        """Do nothing: released data is asked as it is. Rows that can't be asked are named, and left out."""

    @checked_arguments
    def items(
        self,
        data: Path | str,
        tasks: Sequence[TaskSpec | str] | None = None,
        report: Callable[[Problem], None] | None = None,
        left_out: Callable[[Item], None] | None = None,
    ) -> Iterator[Item]:
        """Yield the Items; faults of rows are passed to `report`, or raised together."""
        data = self._data(data)
        if report is None:
            self.benchmark_in(data).require_sound(data)
        yield from super().items(data, tasks, report, left_out)

    @checked_arguments
    def check(self, data: Path | str, tasks: Sequence[TaskSpec | str] | None = None) -> Iterator[Problem]:
        """Yield every fault of the question file, and notes on what is not used of it."""
        data = self._data(data)
        yield from self.benchmark_in(data).check(data, tasks)

    def source_files(self, data: Path) -> list[Path]:
        """Return the question file; empty if there is none."""
        try:
            return [self._file(data)]
        except TriptychError:
            return []

    def content_hash(self, data: Path) -> str:
        """Return the hash of the question file and its mapping."""
        return self.benchmark_in(data).content_hash(data)

    def mapping_lines(self, data: Path) -> list[str]:
        """Return the mapping in words, and what the figures are not."""
        return [MAPPED, *self.benchmark_in(data).mapping_lines(data)]

    def release(self, data: Path) -> str:
        """Return the version of the mapping."""
        return "1"


def mapped(name: str, stated: Mapping[str, str] | None = None) -> MappedBenchmark | None:
    """Return a set of the catalogue as a Benchmark; None if there is none of this name. `stated`: columns that the user
    maps otherwise."""
    catalogue_set = known_set(name)
    if catalogue_set is None:
        return None
    about = FolderFile(
        name,
        "",
        catalogue_set.title,
        "",
        catalogue_set.licence,
        catalogue_set.title,
        catalogue_set.authors,
        catalogue_set.year,
        catalogue_set.url,
    )
    return own_benchmark(
        name, None, about, {}, folder=None, kind=MappedBenchmark, about_set=catalogue_set, more=stated or {}
    )


def doors(names: Sequence[str] = ()) -> list[dict[str, object]]:
    """Return what `list benchmarks` shows of the sets: all, or those of these names."""
    return [
        {
            "name": one.name,
            "questions": one.count,
            "title": one.title,
            "licence": one.licence,
            "official": f"{one.scorer.rule}, otherwise {one.scorer.otherwise}" if one.scorer else "none",
            "access": one.access,
            "in the way": one.hindrance,
            "from": one.repo,
            "languages": [],
            "basis": "mapping",
        }
        for one in known_sets()
        if not names or one.name in names
    ]
