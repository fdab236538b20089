"""One row of a released question file: read strictly, converted to an Item, with its media paths mapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from triptych.benchmarks.xmodbench.names import LETTERS, instance_of, split_task
from triptych.records import Item, Kind, Part, Problem, text
from triptych.records.parts import Role
from triptych.records.repeated_keys import has_no_repeats, refuse_repeated_keys
from triptych.records.unreadable import UNREADABLE, reason

KINDS: dict[str, Kind] = {"Audio": "audio", "Image": "image", "Video": "video", "Text": "text"}
MODALITY: dict[str, str] = {"audio": "audio", "image": "vision", "video": "vision", "text": "text"}
Report = Callable[[Problem], None]


class Content(msgspec.Struct, frozen=True):
    """The stem's content or an option: a modality, and a text or an absolute path on the authors' machine.

    `emotion` and `description` describe the content; only `check` uses them.
    """

    modality: str
    input: str
    emotion: str = ""
    description: str = ""


class Extra(msgspec.Struct, frozen=True):
    """The part of `extra_info` that distinguishes the two sets of `panaroma`."""

    source_instance: str = ""


class Row(msgspec.Struct, frozen=True):
    """A question as released, without other keys. Old versions have the question as a list of one or two texts."""

    question: str | list[str]
    conditions: Content
    options: dict[str, Content]
    correct_answer: str
    category: str = ""
    extra_info: Extra | None = None

    @property
    def wording(self) -> str:
        """The question as one text."""
        return self.question if isinstance(self.question, str) else "".join(self.question)


@dataclass(frozen=True, slots=True)
class Source:
    """A question file: its Task, its name for messages, and the prefix of its media paths."""

    task: str
    name: str
    prefix: str = ""


_RAW_ROWS = msgspec.json.Decoder(list[msgspec.Raw])
_ROWS = msgspec.json.Decoder(list[Row])
_ROW = msgspec.json.Decoder(Row)


def decode(data: bytes, source: Source, report: Report) -> list[Row | None]:
    """Return the file's rows by position; None, and a reported error, for each malformed one."""
    try:  # the whole file at once, which takes a third of the time; row by row to say which ones are malformed
        rows = _ROWS.decode(data) if has_no_repeats(data) else []
    except UNREADABLE:
        rows = []
    if rows and not any(map(fault_of, rows)):
        return [*rows]
    try:
        raws = _RAW_ROWS.decode(data)
    except UNREADABLE as error:
        report(
            Problem(
                "error", "malformed-file", source.name, f"not a JSON list of questions: {reason(error)}", source.task
            )
        )
        return []
    return [_decode_row(raw, index, source, report) for index, raw in enumerate(raws)]


def _decode_row(raw: msgspec.Raw, index: int, source: Source, report: Report) -> Row | None:
    try:
        row = _ROW.decode(raw)
        refuse_repeated_keys(raw)
        fault = fault_of(row)
    except UNREADABLE as error:
        row, fault = None, ("malformed-row", reason(error))
    if fault:
        report(Problem("error", fault[0], f"{source.name}[{index}]", f"{fault[1]}; the row is left out", source.task))
        return None
    return row


def fault_of(row: Row) -> tuple[str, str] | None:
    """Return (kind, message) of a fault that makes a row unusable; None for a valid row."""
    if tuple(row.options) != LETTERS and tuple(sorted(row.options)) != LETTERS:
        return "options", f"options are {sorted(row.options)}, not A to D"
    if row.correct_answer not in row.options:
        return "target-not-an-option", f"correct_answer is {row.correct_answer!r}, not A to D"
    if _is_sound(row.conditions) and all(map(_is_sound, row.options.values())):
        return None
    for where, content in (("conditions", row.conditions), *row.options.items()):
        if content.modality not in KINDS:
            return "modality", f"{where}: modality is {content.modality!r}, not one of {', '.join(KINDS)}"
        if not content.input.strip():
            return "empty-input", f"{where}: the input is empty"
    return None


def _is_sound(content: Content) -> bool:
    return content.modality in KINDS and bool(content.input) and not content.input.isspace()


def media_path(path: str, prefix: str = "") -> str:
    """Return the path below the data folder of a released path.

    Released paths are absolute (`/…/AudioBench/benchmark/Data/…`) or begin with `./benchmark/`: the part after
    `benchmark/` is kept. All other paths stay as they are; the media reader refuses absolute ones.
    """
    if not path.startswith("/"):
        return prefix + path.removeprefix("./").removeprefix("benchmark/")
    _, separator, rest = path.partition("/benchmark/")
    return prefix + rest.lstrip("/") if separator else path


def part(content: Content, prefix: str, role: Role = "") -> Part:
    """Return the content as a Part."""
    kind = KINDS[content.modality]
    if kind == "text":
        return Part(kind, content.input, "", "", role)
    return Part(kind, "", media_path(content.input, prefix), "", role)


def content_direction(row: Row) -> str:
    """Return the direction by the row's content, which in `order` differs from the one in the file's name."""
    stem, option = KINDS[row.conditions.modality], KINDS[row.options["A"].modality]
    return f"{MODALITY[stem]}_{MODALITY[option]}"


def row_instance(row: Row, subtask: str, direction: str, index: int, rows: int) -> str:
    """Return the row's Instance. `panaroma` rows that don't name their set are paired by position."""
    if subtask == "panaroma" and not (row.extra_info and row.extra_info.source_instance):
        return f"spatial/panaroma/{index}"
    return instance_of(subtask, direction, index, rows)


def items(rows: list[Row | None], source: Source) -> Iterator[Item]:
    """Yield the Items of one file's rows; an Item's number is its position in the file."""
    _, subtask, direction = split_task(source.task)
    shared: Facets = {}
    for index, row in enumerate(rows):
        if row is not None:
            yield item_of(row, source, str(index), row_instance(row, subtask, direction, index, len(rows)), shared)


Facets = dict[tuple[str, str, str], dict[str, str]]  # one dict of facets for all rows with the same ones


def item_of(row: Row, source: Source, number: str, instance: str, shared: Facets) -> Item:
    """Return the Item of a row. `number`: the last part of its id."""
    family, subtask, direction = split_task(source.task)
    key = (source.task, content_direction(row), row.category)
    if key not in shared:
        shared[key] = {"family": family, "subtask": subtask, "direction": direction, "content_direction": key[1]}
        shared[key] |= {"category": row.category} if row.category else {}
    return Item(
        id=f"{family}/{subtask}/{direction}/{number}",
        task=source.task,
        parts=(text(row.wording, "question"), part(row.conditions, source.prefix, "content")),
        options=tuple([(part(row.options[letter], source.prefix),) for letter in LETTERS]),
        labels=LETTERS,
        answer="letter",
        target=row.correct_answer,
        instance=instance,
        facets=shared[key],
    )
