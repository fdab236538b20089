"""The release of 2026-06: rows of one form, a file for each pair of modalities (`data/audio_image.jsonl`), and Lite's
files for each direction (`data_lite/a2t.jsonl`).

A row is the question of 2025-09 with the same subtask, direction and position, and has its id. Source of the format:
lmms-eval's task xmod_bench (README.md, build_data.py, make_lite.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
from msgspec import structs

from triptych.benchmarks.xmodbench import lite, natures
from triptych.benchmarks.xmodbench import rows as released
from triptych.benchmarks.xmodbench.names import (
    COMBINATIONS,
    CONFIG_OF,
    CONFIGS,
    FAMILY_OF,
    INSTRUMENTS_GAP,
    SUBTASKS,
    direction_label,
    instance_of,
    subtask_of,
)
from triptych.benchmarks.xmodbench.rows import Facets, Report, Row, Source
from triptych.errors import DataError
from triptych.records import Item, Problem
from triptych.records.repeated_keys import refuse_repeated_keys
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.limits import MIB

FULL, LITE = "data", "data_lite"
MAX_BYTES = 512 * MIB


class UnifiedRow(Row, frozen=True):
    """A row as released. `index`: the position in the file of 2025-09; in Lite the position in the list."""

    subtask: str = ""
    index: int | None = None


@dataclass(frozen=True, slots=True)
class NumberedRow:
    """A valid row: its place, what it asks, and its number among its Task's questions (the end of its id)."""

    row: UnifiedRow
    where: str
    line: int
    subtask: str
    direction: str  # of the content
    number: str = ""
    prefix: str = ""  # from the data folder to the folder of the media

    @property
    def task(self) -> str:
        """The Task's id."""
        return f"xmodbench/{FAMILY_OF[self.subtask]}/{self.subtask}/{direction_label(self.subtask, self.direction)}"

    @property
    def instance(self) -> str:
        """The Instance; a row that 2025-09 lacks has one of its own."""
        direction, family = direction_label(self.subtask, self.direction), FAMILY_OF[self.subtask]
        if self.number.isdecimal():
            return instance_of(self.subtask, direction, int(self.number), 0)
        if self.subtask == "instruments":
            return f"{family}/{self.subtask}/{INSTRUMENTS_GAP}"
        return f"{family}/{self.subtask}/{self.number}"


@dataclass(frozen=True)
class UnifiedFiles:
    """The files of a data folder; `kind`: `data` or `data_lite`."""

    data: Path
    kind: str
    folder: Path
    names: tuple[str, ...]

    @classmethod
    def find(cls, data: Path, kinds: tuple[str, ...] = (FULL, LITE)) -> UnifiedFiles | None:
        """Return the files under a data folder, or directly in it; None if it has none. All rows go before Lite."""
        if not data.is_dir():
            return None
        for kind in kinds:
            configurations = COMBINATIONS if kind == FULL else tuple(CONFIGS)
            for folder in (data / kind, data):
                if names := tuple(name for name in configurations if (folder / f"{name}.jsonl").is_file()):
                    return cls(data, kind, folder, names)
        return None

    @property
    def prefix(self) -> str:
        """The path from the data folder to that of the media: `benchmark/` if only this has a folder `Data`."""
        inside = (self.data / "benchmark" / "Data").is_dir() and not (self.data / "Data").is_dir()
        return "benchmark/" if inside else ""

    @property
    def missing_files(self) -> tuple[str, ...]:
        """The files of the release that aren't here."""
        configurations = COMBINATIONS if self.kind == FULL else tuple(CONFIGS)
        return tuple(name for name in configurations if name not in self.names)

    def path(self, name: str) -> Path:
        """Return a file's path."""
        return self.folder / f"{name}.jsonl"

    def paths(self) -> list[Path]:
        """Return all files, in the release's order."""
        return [self.path(name) for name in self.names]

    def rows(self, name: str, report: Report) -> list[NumberedRow]:
        """Return the valid rows of a file, numbered; each other one is reported and left out."""
        with _indexed(report) as each:
            decoded = list(self._decoded_rows(name, each))
        numbered = _as_listed(decoded, name, report) if self.kind == LITE else list(_by_index(decoded, report))
        return list(_without_doubles(numbered, report))

    def _decoded_rows(self, name: str, report: Report) -> Iterator[NumberedRow]:
        path = self.path(name)
        for line, raw in enumerate(_lines(path), 1):
            where = f"{path}:{line}"
            try:
                row = _ROW.decode(raw)
                refuse_repeated_keys(raw)
                fault = released.fault_of(row) or _fault(row, name)
            except UNREADABLE as error:
                row, fault = None, ("malformed-row", reason(error))
            if row is None or fault:
                assert fault
                report(Problem("error", fault[0], where, f"{fault[1]}; the row is left out"))
                continue
            subtask = subtask_of(row.subtask or row.category)
            assert subtask
            yield NumberedRow(row, where, line - 1, subtask, released.content_direction(row), prefix=self.prefix)


_ROW = msgspec.json.Decoder(UnifiedRow)


