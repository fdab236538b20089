"""Find benchmarks: every folder here with a spec.toml, and those of the entry point group `triptych.benchmarks`.
A folder whose name begins with `_` is a benchmark only for Runs: it can't be asked and is not listed.

A benchmark folder is a package with these modules, each imported when first needed:

    reader.py     source_files(data) -> list[Path]; read(spec, data, tasks, report[, left_out]) -> Iterator[Item]
                  (`left_out` gets the Items that are not yielded since another one has their id)
                  default_filters(spec, data) -> dict   (if the spec's default filters depend on the data)
                  sample(name, items[, data, report, tasks]) -> Iterator[Item]   (if the spec names samples)
                  release(data) -> str   (if it reads several releases: the version of this data)
    outputs.py    read_outputs(spec, paths, items) -> Outputs   (with recover=False if damaged files can be read)
                  recognises(file) -> bool   (if results of this benchmark can be recognised by a file's content)
                  write_outputs(items, responses, to) -> list[Path]   (if the format can be written; with model=""
                  if its files are named for the model)
    protocols.py  PROTOCOLS: dict[str, Protocol]
                  judged(unit, metric, protocol) -> Wanted | None   (if a judge is shown more than usual)
    logs.py       claims(harness, task) -> bool; locate(spec, rows, data) -> LocatedLog   (if another harness has the
                  benchmark as tasks of its own: `triptych import` makes Runs of their logs)
    check.py      check(spec, data, tasks) -> Iterator[Problem]
    statistics.py statistics(items, measures, printed) -> Iterator[Statistic]   (if the paper has data statistics)
    authors.py    read_prompts(path) -> dict[Task id, PromptSpec]   (if the authors have a file of prompts)
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint
from inspect import signature
from pathlib import Path
from types import ModuleType

from triptych.benchmarks.checking import missing_media
from triptych.benchmarks.origins import is_built, not_compared
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.benchmarks.spec_file import load_spec
from triptych.benchmarks.statistics import Measures, Statistic, printed_in
from triptych.errors import DataError, SpecError, TriptychError, nearest
from triptych.importing import importing
from triptych.judges.cases import Case
from triptych.judges.rubric import Rubric
from triptych.prompts.template import PromptSpec
from triptych.protocols.judged import cases_of, usual_case
from triptych.protocols.protocol import Outputs, Protocol, Unit
from triptych.records import Item, Problem, Response
from triptych.records.checked_calls import checked_arguments
from triptych.records.log_rows import LocatedLog, LogRow
from triptych.records.plug_ins import origin_of, points, why_not

Report = Callable[[Problem], None]


@dataclass(frozen=True)
class Benchmark:
    """A benchmark. The specification is loaded at once, code when it is first needed.

    Attributes:
        package: Python package with its code.
        folder: The benchmark's own folder.
        origin: Name and version of the package that brings it; `triptych` for built-in ones.
    """

    package: str
    folder: Path
    origin: str

    @cached_property
    def spec(self) -> BenchmarkSpec:
        """The specification, checked."""
        return load_spec(self.folder / "spec.toml")

    @property
    def name(self) -> str:
        """The benchmark's name, as on the command line."""
        return self.spec.name

    @property
    def mini(self) -> Path:
        """The data folder of the embedded mini set."""
        return self.folder / "mini"

    @property
    def home(self) -> Path | None:
        """The data folder of a benchmark that is made from a user's file, and comes with it; None for all others."""
        return None

    @property
    def mapped(self) -> Mapping[str, str]:
        """The user's mapping of the columns of a question file, role -> column; empty for other benchmarks."""
        return {}

    def content_hash(self, data: Path) -> str:
        """Return the hash of the data if it is more than that of the question files; otherwise an empty text."""
        return ""

    def require_sound(self, data: Path) -> None:
        """Raise DataError if nothing may be asked because of faults of the data. Released data is asked as it is."""

    def mapping_lines(self, data: Path) -> list[str]:
        """Return in words what the columns of a user's file were taken for; empty for other benchmarks."""
        return []

    @checked_arguments
    def items(
        self,
        data: Path | str,
        tasks: Sequence[TaskSpec | str] | None = None,
        report: Callable[[Problem], None] | None = None,
        left_out: Callable[[Item], None] | None = None,
    ) -> Iterator[Item]:
        """Yield the Items of the Tasks, lazily, in the files' order. `data`: their folder, or `mini`.

        Malformed rows are passed to `report`; without `report` a malformed row raises DataError. `left_out` gets the
        Items whose id an earlier one has, which are not yielded, if the reader can pass them on.
        """
        read = self.module("reader").read
        more = {"left_out": left_out} if left_out and "left_out" in signature(read).parameters else {}
        chosen = self._select_tasks(tasks)
        items = read(self.spec, self._data(data), chosen, report or _raise, **more)
        return items if self.origin == "triptych" else self._checked_items(items, chosen)

    def _data(self, data: Path | str) -> Path:
        """Return a folder of data; for `mini` that of the built-in set, or of the user's file."""
        return (self.home or self.mini) if str(data) == "mini" else Path(data)

    def _select_tasks(self, tasks: Sequence[TaskSpec | str] | None) -> tuple[TaskSpec, ...]:
        """Return the Tasks, of which some may be named; all for none. Raises SpecError with the nearest name."""
        groups = (self.spec.select([one]) if isinstance(one, str) else (one,) for one in tasks or ())
        return tuple({task.id: task for group in groups for task in group}.values()) or self.spec.tasks

    def _checked_items(self, items: Iterable[Item], tasks: Sequence[TaskSpec]) -> Iterator[Item]:
        """Yield the Items of another package's reader. Raises SpecError if it yields something else, or an Item of a
        Task that it wasn't asked for."""
        wanted = {self.spec.full_id(task) for task in tasks}
        named = ", ".join(sorted(wanted)[:5]) + (" …" if len(wanted) > 5 else "")
        for item in items if isinstance(items, Iterable) else [items]:
            if not isinstance(item, Item) or item.task not in wanted:
                got = f"an Item of {item.task}" if isinstance(item, Item) else type(item).__name__
                raise SpecError(
                    f"the reader of the package {self.origin} gave no Item of the Tasks that it was asked for",
                    expected=f"Items of {named}: the argument `tasks` of read",
                    got=got,
                    where=f"{self.package}.reader",
                    fix=_SEE_EXAMPLE,
                )
            yield item

    def sample(
        self,
        name: str,
        items: Iterable[Item],
        data: Path | None = None,
        report: Report | None = None,
        tasks: Sequence[TaskSpec] | None = None,
    ) -> Iterator[Item]:
        """Yield the Items of a named sample (`lite`), in order. `data`: their folder, which may hold the sample's list;
        `report` gets notes on what the data lacks of the sample in the Tasks."""
        draw = self.module("reader").sample
        task_ids = frozenset(task.id for task in tasks or self.spec.tasks)
        more = {"data": data, "report": report or (lambda problem: None), "tasks": task_ids}
        parameters_of_draw = signature(draw).parameters
        return draw(name, items, **{key: value for key, value in more.items() if key in parameters_of_draw})  # type: ignore[no-any-return]

    def default_filters(self, data: Path) -> Mapping[str, tuple[str, ...]]:
        """Return the values of facets that a Run asks by default: the specification's, unless the reader knows that
        they don't matter for this data."""
        chosen = getattr(self.module("reader"), "default_filters", None) if self.spec.default_filters else None
        return chosen(self.spec, data) if chosen else self.spec.default_filters

    def release(self, data: Path) -> str:
        """Return the version of the data in a folder: that of the specification, unless the reader knows several."""
        release_of = getattr(self.module("reader"), "release", None)
        return str(release_of(data)) if release_of else self.spec.version

    def releases(self, data: Path) -> list[str]:
        """Return the versions of the data that a folder holds, the one that is read first; empty for a benchmark with
        one release."""
        releases_of = getattr(self.module("reader"), "releases", None)
        return list(releases_of(data)) if releases_of else []

    def source_files(self, data: Path) -> list[Path]:
        """Return the question files under `data`, in a fixed order; the data hash is computed from them."""
        return [path for path in self.module("reader").source_files(data) if path.is_file()]

    @checked_arguments
    def check(self, data: Path | str, tasks: Sequence[TaskSpec | str] | None = None) -> Iterator[Problem]:
        """Yield all faults of the data and notes on it: the findings of the benchmark's own check, and media files that
        are missing, empty or outside the data folder, unless that check reports them. A set that `triptych build` has
        made isn't compared with the paper's counts."""
        data, tasks = self._data(data), self._select_tasks(tasks)
        problems = self.module("check").check(self.spec, data, tasks)
        if not isinstance(problems, Iterable):
            raise SpecError(f"check of {self.package}.check gives no Problems", got=type(problems).__name__)
        problems = list[Problem](problems)
        yield from not_compared(problems, data) if is_built(data) else problems
        if self.origin != "triptych":  # the checks of built-in benchmarks cover their media
            yield from missing_media(self.items(data, tasks, lambda problem: None), data, problems)

    @checked_arguments
    def statistics(self, data: Path | str, tasks: Sequence[TaskSpec | str] | None = None) -> Iterator[Statistic]:
        """Yield the paper's statistics of its data, computed from this copy. Unreadable rows are not counted; `check`
        reports them. Raises SpecError if the benchmark has no statistics, DataError if there is no data."""
        module = self.module("statistics")
        items = list(self.items(data, tasks, lambda problem: None))
        yield from module.statistics(items, Measures(self._data(data)), printed_in(self.folder))

    def outputs(
        self, paths: Sequence[Path], items: Mapping[str, Item] | None = None, *, recover: bool = False
    ) -> Outputs:
        """Read results in the authors' own format. `items` (from the data) has targets that the results lack.

        `recover`: read damaged files as far as possible. Raises SpecError if the format doesn't support that.
        """
        read = self.module("outputs").read_outputs
        if recover and "recover" not in signature(read).parameters:
            raise SpecError(f"{self.name} can't recover damaged results", fix="run without --recover")
        return read(self.spec, paths, items, **({"recover": True} if recover else {}))  # type: ignore[no-any-return]

    def recognises(self, file: Path) -> bool:
        """Return whether a file's content shows that it has results of this benchmark. Only its beginning is read."""
        recognises_results = getattr(self.module("outputs"), "recognises", None)
        return bool(recognises_results and file.is_file() and recognises_results(file))

    def claims_log(self, harness: str, tasks: Iterable[str]) -> bool:
        """Return whether a harness's log of these tasks is of this benchmark."""
        if not (self.folder / "logs.py").is_file():
            return False
        claims = self.module("logs").claims
        return all(claims(harness, task) for task in tasks)

    def locate_log(self, rows: Sequence[LogRow], data: Path | None = None) -> LocatedLog:
        """Return the Items of a log's rows. `data`: the data that was asked, for the questions' content."""
        return self.module("logs").locate(self.spec, rows, data)  # type: ignore[no-any-return]

    def write_outputs(
        self, items: Iterable[Item], responses: Iterable[Response], to: Path, *, model: str = ""
    ) -> list[Path]:
        """Write a Run's Responses as files in the authors' own format, under `to`; return the written files. `model`:
        its name, for formats whose files are named for it.

        Raises SpecError if the benchmark can't write its format.
        """
        write = getattr(self.module("outputs"), "write_outputs", None)
        if write is None:
            raise SpecError(f"{self.name}'s own format can be read, but not written", fix="use responses.jsonl")
        named = {"model": model} if model and "model" in signature(write).parameters else {}
        return write(items, responses, to, **named)  # type: ignore[no-any-return]

    def authors_prompts(self, path: Path) -> dict[str, PromptSpec]:
        """Return the authors' own prompts by Task id, from their file. Raises SpecError if there is no such format."""
        if not (self.folder / "authors.py").is_file():
            raise SpecError(f"the authors of {self.name} have no prompt file", fix="--prompt NAME or a TOML file")
        return self.module("authors").read_prompts(path)  # type: ignore[no-any-return]

    @property
    def protocols(self) -> dict[str, Protocol]:
        """The protocols, in the order of the specification."""
        table: dict[str, Protocol] = self.module("protocols").PROTOCOLS
        for name in self.spec.protocols:
            if not isinstance(protocol := table.get(name) if isinstance(table, Mapping) else None, Protocol):
                raise SpecError(
                    f"the package {self.origin} has no protocol {name!r}",
                    got=type(protocol).__name__,
                    where=f"{self.package}.protocols.PROTOCOLS",
                    fix=_SEE_EXAMPLE,
                )
        return {name: table[name] for name in self.spec.protocols}

    def protocol(self, name: str) -> Protocol:
        """Return one protocol. Raises SpecError with the most similar name."""
        if name not in self.protocols:
            raise SpecError(f"{self.name} has no protocol {name!r}", fix=nearest(name, self.protocols))
        return self.protocols[name]

    def cases(
        self,
        unit: Unit,
        protocols: Iterable[str],
        descriptions: Mapping[str, str] | None = None,
        rubrics: Mapping[str, Rubric] | None = None,
        *,
        media: bool = False,
    ) -> list[Case]:
        """Return the Cases for a judge about a Unit, for these protocols; empty if no metric needs a judge. `rubrics`:
        by metric, in place of the Task's own. `media`: with the Item's media, for judges that take them."""
        task = self._task_of.get(unit.item.task)
        if task is None or not task.rubrics:
            return []
        hook = getattr(self.module("protocols"), "judged", usual_case)
        return cases_of(unit, task.rubrics, protocols, hook, descriptions, rubrics, media=media)

    @cached_property
    def _task_of(self) -> dict[str, TaskSpec]:
        return {self.spec.full_id(task): task for task in self.spec.tasks}

    def module(self, name: str) -> ModuleType:
        """Return one of the folder's modules. Raises SpecError if the benchmark has none of that name."""
        full = f"{self.package}.{name}"
        try:
            if full in sys.modules:
                module = sys.modules[full]
            else:
                with importing(full, self.origin):
                    module = import_module(full)
        except (Exception, SystemExit) as error:
            if isinstance(error, ModuleNotFoundError) and error.name == full:
                raise SpecError(
                    f"the benchmark {self.name} has no {name}.py", where=self.folder, fix=_SEE_EXAMPLE
                ) from None
            if self.origin == "triptych" or isinstance(error, TriptychError):
                raise
            raise SpecError(
                f"{full} of the package {self.origin} can't be imported",
                got=why_not(error),
                fix=f"report it to the authors of {self.origin}",
            ) from error
        if lacking := [needed for needed in _NEEDED.get(name, ()) if not hasattr(module, needed)]:
            raise SpecError(f"{full} of the package {self.origin} has no {' and no '.join(lacking)}", fix=_SEE_EXAMPLE)
        return module


