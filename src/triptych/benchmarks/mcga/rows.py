"""A row of the released files: its fields, its faults, and its Items in speech and in text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks.mcga.names import NAME, REPLY_FIELDS, SPEECH_FORM, speech_form
from triptych.benchmarks.mcga.readers import facets_of
from triptych.errors import DataError
from triptych.protocols.lettered import lettered_options
from triptych.records import AnswerForm, Item, Part, Problem, media, text
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE, reason

Report = Callable[[Problem], None]
LETTERS = ("A", "B", "C", "D")
CHOICES = frozenset({"su", "sr"})
_TEXT_SCORED = frozenset({"asr", "s2tt", "sec"})  # tasks scored with the clip's text
TRANSCRIPT = "transcript"  # the hidden text of a clip, needed for scoring in addition to the target
# Spaces are matched possessively from the first one on; otherwise 100,000 of them take minutes
_END = re.compile(r"(?<!\s)(?:[^\S\n]*+\n\s*+答案\s*+[:：]?.*|\s*+答案\s*+[:：]\s*+$)", re.S)


class Row(msgspec.Struct, frozen=True):
    """One clip with the question of one or several tasks about it. A run's replies are read by `replies`."""

    id: str | int | None = None
    audio: str = ""
    split: str | None = None
    genre: str | None = None
    dynasty: str | None = None
    asr: str | None = None
    s2tt: str | None = None
    sec_1: str | None = None
    sec_2: str | None = None
    sec_3: str | list[str] | None = None
    sqa: str | None = None
    sqa_a: str | None = None
    su: str | None = None
    su_a: str | None = None
    sr: str | None = None
    sr_a: str | None = None
    speaker: Any = None
    gender: Any = None
    age: Any = None
    major: Any = None

    @property
    def path(self) -> str:
        """The audio's path below the folder of its file."""
        return self.audio.replace("\\", "/").removeprefix("./")

    @property
    def clip(self) -> str:
        """The clip's name: its audio's path without the suffix, otherwise the row's id; empty without either."""
        return re.sub(r"\.\w{1,5}$", "", self.path) or ("" if self.id is None else str(self.id))

    @property
    def work(self) -> str:
        """The number of the clip's work: ids are `WORK-CLIP`; empty for other ids."""
        return str(self.id).rpartition("-")[0] if self.id is not None else ""

    def question(self, task: str) -> str:
        """Return the question's text; empty for tasks with the same instruction for every clip."""
        text = {"sqa": self.sqa, "su": self.su, "sr": self.sr}.get(speech_form(task))
        return (text or "").strip()

    def target(self, task: str) -> str | None:
        """Return the reference; for SEC three parts, the first two one line each; for SU and SR a capital letter."""
        form = speech_form(task)
        if form == "sec":
            return self._caption()
        targets = {"asr": self.asr, "s2tt": self.s2tt, "sqa": self.sqa_a, "su": self.su_a, "sr": self.sr_a}
        value = targets[form]
        return value.strip().upper() if value is not None and form in CHOICES else value

    def _caption(self) -> str | None:
        lines = "\n".join(self.sec_3) if isinstance(self.sec_3, list) else self.sec_3
        if self.sec_1 is None or self.sec_2 is None or lines is None:
            return None
        return "\n".join((" ".join(self.sec_1.split("\n")), " ".join(self.sec_2.split("\n")), lines.strip("\n")))


def read_rows(path: Path, report: Report) -> Iterator[tuple[int, Row, dict[str, Any]]]:
    """Yield the rows of a JSONL file: (line from 1, row, replies by task). Unreadable rows are reported and left out.

    Raises DataError if the file can't be opened.
    """
    for number, line in _lines(path):
        try:
            fields = decode_once(line, dict[str, Any])
            yield number, msgspec.convert(fields, Row), replies(fields)
        except UNREADABLE as error:
            report(Problem("error", "malformed-row", f"{path}:{number}", f"the row can't be read: {reason(error)}"))


def replies(fields: dict[str, Any]) -> dict[str, Any]:
    """Return Task -> the reply that a run wrote into the row."""
    return {task: fields[name] for name, task in reversed(list(REPLY_FIELDS.items())) if name in fields}


