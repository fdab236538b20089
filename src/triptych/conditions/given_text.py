"""Words about media, given beside them or in their place: what stands in a picture, what is said in a recording.

`ocr`, `transcript` and `description` are this Condition with other words. The words are the true ones, a table's,
another Run's replies, or what a model (the one under test, or another) says when it is asked first.
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
from triptych.records.unreadable import UNREADABLE
from triptych.store.folder import RunFolder
from triptych.store.own_files import read_own

LARGEST_TABLE = 256 << 20  # bytes
Place = Literal["beside", "instead"]
_CJK = re.compile(r"[\u4e00-\u9fff]")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_SOURCES = ("from", "table", "run")


@dataclass(frozen=True, slots=True)
class About:
    """What the words are about, as data.

    kind     of media, whose words are given; `noun` is what one is called
    hidden   the Item's hidden text that is the true one; empty: there can be none
    what     which question a model is asked about it: `text` or `description`
    english, chinese    the line above the words
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
        """The true words; None where the Item doesn't tell them."""
        return item.hidden.get(self.hidden) if self.hidden else None

    def caption(self, item: Item) -> str:
        """The line above the words, in Chinese where the question is."""
        asked = "".join(part.text for part in item.parts if part.role != "content")
        return self.chinese if _CJK.search(asked) else self.english


@dataclass(frozen=True, slots=True)
class GivenText:
    """After the last such medium of the stem comes a text Part of role `content` with the words about all of them.

    `wants`: who reads first, until that was done. `texts`: what was read; None: the true words. With `place` instead,
    the media themselves leave the stem. An Item without such media stays as it is; a medium without words is a
    DataError, since the Item would be asked under another Condition than it says.
    """

    name: str
    about: About
    summary: str
    texts: Texts | None = field(default=None, repr=False)
    wants: Reading | None = None
    place: Place = "beside"

    @property
    def needs_hashes(self) -> bool:
        """Whether media are looked up by content: Items must then tell their hashes."""
        return self.texts is not None and any(_SHA256.fullmatch(key) for key in self.texts.found)

    def media(self, item: Item) -> Sequence[Part]:
        """The stem's media that the words are about."""
        return [part for part in item.parts if part.kind == self.about.kind]

    def with_texts(self, texts: Texts) -> GivenText:
        """The Condition with what was read."""
        return replace(self, texts=texts, wants=None)

    def apply(self, item: Item) -> Item:
        """The Item with the words. Raises NoText where a model was asked in vain, DataError where there are none."""
        found = self.media(item)
        if not found:
            return item
        told = found if self.texts is not None or self.wants else found[:1]  # the true words are the Item's, not each's
        words = "\n".join(self._words(item, part) for part in told)
        added = text(f"{self.about.caption(item)}\n{words}", "content")
        if added in item.parts:
            return item
        after = max(n for n, part in enumerate(item.parts) if part.kind == self.about.kind) + 1
        parts = (*item.parts[:after], added, *item.parts[after:])
        if self.place == "instead":
            parts = tuple(part for part in parts if part.kind != self.about.kind)
        return msgspec.structs.replace(item, parts=parts)

    def _words(self, item: Item, part: Part) -> str:
        if self.wants is not None:
            return f"[what {self.wants.by} {self.about.reads} in the {self.about.noun}]"
        known = self.about.truth(item) if self.texts is None else self.texts.get(part)
        if known is None:
            fix = f"leave its Task out, or give the text by {self.about.condition}:table=FILE"
            problem = f"condition {self.name!r} has no text for a {self.about.noun}"
            raise DataError(problem, where=item.id, got=part.path, fix=fix)
        return known


def offer(about: About, summary: str, placed: Place | None = None) -> Offer:
    """What stands in `CONDITIONS`; `placed`: where the words go unless `place=` says otherwise; None: always beside."""
    arguments = [
        Argument("from", f"{'data (the true text), ' if about.hidden else ''}model (the one under test, asked first), "
                         "or ADAPTER/NAME (another, asked first)", ""),
        Argument("table", "a JSON file: media path or SHA-256 -> text", "", opens=True),
        Argument("run", "the folder of a Run whose replies are the texts", "", opens=True),
        Argument("name", "what to call a table or Run [the file's name; the Run's model]", ""),
    ]  # fmt: skip
    if placed:
        arguments.append(
            Argument("place", "beside the media or instead of them", placed, choices=("beside", "instead"))
        )
    return Offer(summary, _maker(about, summary, placed or "beside"), tuple(arguments))


def _maker(about: About, summary: str, placed: Place) -> Callable[[Mapping[str, str], int], Condition]:
    def make(arguments: Mapping[str, str], _seed: int) -> Condition:
        sources = [key for key in _SOURCES if arguments.get(key)]
        if len(sources) != 1:
            raise SpecError(f"condition {about.condition!r} needs one source of texts", expected=_usage(about),
                            got=str(dict(arguments)))  # fmt: skip
        place: Place = "instead" if arguments.get("place", placed) == "instead" else "beside"
        shown = f",place={place}" if place != placed else ""
        made = GivenText("", about, summary, place=place)
        if sources == ["from"]:
            return _from(made, arguments, shown)
        source = Path(arguments[sources[0]])
        table = _read_table(source) if sources == ["table"] else _read_run(source, about)
        name = arguments.get("name") or (_model_of(source) if sources == ["run"] else source.stem)
        digest = hashlib.sha256(msgspec.json.encode(table, order="deterministic")).hexdigest()[:8]
        return replace(made, name=f"{about.condition}:name={name}@{digest}{shown}", texts=Texts(table))

    return make


def _from(made: GivenText, arguments: Mapping[str, str], shown: str) -> GivenText:
    about, source = made.about, arguments["from"]
    known = source == UNDER_TEST or "/" in source or (source == "data" and about.hidden)
    if arguments.get("name") or not known:
        problem = f"condition {about.condition!r} can't take its texts from there"
        raise SpecError(problem, expected=_usage(about), got=str(dict(arguments)))
    name = f"{about.condition}:from={source}{shown}"
    if source == "data":
        return replace(made, name=name)
    return replace(made, name=name, wants=Reading(about.kind, source, about.hidden, about.what))


def _usage(about: About) -> str:
    name = about.condition
    told = [f"{name}:from=data (the true text)"] if about.hidden else []
    told += [
        f"{name}:from=model (the model's own words, asked first)",
        f"{name}:from=ADAPTER/NAME (another model's)",
        f"{name}:table=FILE (JSON: media path or SHA-256 -> text)",
        f"{name}:run=DIR (a Run's replies)",
    ]
    return ", ".join(told)


def _read_table(path: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode(read_own(path, LARGEST_TABLE), type=dict[str, str])
    except (OSError, *UNREADABLE) as error:
        expected = "a JSON object: media path or SHA-256 -> text"
        raise DataError("the table of texts can't be read", where=path, got=str(error), expected=expected) from None


def _model_of(path: Path) -> str:
    """Whose replies a Run holds, as a Condition's name can hold it."""
    return re.sub(r"[,=+@|\s]+", "-", RunFolder.open(path).manifest.model)


def _read_run(path: Path, about: About) -> dict[str, str]:
    """What the model of a Run replied about each medium: by path, and by hash where known; the first Item's counts."""
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
