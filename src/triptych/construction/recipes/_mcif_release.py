"""Write the output of the recipe `mcif`: sources and references as XML, media in folders, by the generator's rules.

All elements (talks to transcribe, talks to translate, questions, summaries) are shuffled once. On the long track an
element's id is its position. The short track has the same order without summaries, and one id per segment. English has
the talks to transcribe, the other languages those to translate; all other elements are in every language.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import msgspec

from triptych.benchmarks.mcif.names import PROMPT_SETS, TRACKS, media_folder, scoped_id
from triptych.benchmarks.mcif.pools import pools
from triptych.benchmarks.mcif.samples import Block, Reference, Source, write_references, write_sources
from triptych.construction.engine.context import Context
from triptych.construction.record import Record
from triptych.prompts.pool import draw, fill_question
from triptych.records import Kind

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
NO_ANSWER = {
    "en": "Not answerable.",
    "de": "Nicht zu beantworten.",
    "it": "Non è possibile rispondere.",
    "zh": "无法回答。",
}
Files = dict[Kind, str]


class Config(Protocol):
    """The part of the recipe's configuration that is read here."""

    @property
    def version(self) -> str:
        """The version in the files' names."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that are written."""

    @property
    def no_answer(self) -> Mapping[str, str]:
        """The wording of "not answerable" by language, if it differs from the usual one."""


@dataclass
class Talk:
    """The records of a talk: its text by language, its segments in order, and its other elements."""

    texts: dict[str, Record] = field(default_factory=dict)
    segments: list[Record] = field(default_factory=list)
    others: dict[str, dict[str, Record]] = field(default_factory=lambda: defaultdict(dict))


@dataclass(frozen=True)
class Element:
    """One question or instruction: its languages, its record in each, and the records of its short clips."""

    kind: str
    iid: str
    records: dict[str, Record]
    clips: tuple[Record, ...]


def write(config: Config, records: Sequence[Record], out: Path, context: Context) -> None:
    """Write all files of the release. `samples.jsonl` lists the record of each sample; `media.jsonl` lists the source
    and time span of each file. Media that may not be passed on are only in that list."""
    talks = _talks(records)
    elements = [element for talk in talks for element in _elements(talk)]
    context.random("mcif", "order").shuffle(elements)
    media = _Media(out, context)
    rows: list[dict[str, Any]] = []
    for talk in talks:
        media.text(talk)
    for track in TRACKS:
        numbered = _numbered(elements, track)
        for language in config.languages:
            rows += _write_block(config, out, track, language, numbered, media, context)
    _write_rows(out / "samples.jsonl", rows)
    _write_rows(out / "media.jsonl", [media.written[name] for name in sorted(media.written)])


def _write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


def _talks(records: Sequence[Record]) -> list[Talk]:
    talks: dict[str, Talk] = defaultdict(Talk)
    for record in records:
        values = record.fields
        talk = talks[values["talk"]]
        if values["element"] == "segment":
            talk.segments.append(record)
        elif values["element"] == "talk":
            talk.texts[values["language"]] = record
        else:
            talk.others[values["part"]][values["language"]] = record
    return list(talks.values())


def _elements(talk: Talk) -> Iterator[Element]:
    """Yield a talk's elements: its transcription, its translation, its summary and its questions."""
    english = talk.texts["en"]
    values = english.fields
    number = values["number"]
    if not values["summary_only"]:
        segments = tuple(sorted(talk.segments, key=lambda record: record.fields["clip_begin"]))
        yield Element("ASR", f"ASR_{number}", {"en": english}, segments)
        others = {language: record for language, record in talk.texts.items() if language != "en"}
        if others:
            yield Element("TRANS", f"TRANS_{number}", others, segments)
    for elements in talk.others.values():
        record = elements["en"]
        if record.fields["element"] == "summary":
            yield Element("SUM", f"SUM_{number}", elements, ())
        else:
            yield Element("QA", f"QA_{number}_{record.fields['number']}", elements, (record,))


def _numbered(elements: Sequence[Element], track: str) -> list[tuple[Element, tuple[str, ...]]]:
    """Return each element of a track with its sample ids, which are numbered consecutively."""
    numbered, position = [], 0
    for element in elements:
        count = 1 if track == "long" else len(element.clips)
        if count:
            numbered.append((element, tuple(str(position + n) for n in range(count))))
        position += count
    return numbered


def _write_block(
    config: Config,
    out: Path,
    track: str,
    language: str,
    numbered: Sequence[tuple[Element, tuple[str, ...]]],
    media: _Media,
    context: Context,
) -> list[dict[str, Any]]:
    """Write the files of one track and language; return the rows of `samples.jsonl`."""
    elements = [(element, ids) for element, ids in numbered if language in element.records]
    stem = f"MCIF{config.version}.IF.{track}.{language}"
    name = f"MCIF{config.version}"
    for prompts in PROMPT_SETS:
        sources = [
            Source(id_, instruction(element, language, prompts, context.seed), files)
            for element, ids in elements
            for id_, files in zip(ids, media.files(element, track), strict=True)
        ]
        write_sources(out / f"{stem}.src.{prompts}prompts.xml", [Block(track, language, tuple(sources))], name)
    none = {**NO_ANSWER, **config.no_answer}[language]
    references = tuple(_reference(e, language, ids, media.files(e, track), none) for e, ids in elements)
    write_references(out / f"{stem}.ref.xml", [Block(track, language, references)], name)
    return [
        _row(track, language, element, reference) for (element, _), reference in zip(elements, references, strict=True)
    ]