_SEE_EXAMPLE = "see docs/adding/benchmark.md for a complete benchmark"
_NEEDED = {  # names that the modules of a benchmark must define
    "reader": ("read", "source_files"),
    "protocols": ("PROTOCOLS",),
    "outputs": ("read_outputs",),
    "check": ("check",),
    "audit": ("audit_data",),
    "statistics": ("statistics",),
}


def known_benchmarks() -> dict[str, Benchmark]:
    """Return every benchmark by name. Those that can't be loaded are left out: see `broken_benchmarks`."""
    return {name: bench for name, bench in _loaded().items() if isinstance(bench, Benchmark)}


def is_benchmark(name: str) -> bool:
    """Return whether a benchmark has this name. For a built-in one no other specification is read."""
    return _is_built_in(name) or name in known_benchmarks()


def _is_built_in(name: str) -> bool:
    if not name.isidentifier() or name.startswith("_") or len(name) >= _MAX_NAME_LENGTH:
        return False
    return (Path(__file__).parent / name / "spec.toml").is_file()


def broken_benchmarks() -> dict[str, str]:
    """Return plug-ins that can't be loaded: name of the entry point -> its origin, and what is wrong with it."""
    return {name: bench for name, bench in _loaded().items() if isinstance(bench, str)}


def known_sets(names: Sequence[str] = ()) -> list[dict[str, object]]:
    """Return the sets of the catalogue, which are benchmarks by a mapping of their columns: name, questions, title,
    licence, the rule of `official`, access, and what hinders its use."""
    return import_module(_CATALOGUE_MODULE).doors(names)  # type: ignore[no-any-return]


