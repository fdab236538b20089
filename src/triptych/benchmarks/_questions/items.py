"""Rows become Items. Every fault of every row is collected, with its row and column; nothing is left out in silence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from triptych.benchmarks._questions.answers import (
    ANSWER_FORM_TEXTS,
    named_twice,
    number_of,
    readings,
    references_in,
    scale_of,
    second_of,
    span_of,
)
from triptych.benchmarks._questions.cells import flat, is_empty, parse_cell, words
from triptych.benchmarks._questions.mapping import Columns
from triptych.benchmarks._questions.media_cells import Folder, Named, files_in_cell, kind_by_column, kind_of
from triptych.benchmarks._questions.messages import MessageQuestion, question_in
from triptych.benchmarks._questions.options import LETTERS, misplaced, options_of
from triptych.benchmarks._questions.rows import Row
from triptych.media.transform import describe
from triptych.records import Item, Part, Problem, media, text
from triptych.store.spooled import Spooled

_BETWEEN_TIMES = re.compile(r"\s*[,;~–]\s*|(?<=\w)\s*-\s*(?=\d)")  # a hyphen before a lone number is its sign
_ARTICLES = {"audio": "audio", "image": "an image", "video": "a video"}
PLACEHOLDER = re.compile(r"[<\[]\s*(audio|image|img|video)[ _]?(\d*)\s*[>\]]", re.IGNORECASE)


class Fault(ValueError):
    """A fault of a row: a kind, the column, and a sentence."""

    def __init__(self, kind: str, column: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.column = kind, column


class Maker:
    """Makes the Items of a file by its mapping."""

    def __init__(self, name: str, columns: Columns, folder: Folder, path: Path, *, released: bool = False) -> None:
        self.name, self.columns, self.folder, self.path = name, columns, folder, path
        self.released = released  # whether it is the file of a known set, whose options stay as they are
        self.problems: list[Problem] = []
        self._forms: Counter[str] = Counter()
        self._closed = False  # whether some row has options

    def items(
        self, rows: Sequence[tuple[Row, list[Any]]], look_at: Callable[[Row, list[Any]], None] | None = None
    ) -> Iterator[Item]:
        """Yield the Items of all rows without a fault; the others are in `problems`. Each row is given to `look_at`."""
        repeated = _repeated(self._key(row, n) for n, (row, _) in enumerate(rows, 1)) if self.columns.id else ()
        first: dict[str, str] = {}
        self._closed = any(options for _, options in rows)
        for number, (row, options) in enumerate(rows, 1):
            if look_at:
                look_at(row, options)
            item = self._item(row, options, number)
            key = self._key(row, number)
            if key and hash(key) in repeated:
                if key in first:  # also if the first of the rows has another fault
                    self.fault(row, Fault("duplicate-id", self.columns.id, f"{key!r} is also the id of {first[key]}"))
                    continue
                first[key] = row.where
            if item is not None:
                yield item

    def fault(self, row: Row, fault: Fault) -> None:
        """Add what is wrong with a row."""
        where = f"{self.path}, {row.where}" + (f", column {fault.column}" if fault.column else "")
        self.problems.append(Problem("error", fault.kind, where, str(fault)))

    def _item(self, row: Row, options: list[Any], number: int) -> Item | None:
        """Return the Item of a row; None, with all its faults listed, if there is one."""
        faults: list[Fault] = []
        question = _make_or_report(faults, lambda: self._question_of(row), MessageQuestion("", (), ""))
        stem = _make_or_report(faults, lambda: self._media(row, question), [])
        _make_or_report(faults, lambda: self._check_marks(question.question, stem), None)
        chosen: list[tuple[Part, ...]] = _make_or_report(
            faults, lambda: [self._option(one, stem) for one in options], []
        )
        _make_or_report(faults, lambda: self._check_twins(chosen), None)
        unread = bool(faults) and bool(self.columns.messages) and not self.columns.answer
        target = None if unread else _make_or_report(faults, lambda: self._target(row, options, chosen, question), None)
        key = _make_or_report(faults, lambda: self._id(row, number), "")
        _make_or_report(faults, lambda: self._check_rubric(row, options), None)
        for fault in faults:
            self.fault(row, fault)
        if faults:
            return None
        in_options = {part.content_name for option in chosen for part in option if part.is_media}
        parts = self._stem_parts(row, question.question, [p for p in stem if p.content_name not in in_options])
        task = self._task(options)
        return Item(
            id=f"{self.name}/{key}",
            task=f"{self.name}/{task}",
            parts=parts,
            options=tuple(chosen),
            labels=tuple(LETTERS[: len(options)]),
            target=target,
            instance=self._instance(row),
            answer={"choice": "letter", "several": "options"}.get(task, "text"),  # type: ignore[arg-type]
            facets=self._facets(row),
            hidden=self._hidden_values(row, options),
        )

    def _task(self, options: list[Any]) -> str:
        if options:
            return "several" if self.columns.answer_is in ("letters", "texts") else "choice"
        if self.columns.open_is == "judged":
            return "criteria" if self.columns.rubric else "judged"
        return self.columns.open_is or "text"

    def _question_of(self, row: Row) -> MessageQuestion:
        if column := self.columns.messages:
            try:
                return question_in(parse_cell(row.cells.get(column)))
            except ValueError as error:
                raise Fault("malformed-messages", column, str(error)) from None
        question = row.cells.get(self.columns.question) if self.columns.question else self.columns.ask
        if is_empty(question):
            raise Fault("no-question", self.columns.question, "there is no question")
        if not isinstance(question, str | int | float):
            raise Fault(
                "no-question", self.columns.question, f"the question is not a text, but {type(question).__name__}"
            )
        _check_characters(str(question), self.columns.question)
        return MessageQuestion(str(question).strip(), (), "")

    def _media(self, row: Row, question: MessageQuestion) -> list[Part]:
        media = [self._part(one, self.columns.messages) for one in question.media]
        named_parts: list[Part] = []
        for column in self.columns.media:
            try:
                named = files_in_cell(row.cells.get(column), column)
            except ValueError as error:
                raise Fault("malformed-media", column, str(error)) from None
            named_parts += [self._part(one, column) for one in named]
        paths = {part.path for part in named_parts}
        for part in named_parts:  # the sound of a silent film, unless the row names it itself
            media += [part, *(sound for sound in self._sound_beside(part) if sound.path not in paths)]
        step = self._step(row)
        timed = [part for part in media if part.kind in ("audio", "video")]
        if step and not timed:
            column = self.columns.span or ", ".join(filter(None, (self.columns.start, self.columns.end)))
            raise Fault("malformed-span", column, "the row names a part, but no recording or film")
        return [msgspec.structs.replace(p, transform=p.transform or step) if p in timed else p for p in media]

    def _step(self, row: Row) -> str:
        """Return the step that cuts the row's recordings and films; empty if whole files are sent."""
        columns = self.columns
        if columns.span and not is_empty(cell := row.cells.get(columns.span)):
            cell = parse_cell(cell)
            pair = [cell.get("start"), cell.get("end")] if isinstance(cell, dict) else cell
            pair = pair[0] if isinstance(pair, list) and len(pair) == 1 else pair
            pair = (span_of(cell) or _BETWEEN_TIMES.split(pair)) if isinstance(pair, str) else pair
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                text = f"{str(cell)[:80]!r} is not a span of time ([start, end] in seconds, or 00:12-00:15)"
                raise Fault("malformed-span", columns.span, text)
            return _step_of(pair[0], pair[1], columns.span)
        begin, end = (row.cells.get(one) if one else None for one in (columns.start, columns.end))
        return _step_of(begin, end, ", ".join(filter(None, (columns.start, columns.end))))

    def _sound_beside(self, part: Part) -> list[Part]:
        """Return the sound of a silent film that was released next to it: `v1_audio.wav` of `v1_video.mp4`."""
        stem, _, ending = part.path.rpartition(".")
        if part.kind != "video" or not stem.endswith("_video") or not ending:
            return []
        sound = self.folder.adjacent_recording(part.path, f"{PurePosixPath(stem).name.removesuffix('_video')}_audio")
        return (
            [msgspec.structs.replace(media("audio", sound, role="content"), transform=part.transform)] if sound else []
        )

    def _part(self, named: Named, column: str) -> Part:
        try:
            path = self.folder.find(named)
        except ValueError as error:
            raise Fault("missing-media", column, str(error)) from None
        kind, kind_of_column = kind_of(path) or named.kind, kind_by_column(column)
        if kind_of_column and kind and kind_of_column != kind and "image" in (kind_of_column, kind):
            raise Fault("malformed-media", column, f"the column is about {kind_of_column}, but {path!r} is {kind}")
        if kind is None:
            raise Fault("malformed-media", column, f"{path!r} has no ending of audio, images or video")
        if other := self.folder.wrong_type(path, kind):
            problem = (
                other
                if other.startswith(("can't", "is cut"))
                else f"is not {_ARTICLES[kind]}; by its first bytes it is {other}"
            )
            raise Fault("malformed-media", column, f"{path!r} {problem}")
        step = _step_of(*named.part, column) if named.part and kind in ("audio", "video") else ""
        return msgspec.structs.replace(media(kind, path, role="content"), transform=step)

    def _option(self, option: Any, stem: Sequence[Part]) -> tuple[Part, ...]:
        """Return an option: text, a file, or a placeholder of one of the row's files."""
        column = ", ".join(self.columns.options)
        if isinstance(option, dict):
            fields = {flat(key): value for key, value in option.items()}
            if str(fields.get("modality") or fields.get("type") or "").lower() == "text":
                return (
                    text(words(next((fields[k] for k in ("text", "input", "value", "content") if k in fields), ""))),
                )
        if isinstance(option, dict | list):
            try:
                return tuple(_without_role(self._part(one, column)) for one in files_in_cell(option))
            except Fault:
                raise
            except ValueError as error:
                raise Fault("malformed-options", column, str(error)) from None
        if mark := PLACEHOLDER.fullmatch(option):
            same = [part for part in stem if part.kind == _kind_in(mark)]
            if not 0 < (number := int(mark[2] or 1)) <= len(same):
                raise Fault("missing-media", column, f"the row has no file for {option}")
            return (_without_role(same[number - 1]),)
        if kind_of(option) and " " not in option:
            return (_without_role(self._part(Named(kind_of(option), option), column)),)
        _check_characters(option, column)
        return (text(option),)

    def _target(
        self, row: Row, options: list[Any], chosen: Sequence[Any], question: MessageQuestion
    ) -> str | tuple[str, ...] | None:
        column = self.columns.answer
        cell = references_in(row.cells.get(column)) if column else question.answer
        if is_empty(cell) and self.columns.rubric and not options:
            return None
        if is_empty(cell):
            raise Fault("no-answer", column or self.columns.messages, "there is no answer")
        if not options and isinstance(cell, str | float) and str(cell).strip().lower() == "nan":
            raise Fault("no-answer", column, "NaN is how tables write a missing value: there is no answer")
        if not options and self._closed and re.fullmatch(r"[A-J]", words(cell)):
            text = f"the answer is the letter {words(cell)}, but the row has no options"
            raise Fault("no-options", ", ".join(self.columns.options), text)
        if not options:
            return self._open_target(cell)
        way = self.columns.answer_is or "letter"
        places = readings(cell, options).get(way)
        if places is None:
            listed = ", ".join(f"{LETTERS[n]}. {str(one)[:40]}" for n, one in enumerate(options))
            text = f"{str(cell)[:80]!r} can't be read as {ANSWER_FORM_TEXTS[way]} ({listed})"
            if twice := named_twice(cell, options):
                text = f"{str(cell)[:80]!r} names option {twice} twice: give each correct option once"
            raise Fault("target-not-an-option", column, text)
        labels = misplaced(options)
        # Labels may be dates, too: they count only if positions are answers.
        numbered = bool(labels) and labels[0].isascii() and labels[0].isdigit()
        if labels and (way in ("index0", "index1") if numbered else way not in ("text", "texts") or _permuted(labels)):
            text = f"the labels of the options are not in order ({', '.join(labels)}), so the answer {str(cell)[:40]!r}"
            text += " could mean an option by its label or by its place: write them in the order of their labels"
            raise Fault("malformed-options", ", ".join(self.columns.options), text)
        if way in ("letters", "texts"):
            return tuple(_words_of(chosen[n]) for n in places) if chosen else None
        return LETTERS[places[0]]

    def _check_marks(self, question: str, stem: Sequence[Part]) -> None:
        """Raise Fault if the question names a file by its number that the row doesn't have."""
        for mark in PLACEHOLDER.finditer(question) if self.columns.media else ():
            there = sum(part.kind == _kind_in(mark) for part in stem)
            if mark[2] and int(mark[2]) > there:
                text = f"the question names {mark[0]}, but the row has {there} of this kind"
                raise Fault("missing-media", ", ".join(self.columns.media), text)

    def _check_twins(self, chosen: Sequence[tuple[Part, ...]]) -> None:
        """Raise Fault if two options are the same: a reply that names one of them can't be scored."""
        if same := "" if self.released else twins(chosen):
            raise Fault("identical-options", ", ".join(self.columns.options), same)

    def _check_rubric(self, row: Row, options: list[Any]) -> None:
        if self.columns.rubric and not options and is_empty(row.cells.get(self.columns.rubric)):
            raise Fault("no-rubric", self.columns.rubric, "there are no criteria for the judge")

    def _open_target(self, cell: Any) -> str:
        cell = parse_cell(cell)
        if isinstance(cell, list) and len(cell) == 1:
            cell = cell[0]
        if self.columns.open_is == "span":
            return self._span(cell)
        if self.columns.open_is == "text" and isinstance(cell, list) and cell and all(map(_is_words, cell)):
            return str(cell[0]).strip()  # the others are references, too: `_hidden_values`
        if isinstance(cell, list | dict) and self.columns.open_is == "judged":
            return msgspec.json.encode(cell).decode()  # a judge compares with it as it is
        if isinstance(cell, bool):
            return "true" if cell else "false"
        if isinstance(cell, list | dict):
            raise Fault(
                "malformed-answer", self.columns.answer, f"the answer is neither text nor a number: {str(cell)[:80]}"
            )
        text = words(cell)
        if self.columns.open_is == "number" and number_of(text) is None:
            raise Fault("malformed-answer", self.columns.answer, f"{text[:80]!r} is not a number")
        if self.columns.open_is == "rating":
            self._check_rating(text)
        return text

    def _span(self, cell: Any) -> str:
        if (span := span_of(cell)) is None:
            text = f"{str(cell)[:80]!r} is not a span of time ([start, end] in seconds, or 00:12-00:15)"
            raise Fault("malformed-answer", self.columns.answer, text)
        return f"{span[0]:g}-{span[1]:g}"

    def _check_rating(self, reply: str) -> None:
        scale, value = scale_of(self.columns.scale), number_of(reply)
        if scale is None or value is None or not scale[0] <= value <= scale[1]:
            raise Fault(
                "malformed-answer", self.columns.answer, f"{reply[:80]!r} is not on the scale {self.columns.scale}"
            )

    def _hidden_values(self, row: Row, options: list[Any]) -> dict[str, str]:
        """Return what scoring needs besides the target: further references, the criteria of a judge."""
        hidden: dict[str, str] = {}
        cell = row.cells.get(self.columns.answer) if self.columns.answer and not options else None
        answers = parse_cell(references_in(cell))
        if self.columns.open_is == "text" and isinstance(answers, list) and len(answers) > 1:
            hidden["references"] = msgspec.json.encode([str(one).strip() for one in answers]).decode()
        if self.columns.open_is == "rating" and not options:
            hidden["scale"] = self.columns.scale
        rubric = parse_cell(row.cells.get(self.columns.rubric)) if self.columns.rubric and not options else None
        if not is_empty(rubric):
            hidden["criteria"] = (
                rubric if isinstance(rubric, str) else msgspec.json.format(msgspec.json.encode(rubric)).decode()
            )
        return hidden

    def _key(self, row: Row, number: int) -> str:
        """Return the row's id; empty if it has none that can be used."""
        return str(_make_or_report([], lambda: self._id(row, number), ""))

    def _id(self, row: Row, number: int) -> str:
        if not self.columns.id:
            return str(number)
        id_ = row.cells.get(self.columns.id)
        if is_empty(id_) or not isinstance(id_, str | int | float):
            raise Fault("no-id", self.columns.id, "there is no id")
        if not (key := words(id_)).isprintable() or len(key) > 200:
            raise Fault("no-id", self.columns.id, "an id is printable text of at most 200 characters")
        return key

    def _stem_parts(self, row: Row, question: str, pieces: Sequence[Part]) -> tuple[Part, ...]:
        """Return the Parts of the stem. Files that the question names as `<audio 1>` have this mark before them."""
        counts: Counter[str] = Counter()
        parts: list[Part] = []
        context = row.cells.get(self.columns.context) if self.columns.context else None
        if not is_empty(context):
            parts.append(text(words(context), role="content"))
        marks = {(_kind_in(m), int(m[2] or 1)): m[0] for m in PLACEHOLDER.finditer(question)}
        for part in pieces:
            counts[part.kind] += 1
            if mark := marks.get((part.kind, counts[part.kind])):
                parts.append(text(mark, role="content"))
            parts.append(part)
        return (*parts, text(question, role="question"))

    def _instance(self, row: Row) -> str:
        instance = row.cells.get(self.columns.instance) if self.columns.instance else None
        return "" if is_empty(instance) else f"{self.name}/instance/{words(instance)}"

    def _facets(self, row: Row) -> dict[str, str]:
        named = {flat(name) or name: row.cells.get(name) for name in self.columns.facets}
        named |= {"category": row.cells.get(self.columns.category)} if self.columns.category else {}
        facets = {name: words(value) for name, value in named.items() if not is_empty(value)}
        if instance := self._instance(row):
            self._forms[instance] += 1
            facets["form"] = str(self._forms[instance])
        return facets


CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def _check_characters(wording: str, column: str) -> None:
    """Raise Fault if a text has a control character, which damage or another encoding leaves."""
    if match := CONTROL.search(wording):
        text = f"the text contains the control character U+{ord(match[0]):04X}, at its character {match.start() + 1}"
        raise Fault("control-character", column, text)


def _step_of(begin: Any, end: Any, column: str) -> str:
    """Return the step from one time to another, each possibly empty; empty for the whole file. Raises Fault."""
    times: dict[str, float] = {}
    for key, cell in (("from", begin), ("to", end)):
        if not is_empty(cell):
            seconds = second_of(cell)
            if seconds is None or not 0 <= seconds <= 86_400:
                text = f"{str(cell)[:80]!r} is not a time (seconds, 30s, 03:28, 1:02:03.5)"
                raise Fault("malformed-span", column, text)
            times[key] = seconds
    if not times or (times.get("from") == 0 and "to" not in times):
        return ""
    first, last = times.setdefault("from", 0.0), times.get("to", float("inf"))
    if first >= last:
        raise Fault("malformed-span", column, f"the part ends before it begins: {begin} to {end}")
    return describe("part", {key: f"{round(value, 3):.12g}" for key, value in times.items()})


def with_options(
    rows: Iterable[Row], columns: Sequence[str]
) -> tuple[Sequence[tuple[Row, list[Any]]], list[tuple[Row, Fault]]]:
    """Return the rows with their options, and those whose options can't be distinguished."""
    faults: list[tuple[Row, Fault]] = []

    def optioned() -> Iterator[tuple[Row, list[Any]]]:
        for row in rows:
            try:
                options = options_of([row.cells.get(name) for name in columns]) if columns else []
            except ValueError as error:
                faults.append((row, Fault("malformed-options", ", ".join(columns), str(error))))
            else:
                yield row, options

    return Spooled(optioned()), faults


