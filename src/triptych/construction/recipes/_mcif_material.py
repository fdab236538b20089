"""The input of the recipe `mcif`: the table of talks with the files that it names, and the question tables."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from triptych.construction.datasets import records
from triptych.construction.engine.context import Context
from triptych.construction.recipe import Start, without_file
from triptych.construction.record import Maker, Record, dropped
from triptych.construction.stages.annotation import seconds_of_day
from triptych.construction.tables import RowFaults, read_table
from triptych.errors import DataError, MediaError, SpecError, nearest
from triptych.media.paths import resolve_inside

MAX_TEXT_BYTES = 8 << 20
_MAPPING = re.compile(r"\{([^{}]*)\}")
_BLOCK = re.compile(r"^[ ]*- +((?:[^\n]*)(?:\n[ ]+[^-\s][^\n]*)*)", re.MULTILINE)
_ID = re.compile(r"[\w.-]+")
_YES = {"yes": True, "true": True, "1": True, "": False, "no": False, "false": False, "0": False}
Row = Mapping[str, Any]


class AnthologyConfig(msgspec.Struct, forbid_unknown_fields=True):
    """Talks of the ACL Anthology: `folder` has its XML files (or `data/xml`), `volumes` names some (`2023.acl-long`),
    and the videos are in `videos`, with the file names of the Anthology."""

    folder: str
    videos: str
    volumes: tuple[str, ...] = ()


class Config(Protocol):
    """The part of the recipe's configuration that is read here."""

    @property
    def talks(self) -> str:
        """The table of talks."""

    @property
    def anthology(self) -> AnthologyConfig | None:
        """The list of the ACL Anthology, and the folder of its videos."""

    @property
    def questions(self) -> tuple[str, ...]:
        """The tables of questions."""

    @property
    def segments(self) -> str:
        """The YAML file of SHAS for all talks; empty without one."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that are written."""


def start(config: Config, base: Path, context: Context) -> Iterator[Start]:
    """Yield the talks, each with its questions, texts and the SHA-256 of its file.

    A paper of the Anthology whose video isn't in the folder is dropped as `not-fetched`; its note is the address. They
    come in the order in which the seed draws talks, so that the first ones are to be fetched first. Raises DataError
    that names all rows which can't be read.
    """
    faults = RowFaults()
    if not config.talks and config.anthology is None:
        raise SpecError("no talks are named", expected="talks or [anthology]")
    path = base / config.talks
    rows: list[tuple[Row, str, str]] = []
    if config.talks:
        table = read_table(path, ["id", "path", "speaker"], ["abstract"], faults)
        rows = [(row, f"{path}, row {n}", f"row={n}") for n, row in enumerate(table, 1) if row]
    if config.anthology is not None:
        rows += [
            (row, f"{config.anthology.folder}, {row['id']}", str(row["id"]))
            for row in _anthology(config, base, context)
        ]
    questions = _questions(config, base, [str(row["id"]) for row, _, _ in rows], faults)
    for number, (row, where, at) in enumerate(rows, 1):
        with faults.row():
            yield _started(row, number, where, at, questions, config, base, context)
    faults.check()


def _started(
    row: Row,
    number: int,
    where: str,
    at: str,
    questions: Mapping[str, list[dict[str, Any]]],
    config: Config,
    base: Path,
    context: Context,
) -> Start:
    """Return a talk with its texts and questions. Raises DataError for cells or files that can't be read."""
    name = str(row["id"])
    if not _ID.fullmatch(name):
        raise DataError("a talk's id may contain letters, digits, `_`, `-` and `.`", where=where, got=name)
    fields, unusable = (
        _words(row, config.languages, where) | {"number": number, "questions": questions.get(name, [])},
        None,
    )
    try:
        fields |= _files({**row, "segments": row.get("segments") or config.segments}, base, config, context)
    except MediaError as error:
        unusable = dropped("not-fetched", str(row["source"])) if row.get("listed") else without_file(error)
    stated_fields = {name: value for name, value in fields.items() if value not in (None, "")}
    sources = (f"talk:{name}", *(f"speaker:{s.strip()}" for s in str(row["speaker"]).split(";") if s.strip()))
    maker = Maker("source", str(row.get("source") or config.talks), at)
    makers = dict.fromkeys(stated_fields, maker)
    if "transcript" in stated_fields:
        makers["transcript"] = Maker("source", str(row["transcript"]))
    return Start(Record(name, stated_fields, sources), makers, unusable)


