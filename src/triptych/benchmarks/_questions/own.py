"""A question file as a Benchmark, so that every room works on it as on any other."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

from triptych.benchmarks._questions.cells import is_empty
from triptych.benchmarks._questions.deciding import decided
from triptych.benchmarks._questions.folder_file import FILE, FolderFile, read_folder
from triptych.benchmarks._questions.making import Maker, with_options
from triptych.benchmarks._questions.mapping import Columns, recognise, spans
from triptych.benchmarks._questions.media_cells import Folder
from triptych.benchmarks._questions.rows import columns_of, read_rows
from triptych.benchmarks.registry import Benchmark, Report
from triptych.benchmarks.spec import BenchmarkSpec, Citation, TaskSpec
from triptych.benchmarks.spec_file import load_spec
from triptych.errors import DataError
from triptych.records import Item, Problem

PREFIX = "own-"
_HERE = Path(__file__).parent
_PACKAGE = "triptych.benchmarks._questions"
_SHOWN = 20  # faults in the message of an error


class Loaded(NamedTuple):
    """The content of a question file: its mapping, its Items and every fault, and the columns that are not used."""

    columns: Columns
    items: list[Item]
    problems: list[Problem]
    unused: list[str]


@dataclass(frozen=True)
class OwnBenchmark(Benchmark):
    """The benchmark of a question file. `file` is None where only a Run's manifest names it."""

    own_name: str = "own"
    file: Path | None = None
    about: FolderFile = field(default_factory=FolderFile)
    stated: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def spec(self) -> BenchmarkSpec:
        """The specification: that of all question files, with this one's name, title and licence."""
        spec = load_spec(_HERE / "spec.toml")
        layouts = [
            msgspec.structs.replace(layout, columns=tuple(
                msgspec.structs.replace(c, task=c.task.replace("own/", f"{self.own_name}/", 1)) for c in layout.columns
            ))
            for layout in spec.layouts
        ]  # fmt: skip
        about = self.about
        citation = Citation(about.citation or f"questions of {self.own_name}", about.authors or "their authors",
                            about.year, about.url)  # fmt: skip
        title = about.title or f"{self.own_name.removeprefix(PREFIX)}: questions of your own"
        return msgspec.structs.replace(
            spec, name=self.own_name, title=title, licence=about.licence or spec.licence, citation=citation,
            layouts=tuple(layouts),
        )  # fmt: skip

    @property
    def home(self) -> Path | None:
        """The folder of the question file, with its media."""
        return self.file.parent if self.file else None

    def loaded(self, data: Path) -> Loaded:
        """Return what the question file holds, with the media of a folder. Raises DataError, SpecError."""
        return self._loaded(data)

    def _loaded(self, data: Path | None) -> Loaded:
        if self.file is None or data is None:
            raise DataError(f"the question file of {self.own_name} is not known", where=data,
                            fix="name the file, or its folder with benchmark.toml, instead")  # fmt: skip
        known = self._kept.get(data)
        if known is None:
            known = self._kept[data] = _load(self.own_name, self.file, data, self.stated)
        return known

    @cached_property
    def _kept(self) -> dict[Path, Loaded]:
        return {}

    def items(
        self, data: Path, tasks: Sequence[TaskSpec] | None = None, report: Report | None = None
    ) -> Iterator[Item]:
        """Yield the Items; faults of rows are passed to `report`, or raised together."""
        found = self.loaded(data)
        if report is None:
            self.require_sound(data)
        for problem in found.problems if report else ():
            report(problem)  # type: ignore[misc]
        wanted = {self.spec.full_id(task) for task in tasks or self.spec.tasks}
        yield from (item for item in found.items if item.task in wanted)

    def source_files(self, data: Path) -> list[Path]:
        """Return the question file."""
        return [self.file] if self.file else []

    def content_hash(self, data: Path) -> str:
        """Return a hash of the question file's content and its mapping, independent of its folder and its name."""
        assert self.file is not None
        columns = msgspec.json.encode(self.loaded(data).columns)
        content = hashlib.sha256(self.file.read_bytes()).hexdigest()
        return hashlib.sha256(content.encode() + b" " + columns).hexdigest()[:16]

    def require_sound(self, data: Path) -> None:
        """Raise one DataError that lists the faults of all rows, so that nothing is asked by half."""
        problems = self.loaded(data).problems
        if not problems:
            return
        told = [f"{problem.where.removeprefix(f'{self.file}, ')}: {problem.message}" for problem in problems[:_SHOWN]]
        more = [f"… and {len(problems) - _SHOWN:,} more"] if len(problems) > _SHOWN else []
        count = "1 fault" if len(problems) == 1 else f"{len(problems):,} faults"
        raise DataError(f"the questions have {count}; nothing is asked", where=self.file,
                        got="".join(f"\n    {line}" for line in [*told, *more]),
                        fix="correct or remove these rows; `triptych check FILE --all` lists all")  # fmt: skip

    def check(self, data: Path, tasks: Sequence[TaskSpec] | None = None) -> Iterator[Problem]:
        """Yield every fault of the question file, and notes on what is not used of it."""
        found = self.loaded(data)
        yield from found.problems
        if found.unused:
            yield Problem("note", "unused-columns", str(self.file), f"not used: {', '.join(found.unused)}")
        if partial := spans(found.unused):
            yield Problem("warning", "span", str(self.file), _span(partial))

    def release(self, data: Path) -> str:
        """Return the version of the data: that of the folder's file, otherwise 1."""
        return self.about.version or "1"

    def mapping_lines(self, data: Path) -> list[str]:
        """Return the mapping in words: a line for each role."""
        found = self.loaded(data)
        said = msgspec.to_builtins(found.columns)
        lines = [f"{'id':12}{found.columns.id or 'the number of the row'}"]
        lines += [
            f"{role:12}{', '.join(v) if isinstance(v, list | tuple) else v}" for role, v in said.items() if role != "id"
        ]
        lines += [f"{'not used':12}{', '.join(found.unused)}"] if found.unused else []
        lines += [f"warning: {_span(partial)}"] if (partial := spans(found.unused)) else []
        return lines