def _repeated(ids: Iterable[str]) -> set[int]:
    """Return the hashes that several ids have: of equal ids, seldom of others. An id needs eight bytes of memory."""
    import numpy as np

    hashes = np.sort(np.fromiter(map(hash, ids), dtype=np.int64))
    return set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())


def twins(options: Sequence[Sequence[Part]]) -> str:
    """Return which options are the same, in words; empty if all differ."""
    places: dict[tuple[tuple[str, str, str, str], ...], list[str]] = {}
    for letter, option in zip(LETTERS, options, strict=False):
        key = tuple((part.kind, " ".join(part.text.split()), part.path, part.transform) for part in option)
        places.setdefault(key, []).append(letter)
    same = [
        f"options {' and '.join(letters)} are the same: {_words_of(options[LETTERS.index(letters[0])])[:60]!r}"
        for letters in places.values()
        if len(letters) > 1
    ]
    return "; ".join(same)


def _make_or_report(faults: list[Fault], make: Any, otherwise: Any) -> Any:
    """Return what is made; if that fails, add the fault."""
    try:
        return make()
    except Fault as fault:
        faults.append(fault)
        return otherwise


def _kind_in(mark: re.Match[str]) -> str:
    """Return the kind of a placeholder: `<audio 1>`, `[img1]`."""
    return mark[1].lower().replace("img", "image")


def _permuted(labels: Sequence[str]) -> bool:
    """Return whether labels are the first letters in another order: a reply's letter could mean two options."""
    return sorted(labels) == list(LETTERS[: len(labels)])


def _is_words(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _words_of(option: Sequence[Part]) -> str:
    return " ".join(part.text or part.path for part in option)


def _without_role(part: Part) -> Part:
    return Part(part.kind, part.text, part.path, transform=part.transform)