MAPPED = "by mapping, not proved against the authors' scorer"


@checked_arguments
def load_benchmark(name: str) -> Benchmark:
    """Return a benchmark by its name.

    Args:
        name: Name of a built-in benchmark, of one of an installed package, or of a set of the catalogue.

    Returns:
        The benchmark: its specification, the reader of its Items, its protocols.

    Raises:
        SpecError: If no benchmark has this name, or it names a Task, too; the message suggests the most similar one.

    Example:
        >>> import triptych
        >>> bench = triptych.load_benchmark("cmdar")
        >>> bench.name, [task.id for task in bench.spec.tasks]
        ('cmdar', ['main', 'multi', 'open'])
    """
    if is_own(name):  # of a Run's manifest; paths are taken from the command line alone
        return import_module(_QUESTIONS_MODULE).named(name)  # type: ignore[no-any-return]
    if "," in name:
        apart = [part.strip() for part in name.split(",") if part.strip()]
        fix = "; then ".join(f"triptych … {part}" for part in apart)
        raise SpecError("one benchmark at a time", got=_shorten(name), fix=f"one command for each: {fix}")
    folder = name.partition("/")[0]
    here = Path(__file__).parent / folder
    plain = folder.isidentifier() and len(folder) < _MAX_NAME_LENGTH  # a manifest from elsewhere may contain anything
    if "/" in name and (_is_built_in(folder) or folder in known_benchmarks()):
        raise SpecError("a whole benchmark is needed here, not a Task", got=_shorten(name), fix=f"name {folder!r}")
    if plain and (here / "spec.toml").is_file():  # the usual case, without reading all other specifications
        return Benchmark(f"triptych.benchmarks.{here.name}", here, "triptych")
    if plain and (here.with_name(f"_{folder}") / "spec.toml").is_file():
        return Benchmark(f"triptych.benchmarks._{folder}", here.with_name(f"_{folder}"), "triptych")
    benchmarks = known_benchmarks()
    if name not in benchmarks:
        if (set_ := import_module(_CATALOGUE_MODULE).mapped(name)) is not None:
            return set_  # type: ignore[no-any-return]
        if point := next((point for point in _plug_ins() if point.name == name), None):
            _packaged(name, point.value, origin_of(point)).spec  # noqa: B018 (it says what is wrong with it)
        raise SpecError(f"no benchmark {_shorten(name)!r}", fix=_nearest_door(_shorten(name), benchmarks))
    return benchmarks[name]


