"""Results in the authors' formats -> Responses, and Items with the files' own reference answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.benchmarks.xmodbench.names import DIRECTIONS, LETTERS, RESULT_STEMS, instance_of
from triptych.benchmarks.xmodbench.result_files import ResultRow, Sheet, Sheets, holds_results, read_sheets
from triptych.protocols.protocol import Outputs
from triptych.records import ErrorInfo, Item, Response, text

# A stored reply is the letter that the authors' runner extracted: `official` uses it unchanged
EXTRACTED = "extracted"
OTHER_VERSION = "other version"
_SHOWN = 5  # files named in one note
_NAMED = 20  # missing files named


def read_outputs(spec: BenchmarkSpec, paths: Sequence[Path], items: Mapping[str, Item] | None) -> Outputs:
    """Return Responses and Items from result files, sessions of people, or a folder of either.

    An Item of the data is used if its question and reference answer equal the file's; otherwise the Item is made from
    the file, with a note. Raises DataError if there are no results: see `read_sheets`.
    """
    found_here = read_sheets(spec, paths)
    sheets = found_here.sheets
    unpaired, given_items = _unpaired(sheets), items or {}
    other = {sheet.task: _other_version(sheet, given_items) for sheet in sheets}
    responses: dict[str, Response] = {}
    items_by_id: dict[str, Item] = {}
    for sheet in sheets:
        empty, paired, theirs = sheet.empty_replies, sheet.task not in unpaired, bool(other[sheet.task])
        same_items = {} if theirs or sheet.asked_for_reasons else given_items
        facets = _facets(sheet, other=theirs)
        for index, row in sheet.rows.items():
            id_ = sheet.id_of(index)
            responses[id_] = _response(id_, row, empty=empty)
            instance = _instance(sheet, index) if paired else ""
            items_by_id[id_] = same_items.get(id_) or _item(id_, f"{spec.name}/{sheet.task}", row, instance, facets)
    stored = {f"{spec.name}/{s.task}": _stored(s) for s in sheets}
    return Outputs(responses, items_by_id, tuple(_notes(found_here, other, unpaired)), stored)


def recognises(file: Path) -> bool:
    """Recognise results by their content; see `Benchmark.recognises`."""
    return holds_results(file)


def _stored(sheet: Sheet) -> dict[str, Any]:
    """Return the file's own figures; `twice`: the number of positions that occur twice, the number of those whose first
    reply differs, and how many more or fewer would be correct by the first replies."""
    fields: dict[str, Any] = {
        "score": sheet.file.score,
        "correct_count": sheet.file.correct_count,
        "all_count": sheet.file.all_count,
    }
    if sheet.earlier:
        both = [(row, sheet.rows[at]) for at, row in sheet.earlier.items() if at in sheet.rows]
        fields["twice"] = {
            "positions": len(both),
            "differ": sum(first.response != last.response for first, last in both),
            "right": sum(first.is_right - last.is_right for first, last in both),
        }
    return fields


def _response(id_: str, row: ResultRow, *, empty: bool) -> Response:
    """Return the stored reply; a missing one is a failure, unless the file counted it as an empty reply."""
    reply = row.response
    if reply is None and not empty:
        error = ErrorInfo("unanswered", "the results file has no reply")
        return Response(id_, "", 0, "failed", finish_reason=EXTRACTED, error=error)
    words = reply if isinstance(reply, str) else "" if reply is None else msgspec.json.encode(reply).decode()
    return Response(id_, "", 0, "answered", words, finish_reason=EXTRACTED, thinking=row.reasoning or None)


def _facets(sheet: Sheet, *, other: bool) -> dict[str, str]:
    """Return the facets of all Items of a results file."""
    facets = {"family": sheet.family, "subtask": sheet.subtask, "direction": sheet.direction}
    if sheet.asked_for_reasons:
        facets["variant"] = "reason"
    return facets | {"questions": OTHER_VERSION} if other else facets


def _item(id_: str, task: str, row: ResultRow, instance: str, facets: dict[str, str]) -> Item:
    """Return the Item from the results file alone: question and target, without content and options."""
    return Item(
        id=id_,
        task=task,
        parts=(text(row.wording, "question"),),
        labels=LETTERS,
        answer="letter",
        target=row.correct_answer,
        instance=instance,
        facets=facets,
    )


def _instance(sheet: Sheet, index: int) -> str:
    return instance_of(sheet.subtask, sheet.direction, index, sheet.length)


def _other_version(sheet: Sheet, items: Mapping[str, Item]) -> int:
    """Return how many rows differ from the data in target or question; 0 also if the data has no such file.

    One different row makes the whole file another version, since the positions may no longer correspond.
    """
    if not items or not any(sheet.id_of(index) in items for index in sheet.rows):
        return 0
    return sum(not _is_same_question(row, items.get(sheet.id_of(index))) for index, row in sheet.rows.items())


def _is_same_question(row: ResultRow, item: Item | None) -> bool:
    if item is None:
        return False
    return row.correct_answer in (None, item.target) and row.wording in ("", item.parts[0].text)


def _unpaired(sheets: Sequence[Sheet]) -> set[str]:
    """Return the tasks whose targets contradict those of the other directions, so positions don't pair them."""
    keys: dict[str, list[tuple[str | None, str]]] = defaultdict(list)  # Instance -> (target, its Task)
    for sheet in sheets:
        task = sheet.task
        for index, row in sheet.rows.items():
            keys[_instance(sheet, index)].append((row.correct_answer, task))
    unpaired: set[str] = set()
    for targets in keys.values():
        first = targets[0][0]
        if any(target != first for target, _ in targets):
            usual = Counter([target for target, _ in targets]).most_common(1)[0][0]
            unpaired.update([task for target, task in targets if target != usual])
    return unpaired


