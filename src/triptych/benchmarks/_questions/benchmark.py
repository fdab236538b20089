"""A question file as a Benchmark, so that every room works on it as on any other."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from triptych.benchmarks._questions.answer_forms import decide_answer_forms
from triptych.benchmarks._questions.answers import scale_of
from triptych.benchmarks._questions.cells import flat, is_empty
from triptych.benchmarks._questions.dataset_folder import METADATA, Source, source_of
from triptych.benchmarks._questions.doubtful import count_with_first, doubtful_answers, mostly_numbers
from triptych.benchmarks._questions.folder_file import FILE, FolderFile, read_folder
from triptych.benchmarks._questions.harness_task import HarnessTask, is_task, open_task, task_in_folder
from triptych.benchmarks._questions.hub import PREFIX as HUB
from triptych.benchmarks._questions.hub import fetched
from triptych.benchmarks._questions.items import Maker, twins, with_options
from triptych.benchmarks._questions.mapping import NO_COLUMNS, SEPARATOR, Columns, recognise, span_fix, spans
from triptych.benchmarks._questions.media_cells import Folder
from triptych.benchmarks._questions.rows import FORMATS, Reading, Row, columns_of, read_rows
from triptych.benchmarks._questions.text_notices import TextNotices
from triptych.benchmarks.registry import Benchmark
from triptych.benchmarks.spec import BenchmarkSpec, Citation, TaskSpec
from triptych.benchmarks.spec_file import load_spec
from triptych.errors import DataError, SpecError
from triptych.prompts.template import PromptSpec
from triptych.records import Item, Problem
from triptych.records.checked_calls import checked_arguments
from triptych.records.problems import first_few
from triptych.store.spooled import Spooled

PREFIX = "own-"
_HERE = Path(__file__).parent
_PACKAGE = "triptych.benchmarks._questions"
Made = TypeVar("Made", bound="QuestionFileBenchmark")
_SHOWN = 20  # faults in the message of an error
_SHOWN_COLUMNS = 50  # names of columns that are not used


class Loaded(NamedTuple):
    """The content of a question file: its mapping, its Items and every fault, and the columns that are not used.
    `notices`: cells that a conversion has probably damaged; they are asked as they are."""

    columns: Columns
    items: Sequence[Item]
    problems: list[Problem]
    unused: list[str]
    lacking: tuple[str, ...] = ()  # columns of a known set's release that the file doesn't have
    notices: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class QuestionFileBenchmark(Benchmark):
    """The benchmark of a question file. `file` is None where only a Run's manifest names it. `set_folder`: the folder
    of a data set whose question files are found by its layout; `file` is then the first of them. `task`: the task of
    another harness whose questions these are. `released`: the title of the set of the catalogue whose columns are
    `stated`; of those that the file lacks, others are recognised. `mapped_roles`: the roles that the user has mapped,
    which are never replaced."""

    own_name: str = "own"
    file: Path | None = None
    set_folder: Path | None = None
    about: FolderFile = field(default_factory=FolderFile)
    stated: Mapping[str, str] = field(default_factory=dict)
    task: HarnessTask | None = None
    released: str = ""
    mapped_roles: frozenset[str] = frozenset()

    @cached_property
    def spec(self) -> BenchmarkSpec:
        """The specification: that of all question files, with this one's name, title and licence."""
        spec = load_spec(_HERE / "spec.toml")
        layouts = [
            msgspec.structs.replace(
                layout,
                columns=tuple(
                    msgspec.structs.replace(c, task=c.task.replace("own/", f"{self.own_name}/", 1))
                    for c in layout.columns
                ),
            )
            for layout in spec.layouts
        ]
        about = self.about
        citation = Citation(about.citation or f"questions of {self.own_name}", about.authors, about.year, about.url)
        title = about.title or f"{self.own_name.removeprefix(PREFIX)}: questions of your own"
        return msgspec.structs.replace(
            spec,
            name=self.own_name,
            title=title,
            licence=about.licence or spec.licence,
            citation=citation,
            layouts=tuple(layouts),
            prompts={**spec.prompts, **_rating_prompt(spec, self.stated.get("scale", ""))},
        )

    @property
    def home(self) -> Path | None:
        """The folder of the question file, with its media."""
        return self.set_folder or (self.file.parent if self.file else None)

    @property
    def mapped(self) -> Mapping[str, str]:
        """The mapping given by the user, role -> column: `--map` and `--instance` without what the files state."""
        in_files = {**self.about.stated_mapping(), **(self.task.stated if self.task else {})}
        return {role: column for role, column in self.stated.items() if in_files.get(role) != column}

    @property
    def embedded_folder(self) -> str:
        """The folder, below that of the data, of the files that were embedded in the table."""
        return f"{(self.set_folder or self.file or Path('questions')).stem}.media/"

    @cached_property
    def source(self) -> Source:
        """The question files; for a folder of labels, its rows. Raises SpecError, DataError for a folder without."""
        if self.set_folder is not None:
            return source_of(self.set_folder, self.stated)
        return Source((self.file,) if self.file else ())

    def load_questions(self, data: Path) -> Loaded:
        """Return what the question file holds, with the media of a folder. Raises DataError, SpecError."""
        return self._load_questions(data)

    def _load_questions(self, data: Path | None) -> Loaded:
        if self.file is None or data is None:
            raise DataError(
                f"the question file of {self.own_name} is not known",
                where=data,
                fix="name the file, or its folder with benchmark.toml, instead",
            )
        loaded = self._loaded_by_path.get(data)
        if loaded is None:
            loaded = self._loaded_by_path[data] = _load(self.own_name, self, data)
        return loaded

    @cached_property
    def _loaded_by_path(self) -> dict[Path, Loaded]:
        return {}

    def rows(self, data: Path) -> list[dict[str, Any]]:
        """Return the cells of all rows, with those that the task of a harness adds."""
        return [row.cells for row in _rows_of(self, data)[0]]

    @checked_arguments
    def items(
        self,
        data: Path | str,
        tasks: Sequence[TaskSpec | str] | None = None,
        report: Callable[[Problem], None] | None = None,
        left_out: Callable[[Item], None] | None = None,
    ) -> Iterator[Item]:
        """Yield the Items; faults of rows, doubled ids among them, are passed to `report`, or raised together."""
        data = self._data(data)
        question_set = self.load_questions(data)
        if report is None:
            self.require_sound(data)
        for problem in question_set.problems if report else ():
            report(problem)  # type: ignore[misc]
        wanted = {self.spec.full_id(task) for task in self._select_tasks(tasks)}
        yield from (item for item in question_set.items if item.task in wanted)

    def source_files(self, data: Path) -> list[Path]:
        """Return the question file."""
        return list(self.source.files) or ([self.file] if self.file else [])

    def content_hash(self, data: Path) -> str:
        """Return a hash of the question file's content and its mapping, independent of its folder and its name."""
        assert self.file is not None
        columns = msgspec.json.encode(self.load_questions(data).columns)
        if self.source.rows:
            content = hashlib.sha256(repr([row.cells for row in self.source.rows]).encode()).hexdigest()
        else:
            content = " ".join(_hash_of(path) for path in self.source.files)
        content += self.task.text.hex() if self.task else ""
        return hashlib.sha256(content.encode() + b" " + columns).hexdigest()[:16]

    def require_sound(self, data: Path) -> None:
        """Raise one DataError that lists the faults of all rows, so that nothing is asked by half."""
        problems = self.load_questions(data).problems
        if not problems:
            return
        texts = [f"{problem.where.removeprefix(f'{self.file}, ')}: {problem.message}" for problem in problems[:_SHOWN]]
        more = [f"… and {len(problems) - _SHOWN:,} more"] if len(problems) > _SHOWN else []
        count = "1 fault" if len(problems) == 1 else f"{len(problems):,} faults"
        raise DataError(
            f"the questions have {count}; nothing is asked",
            where=self.file,
            got="".join(f"\n    {line}" for line in [*texts, *more]),
            fix="correct or remove these rows" + ("; `triptych check FILE --all` lists all" if more else ""),
        )

    @checked_arguments
    def check(self, data: Path | str, tasks: Sequence[TaskSpec | str] | None = None) -> Iterator[Problem]:
        """Yield every fault of the question file, and notes on what is not used of it."""
        data = self._data(data)
        question_set = self.load_questions(data)
        yield from question_set.problems
        for note in self.task.notes if self.task else ():
            yield Problem("note", "harness-task", str(self.task.path if self.task else ""), note)
        same, example = count_with_first(
            f"{item.id}: {text}" for item in question_set.items if (text := twins(item.options))
        )
        if same:  # of a known set's released file, which is asked as it is
            message = f"{same:,} questions have identical options, such as {example}"
            yield Problem("warning", "identical-options", str(self.file), message, rows=same)
        if question_set.lacking:
            yield Problem("warning", "missing-columns", str(self.file), _missing(self.released, question_set.lacking))
        for problem in doubtful_answers(question_set.items, question_set.columns):
            yield Problem("warning", "doubtful-answer", str(self.file), problem)
        yield from question_set.notices
        if question_set.unused:
            yield Problem("note", "unused-columns", str(self.file), f"not used: {_unused(question_set)}")
        if (partial := spans(question_set.unused)) and not self.released:  # a known set's mapping decides
            yield Problem("warning", "span", str(self.file), _span(partial))

    def release(self, data: Path) -> str:
        """Return the version of the data: that of the folder's file, otherwise 1."""
        return self.about.version or "1"

    def mapping_lines(self, data: Path) -> list[str]:
        """Return the mapping in words: a line for each role."""
        question_set = self.load_questions(data)
        roles = msgspec.to_builtins(question_set.columns)
        lines = [f"{role:12}{value}" for role, value in self.source.chosen.items()]
        roles = {role: value for role, value in roles.items() if role not in self.source.chosen}
        lines += [f"{'id':12}{question_set.columns.id or 'the number of the row'}"]
        lines += [
            f"{role:12}{', '.join(v) if isinstance(v, list | tuple) else v}"
            for role, v in roles.items()
            if role != "id"
        ]
        lines += [f"{'not used':12}{_unused(question_set)}"] if question_set.unused else []
        lines += [f"warning: {_missing(self.released, question_set.lacking)}"] if question_set.lacking else []
        items, columns = question_set.items, question_set.columns
        doubts = [*mostly_numbers(items, columns), *doubtful_answers(items, columns)]
        lines += [f"warning: {sentence}" for sentence in doubts]
        lines += [
            f"warning: {one.where.removeprefix(f'{self.file}, ')}: {one.message}"
            for one in question_set.notices
            if one.severity == "warning"
        ]
        lines += [f"{'note':12}{note}" for note in (self.task.notes if self.task else ())]
        lines += [f"warning: {_span(partial)}"] if (partial := spans(question_set.unused)) and not self.released else []
        return lines


