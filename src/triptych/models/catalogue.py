"""The models of the built-in benchmarks' papers and some newer ones, as data: `catalogue.toml` has one table per model.

A row says where the model is found, what it takes, where its processor truncates, how it is served, and what is known
to go wrong with it. `models/named.py` turns a row into an adapter.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from datetime import date
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from triptych.errors import SpecError
from triptych.models.loras import CardLora, pairs_of, setting_of
from triptych.records import Kind
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason
from triptych.store.files.text_files import read_text_input

AccessKind = Literal["hf", "vllm", "environment", "openai", "gemini", "anthropic", "baseline", "ocr", "cascade", "none"]
Status = Literal["open", "gated", "retired", "unpublished"]
STATUSES: tuple[Status, ...] = ("open", "gated", "retired", "unpublished")
HOSTED = ("openai", "gemini", "anthropic")
# Environment variable with a catalogue file of one's own; processes started from here inherit it
CATALOGUE_VARIABLE = "TRIPTYCH_CATALOGUE"
_FILE = Path(__file__).with_name("catalogue.toml")


class CatalogueModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"class_": "class"}):
    """One model of the catalogue.

    key          its name on the command line
    names        its names in the papers' tables
    papers       benchmarks whose papers report it
    way          the ways in which it can be asked, the preferred one first; `none`: `reason` says why not
    id           name on the Hub, or of the API
    aliases      other ids of the same weights
    revision     the revision to load, if not the main one
    class_       class of transformers, or what else reads the weights
    native       version of transformers that brought the class; empty if none has
    takes        kinds of content, as the papers used it
    limits       what is known of its limits, in words
    cut_s        seconds of a recording after which its released processor drops the rest; None if unknown
    serve        further arguments for `vllm serve`
    most         kind of media -> most of it in a prompt, where the card has a limit
    sglang       whether SGLang's list of supported models has it or its family
    loras        LoRA adapters of the card, each for a kind of media; the first whose kind a Request has answers it
    endpoint     a hosted service's settings, as `-M` takes them, if its address isn't the maker's of the API
    environment  the software that it needs if transformers 5 can't load it
    status       `open`, `gated` (a licence must be accepted), `retired` (no longer offered from the date `retired` on),
                 `unpublished`
    retired      date from which it is no longer offered, or its beginning: `2025-10`; it may be in the future
    successor    the model that the maker names instead
    steps        a cascade: keys of the model that describes and of the one that answers
    reason, ask  why it can't be asked, and what to do instead
    correction   where a paper or its code is wrong about it
    quirks       what is known to go wrong
    tags         families and properties for comparing groups: `chinese` (trained on Chinese), `rl`, `thinks`
    certainty    how sure id and way are: `high`, `medium` or `low`
    packing      how its card sends it films, as `--packing` reads it; empty if unknown
    """

    key: str
    names: tuple[str, ...]
    papers: tuple[str, ...]
    way: tuple[AccessKind, ...]
    status: Status
    certainty: Literal["high", "medium", "low"]
    id: str = ""
    aliases: tuple[str, ...] = ()
    revision: str = ""
    class_: str = ""
    native: str = ""
    size: str = ""
    takes: tuple[Kind, ...] = ()
    limits: str = ""
    cut_s: float | None = None
    serve: str = ""
    most: dict[Kind, int] = {}
    sglang: bool = False
    loras: tuple[CardLora, ...] = ()
    endpoint: dict[str, str | bool] = {}
    environment: str = ""
    retired: str = ""
    successor: str = ""
    steps: tuple[str, ...] = ()
    reason: str = ""
    ask: str = ""
    correction: str = ""
    quirks: str = ""
    tags: tuple[str, ...] = ()
    packing: str = ""

    def is_withdrawn(self, today: date | None = None) -> bool:
        """Return whether the service no longer offers the model."""
        return self.status == "retired" and self.retired <= (today or date.today()).isoformat()  # noqa: DTZ011

    def state(self, today: date | None = None) -> Status:
        """Return the status on a day: a model whose end is announced is `open` until then."""
        return "open" if self.status == "retired" and not self.is_withdrawn(today) else self.status

    def as_row(self) -> dict[str, object]:
        """Return all fields with a value, for listings and JSON; the status is today's."""
        fields = msgspec.json.decode(msgspec.json.encode(self), type=dict[str, object]) | {"status": self.state()}
        return {name: value for name, value in fields.items() if value not in ("", [], {}, None)}


def catalogue() -> dict[str, CatalogueModel]:
    """Return the catalogue: key -> model, in the order of the files. Models of a file of one's own (`use_catalogue`)
    come last."""
    return _joined(os.environ.get(CATALOGUE_VARIABLE, ""))