@contextmanager
def _indexed(report: Report) -> Iterator[Report]:
    """Yield a function that reports problems. Those of rows without an index are reported at the end as one, with their
    number and with what it means."""
    without: list[Problem] = []

    def collect_problem(problem: Problem) -> None:
        if "index is missing" in problem.message:
            without.append(problem)
        else:
            report(problem)

    yield collect_problem
    if without:
        more = "so are all others without one: the file is older than the release of 2026-06, whose rows have it"
        report(structs.replace(without[0], message=f"{without[0].message}; {more}", rows=len(without)))


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines that aren't empty. Raises DataError for a file that is too large or can't be read."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DataError("the question file is too large", where=path, expected=f"<= {MAX_BYTES:,} bytes")
        data = path.read_bytes()
    except OSError as error:
        raise DataError("a question file can't be read", where=path, got=error.strerror) from None
    yield from (line for line in data.split(b"\n") if line.strip())


def _fault(row: UnifiedRow, name: str) -> tuple[str, str] | None:
    """Return (kind, message) of a fault that only rows of this release can have."""
    subtask = row.subtask or row.category
    if subtask_of(subtask) is None:
        return "subtask", f"the subtask {subtask[:100]!r} is not one of XModBench's"
    if row.index is None or row.index < 0:
        return "index", "index is missing" if row.index is None else f"index is {row.index}, not a position"
    kinds = {row.conditions.modality.lower(), *(option.modality.lower() for option in row.options.values())}
    stem, option = row.conditions.modality.lower(), row.options["A"].modality.lower()
    if kinds != {stem, option}:
        return "modality", "the options are not all of one modality"
    direction = released.content_direction(row)
    if name not in (f"{stem}_{option}", CONFIG_OF.get(direction)):
        return "direction", f"goes from {stem} to {option}, but is in {name}.jsonl"
    return None


def _by_index(rows: list[NumberedRow], report: Report) -> Iterator[NumberedRow]:
    del report
    for placed in rows:
        assert placed.row.index is not None
        yield _numbered(placed, placed.row.index)


def _numbered(placed: NumberedRow, index: int) -> NumberedRow:
    """Return the row with its number in 2025-09: `index`, but positions of `instruments` in audio_text are one less
    after the row that the file of 2025-09 lacks. That row, and those of the other generation of `natures`, have numbers
    of their own."""
    number = str(index)
    if placed.subtask == "instruments" and placed.direction == "audio_text" and index >= INSTRUMENTS_GAP:
        number = f"{index}-2026" if index == INSTRUMENTS_GAP else str(index - 1)
    if placed.subtask == "natures" and not natures.in_use(index, placed.row):
        number = f"{index}-other"
    return _with_number(placed, number)


def _with_number(placed: NumberedRow, number: str) -> NumberedRow:
    return replace(placed, number=number)


def _as_listed(rows: list[NumberedRow], name: str, report: Report) -> list[NumberedRow]:
    """Return Lite's rows, whose index is the position in the list, with their numbers in 2025-09.

    These are known from the list that the authors' generator draws. If a row has another subtask there, the file is not
    that list: then all its rows get numbers of their own.
    """
    listed = lite.load_index().get(name, ())
    positions = [placed.row.index or 0 for placed in rows]
    if rows and all(n < len(listed) and listed[n][0] == p.subtask for n, p in zip(positions, rows, strict=True)):
        return [_numbered(placed, listed[n][1]) for n, placed in zip(positions, rows, strict=True)]
    if rows:
        text = "the rows are not in the order of the known list: their questions are not compared with those of 2025-09"
        report(Problem("warning", "lite-list", rows[0].where, text, rows=len(rows)))
    return [_with_number(placed, f"lite-{n}") for n, placed in zip(positions, rows, strict=True)]


def _without_doubles(rows: list[NumberedRow], report: Report) -> Iterator[NumberedRow]:
    seen: dict[tuple[str, str], str] = {}
    for placed in rows:
        first = seen.setdefault((placed.task, placed.number), placed.where)
        if first == placed.where:
            yield placed
        else:
            text = f"{placed.subtask} {placed.row.index} was already in {first}; the row is left out"
            report(Problem("error", "doubled-row", placed.where, text, placed.task))


def items(rows: list[NumberedRow], shared: Facets) -> Iterator[Item]:
    """Yield the Items of a file's rows."""
    for placed in rows:
        source = Source(placed.task, placed.where, placed.prefix)
        yield released.item_of(placed.row, source, placed.number, placed.instance, shared)


@dataclass
class Census:
    """How many rows each subtask and direction has, in the order of the paper."""

    counts: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, rows: list[NumberedRow]) -> None:
        """Count a file's rows."""
        for placed in rows:
            key = placed.subtask, direction_label(placed.subtask, placed.direction)
            self.counts[key] = self.counts.get(key, 0) + 1

    def by_subtask(self) -> Iterator[tuple[str, dict[str, int]]]:
        """Yield (subtask, direction -> rows)."""
        for _, subtask in SUBTASKS:
            counts = {direction: n for (name, direction), n in self.counts.items() if name == subtask}
            if counts:
                yield subtask, counts
