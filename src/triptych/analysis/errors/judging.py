"""Asking judges what kind of error a wrong answer is, with the rubric `error_kind`; and reading what people noted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from triptych.analysis.errors.kinds import KINDS, Diagnosis, Entry
from triptych.benchmarks._questions.cells import words
from triptych.benchmarks.tables import read_table
from triptych.errors import DataError
from triptych.judges.asking import Judging, ask_panel, verdicts_of
from triptych.judges.cases import Case
from triptych.judges.rubric import load_rubric
from triptych.judges.verdicts import Verdicts
from triptych.protocols.judged import media_of
from triptych.records import Annotation, Item
from triptych.running.loop import RunOptions
from triptych.scoring.judging import JudgeSession
from triptych.store.annotations import latest_annotations, read_annotations

RUBRIC = "error_kind"


def judge_kinds(
    diagnoses: Iterable[Diagnosis], items: Mapping[str, Item], session: JudgeSession
) -> tuple[dict[Entry, str], Judging]:
    """What judges say of every `content` error: (Item id, repeat) -> kind; and how the asking ended.

    Of several judges the kind that more than half name; none where there is no such, or no reply could be read: the
    error stays `content`. Without adapters nobody is asked, and what is in the journals is read.
    """
    rubric = load_rubric(RUBRIC)
    cases = {one.entry: _case(one, items[one.item], session) for one in diagnoses if one.kind == "content"}
    judging = Judging()
    if session.adapters is not None and cases:
        judging = ask_panel(
            list(cases.values()),
            session.panel,
            session.adapters,
            session.path,
            session.options or RunOptions(),
            session.media,
        )
    names = {mark: label.casefold() for label, mark in rubric.labels.items()}
    kinds: dict[Entry, str] = {}
    for (entry, _), (_, verdicts) in zip(
        cases.items(), verdicts_of(cases.values(), session.panel, session.path), strict=True
    ):
        opinion = Verdicts(verdicts, "majority").opinion("error_kind")
        if opinion.value in names:
            kinds[entry] = names[opinion.value]
    return kinds, judging


def read_corrections(path: Path) -> list[Annotation]:
    """People's corrections: JSONL as a Run's `annotations.jsonl`, or a table (CSV, TSV, XLSX, Parquet) with the columns
    item, kind, note and, if there are any, repeat, verdict, by. The last about a reply counts.

    Raises DataError for a file that can't be read, a missing column, or an empty item.
    """
    if not path.exists():
        raise DataError(
            "the file of corrections does not exist", where=path, expected="JSONL, CSV or XLSX: item, kind, note"
        )
    if path.is_dir() or path.suffix.lower() in (".jsonl", ".ndjson", ".json"):
        return read_annotations(path)
    return latest_annotations(_rows(path))


def unknown_kinds(corrections: Iterable[Annotation]) -> list[str]:
    """Return kinds that people named but no rule or rubric knows. They count, and are reported in case of a typing
    error."""
    return sorted({note.kind for note in corrections if note.kind and note.kind not in KINDS})


def _rows(path: Path) -> Iterator[Annotation]:
    for where, row in read_table(path, "corrections"):
        if missing := {"item", "kind"} - row.keys():
            problem = f"the column {min(missing)!r} is missing"
            raise DataError(problem, where=where, expected="item, kind, note", got=", ".join(row) or "nothing")
        texts = {name: words(value) for name, value in row.items() if value is not None}
        yield _annotation({name: text for name, text in texts.items() if text}, where)


def _annotation(row: Mapping[str, str], where: str) -> Annotation:
    try:
        note = msgspec.convert(row, Annotation, strict=False)
    except msgspec.ValidationError as error:
        raise DataError("a correction is malformed", where=where, got=str(error)) from None
    if not note.item:
        raise DataError("a correction names no item", where=where)
    return note


def _case(one: Diagnosis, item: Item, session: JudgeSession) -> Case:
    shown = "\n".join(part.text or f"[{part.kind}]" for part in item.parts)
    options: Sequence[str] = [
        f"{item.labels[n]}. {words}" if n < len(item.labels) else words for n, words in enumerate(item.option_texts())
    ]
    described = session.panel.descriptions
    paths = [part.path for part in item.parts if part.is_media]
    description = "\n".join(filter(None, (described.get(key, "") for key in (item.id, *paths))))
    slots = {
        "question": "\n".join([shown, *options]),
        "reference": "；".join(item.targets),
        "reply": one.reply,
        "description": description,
    }
    return Case(one.unit, "error_kind", load_rubric(RUBRIC), slots, media=media_of(item))