@cache
def _joined(text: str) -> dict[str, CatalogueModel]:
    rows = {row.key: row for row in read_catalogue(_FILE)}
    if text:
        for row in read_catalogue(Path(text)):
            if row.key in rows:
                raise SpecError(
                    "the catalogue has a model with this key",
                    got=row.key,
                    where=text,
                    fix="give the model of this file another key",
                )
            rows[row.key] = row
    return rows


def use_catalogue(file: Path | None) -> None:
    """Add a catalogue file of one's own, for this process and those that it starts. Raises SpecError if it can't be
    read. None changes nothing."""
    if file is not None:
        _joined(str(file.resolve()))
        os.environ[CATALOGUE_VARIABLE] = str(file.resolve())


def read_catalogue(file: Path) -> list[CatalogueModel]:
    """Return the models of a catalogue file, `[[model]]` tables. Raises SpecError, which names the file, the table and
    the field."""
    try:
        tables = parse_toml(read_text_input(file, "utf-8"))
    except (OSError, *NO_TOML) as error:
        raise SpecError("the catalogue file can't be read", where=file, got=reason(error), expected="TOML") from None
    rows = tables.get("model")
    if set(tables) != {"model"} or not isinstance(rows, list) or not rows:
        raise SpecError(
            "a catalogue file has one table [[model]] for each model",
            where=file,
            got=", ".join(tables) or "nothing",
            fix="see docs/models/catalogue.md",
        )
    models = [_row(table, number, file) for number, table in enumerate(rows, 1)]
    for row in models:
        if [one.key for one in models].count(row.key) > 1:
            raise SpecError("two models of the catalogue file have the same key", got=row.key, where=file)
    return models


def _row(table: object, number: int, file: Path) -> CatalogueModel:
    key = table.get("key") if isinstance(table, dict) else None
    where = f"{file}, [[model]] {number}{f' ({key})' if key else ''}"
    try:
        row = msgspec.convert(table, CatalogueModel)
    except msgspec.ValidationError as error:
        raise SpecError(
            "a model of the catalogue file is not well-formed",
            got=str(error),
            where=where,
            fix="docs/models/catalogue.md lists the fields",
        ) from None
    for wrong, what in _faults(row):
        if wrong:
            raise SpecError("a model of the catalogue file is not well-formed", got=what, where=where)
    return row


def _faults(row: CatalogueModel) -> list[tuple[bool, str]]:
    """Return every fault that a row may have, each with whether the row has it."""
    return [
        (not re.fullmatch(r"[^\sA-Z/]+", row.key), f"key = {row.key!r}: lower case, without spaces and slashes"),
        (not row.names, 'no name: names = ["…"]'),
        (not row.way, 'no way: way = ["vllm"], for instance'),
        (not row.id and not set(row.way) & {"none", "cascade"}, "no id, which says what to ask for"),
        ("none" in row.way and not row.reason, 'way = ["none"] without a reason'),
        (("cascade" in row.way) != (len(row.steps) == 2), "a cascade has two steps, and no other model has any"),
        ((row.status == "retired") != bool(row.retired), 'status = "retired" and the date `retired` need each other'),
        (_wrong_loras(row), f"loras = {setting_of(row.loras)!r}: each kind once, with the adapter's name"),
        (bool(row.endpoint) and row.way[:1] != ("openai",), 'endpoint is for a hosted service, way = ["openai"]'),
    ]


def _wrong_loras(row: CatalogueModel) -> bool:
    try:
        return len(pairs_of(setting_of(row.loras))) != len(row.loras)
    except SpecError:
        return True


def _by_name() -> dict[str, CatalogueModel | None]:
    return _named(os.environ.get(CATALOGUE_VARIABLE, ""))


@cache
def _named(given_name: str) -> dict[str, CatalogueModel | None]:
    """Every key, id, alias and printed name -> its model; None for a name that several models have."""
    models_by_name: dict[str, CatalogueModel | None] = {}
    for row in _joined(given_name).values():
        for name in {plain_name(each) for each in (row.id, *row.aliases, *row.names) if each}:
            models_by_name[name] = None if name in models_by_name else row
    return models_by_name | {plain_name(key): row for key, row in _joined(given_name).items()}


def find_model(name: str) -> CatalogueModel | None:
    """Return the model with this key, Hub id, API name, or name in a paper's table, in any case; None if there is none
    or several have the name.

    Example:
        >>> find_model("Qwen/Qwen2.5-Omni-7B").key
        'qwen2.5-omni-7b'
    """
    return _by_name().get(plain_name(name))


