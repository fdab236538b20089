"""A row of the released list: its fields, its faults, and its Item."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.benchmarks.spec_file import load_spec
from triptych.conditions.ocr import HIDDEN as TRUE_TEXT
from triptych.conditions.traditional import HIDDEN as TRADITIONAL
from triptych.errors import DataError
from triptych.protocols.lettered import LETTERS, lettered_options
from triptych.records import Item, Problem, media, text
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE, reason

Report = Callable[[Problem], None]
# Spaces are matched possessively from the first one on; otherwise 100,000 of them take minutes
_END = re.compile(r"(?<!\s)(?:[^\S\n]*+\n|\s*+[。．]?\s*+(?:要求|請只|请只|只輸出|只输出)).*", re.S)


class Row(
    msgspec.Struct,
    frozen=True,
    rename={
        "id": "ID",
        "task_id": "Task_ID",
        "image": "Image",
        "question": "Question_Simplified",
        "answer": "Answer_Simplified",
        "question_traditional": "Question_Traditional",
        "answer_traditional": "Answer_Traditional",
        "response": "Response",
    },
):
    """One question, with the field that a run added (`Response`). The traditional forms may be missing."""

    id: str | int | None = None
    task_id: str | int | None = None
    image: str | None = None
    question: str | None = None
    answer: str | int | float | None = None
    question_traditional: str | None = None
    answer_traditional: str | int | float | None = None
    response: Any = None

    @property
    def task(self) -> str:
        """`T1` … `T45`; empty if the row names no such task."""
        digits = str(self.task_id).strip().upper().removeprefix("T")
        return f"T{int(digits)}" if digits.isascii() and digits.isdigit() and 1 <= int(digits) <= 45 else ""

    @property
    def item_id(self) -> str:
        """`mcs_bench/T1/17`."""
        return f"mcs_bench/{self.task}/{self.id}"

    @property
    def path(self) -> str:
        """The picture's path, relative to the data folder."""
        return (self.image or "").replace("\\", "/").removeprefix("./")

    @property
    def target(self) -> str:
        """The simplified answer as text."""
        return "" if self.answer is None else str(self.answer)


@cache
def own_spec() -> BenchmarkSpec:
    """Return this benchmark's specification."""
    return load_spec(Path(__file__).with_name("spec.toml"))


@cache
def tasks() -> Mapping[str, TaskSpec]:
    """Return the Tasks by full id, `mcs_bench/T1` to `mcs_bench/T45`."""
    return {own_spec().full_id(task): task for task in own_spec().tasks}


def read_rows(path: Path, report: Report) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a list with their positions. Malformed rows are reported and left out.

    Raises DataError if the file is not a JSON list.
    """
    for position, raw in enumerate(_raw_rows(path)):
        try:
            yield position, decode_once(raw, Row)
        except UNREADABLE as error:
            report(Problem("error", "malformed-row", f"{path}[{position}]", f"the row can't be read: {reason(error)}"))


def fault_of(row: Row, *, for_asking: bool = True) -> str | None:
    """Return why a row can't be asked; None if it can. Only traditional forms may be missing. With `for_asking` False:
    why a row with a reply can't be scored, which needs neither picture nor question."""
    if row.id is None or not str(row.id).strip():
        return "it has no ID"
    if not row.task:
        return f"Task_ID is {row.task_id!r}, expected 1 to 45"
    fields = (("Image", row.path), ("Question_Simplified", row.question), ("Answer_Simplified", row.target))
    for name, value in fields if for_asking else fields[2:]:
        if not (value or "").strip():
            return f"{name} is empty or missing"
    task = tasks()[f"mcs_bench/{row.task}"]
    if task.answer == "letter" and row.target.strip() not in LETTERS:
        return f"the answer is {row.target!r}, expected a letter from A to E"
    return None


def options(question: str) -> dict[str, str]:
    """Return the options in the question by letter: `A、` to `E、` in order, the last one up to the instruction."""
    return lettered_options(question, _END, LETTERS)


def to_item(row: Row, true_text: str = "") -> Item:
    """Return the question as an Item: the picture, then the question as released, with options and instruction.

    The options of a multiple choice are also given separately, for baselines; no prompt repeats them. `hidden` has the
    traditional question and the picture's accurate text, if they are known.
    """
    full = f"mcs_bench/{row.task}"
    task = tasks()[full]
    question = row.question or ""
    hidden = {TRADITIONAL: row.question_traditional or "", TRUE_TEXT: true_text}
    key = row.target.strip() if task.answer == "letter" else ""
    choice = options(question) if key else {}
    if key not in choice:  # the options can't be read, which `check` reports: any letter may be meant
        choice = {}
    return Item(
        id=row.item_id,
        task=full,
        parts=(*([media("image", row.path, "content")] if row.path else []), text(question, "question")),
        options=tuple((text(words),) for words in choice.values()),
        labels=(tuple(choice) or LETTERS) if key else (),
        answer=task.answer,
        target=key or row.target,
        facets=dict(task.facets),
        hidden={name: words for name, words in hidden.items() if words.strip()},
    )


def _raw_rows(path: Path) -> list[msgspec.Raw]:
    try:
        content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        return msgspec.json.decode(content, type=list[msgspec.Raw])
    except OSError as error:
        raise DataError("a file can't be read", where=path, got=error.strerror) from None
    except UNREADABLE as error:
        raise DataError("not a JSON list", where=path, got=reason(error), expected="a list of questions") from None
