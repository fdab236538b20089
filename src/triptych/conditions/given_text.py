"""Texts about media, added to them or instead of them: the text in an image, or the words of a recording.

`ocr`, `transcript` and `description` are this Condition with different settings. The texts are the true ones, those of
a table, another Run's replies, or the output of a model (the one under test, or another) that is asked first.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import msgspec

from triptych.conditions.condition import Argument, Condition, Offer
from triptych.conditions.readings import UNDER_TEST, Reading, Texts
from triptych.errors import DataError, SpecError
from triptych.records import Item, Part, text
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.run_files import read_own
from triptych.store.folder import RunFolder

MAX_TABLE_BYTES = 256 << 20  # bytes
TextPosition = Literal["beside", "instead"]
_CJK = re.compile(r"[\u4e00-\u9fff]")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_SOURCES = ("from", "table", "run")


@dataclass(frozen=True, slots=True)
class About:
    """The subject of the texts, as data.

    kind     kind of media that the texts are about; `noun` is its name in messages
    hidden   the Item's hidden text with the true words; empty if there is none
    what     the question that a model is asked about it: `text` or `description`
    english, chinese    the line above the texts
    """

    condition: str
    kind: Literal["image", "audio"]
    noun: str
    hidden: str
    english: str
    chinese: str
    reads: str
    what: Literal["text", "description"] = "text"

    def truth(self, item: Item) -> str | None:
        """Return the true words; None if the Item doesn't have them."""
        return item.hidden.get(self.hidden) if self.hidden else None

    def caption(self, item: Item) -> str:
        """Return the line above the texts, in Chinese if the question is Chinese."""
        question_text = "".join(part.text for part in item.parts if part.role != "content")
        return self.chinese if _CJK.search(question_text) else self.english


@dataclass(frozen=True, slots=True)
class GivenText:
    """A text Part of role `content`, added after the last such medium of the stem, with the texts about all of them.

    `wants`: the model that reads the media first; None once that is done. `texts`: the results; None: the true words.
    `others`: texts about media whose true words the data doesn't have.
    With `position` set to instead, the media are removed from the stem. An Item without such media is unchanged. A
    medium without a text is a DataError, since the Item would be asked under another Condition than stated.
    """

    name: str
    about: About
    summary: str
    texts: Texts | None = field(default=None, repr=False)
    wants: Reading | None = None
    others: Texts = field(default=Texts(), repr=False)
    position: TextPosition = "beside"

    @property
    def needs_hashes(self) -> bool:
        """Whether media are looked up by content, so that Items must have the hashes of their media."""
        others = self.texts or self.others
        return any(_SHA256.fullmatch(key) for key in others.texts)

    def media(self, item: Item) -> Sequence[Part]:
        """Return the media of the stem that the texts are about."""
        return [part for part in item.parts if part.kind == self.about.kind]

    def with_texts(self, texts: Texts) -> GivenText:
        """Return the Condition with the texts that were read."""
        return replace(self, texts=texts, wants=None)

    def apply(self, item: Item) -> Item:
        """Return the Item with the texts. Raises NoText if a model returned none, and DataError if there are none."""
        medium = self.media(item)
        if not medium:
            return item
        words = "\n".join(self._words(item, part) for part in self._read(item))
        added = text(f"{self.about.caption(item)}\n{words}", "content")
        if added in item.parts:
            return item
        after = max(n for n, part in enumerate(item.parts) if part.kind == self.about.kind) + 1
        parts = (*item.parts[:after], added, *item.parts[after:])
        if self.position == "instead":
            parts = tuple(part for part in parts if part.kind != self.about.kind)
        return msgspec.structs.replace(item, parts=parts)

    def lacks(self, item: Item) -> bool:
        """Return whether the data or the table has no text for a medium of the Item, so that it can't be asked."""
        return self.wants is None and any(self._text_of(item, part) is None for part in self._read(item))

    def _read(self, item: Item) -> Sequence[Part]:
        """Return the media that a text is looked up for: true words belong to the Item, not to each medium."""
        medium = self.media(item)
        true = self.texts is None and self.wants is None and self.about.truth(item) is not None
        return medium[:1] if true else medium

    def _text_of(self, item: Item, part: Part) -> str | None:
        if self.texts is not None:
            return self.texts.get(part)
        true = self.about.truth(item)
        return self.others.get(part) if true is None else true

    def _words(self, item: Item, part: Part) -> str:
        if self.wants is not None:
            return f"[what {self.wants.by} {self.about.reads} in the {self.about.noun}]"
        text = self._text_of(item, part)
        if text is None:
            name = self.about.condition
            from_data = f"{name}:from=data,table=FILE" if self.texts is None else f"a table of all in {name}:table=FILE"
            fix = f"give the text by {from_data}, or leave the question out by --items"
            problem = f"condition {self.name!r} has no text for this {self.about.noun}"
            raise DataError(problem, where=item.id, got=part.path, fix=fix)
        return text


