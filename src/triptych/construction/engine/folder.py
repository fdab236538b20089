"""The build folder: each stage's decisions in files that are written atomically, and append-only journals.

BUILD/build.json                     recipe, configuration, versions; no secrets
  stages/NN-NAME/stage.json          identity and counts
    records.jsonl                    a Line for each record that came in, in order; derived
    work.jsonl                       Lines of a costly stage, as they are made
    replies/MODEL-digest.jsonl       journals of model replies
  media/ab/SHA256.ext                content-addressed
  tasks/ and results/                what people are asked, and what they returned
  out/                               the benchmark
  hashes.jsonl                       hashes of the raw material, so that each film is read once
  funnel.json                        the counts of all stages
  report.html                        funnel, statistics and samples for people; derived
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from triptych.construction.record import Outcome
from triptych.errors import DataError, RunFolderError
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.atomic import atomic_file, write_atomically
from triptych.store.files.run_files import read_own
from triptych.store.journals.entry_table import EntryTable
from triptych.store.journals.journal import Journal
from triptych.store.journals.line_search import lines_beginning_with

SCHEMA_VERSION = 1
_ENCODER = msgspec.json.Encoder()
_STAGE_FOLDER = re.compile(r"(\d\d|unused)-(.+)")
MATERIAL = "material"
PAGE = "report.html"
PASSED_BY = "-"  # the key in the Line of a record to which its stage doesn't apply


class DecisionLine(msgspec.Struct, frozen=True):
    """The decision of a stage about the record `id`; `key` identifies everything that the decision depended on."""

    id: str
    key: str
    outcome: Outcome


class StageCounts(msgspec.Struct, frozen=True, omit_defaults=True):
    """The counts of one stage.

    Attributes:
        stage: Name of the stage.
        version: Its version.
        came: Number of records that came in: the sum of the decisions.
        went: Number of records that go on; more than came in if records were split.
        decisions: Number of records by decision.
        reasons: Number of records by decision and reason.
        passed_by: Number of records to which the stage doesn't apply. `came` plus `passed_by` is the number that the
            previous stage let through.
        about: What the stage does.
    """

    stage: str
    version: int
    came: int
    went: int
    decisions: dict[str, int]
    reasons: dict[str, int] = {}
    passed_by: int = 0
    about: str = ""


class BuildManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `build.json`: everything needed to build again, except the raw material and API keys."""

    recipe: str
    version: str
    config: dict[str, Any]
    stages: tuple[str, ...]
    models: dict[str, str] = {}
    seed: int = 0
    same_family: tuple[str, ...] = ()
    schema_version: int = SCHEMA_VERSION


class BuildFolder:
    """Reads and writes a build. One process writes at a time: hold `triptych.store.files.lock.locked(folder.path)`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def open(cls, path: Path) -> BuildFolder:
        """Return the build in a folder. Raises RunFolderError if there is none."""
        if not (path / "build.json").is_file():
            raise RunFolderError("this is not a build folder", where=path, expected="a build.json in it")
        return cls(path)

    def manifest(self) -> BuildManifest | None:
        """Return the manifest; None in a new folder. Raises DataError if the file is damaged or of a newer version."""
        try:
            document = msgspec.json.decode(read_own(self.path / "build.json"), type=BuildManifest)
        except FileNotFoundError:
            return None
        except (OSError, *UNREADABLE) as error:
            raise DataError("build.json can't be read", where=self.path, got=reason(error)) from None
        if document.schema_version > SCHEMA_VERSION:
            raise DataError(
                "this build was written by a newer version", where=self.path, got=f"schema {document.schema_version}"
            )
        return document

    def save(self, manifest: BuildManifest) -> None:
        """Write `build.json`."""
        self.write_json("build.json", manifest)

    def write_json(self, name: str, document: Any) -> None:
        """Write a derived JSON file atomically; equal content gives equal bytes."""
        encoded = msgspec.json.format(msgspec.json.encode(document, order="deterministic"), indent=1)
        write_atomically(self.path / name, encoded + b"\n")

    def stage(self, name: str, number: int | None = None) -> Path:
        """Return the folder of a stage; if a number is given, it is first moved to that position."""
        stage_path = next((path for path, stage in self._stages() if stage == name), None)
        if number is None:
            return stage_path or self.path / "stages" / f"00-{name}"
        location = self.path / "stages" / f"{number:02}-{name}"
        if stage_path is not None and stage_path != location:
            stage_path.rename(location)
        return location

    def stages(self) -> list[str]:
        """Return the names of the last build's stages, in order; the first is the raw material."""
        counted = self.funnel()
        names = list(dict.fromkeys([MATERIAL, *(each.stage for each in counted)]))
        return names if counted or self.stage(MATERIAL).is_dir() else []

    def retire(self, current: Iterable[str]) -> None:
        """Move the folders of stages that the recipe no longer has aside; if a stage comes back, they are used."""
        names = {MATERIAL, *current}
        for path, name in self._stages():
            if name not in names:
                path.rename(path.with_name(f"unused-{name}"))

    def funnel(self) -> list[StageCounts]:
        """Return the counts of the last build's stages. Raises DataError if the file is damaged."""
        path = self.path / "funnel.json"
        try:
            return msgspec.json.decode(read_own(path), type=list[StageCounts])
        except FileNotFoundError:
            return []
        except (OSError, *UNREADABLE) as error:
            fix = "run `triptych build` again, which writes the file again"
            raise DataError("the funnel can't be read", where=path, got=reason(error), fix=fix) from None

    def lines(self, stage: str, file: str = "records.jsonl") -> Iterator[DecisionLine]:
        """Yield a stage's decisions in order; none before it has run. Raises DataError if the file is damaged."""
        return iter(Journal(self.stage(stage) / file, DecisionLine))

    def write_lines(self, path: Path, lines: Iterable[DecisionLine]) -> None:
        """Write `records.jsonl` atomically."""
        with self.written_lines(path, lines) as written:
            deque(written, maxlen=0)

    @contextmanager
    def written_lines(self, path: Path, lines: Iterable[DecisionLine]) -> Iterator[Iterator[DecisionLine]]:
        """Give the lines, each of which is written to `records.jsonl` when it is taken.

        The file is replaced at the end of the block, and stays as it was if the block raises.
        """
        with atomic_file(path / "records.jsonl") as file, closing(_write_through(lines, file)) as written:
            yield written

    def find(self, stage: str, id: str) -> DecisionLine | None:
        """Return one record's Line, found by a search of the file's bytes, which is fast even in long files."""
        path = self.stage(stage) / "records.jsonl"
        try:
            line = next(lines_beginning_with(path, b'{"id":' + _ENCODER.encode(id) + b","), None)
        except OSError as error:
            raise DataError("the records of a stage can't be read", where=path, got=error.strerror) from None
        return None if line is None else _line(path, line)

    def _stages(self) -> list[tuple[Path, str]]:
        matches = [(path, _STAGE_FOLDER.fullmatch(path.name)) for path in sorted((self.path / "stages").glob("*"))]
        return [(path, match[2]) for path, match in matches if match and path.is_dir()]