def _anthology(config: Config, base: Path, context: Context) -> list[Row]:
    """Return the papers of the Anthology that have a video as rows of the table of talks, in the order of the draw."""
    settings = config.anthology
    assert settings is not None
    talks = list(records("acl_anthology", base / settings.folder, volumes=settings.volumes))
    talks.sort(key=lambda record: context.random("draw", record.id).random())
    return [
        {
            "id": record.id,
            "path": f"{settings.videos.rstrip('/')}/{record.fields['video_name']}",
            "speaker": record.fields["speaker"],
            "title": record.fields.get("title"),
            "abstract": record.fields.get("text"),
            "date": record.fields.get("date"),
            "licence": record.fields["licence"],
            "source": record.fields["video_url"],
            "listed": True,
        }
        for record in talks
    ]


def one_line(text: str) -> str:
    """Return a text on one line: composed Unicode (NFC), single spaces, no control characters or lone surrogates."""
    composed = unicodedata.normalize("NFC", text)
    spaced = "".join(" " if c in "\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029" else c for c in composed)
    visible = (c for c in spaced if unicodedata.category(c) not in ("Cc", "Cs") and c not in "\ufeff\ufffe\uffff")
    return re.sub(r" {2,}", " ", "".join(visible)).strip()


def _files(row: Row, base: Path, config: Config, context: Context) -> dict[str, Any]:
    """Return what the files of a talk hold. Raises MediaError for one that is missing or outside of the material."""
    named = _translations(row, config.languages)
    return {
        "file": row["path"],
        "file_sha256": context.sha256(row["path"]),
        **({"film": row["video"], "film_sha256": context.sha256(row["video"])} if row.get("video") else {}),
        "transcript": _text(base, row["transcript"]) if row.get("transcript") else None,
        "translations": {language: _text(base, name) for language, name in named.items()},
        "segments_given": given_segments(base, row),
    }


def _translations(row: Row, languages: Sequence[str]) -> dict[str, str]:
    """Return the names of the translations' files, by language."""
    return {x: str(row[f"translation_{x}"]) for x in languages if x != "en" and row.get(f"translation_{x}")}


def _words(row: Row, languages: Sequence[str], where: str) -> dict[str, Any]:
    """Return the fields of a talk that need no file."""
    others = [language for language in languages if language != "en"]
    named = _translations(row, languages)
    summaries = {"en": row.get("abstract"), **{language: row.get(f"abstract_{language}") for language in others}}
    return {
        "summaries": {language: one_line(str(text)) for language, text in summaries.items() if text},
        "files": {f"talk_{language}": name for language, name in named.items()},
        "summary_only": _parse_yes_no(row.get("summary_only"), where),
        "author_died": _year(row.get("author_died"), where),
        **{name: row.get(name) for name in ("speaker", "title", "licence", "consent", "voice", "date")},
    }


def _questions(config: Config, base: Path, talks: Sequence[str], faults: RowFaults) -> dict[str, list[dict[str, Any]]]:
    """Return the questions about each talk, numbered in the order of the tables."""
    questions_by_talk: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for table in config.questions:
        for number, row in enumerate(read_table(base / table, ["talk"], faults=faults), 1):
            if not row:
                continue
            talk = str(row["talk"])
            if talk not in talks:
                where = f"{base / table}, row {number}"
                with faults.row():
                    raise DataError(
                        "a question is about a talk that isn't in the table",
                        where=where,
                        got=talk,
                        fix=nearest(talk, talks),
                    )
                continue
            questions_by_talk[talk].append(
                {
                    "number": len(questions_by_talk[talk]) + 1,
                    "asked_in": f"{table} row={number}",
                    "texts": {lang: pair for lang in config.languages if any(pair := _pair(row, lang))},
                    **{name: row.get(name) for name in ("type", "origin", "begin", "end")},
                }
            )
    return questions_by_talk