def namesakes(name: str) -> list[str]:
    """Return the keys of the models that have this name, if several have it.

    Example:
        >>> len(namesakes("Human")), namesakes("gpt-4o")
        (2, [])
    """
    plain = plain_name(name)
    rows = catalogue().values() if _by_name().get(plain, ...) is None else ()
    return [row.key for row in rows if plain in {plain_name(each) for each in (row.id, *row.aliases, *row.names)}]


def catalogue_keys_like(name: str) -> list[str]:
    """Return the keys of at most eight models whose name has all words of a shorter one, in their order; if there are
    none, those whose name begins most similarly, as after a typing error.

    Example:
        >>> catalogue_keys_like("nemotron-omni"), catalogue_keys_like("videolama2")
        (['nemotron-3-nano-omni'], ['videollama2.1-7b-av', 'videollama3-7b'])
    """
    words = [re.escape(word) for word in re.split(r"[-_\s]+", plain_name(name)) if word]
    if not words or len("".join(words)) < 3:
        return []
    rule = re.compile(r"\b" + r"\b.*\b".join(words) + r"(?:\b|(?=\d))")
    return [key for key in catalogue() if rule.search(key)][:8] or _similar_names(plain_name(name))


_SIMILAR = 0.75  # the least likeness (difflib) of a name to the first words of a key


def _similar_names(name: str) -> list[str]:
    def likeness(key: str) -> float:
        words = re.split(r"(?<=[-.+])", key)
        begins = ("".join(words[:count]).rstrip("-.+") for count in range(1, len(words) + 1))
        return max(SequenceMatcher(None, name, begin).ratio() for begin in begins)

    ranked = sorted(((likeness(key), key) for key in catalogue()), key=lambda pair: -pair[0])
    return [key for value, key in ranked if value >= _SIMILAR][:8]


# How a Hub id is written where a slash can't be: folders of the Hub's cache, and of logs
_CACHED = re.compile(r"(?:^|[/\\])models--([^/\\]+?)--([^/\\]+)")
_JOINED = re.compile(r"^([^/\\]+?)__([^/\\]+)$")


def models_named(name: str) -> list[CatalogueModel]:
    """Return the models that a name from a log or a path may be: by key, id or name; by a folder of the Hub's cache
    (`models--Qwen--Qwen2.5-Omni-7B`); by a path whose last part is that of an id. Several if the name is ambiguous.

    Example:
        >>> [row.key for row in models_named("/data/hub/models--Qwen--Qwen2.5-Omni-7B/snapshots/ae9e1690")]
        ['qwen2.5-omni-7b']
        >>> [row.key for row in models_named("/weights/Qwen2.5-Omni-7B")]
        ['qwen2.5-omni-7b']
    """
    written = name.strip().rstrip("/\\")
    if match := _CACHED.search(written) or _JOINED.search(written):
        written = f"{match[1]}/{match[2]}"
    if (model := find_model(written)) is not None:
        return [model]
    if keys := namesakes(written):
        return [catalogue()[key] for key in keys]
    last = plain_name(re.split(r"[/\\]", written)[-1])
    ids = ((row, each) for row in catalogue().values() for each in (row.id, *row.aliases) if "/" in each)
    return list({row.key: row for row, each in ids if plain_name(each).rpartition("/")[2] == last}.values())


def select_models(papers: str = "", status: str = "", tag: str = "") -> Iterable[CatalogueModel]:
    """Yield the models that a paper reports, with today's status and a tag; empty strings select all."""
    for row in catalogue().values():
        if papers in ("", *row.papers) and status in ("", row.state()) and tag in ("", *row.tags):
            yield row


def plain_name(name: str) -> str:
    """Return a name in lower case, without the prefixes that servers add and with spaces as hyphens."""
    return re.sub(r"\s+", "-", name.strip().removeprefix("models/").lower())


# A date, a counter or `latest`, which services append to the name of a model to state its version.
_VERSION = re.compile(r"[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{3,4}|latest)$")


def same_model(name: str, served: str) -> bool:
    """Return whether a server that was asked for one name, and reports another, means the same weights.

    The same are: equal names in any case; a name and its dated version (`gpt-4o`, `gpt-4o-2024-11-20`); two names that
    the catalogue lists for one model; a path on the server and its last part. Two dated versions are different models.

    Example:
        >>> same_model("gpt-4o", "gpt-4o-2024-11-20"), same_model("gpt-4o", "gpt-4o-mini-2024-07-18")
        (True, False)
    """
    one, other = plain_name(name), plain_name(served)
    if one == other or ((row := find_model(one)) is not None and row is find_model(other)):
        return True
    if _VERSION.sub("", other) == one or one.removesuffix("-latest") == _VERSION.sub("", other):
        return True
    return ("/" in one) != ("/" in other) and one.rpartition("/")[2] == other.rpartition("/")[2]