class _Decided(msgspec.Struct, frozen=True, gc=False):
    decision: str = "kept"


class _Keyed(msgspec.Struct, frozen=True, gc=False):
    """The part of a line by which it is found; decoding only this is faster."""

    id: str
    key: str
    outcome: _Decided


class EarlierDecisions:
    """A stage's decisions by record and key, read from its files when they are wanted; the last about the same counts.

    A file is in the order of the stage's records, so that the next build usually needs its lines one after the other.
    An index of positions is made only if it doesn't: after a change of the raw material, or for the journal of a costly
    stage, which has the lines of several builds. Close it after use.
    """

    def __init__(self, files: Sequence[Path], final: frozenset[str]) -> None:
        self._journals = [Journal(file, DecisionLine) for file in files]
        self._keyed = [Journal(file, _Keyed) for file in files]
        self._final = final
        self._open = [journal.open_file() for journal in self._journals]
        self._next: Iterator[DecisionLine] | None = self._in_order() if len(files) == 1 else None
        self._table: EntryTable | None = None

    def decision_on(self, id: str, key: str) -> DecisionLine | None:
        """Return the decision about a record with this key; None if there is none that is final."""
        if self._next is not None:
            line = next(self._next, None)
            if line is not None and line.id == id:
                return line if line.key == key and line.outcome.decision in self._final else None
            self._next = None
        if self._table is None:
            self._table = EntryTable(self._positions())
        position = self._table.get((id, key, 0))
        if position is None:
            return None
        at, number = divmod(position, len(self._journals))
        return self._journals[number].read_at(self._open[number], at)

    def close(self) -> None:
        """Close the files."""
        for file in self._open:
            file.close()

    def _in_order(self) -> Iterator[DecisionLine]:
        """Yield the lines of the records that the stage saw."""
        return (line for _, line in self._journals[0].located_in(self._open[0]) if line.key not in ("", PASSED_BY))

    def _positions(self) -> Iterator[tuple[tuple[str, str, int], int]]:
        for number, journal in enumerate(self._keyed):
            for at, line in journal.located_records():
                if line.outcome.decision in self._final:
                    yield (line.id, line.key, 0), at * len(self._keyed) + number


def _write_through(lines: Iterable[DecisionLine], file: BinaryIO) -> Generator[DecisionLine]:
    for line in lines:
        file.write(_ENCODER.encode(line) + b"\n")
        yield line


def _line(path: Path, content: bytes) -> DecisionLine:
    try:
        return msgspec.json.decode(content, type=DecisionLine)
    except UNREADABLE as error:
        fix = "run `triptych build` again, which writes the file again"
        raise DataError("a line about a record can't be read", where=path, got=reason(error), fix=fix) from None