def first_fields(path: Path) -> dict[str, Any]:
    """Return the fields of a file's first row; empty if no row can be read."""
    try:
        for _, line in _lines(path):
            return msgspec.json.decode(line, type=dict[str, Any])
    except (DataError, *UNREADABLE):
        pass
    return {}


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                line = line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip()
                if line:
                    yield number, line
    except OSError as error:
        raise DataError("a file can't be read", where=path, got=error.strerror) from None


def fault_of(row: Row, task: str, *, for_asking: bool = True) -> str | None:
    """Return why a row can't be asked as this task, or (with `for_asking` False, a row with a reply) why it can't be
    scored; None if it can. A reply is scored against the reference alone, except for translations and captions, whose
    judge or CER needs the clip's text.
    """
    form = speech_form(task)
    if not row.clip:
        return "it has neither audio nor id"
    if for_asking and not row.path and task not in SPEECH_FORM:
        return "it names no audio"
    if (for_asking or form in _TEXT_SCORED) and not (row.asr or "").strip():
        return "asr, the clip's text, is empty or missing"
    if for_asking and form in ("sqa", *CHOICES) and not row.question(task):
        return f"{form}, the question, is empty or missing"
    target = row.target(task)
    if not (target or "").strip() and (for_asking or form != "s2tt"):
        return f"its {form} reference is empty or missing"
    if form in CHOICES and target not in LETTERS:
        return f"{form}_a is {target!r}, expected a letter from A to D"
    return None


def options(question: str) -> dict[str, str]:
    """Return the options in a question by letter, without the final 答案：; empty if they can't be read."""
    return lettered_options(question, _END, LETTERS)


def to_item(row: Row, task: str, *, folder: str = "", split: str = "", copy: int = 0) -> Item:
    """Return the row as an Item of a task: the clip (or its text, in a text task), then the question if it has one.

    `folder`: that of the row's file, below the data folder, with a slash at its end. `split`: from the file's name,
    used if the row has none. `copy`: number of earlier questions of this task about the same clip.
    """
    form, spoken = speech_form(task), task not in SPEECH_FORM
    name = row.clip + (f"#{copy + 1}" if copy else "")
    choice = options(row.question(task)) if form in CHOICES else {}
    key = row.target(task)
    if form in CHOICES and key not in choice:  # unreadable, which `check` reports: any letter may be meant
        choice = {}
    return Item(
        id=f"{NAME}/{task}/{name}",
        task=f"{NAME}/{task}",
        parts=tuple(_parts(row, task, folder, spoken)),
        options=tuple((text(words),) for words in choice.values()),
        labels=(tuple(choice) or LETTERS) if form in CHOICES else (),
        answer=_form(form),
        target=key,
        instance=f"{NAME}/{form}/{name}",
        facets=_facets(row, split, spoken),
        hidden={TRANSCRIPT: row.asr} if row.asr and spoken and form != "asr" else {},
    )


def transcript_of(item: Item) -> str:
    """Return the clip's text: the target of ASR, shown in the text form, hidden in the other tasks."""
    if item.task == f"{NAME}/asr":
        return str(item.target or "")
    shown = "".join(p.text for p in item.parts if p.role == "content" and not p.is_media)
    return item.hidden.get(TRANSCRIPT, "") or shown


def _parts(row: Row, task: str, folder: str, spoken: bool) -> Iterator[Part]:
    if not spoken:
        yield text(row.asr or "", "content")
    elif row.path:
        yield media("audio", folder + row.path, "content")
    if question := row.question(task):
        yield text(question, "question")


def _form(form: str) -> AnswerForm:
    return "letter" if form in CHOICES else "text"


def _facets(row: Row, split: str, spoken: bool) -> dict[str, str]:
    """Return the clip's facets; a row without genre or dynasty is in no slice of these. Those of the reader are only in
    the spoken form."""
    fields = {
        "genre": (row.genre or "").strip(),
        "dynasty": (row.dynasty or "").strip(),
        "split": (row.split or "").strip() or split or "unknown",
        "modality": "audio" if spoken else "text",
        **(facets_of(row.speaker, row.gender, row.age, row.major, row.sec_1) if spoken else {}),
    }
    return {name: value for name, value in fields.items() if value}
