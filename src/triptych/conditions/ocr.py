"""`ocr`: the text that stands in a picture is given beside it: the true one, an OCR engine's, or the model's own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from triptych.conditions.condition import Condition
from triptych.conditions.readings import UNDER_TEST, Reading, Texts
from triptych.errors import DataError, SpecError
from triptych.records import Item, Part, text
from triptych.store.folder import RunFolder

SUMMARY = (
    "the text of each picture beside it: ocr:from=data|model|ADAPTER/NAME, ocr:table=FILE or ocr:run=DIR [,name=…]"
)
HIDDEN = "true_text"
PLACEHOLDER = "[what {} reads in the picture]"
_USAGE = (
    "ocr:from=data (the true text), ocr:from=model (the model's own reading, asked first), ocr:from=ADAPTER/NAME "
    "(another model's: local/ocr), ocr:table=FILE (JSON: media path or SHA-256 -> text), ocr:run=DIR (a Run's replies)"
)
_CJK = re.compile(r"[\u4e00-\u9fff]")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Ocr:
    """After the last picture of the stem comes a text Part of role `content` with what stands in the pictures.

    `wants`: who reads the pictures first, until that was done. `texts`: what was read; None: the Item's hidden
    `true_text`. An Item without pictures stays as it is; a picture without a text is a DataError, since the Item would
    be asked under another Condition than it says. With `blind` after it, a language model gets the text in the
    picture's place.
    """

    name: str = "ocr:from=data"
    texts: Texts | None = field(default=None, repr=False)
    wants: Reading | None = None
    summary: str = SUMMARY

    @property
    def needs_hashes(self) -> bool:
        """Whether pictures are looked up by content: Items must then tell their hashes."""
        return self.texts is not None and any(_SHA256.fullmatch(key) for key in self.texts.found)

    def media(self, item: Item) -> Sequence[Part]:
        """The pictures of the stem."""
        return [part for part in item.parts if part.kind == "image"]

    def with_texts(self, texts: Texts) -> Ocr:
        """The Condition with what was read."""
        return replace(self, texts=texts, wants=None)

    def apply(self, item: Item) -> Item:
        """The Item with the text beside its pictures."""
        pictures = [n for n, part in enumerate(item.parts) if part.kind == "image"]
        if not pictures:
            return item
        words = "\n".join(self._text(item, item.parts[n]) for n in pictures[: None if self.texts is not None else 1])
        added = text(f"{_caption(item)}\n{words}", "content")
        if added in item.parts:
            return item
        after = pictures[-1] + 1
        return msgspec.structs.replace(item, parts=(*item.parts[:after], added, *item.parts[after:]))

    def _text(self, item: Item, part: Part) -> str:
        if self.wants is not None:
            return PLACEHOLDER.format(self.wants.by)
        known = item.hidden.get(HIDDEN) if self.texts is None else self.texts.get(part)
        if known is None:
            fix = "leave its Task out, or give the text by ocr:table=FILE"
            raise DataError(f"condition {self.name!r} has no text for a picture", where=item.id, got=part.path, fix=fix)
        return known


def _caption(item: Item) -> str:
    asked = "".join(part.text for part in item.parts if part.role != "content")
    return "图中的文字如下：" if _CJK.search(asked) else "The text in the picture:"


def _make(arguments: Mapping[str, str], _seed: int) -> Condition:
    given = {key: value for key, value in arguments.items() if key != "name"}
    if len(given) != 1 or not set(given) <= {"from", "table", "run"}:
        raise SpecError("condition 'ocr' needs one source of texts", expected=_USAGE, got=str(dict(arguments)))
    ((source, value),) = given.items()
    if source == "from":
        return _from(value, arguments)
    table = _read_table(Path(value)) if source == "table" else _read_run(Path(value))
    name = arguments.get("name", "own" if source == "run" else Path(value).stem)
    content = msgspec.json.encode(table, order="deterministic")
    return Ocr(f"ocr:name={name}@{hashlib.sha256(content).hexdigest()[:8]}", Texts(table))


def _from(value: str, arguments: Mapping[str, str]) -> Ocr:
    if "name" in arguments or not (value in ("data", UNDER_TEST) or "/" in value):
        raise SpecError("condition 'ocr' can't take its texts from there", expected=_USAGE, got=str(dict(arguments)))
    if value == "data":
        return Ocr()
    return Ocr(f"ocr:from={value}", wants=Reading("image", value, HIDDEN))


def _read_table(path: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError) as error:
        expected = "a JSON object: media path or SHA-256 -> text"
        raise DataError("the table of texts can't be read", where=path, got=str(error), expected=expected) from None


def _read_run(path: Path) -> dict[str, str]:
    """What the model of a Run replied about each picture: by path, and by hash where known; the first Item's counts."""
    folder = RunFolder.open(path)
    replies = {r.item: r.text for r in folder.responses() if r.status in ("answered", "truncated") and not r.repeat}
    table: dict[str, str] = {}
    for item in folder.items():
        for part in item.parts:
            if part.kind == "image" and item.id in replies:
                for key in filter(None, (part.path, part.sha256)):
                    table.setdefault(key, replies[item.id])
    if not table:
        raise DataError("the Run has no reply about a picture", where=path, fix="run it first: --prompt ocr")
    return table


CONDITIONS = {"ocr": (SUMMARY, _make)}