def _unused(loaded: Loaded) -> str:
    return first_few(loaded.unused, _SHOWN_COLUMNS)


def _missing(title: str, columns: Sequence[str]) -> str:
    return f"columns of {title}'s release that this file doesn't have: {', '.join(columns)}"


def _span(columns: Sequence[str]) -> str:
    text = f"{', '.join(columns)}: these seem to say which part of a recording is meant, but whole files are sent"
    return f"{text}; {span_fix(columns)} sends the part"


def named(name: str) -> QuestionFileBenchmark:
    """Return the benchmark that a Run's manifest names, without its questions."""
    return QuestionFileBenchmark(_PACKAGE, _HERE, "triptych", name)


def open_questions(path: str | Path, stated: Mapping[str, str] | None = None) -> QuestionFileBenchmark:
    """Return the benchmark of a question file, of a folder with `benchmark.toml`, or of a task of another harness.

    Raises DataError, SpecError.
    """
    if is_task(str(path)):
        return _of_task(open_task(str(path)), stated or {})
    location = fetched(str(path)) if str(path).startswith(HUB) else Path(path)
    about = FolderFile()
    if location.is_dir() and not (location / FILE).exists():
        task = task_in_folder(location)
        return _of_layout(location, stated or {}) if task is None else _of_task(task, stated or {})
    if location.is_dir():
        about = read_folder(location / FILE)
        location = location / about.questions
        if location.is_dir():  # the folder's own data, in a layout of `datasets`
            return _of_layout(location, {**about.stated_mapping(), **(stated or {})}, about)
    if not location.is_file():
        raise DataError("no such file of questions", where=location)
    name = PREFIX + slug(about.name or location.stem)
    return QuestionFileBenchmark(
        _PACKAGE, _HERE, "triptych", name, location, None, about, {**about.stated_mapping(), **(stated or {})}
    )