def instruction(element: Element, language: str, prompts: str, seed: int) -> str:
    """Return the fixed wording, or the one of ten drawn for the element in this language, shared by its segments."""
    pool = pools()[f"{element.kind}/{language}"]
    wording = pool[0] if prompts == "fixed" else draw(pool, element.iid, language, seed=seed)
    return fill_question(wording, element.records[language].fields["target"][0] if element.kind == "QA" else "")


def _reference(
    element: Element, language: str, ids: tuple[str, ...], files: Sequence[Files], no_answer: str
) -> Reference:
    values = element.records[language].fields
    question = element.kind == "QA"
    return Reference(
        ids=ids,
        iid=element.iid,
        kind=element.kind,
        text=_answer(element.kind, values, no_answer),
        transcript="\n".join(values["source"]) if element.kind == "TRANS" else "",
        qa_type=values["type"] if question else "",
        qa_origin=values["origin"] if question else "",
        files={kind: ",".join(each[kind] for each in files) for kind in files[0]},
    )


def _answer(kind: str, values: dict[str, Any], no_answer: str) -> str:
    target: list[str] = values["target"]
    if kind == "QA":
        return no_answer if values["type"] == "NA" else target[1]
    return " ".join(target) if kind in ("ASR", "SUM") else "\n".join(target)


def _row(track: str, language: str, element: Element, reference: Reference) -> dict[str, Any]:
    clips = [clip.id for clip in element.clips] if track == "short" and element.kind != "QA" else []
    return {
        "items": [scoped_id(track, language, "*", "*", id_) for id_ in reference.ids],
        "track": track,
        "language": language,
        "task": element.kind,
        "iid": element.iid,
        "ids": ",".join(reference.ids),
        "record": element.records[language].id,
        "clips": ",".join(clips),
        "qa_type": reference.qa_type,
        "qa_origin": reference.qa_origin,
    }


class _Media:
    """Writes media below the output, each once, named by ten random letters derived from the seed and the time span."""

    def __init__(self, out: Path, context: Context) -> None:
        self.out, self.context = out, context
        self.written: dict[str, dict[str, Any]] = {}
        self._named: dict[str, tuple[object, ...]] = {}

    def text(self, talk: Talk) -> None:
        """Write `LONG_TEXTS/ALIAS.en`, a talk's transcript."""
        record = talk.texts["en"]
        path = self.out / media_folder("long", "text") / f"{self._alias('long', record)}.en"
        path.parent.mkdir(exist_ok=True)
        path.write_text(" ".join(record.fields["target"]) + "\n", encoding="utf-8")

    def files(self, element: Element, track: str) -> list[Files]:
        """Write and return the files of each sample of an element."""
        if track == "short":
            return [self._copied(track, clip, ("clip_audio", "clip_video")) for clip in element.clips]
        record = next(iter(element.records.values()))
        files = self._copied(track, record, ("audio", "video"))
        return [files if element.kind == "ASR" else {**files, "text": f"{self._alias(track, record)}.en"}]

    def _copied(self, track: str, record: Record, names: tuple[str, str]) -> Files:
        files: Files = {}
        kinds: tuple[Kind, Kind] = ("audio", "video")
        for kind, name in zip(kinds, names, strict=True):
            if value := record.fields.get(name):
                files[kind] = f"{self._alias(track, record)}.{value.rpartition('.')[2]}"
                self._copy(value, f"{media_folder(track, kind)}/{files[kind]}", record, track)
        return files

    def _copy(self, value: str, name: str, record: Record, track: str) -> None:
        if name in self.written:
            return
        values, target = record.fields, self.out / name
        film = values.get("film") if "_VIDEOS/" in name else None
        begin, end = (values["clip_begin"], values["clip_end"]) if track == "short" else (0, values["seconds"])
        self.written[name] = {
            "file": name,
            "talk": values["talk"],
            "source": film or values["file"],
            "begin": begin,
            "end": end,
            "passed_on": values.get("pass_on", True),
        }
        target.parent.mkdir(exist_ok=True)
        if self.written[name]["passed_on"]:
            self.context.media.release(value, target)

    def _alias(self, track: str, record: Record) -> str:
        values = record.fields
        stretch = (values["clip_begin"], values["clip_end"]) if track == "short" else ()
        what = (track, values["talk"], *stretch)
        for attempt in range(100):
            name = "".join(self.context.random("mcif", "alias", *what, attempt).choices(LETTERS, k=10))
            if self._named.setdefault(name.casefold(), what) == what:  # one file on some systems
                return name
        raise AssertionError("no name is left")
