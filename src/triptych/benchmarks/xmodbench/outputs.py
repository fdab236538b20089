"""Results in the authors' format, one file a subtask and direction -> Responses, and Items with the files' keys."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks.protocol import Outputs
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.benchmarks.xmodbench.names import LETTERS, RESULT_FILES, instance_of
from triptych.errors import DataError
from triptych.records import ErrorInfo, Item, Response, text
from triptych.records.unreadable import UNREADABLE

# A stored reply is what the authors' runner kept after its own extraction of the letter: `official` takes it as it is.
EXTRACTED = "extracted"
OTHER_VERSION = "other version"
_SHOWN = 5  # files named in one note
_NAMED = 20  # missing files named


class ResultRow(msgspec.Struct, frozen=True):
    """One answered (or unanswered) question of a results file."""

    question: str | list[str] | None = ""
    response: Any = None
    correct_answer: str | None = None
    reasoning: str | None = None

    @property
    def wording(self) -> str:
        """The question as one text."""
        return self.question or "" if isinstance(self.question, str | None) else "".join(self.question)


class ResultFile(msgspec.Struct, frozen=True):
    """A results file; `all_count` is what the authors' runner counted as answered."""

    results: dict[str, msgspec.Raw]
    score: float | None = None
    correct_count: int | None = None
    all_count: int | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A results file on its way in: where it came from, what it is about, its rows by position."""

    path: Path
    family: str
    subtask: str
    direction: str
    file: ResultFile
    rows: dict[int, ResultRow]
    length: int  # how many rows the question file has at least: results may be of a part of it
    malformed: int
    earlier: Mapping[int, ResultRow] = field(default_factory=dict)  # of positions that stand there twice, the first

    @property
    def task(self) -> str:
        """The Task's id below the benchmark."""
        return f"{self.family}/{self.subtask}/{self.direction}"

    def id_of(self, index: int) -> str:
        """The Item's id for a position."""
        return f"{self.task}/{index}"

    @property
    def silent(self) -> int:
        """How many rows hold no reply."""
        return sum(row.response is None for row in self.rows.values())

    @property
    def empty_replies(self) -> bool:
        """Are the missing replies empty ones? The runner stores an empty reply as none, and counts it all the same."""
        counted = self.file.all_count
        return bool(self.silent) and counted == len(self.rows)


def read_outputs(spec: BenchmarkSpec, paths: Sequence[Path], items: Mapping[str, Item] | None) -> Outputs:
    """Responses and Items from result files or a folder of them.

    An Item of the data is used where its question and key are the file's; elsewhere the file's own question and
    key make the Item, and a note says so. Raises DataError where no file has a released name.
    """
    sheets = [_sheet(path) for path in _files(paths)]
    unpaired, known = _unpaired(sheets), items or {}
    other = {sheet.task: _other_version(sheet, known) for sheet in sheets}
    responses: dict[str, Response] = {}
    found: dict[str, Item] = {}
    for sheet in sheets:
        empty, paired, theirs = sheet.empty_replies, sheet.task not in unpaired, bool(other[sheet.task])
        for index, row in sheet.rows.items():
            id_ = sheet.id_of(index)
            responses[id_] = _response(id_, row, empty=empty)
            same = None if theirs else known.get(id_)
            found[id_] = same or _item(spec, sheet, index, row, paired=paired, other=theirs)
    stored = {f"{spec.name}/{s.task}": _stored(s) for s in sheets}
    return Outputs(responses, found, tuple(_notes(sheets, other, unpaired)), stored)


def _stored(sheet: Sheet) -> dict[str, Any]:
    """What the file says of itself; `twice`: of positions that stand there twice, how many there are, how many have
    another reply the first time, and how many more or fewer would be right by that."""
    told: dict[str, Any] = {"score": sheet.file.score, "correct_count": sheet.file.correct_count,
                            "all_count": sheet.file.all_count}  # fmt: skip
    if sheet.earlier:
        both = [(row, sheet.rows[at]) for at, row in sheet.earlier.items() if at in sheet.rows]
        told["twice"] = {
            "positions": len(both),
            "differ": sum(first.response != last.response for first, last in both),
            "right": sum(_right(first) - _right(last) for first, last in both),
        }
    return told


def _right(row: ResultRow) -> bool:
    return str(row.response or "").strip().upper() == row.correct_answer