def question_file(name: str, folder: Path) -> Path | None:
    """Return the file of the benchmark `own-NAME` in a folder, or the folder itself if it has a `benchmark.toml`; None
    unless there is exactly one."""
    if (folder / FILE).is_file():
        return folder
    paths = [p for p in folder.glob("*.*") if p.suffix.lower() in FORMATS and PREFIX + slug(p.stem) == name]
    return paths[0] if len(paths) == 1 else None


def own_benchmark(
    name: str,
    file: Path | None,
    about: FolderFile,
    stated: Mapping[str, str],
    *,
    folder: Path | None,
    kind: type[Made],
    **more: Any,
) -> Made:
    """Return the benchmark of a question file under a name of one's choice; `kind` and `more`: of another class."""
    return kind(_PACKAGE, _HERE, "triptych", name, file, folder, about, stated, **more)


def slug(name: str) -> str:
    """Return a name of small letters, digits, - and _.

    Example:
        >>> slug("My Sounds (v2).test")
        'my-sounds-v2-test'
    """
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-")[:60] or "questions"


_NOTHING = FolderFile()


def _of_layout(path: Path, stated: Mapping[str, str], about: FolderFile = _NOTHING) -> QuestionFileBenchmark:
    """Return the benchmark of a folder in a layout of `datasets`."""
    name = about.name or path.resolve().name
    bench = QuestionFileBenchmark(_PACKAGE, _HERE, "triptych", PREFIX + slug(name), path, path, about, stated)
    first = next(iter(bench.source.files), path)
    return QuestionFileBenchmark(_PACKAGE, _HERE, "triptych", PREFIX + slug(name), first, path, about, stated)