def addressed(benchmark: str) -> tuple[Benchmark, str]:
    """Return the benchmark and the Task pattern of `BENCH`, `BENCH/TASK` or a path of questions."""
    if (questions_file := own_questions(benchmark)) is not None:
        return questions_file, ""
    name, _, task = benchmark.partition("/")
    return load_benchmark(benchmark if "," in benchmark else name), task


def is_own(name: str) -> bool:
    """Return True for a benchmark that is a file of questions of the user's own: `own-NAME`."""
    return _OWN_NAME.fullmatch(name) is not None


def question_file(name: str, folder: Path) -> Path | None:
    """Return the question file of the benchmark `own-NAME` in a folder, or the folder itself if it has a
    `benchmark.toml`; None unless there is exactly one."""
    return import_module(_QUESTIONS_MODULE).question_file(name, folder)  # type: ignore[no-any-return]


def own_questions(name: str, stated: Mapping[str, str] | None = None) -> Benchmark | None:
    """Return the benchmark of a question file, of a folder of questions, or of a set of the catalogue; otherwise None.

    `stated`: what columns are, by role. Raises DataError, SpecError.
    """
    if _is_path(name):
        return import_module(_QUESTIONS_MODULE).open_questions(name, stated)  # type: ignore[no-any-return]
    if _is_built_in(name.partition("/")[0]):  # without the catalogue, which takes a while to import
        return None
    return import_module(_CATALOGUE_MODULE).mapped(name, stated)  # type: ignore[no-any-return]