def _files(paths: Sequence[Path]) -> list[Path]:
    """The result files, in the benchmark's order. A folder of several systems is refused: which one is meant?"""
    found: dict[str, Path] = {}
    for path in paths:
        for file in _inside(path):
            if file.name in found:
                raise DataError("two result files for one task", got=f"{found[file.name]} and {file}", fix="give one")
            found[file.name] = file
    if not found:
        archive = any(".tar" in path.suffixes or path.suffix in (".zip", ".tgz") for path in paths if path.is_file())
        raise DataError("no result files here", where=", ".join(map(str, paths)),
                        expected="files called <family>_<subtask>_<from>_<to>.json",
                        fix="unpack the archive first" if archive else None)  # fmt: skip
    return [found[name] for name in RESULT_FILES if name in found]


def _inside(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.name in RESULT_FILES else []
    here = [file for file in sorted(path.glob("*.json")) if file.name in RESULT_FILES and file.is_file()]
    systems = [
        folder for folder in sorted(path.glob("*/")) if any(f.name in RESULT_FILES for f in folder.glob("*.json"))
    ]
    if here or not systems:
        return here
    if len(systems) > 1:
        raise DataError("results of several systems", where=path, got=", ".join(s.name for s in systems),
                        fix=f"give one of them, such as {systems[0]}")  # fmt: skip
    return _inside(systems[0])


def _sheet(path: Path) -> Sheet:
    try:
        data = path.read_bytes()
        file = msgspec.json.decode(data, type=ResultFile)
    except (OSError, *UNREADABLE) as error:
        raise DataError("a results file can't be read", where=path, got=error,
                        expected='a JSON object with "results": {index: {…}}') from None  # fmt: skip
    rows = dict(_rows(file.results.items()))
    malformed = len(file.results) - len(rows)
    # A decoder keeps the last of two values of one key in silence; the text has the key "response" once a row.
    earlier = _earlier(data) if data.count(b'"response"') > len(file.results) else {}
    return Sheet(path, *RESULT_FILES[path.name], file, rows, max(rows, default=-1) + 1, malformed, earlier)


def _earlier(data: bytes) -> dict[int, ResultRow]:
    """The first rows of positions that stand in a results file more than once."""
    found: dict[int, ResultRow] = {}

    def watched(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        twice = {key for key, n in Counter(key for key, _ in pairs).items() if n > 1 and key.isdecimal()}
        for position, row in _rows((key, msgspec.json.encode(value)) for key, value in pairs if key in twice):
            found.setdefault(position, row)
        return dict(pairs)

    try:
        json.loads(data, object_pairs_hook=watched)
    except UNREADABLE:
        return {}
    return found


_ROW = msgspec.json.Decoder(ResultRow)


def _rows(pairs: Iterable[tuple[str, Any]]) -> Iterator[tuple[int, ResultRow]]:
    """The rows by position; what is no row, or has no position, is left out (and counted by the caller)."""
    for key, raw in pairs:
        try:
            row = _ROW.decode(raw)
        except UNREADABLE:
            continue
        if key.isdecimal():
            yield int(key), row


def _response(id_: str, row: ResultRow, *, empty: bool) -> Response:
    """What is stored as the reply; none is a failure, unless the file counted it as an empty reply."""
    reply = row.response
    if reply is None and not empty:
        lost = ErrorInfo("unanswered", "the results file holds no reply")
        return Response(id_, "", 0, "failed", finish_reason=EXTRACTED, error=lost)
    words = reply if isinstance(reply, str) else "" if reply is None else msgspec.json.encode(reply).decode()
    return Response(id_, "", 0, "answered", words, finish_reason=EXTRACTED, thinking=row.reasoning or None)


def _item(spec: BenchmarkSpec, sheet: Sheet, index: int, row: ResultRow, *, paired: bool, other: bool) -> Item:
    """The Item as the results file tells it: no content, no options, but question and key."""
    facets = {"family": sheet.family, "subtask": sheet.subtask, "direction": sheet.direction}
    return Item(
        id=sheet.id_of(index),
        task=f"{spec.name}/{sheet.task}",
        parts=(text(row.wording, "question"),),
        labels=LETTERS,
        answer="letter",
        target=row.correct_answer,
        instance=_instance(sheet, index) if paired else "",
        facets=facets | {"questions": OTHER_VERSION} if other else facets,
    )


def _instance(sheet: Sheet, index: int) -> str:
    return instance_of(sheet.subtask, sheet.direction, index, sheet.length)


def _other_version(sheet: Sheet, items: Mapping[str, Item]) -> int:
    """How many rows differ from the data in key or question; 0 as well where the data has no such file.

    One row that differs makes the whole file another version: nothing says that the positions still correspond.
    """
    if not any(sheet.id_of(index) in items for index in sheet.rows):
        return 0
    return sum(not _same(row, items.get(sheet.id_of(index))) for index, row in sheet.rows.items())


def _same(row: ResultRow, item: Item | None) -> bool:
    if item is None:
        return False
    return row.correct_answer in (None, item.target) and row.wording in ("", item.parts[0].text)


def _unpaired(sheets: Sequence[Sheet]) -> set[str]:
    """The tasks whose keys contradict those of the subtask's other directions, so that positions don't pair them."""
    keys: dict[str, Counter[str | None]] = defaultdict(Counter)
    for sheet in sheets:
        for index, row in sheet.rows.items():
            keys[_instance(sheet, index)][row.correct_answer] += 1
    usual = {instance: counts.most_common(1)[0][0] for instance, counts in keys.items()}
    return {
        sheet.task
        for sheet in sheets
        if any(row.correct_answer != usual[_instance(sheet, index)] for index, row in sheet.rows.items())
    }


def _six(name: str) -> bool:
    return not name.endswith("_audiovision_text.json")


def _notes(sheets: Sequence[Sheet], other: Mapping[str, int], unpaired: set[str]) -> Iterator[str]:
    """What people should know before they trust the scores: one note a kind, with the files it is about."""
    silent = {s.task: s.silent for s in sheets if not s.empty_replies}
    empty = {s.task: s.silent for s in sheets if s.empty_replies}
    long = {s.task: sum(_is_long(row.response) for row in s.rows.values()) for s in sheets}
    for counts, words in (
        ({s.task: s.malformed for s in sheets}, "rows are malformed and left out"),
        (silent, "questions have no reply: they leave official's denominator"),
        (empty, "replies are empty: the authors counted them as answers, and so does official"),
        ({s.task: len(s.earlier) for s in sheets}, "positions stand in their file twice: the later row counts"),
        (long, "stored replies are no single letter: official counts them as wrong"),
        (other, "questions are of another version than the question files': scored by the results' own keys"),
    ):
        if total := sum(counts.values()):
            yield f"{total:,} {words} ({_listed(sheets, counts)})"
    if unpaired:
        names = ", ".join(s.path.stem for s in sheets if s.task in unpaired)
        yield f"keys that contradict those of the subtask's other directions, so not paired with them: {names}"
    for sheet in sheets:
        if (problem := _stored_problem(sheet)) is not None:
            yield f"{sheet.path.stem}: {problem}"
    if missing := [n.removesuffix(".json") for n in RESULT_FILES if n not in {s.path.name for s in sheets} and _six(n)]:
        more = f", and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        yield f"{len(missing)} of 102 result files are not there: {', '.join(missing[:_NAMED])}{more}"


def _listed(sheets: Sequence[Sheet], counts: Mapping[str, int]) -> str:
    """The files with the highest counts."""
    hit = sorted((s for s in sheets if counts.get(s.task)), key=lambda s: -counts[s.task])
    shown = ", ".join(f"{s.path.stem} {counts[s.task]} of {len(s.rows)}" for s in hit[:_SHOWN])
    return shown + (f", and {len(hit) - _SHOWN} more files" if len(hit) > _SHOWN else "")


def _is_long(reply: Any) -> bool:
    return reply is not None and str(reply).strip().upper() not in LETTERS


def _stored_problem(sheet: Sheet) -> str | None:
    """None if the stored score follows from the items."""
    right = sum(map(_right, sheet.rows.values()))
    counted = len(sheet.rows) - (0 if sheet.empty_replies else sheet.silent)
    value = 100 * right / counted if counted else 0.0
    if sheet.file.score is None or abs(value - sheet.file.score) < 0.005:
        return None
    return f"the stored score {sheet.file.score:.2f} does not follow from the items ({right}/{counted} = {value:.2f})"