def _of_task(task: HarnessTask, stated: Mapping[str, str]) -> QuestionFileBenchmark:
    """Return the benchmark of a task of another harness, on the data that it names."""
    source = fetched(task.source) if task.source.startswith(HUB) else Path(task.source)
    name = task.path.resolve().parent.name if task.path.stem == "eval" else task.path.stem
    roles = {**task.stated, **stated}
    if source.is_dir():
        columns_of_layout = _of_layout(source, roles, FolderFile(name=name))
    else:
        roles = {role: value for role, value in roles.items() if role not in ("config", "split")}
        if not source.is_file():
            raise DataError("the data of the task are not here", where=source)
        columns_of_layout = QuestionFileBenchmark(
            _PACKAGE, _HERE, "triptych", PREFIX + slug(name), source, None, FolderFile(), roles
        )
    return replace(columns_of_layout, task=task)


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _rating_prompt(spec: BenchmarkSpec, scale: str) -> dict[str, PromptSpec]:
    """Return the prompt of ratings with the limits of their scale."""
    limits, prompt = scale_of(scale), spec.prompts["rating"]
    if limits is None:
        return {}
    text = prompt.content[-1].replace("LOW", f"{limits[0]:g}").replace("HIGH", f"{limits[1]:g}")
    return {"rating": msgspec.structs.replace(prompt, content=(*prompt.content[:-1], text))}


def _rows_of(bench: QuestionFileBenchmark, data: Path) -> tuple[Sequence[Row], list[Problem]]:
    """Return the rows of all files of a benchmark, with the file's name in their places if there are several."""
    if bench.source.rows:
        return bench.source.rows, []
    problems: list[Problem] = []
    files = bench.source.files
    tables = [_rows_of_file(bench, path, data, problems) for path in files]
    if len(tables) == 1 and bench.task is None:
        return tables[0], problems
    rows = (
        Row(f"{path.name}, {row.where}", row.cells) if len(files) > 1 else row
        for path, table in zip(files, tables, strict=True)
        for row in table
    )
    return Spooled(map(bench.task.filled_row, rows) if bench.task else rows), problems


