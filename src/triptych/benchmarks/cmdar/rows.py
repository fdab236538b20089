"""The released files: their kinds, their rows, and a row as an Item."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from triptych.errors import DataError
from triptych.records import AnswerForm, Item, Problem, media, text
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE, reason

Report = Callable[[Problem], None]
Kind = Literal["main", "multi", "open"]
KINDS: tuple[Kind, ...] = ("main", "multi", "open")
FORMS: dict[Kind, AnswerForm] = {"main": "option", "multi": "options", "open": "text"}
_BETWEEN = re.compile(r"[\s,]*")
_PEEK = 1 << 16  # characters; enough for a file's first rows

# The subtasks in the files, and the paper's category of each (Tables 1, 2 and 7)
CATEGORIES: dict[str, str] = {
    "人物身份关联任务": "SR",
    "社交意图推理任务": "SR",
    "事件因果推理任务": "ER",
    "事件顺序推理任务": "ER",
    "场景定位任务": "SU",
    "场景变化（切换）推理任务": "SU",
    "场景要素识别": "SU",
    "异常检测与安全任务": "AD",
    "时间推理任务": "TR",
    "人物关系与社交推理类": "SR",
    "事件推理类": "ER",
    "场景理解类": "SU",
    "情节发展推理任务": "PDR",
    "连续场景推理任务": "CSR",
    "多角色互动推理任务": "MCIR",
}


class Row(msgspec.Struct, frozen=True):
    """One question of any of the three files, with the fields that a run added (`model_output`, `score`)."""

    id: str | int | None = None
    audio_path: str = ""
    audio_path_1: str = ""
    audio_path_2: str = ""
    question: str = ""
    chosens: list[str] = []
    answer: str | list[str] | None = None
    category: str = ""
    model_output: Any = None
    score: Any = None

    @property
    def audios(self) -> tuple[str, ...]:
        """The paths of its audios, in order, as relative paths."""
        return tuple(p.removeprefix("./") for p in (self.audio_path, self.audio_path_1, self.audio_path_2) if p)

    @property
    def answers(self) -> tuple[str, ...]:
        """The answer, or the answers."""
        return (self.answer,) if isinstance(self.answer, str) else tuple(self.answer or ())

    def item_id(self, kind: Kind, position: int) -> str:
        """Return `cmdar/main/0000`, from the row's own id, or from its position if it has none."""
        return f"cmdar/{kind}/{f'{position:04d}' if self.id is None else self.id}"


def kind_of(row: dict[str, Any]) -> Kind | None:
    """Return the kind of file that a row is from, by its fields; None for something else."""
    if "audio_path_1" in row or ("chosens" in row and isinstance(row.get("answer"), list)):
        return "multi"
    if "question" not in row or "answer" not in row:
        return None
    return "main" if "chosens" in row else "open"


def first_row(path: Path) -> dict[str, Any]:
    """Return the first object of a JSON list or of JSON lines whose fields show the file's kind, without reading on. If
    no row near the start does, return the first; empty if there is none. Damage is reported when the file is read."""
    first: dict[str, Any] = {}
    for row in _rows_at_start(path):
        if kind_of(row):
            return row
        first = first or row
    return first


def _rows_at_start(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            start = file.read(_PEEK).lstrip().removeprefix("[").lstrip()
        at = 0
        while at < len(start):
            row, at = json.JSONDecoder().raw_decode(start, at)
            if isinstance(row, dict):
                yield row
            at += len(_BETWEEN.match(start, at)[0])  # type: ignore[index]  # it matches anywhere
    except (OSError, ValueError, RecursionError):
        return


def read_rows(path: Path, report: Report) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a file with their positions. Malformed rows are reported and left out.

    Raises DataError if the file is not JSON.
    """
    for position, raw in enumerate(_raw_rows(path)):
        try:
            yield position, decode_once(raw, Row)
        except UNREADABLE as error:
            report(Problem("error", "malformed-row", f"{path}[{position}]", f"the row can't be read: {reason(error)}"))


def to_item(row: Row, kind: Kind, position: int) -> Item:
    """Return the question as an Item: the audios in order, then the question."""
    return Item(
        id=row.item_id(kind, position),
        task=f"cmdar/{kind}",
        parts=(*(media("audio", path, "content") for path in row.audios), text(row.question, "question")),
        options=tuple((text(option),) for option in row.chosens),
        answer=FORMS[kind],
        target=row.answers if kind == "multi" else (row.answers or (None,))[0],
        facets={"category": CATEGORIES.get(row.category, "other"), "subtask": row.category},
    )


def fault_of(row: Row, kind: Kind, *, for_asking: bool = True) -> str | None:
    """Return why a row can't be asked; None if it can. With `for_asking` False: why a row with a reply can't be scored,
    which needs neither question nor audio."""
    audios = 2 if kind == "multi" else 1
    if for_asking and not row.question.strip():
        return "the question is empty"
    if for_asking and len(row.audios) != audios:
        return f"it names {len(row.audios)} audios, expected {audios}"
    if kind != "open" and len(row.chosens) < 2:
        return f"it has {len(row.chosens)} options, expected at least 2"
    if not row.answers or not all(answer.strip() for answer in row.answers):
        return "the answer is empty"
    if isinstance(row.answer, list) != (kind == "multi"):
        return f"the answer is a {type(row.answer).__name__}"
    return None


def _raw_rows(path: Path) -> list[msgspec.Raw]:
    try:
        content = path.read_bytes().removeprefix(b"\xef\xbb\xbf").strip()
        if content.startswith(b"["):
            return msgspec.json.decode(content, type=list[msgspec.Raw])
        return [msgspec.Raw(line) for line in content.splitlines() if line.strip()]
    except OSError as error:
        raise DataError("a file can't be read", where=path, got=error.strerror) from None
    except UNREADABLE as error:
        raise DataError("not a JSON list", where=path, got=reason(error), expected="a list of questions") from None