def given_segments(base: Path, row: Row) -> list[list[float]] | None:
    """Return the segments into which people have divided a talk: a table with `begin` and `end`, or a YAML file of
    SHAS. None if none is named.

    Raises DataError for a table that can't be read, and MediaError for one outside of the raw material.
    """
    if not row.get("segments"):
        return None
    path = resolve_inside(base, str(row["segments"]))
    if path.suffix.lower() in (".yaml", ".yml"):
        return shas_segments(path, Path(str(row["path"])).stem)
    segments = []
    for number, row in enumerate(read_table(path, ["begin", "end"]), 1):
        span = [seconds_of_day(row["begin"]), seconds_of_day(row["end"])]
        if span[0] is None or span[1] is None:
            where = f"{path}, row {number}"
            raise DataError("a time can't be read", where=where, got=row, expected="seconds, m:ss or h:mm:ss")
        segments.append([float(span[0]), float(span[1])])
    return segments


def shas_segments(path: Path, talk: str) -> list[list[float]]:
    """Return the [begin, end] of a talk's segments in a YAML file of SHAS, in order of time: a list of mappings,
    `{duration: 3.2, offset: 1.5, wav: TALK.wav}` or with a line for each field.

    Raises DataError if the file has no segment of the talk, or one without duration or offset.
    """
    segments, wavs = [], set()
    content = _read_text(path)
    for entry in _MAPPING.findall(content) or _BLOCK.findall(content):
        fields = dict(part.split(":", 1) for part in re.split(r"[,\n]", entry) if ":" in part)
        texts = {name.strip(): value.strip(" '\"") for name, value in fields.items()}
        wavs.add(texts.get("wav", ""))
        if Path(texts.get("wav", "")).stem == talk:
            try:
                begin, length = float(texts["offset"]), float(texts["duration"])
            except (KeyError, ValueError):
                raise DataError("a segment has no offset or no duration", where=path, got=entry[:200]) from None
            segments.append([begin, begin + length])
    if not segments:
        expected = "a list of {duration: …, offset: …, wav: TALK.wav}, as SHAS writes it"
        raise DataError(
            "no segment of this talk",
            where=path,
            got=", ".join(sorted(wavs)[:5]) or "no segments",
            expected=f"{expected}, with wav: {talk}.wav",
        )
    return sorted(segments)


def _read_text(path: Path) -> str:
    return _text(path.parent, path.name)


def _pair(row: Row, language: str) -> list[str]:
    return [one_line(str(row.get(f"{name}_{language}") or "")) for name in ("question", "answer")]


def _text(base: Path, name: object) -> str:
    """Return a text file's content. Raises DataError if it is too large or isn't UTF-8, MediaError if it is missing."""
    path = resolve_inside(base, str(name))
    if path.stat().st_size > MAX_TEXT_BYTES:
        raise DataError("the text is too large", where=path, expected=f"at most {MAX_TEXT_BYTES >> 20} MiB")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError("the text isn't UTF-8", where=path, got=str(error), fix="save it as UTF-8") from None


def _parse_yes_no(value: object, where: str) -> bool:
    text = str(value if value is not None else "").strip().casefold()
    if text not in _YES:
        raise DataError("summary_only must be yes or no", where=where, got=value)
    return _YES[text]


def _year(value: object, where: str) -> int | None:
    if value in (None, ""):
        return None
    try:
        return int(str(value))
    except ValueError:
        raise DataError("author_died must be a year", where=where, got=value) from None