def _notes(read: Sheets, other: Mapping[str, int], unpaired: set[str]) -> Iterator[str]:
    """Yield notes for readers of the scores: one per kind, with its files."""
    sheets = read.sheets
    silent = {s.task: s.unanswered_count for s in sheets if not s.empty_replies}
    empty = {s.task: s.unanswered_count for s in sheets if s.empty_replies}
    long = {s.task: sum(_is_long(row.response) for row in s.rows.values()) for s in sheets}
    for counts, words in (
        ({s.task: s.malformed for s in sheets}, "rows are malformed and left out"),
        (silent, "questions have no reply: they are not in official's denominator"),
        (empty, "replies are empty: the authors counted them as answers, and so does official"),
        ({s.task: len(s.earlier) for s in sheets}, "positions occur twice in their file: the later row counts"),
        (long, "stored replies are not a single letter: official counts them as wrong"),
        (other, "questions are of another version than the question files': scored by the results' own targets"),
    ):
        if total := sum(counts.values()):
            yield f"{total:,} {words} ({_listed(sheets, counts)})"
    if unpaired:
        names = ", ".join(_title(s) for s in sheets if s.task in unpaired)
        yield f"targets that contradict those of the subtask's other directions, so not paired with them: {names}"
    for sheet in sheets:
        if (problem := _stored_problem(sheet)) is not None:
            yield f"{sheet.name}: {problem}"
    yield from _which_files(read)


def _which_files(read: Sheets) -> Iterator[str]:
    """Yield notes on files without a released name, files that were not read, and missing files."""
    if reasons := [s.name for s in read.sheets if s.asked_for_reasons]:
        yield (
            f"{len(reasons):,} files end in `_reason`, so they are of another prompt: their figures are separate "
            f"(variant reason) and in no average ({_first_names(reasons)})"
        )
    suffixed = [s.name for s in read.sheets if s.name not in RESULT_STEMS and not read.sessions]
    if suffixed:
        yield f"{len(suffixed):,} files with a suffix, or another name, are read as well: {_first_names(suffixed)}"
    older = [s.name for s in read.sheets if not s.keeps_replies]
    if 0 < len(older) < len(read.sheets):
        yield (
            f"{len(older):,} of {len(read.sheets):,} files lack `original_response`, which the others have: they were "
            f"written by another runner, at another time ({_first_names(older)})"
        )
    if read.sessions:
        answers = sum(len(sheet.rows) for sheet in read.sheets)
        yield f"{read.sessions:,} sessions of people: {answers:,} answers to questions of {len(read.sheets):,} Tasks"
    if read.unread:
        names = _first_names([path.name for path in read.unread])
        yield f"{len(read.unread):,} JSON files are not read, since neither name nor content names a Task: {names}"
    there = {s.task for s in read.sheets}
    missing = [n for n, names in RESULT_STEMS.items() if names[2] in DIRECTIONS and "/".join(names) not in there]
    if missing and not read.sessions:
        yield f"{len(missing)} of the six directions' 102 result files are missing: {_first_names(missing)}"


def _first_names(names: Sequence[str]) -> str:
    """Return the first names, and the number of the others."""
    more = f", and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def _title(sheet: Sheet) -> str:
    """Return the file's name; for sessions of people the Task."""
    return sheet.name if sheet.file.results else sheet.task


def _listed(sheets: Sequence[Sheet], counts: Mapping[str, int]) -> str:
    """Return the files with the highest counts."""
    hit = sorted((s for s in sheets if counts.get(s.task)), key=lambda s: -counts[s.task])
    shown = ", ".join(f"{_title(s)} {counts[s.task]} of {len(s.rows)}" for s in hit[:_SHOWN])
    return shown + (f", and {len(hit) - _SHOWN} more files" if len(hit) > _SHOWN else "")


def _is_long(reply: Any) -> bool:
    return reply is not None and str(reply).strip().upper() not in LETTERS


def _stored_problem(sheet: Sheet) -> str | None:
    """Return the contradiction if the stored score does not follow from the items; otherwise None."""
    right = sum(row.is_right for row in sheet.rows.values())
    counted = len(sheet.rows) - (0 if sheet.empty_replies else sheet.unanswered_count)
    value = 100 * right / counted if counted else 0.0
    if sheet.file.score is None or abs(value - sheet.file.score) < 0.005:
        return None
    return f"the stored score {sheet.file.score:.2f} does not follow from the items ({right}/{counted} = {value:.2f})"