def offer(about: About, summary: str, placed: TextPosition | None = None) -> Offer:
    """Return the entry for `CONDITIONS`. `placed`: where the texts go unless `place=` is given; None: always in
    addition.
    """
    arguments = [
        Argument(
            "from",
            f"{'data (the true text), ' if about.hidden else ''}model (the one under test, asked first), "
            "or ADAPTER/NAME (another, asked first)",
            "",
        ),
        Argument(
            "table",
            "a JSON file: media path or SHA-256 -> text; with from=data, for media that the data has no text of",
            "",
            opens=True,
        ),
        Argument("run", "the folder of a Run whose replies are the texts", "", opens=True),
        Argument("name", "what to call a table or Run [the file's name; the Run's model]", ""),
    ]
    if placed:
        arguments.append(
            Argument("place", "in addition to the media, or instead of them", placed, choices=("beside", "instead"))
        )
    return Offer(summary, _maker(about, summary, placed or "beside"), tuple(arguments))


def _maker(about: About, summary: str, placed: TextPosition) -> Callable[[Mapping[str, str], int], Condition]:
    def make(arguments: Mapping[str, str], _seed: int) -> Condition:
        sources = [key for key in _SOURCES if arguments.get(key)]
        both = sources == ["from", "table"] and arguments["from"] == "data"  # the table has what the data lacks
        if len(sources) != 1 and not both:
            raise SpecError(
                f"condition {about.condition!r} requires exactly one source",
                expected=_usage(about),
                got=str(dict(arguments)),
            )
        where: TextPosition = "instead" if arguments.get("place", placed) == "instead" else "beside"
        shown = f",place={where}" if where != placed else ""
        made = GivenText("", about, summary, position=where)
        if sources[0] == "from":
            made = _with_source(made, arguments, shown)
            return _with_others(made, _read_table(Path(arguments["table"])), shown) if both else made
        source = Path(arguments[sources[0]])
        table = _read_table(source) if sources == ["table"] else _read_run(source, about)
        name = arguments.get("name") or (_model_of(source) if sources == ["run"] else source.stem)
        return replace(made, name=f"{about.condition}:name={name}@{_digest(table)}{shown}", texts=Texts(table))

    return make


def _with_others(made: GivenText, table: dict[str, str], shown: str) -> GivenText:
    """Return the Condition with texts for media whose true words are unknown; its name has the table's hash."""
    name = f"{made.about.condition}:from=data@{_digest(table)}{shown}"
    return replace(made, name=name, others=Texts(table))


def _digest(table: Mapping[str, str]) -> str:
    return hashlib.sha256(msgspec.json.encode(table, order="deterministic")).hexdigest()[:8]


def _with_source(made: GivenText, arguments: Mapping[str, str], shown: str) -> GivenText:
    about, source = made.about, arguments["from"]
    is_known = source == UNDER_TEST or "/" in source or (source == "data" and about.hidden)
    if arguments.get("name") or not is_known:
        problem = f"condition {about.condition!r} has an unknown source of texts"
        raise SpecError(problem, expected=_usage(about), got=str(dict(arguments)))
    name = f"{about.condition}:from={source}{shown}"
    if source == "data":
        return replace(made, name=name)
    return replace(made, name=name, wants=Reading(about.kind, source, about.hidden, about.what))


def _usage(about: About) -> str:
    name = about.condition
    ways = [f"{name}:from=data (the true text)"] if about.hidden else []
    ways += [
        f"{name}:from=model (the model's own words, asked first)",
        f"{name}:from=ADAPTER/NAME (another model's)",
        f"{name}:table=FILE (JSON: media path or SHA-256 -> text)",
        *([f"{name}:from=data,table=FILE (the table has what the data lacks)"] if about.hidden else []),
        f"{name}:run=DIR (a Run's replies)",
    ]
    return ", ".join(ways)


def _read_table(path: Path) -> dict[str, str]:
    try:
        return decode_once(read_own(path, MAX_TABLE_BYTES), dict[str, str])
    except (OSError, *UNREADABLE) as error:
        expected = "a JSON object: media path or SHA-256 -> text"
        raise DataError("the table of texts can't be read", where=path, got=reason(error), expected=expected) from None


def _model_of(path: Path) -> str:
    """Return the name of a Run's model in the form used in a Condition's name."""
    return re.sub(r"[,=+@|\s]+", "-", RunFolder.open(path).manifest.model)


def _read_run(path: Path, about: About) -> dict[str, str]:
    """Return the model's reply about each medium in a Run, by path, and by hash if known; the first Item counts."""
    folder = RunFolder.open(path)
    replies = {r.item: r.text for r in folder.responses() if r.status in ("answered", "truncated") and not r.repeat}
    table: dict[str, str] = {}
    for item in folder.items():
        for part in item.parts:
            if part.kind == about.kind and item.id in replies:
                for key in filter(None, (part.path, part.sha256)):
                    table.setdefault(key, replies[item.id])
    if not table:
        prompt = Reading(about.kind, what=about.what).prompt_name
        raise DataError(
            f"the Run has no reply about a {about.noun}", where=path, fix=f"run it first: --prompt {prompt}"
        )
    return table