def _span(columns: Sequence[str]) -> str:
    return f"{', '.join(columns)}: these seem to say which part of a recording is meant, but whole files are sent"


def named(name: str) -> OwnBenchmark:
    """Return the benchmark that a Run's manifest names, without its questions."""
    return OwnBenchmark(_PACKAGE, _HERE, "triptych", name)


def open_questions(path: str | Path, stated: Mapping[str, str] | None = None) -> OwnBenchmark:
    """Return the benchmark of a question file, or of a folder with `benchmark.toml`. Raises DataError, SpecError."""
    place = Path(path)
    about = FolderFile()
    if place.is_dir():
        about = read_folder(place / FILE)
        place = place / about.questions
    if not place.is_file():
        raise DataError("no such file of questions", where=place)
    name = PREFIX + slug(about.name or place.stem)
    return OwnBenchmark(_PACKAGE, _HERE, "triptych", name, place, about, {**about.stated(), **(stated or {})})


def slug(name: str) -> str:
    """Return a name of small letters, digits, - and _.

    Example:
        >>> slug("My Sounds (v2).test")
        'my-sounds-v2-test'
    """
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-")[:60] or "questions"


def _load(name: str, path: Path, data: Path, stated: Mapping[str, str]) -> Loaded:
    rows, problems = read_rows(path)
    columns = Columns()
    if not rows:
        return Loaded(columns, [], problems, [])
    folder = Folder(data)
    columns = recognise(rows, folder, stated)
    optioned, faults = with_options(rows, columns.options)
    columns = decided(columns, optioned, stated)
    maker = Maker(name, columns, folder, path)
    for row, fault in faults:
        maker.fault(row, fault)
    items = maker.items(optioned)
    unused = [one for one in columns_of(rows) if one not in columns.used() and _filled(one, rows)]
    return Loaded(columns, items, [*problems, *maker.problems], unused)


def _filled(column: str, rows: Iterable[object]) -> bool:
    return any(not is_empty(row.cells.get(column)) for row in rows)  # type: ignore[attr-defined]