def _rows_of_file(bench: QuestionFileBenchmark, path: Path, data: Path, problems: list[Problem]) -> Sequence[Row]:
    """Return the rows of one file of a benchmark; add what is wrong with others to `problems`."""
    rows, faults = read_rows(path, Reading(bench.stated.get("sheet", ""), data, bench.embedded_folder.rstrip("/")))
    problems += faults
    if METADATA.fullmatch(path.name.lower()) and bench.set_folder is not None:
        folder = path.parent.relative_to(bench.set_folder).as_posix()
        return Spooled(_with_folder_paths(row, folder) for row in rows)
    return rows


def _with_folder_paths(row: Row, folder: str) -> Row:
    """Return a row of metadata with its files, which are relative to its own folder, relative to the whole folder."""
    if folder == ".":
        return row
    cells = {
        name: [f"{folder}/{one}" for one in value] if isinstance(value, list) else f"{folder}/{value}"
        for name, value in row.cells.items()
        if flat(name).endswith(("file_name", "file_names")) and value
    }
    return Row(row.where, {**row.cells, **cells})


def _load(name: str, bench: QuestionFileBenchmark, data: Path) -> Loaded:
    rows, problems = _rows_of(bench, data)
    path, stated = bench.source.files[0] if bench.source.files else bench.file or data, bench.stated
    columns = Columns()
    if not rows:
        return Loaded(columns, [], problems, [])
    folder = Folder(data)
    lacking: list[tuple[str, str]] = []
    if bench.released:
        stated_roles = {role: value for role, value in stated.items() if role in bench.mapped_roles}
        released_fields, lacking = _released(
            {k: v for k, v in stated.items() if k not in stated_roles}, columns_of(rows)
        )
        stated = {**released_fields, **stated_roles}
    missing = tuple(dict.fromkeys(column for _, column in lacking))
    try:
        columns = recognise(rows, folder, stated)
    except SpecError as error:
        if missing:
            error.args = (f"these are not the columns of {bench.released}'s release ({', '.join(missing)}): {error}",)
        raise
    _check_times(bench.released, lacking, path)
    optioned, faults = with_options(rows, columns.options)
    columns = decide_answer_forms(columns, optioned, stated)
    maker = Maker(name, columns, folder, path, released=bool(bench.released))
    for row, fault in faults:
        maker.fault(row, fault)
    notices = TextNotices(columns, path)
    items = Spooled(maker.items(optioned, notices.look_at))
    unused = [one for one in columns_of(rows) if one not in columns.used_columns() and _filled(one, rows)]
    return Loaded(columns, items, [*problems, *maker.problems], unused, missing, tuple(notices.problems()))


def _check_times(title: str, lacking: Iterable[tuple[str, str]], path: Path) -> None:
    """Raise SpecError if the file lacks a column of times: whole recordings, perhaps with the answer, would be sent."""
    for role, column in lacking:
        if role in ("start", "end", "span"):
            raise SpecError(
                f"the file has no column {column!r}, which says in {title}'s release what part of a recording is sent",
                where=path,
                fix=f"--map {role}=COLUMN, or --map {role}= to send whole files",
            )


def _released(stated: Mapping[str, str], columns: Sequence[str]) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return the mapping of a released set without columns that this file lacks, and these, each after its role."""
    released_fields, lacking = dict[str, str](), list[tuple[str, str]]()
    for role, value in stated.items():
        names = [value] if role in NO_COLUMNS or value in columns or not value else value.split(SEPARATOR)
        missing = [] if role in NO_COLUMNS else [name for name in names if name and name not in columns]
        lacking += [(role, name) for name in missing]
        if left := [name for name in names if name not in missing]:
            released_fields[role] = SEPARATOR.join(left)
    return released_fields, lacking


def _filled(column: str, rows: Iterable[object]) -> bool:
    return any(not is_empty(row.cells.get(column)) for row in rows)  # type: ignore[attr-defined]