def _nearest_door(name: str, names: Iterable[str]) -> str:
    """Return a similar name, if there is one, or how to ask questions of another set or of one's own."""
    sets = {one.name: one.title for one in import_module(_CATALOGUE_MODULE).known_sets()}
    close = nearest(name, [*names, *sets])
    if close.startswith("did you mean"):
        meant = next((f" ({title})" for one, title in sets.items() if repr(one) in close), "")
        return f"{close.removesuffix('?')}{meant}? `triptych list benchmarks` lists all" if meant else close
    if Path(name).is_dir():
        return f"a folder of questions: ./{name}"
    return (
        f"`triptych list benchmarks` has {len(sets)} more sets by mapping; questions of your own, without code:"
        " `triptych run FILE.jsonl --model …` (docs/own-questions.md)"
    )


_CATALOGUE_MODULE = "triptych.benchmarks._questions.catalogue"
_QUESTIONS_MODULE = "triptych.benchmarks._questions.benchmark"
_OWN_NAME = re.compile(r"own-[a-z0-9_-]{1,80}")
_ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".xlsx", ".xls", ".yaml", ".yml")


def _is_path(name: str) -> bool:
    """Return whether a name is a path of questions. A built-in benchmark's name is not, whatever folders are here."""
    if name.partition("#")[0].lower().endswith(_ENDINGS):
        return True
    try:
        if (Path(__file__).parent / name.partition("/")[0] / "spec.toml").is_file() and not name.startswith("/"):
            return False
        return (
            name.startswith("hf/") or (Path(name) / "benchmark.toml").is_file() or ("/" in name and Path(name).exists())
        )
    except (OSError, ValueError):  # no path that can be
        return False


_MAX_NAME_LENGTH = 100  # characters of a benchmark's name; a manifest from elsewhere may have any number


def _shorten(name: str) -> str:
    return name if len(name) <= _MAX_NAME_LENGTH else f"{name[:_MAX_NAME_LENGTH]}…"


def _loaded() -> dict[str, Benchmark | str]:
    """Return every benchmark by name; for a broken plug-in the reason, so that it doesn't affect the others."""
    loaded: dict[str, Benchmark | str] = {}
    for spec in sorted(Path(__file__).parent.glob("[!_]*/spec.toml")):
        bench = Benchmark(f"triptych.benchmarks.{spec.parent.name}", spec.parent, "triptych")
        loaded[bench.name] = bench
    for point in _plug_ins():
        try:
            bench = _packaged(point.name, point.value, origin_of(point))
            loaded.setdefault(bench.name, bench)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - another package's code must not end the listing
            why = str(error) if isinstance(error, TriptychError) else why_not(error)
            loaded.setdefault(point.name, f"{origin_of(point)}: {why}")
    return loaded


def _plug_ins() -> list[EntryPoint]:
    return points("triptych.benchmarks")


def _packaged(name: str, package: str, origin: str = "triptych") -> Benchmark:
    with importing(package, origin):
        module = import_module(package)
    if not module.__file__:
        raise SpecError(f"entry point {name!r} is not a package folder", got=package)
    return Benchmark(package, Path(module.__file__).parent, origin)


def _raise(problem: Problem) -> None:
    if problem.severity == "error":
        raise DataError(problem.message, where=problem.where, fix="run `triptych check` to see all problems")
