"""The rows of the recipe `xmodbench`: tables of triplets and entries of data sets become records."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from triptych.construction.engine.context import Context
from triptych.construction.people.texts import remark_in, script_of
from triptych.construction.recipe import Start, without_file
from triptych.construction.recipes._xmodbench_entries import MEDIA, entries
from triptych.construction.recipes._xmodbench_labels import (
    label_fault,
    names,
    other_name,
    product_fault,
    translated_fault,
)
from triptych.construction.recipes._xmodbench_scenes import (
    EVENT_COLUMNS,
    DatasetConfig,
    is_scene,
    number_of,
    scene_fields,
)
from triptych.construction.record import Maker, Outcome, Record, dropped
from triptych.construction.stages.composed import COMPOSED
from triptych.construction.tables import RowFaults, read_table
from triptych.construction.text_checks.options.homophones import sounds_alike_fault
from triptych.construction.text_checks.translation.parallel import REGRET
from triptych.construction.text_checks.wording import (
    in_language,
    option_faults,
    plain_meaning,
    text_fault,
    transcript_fault,
    wording_fault,
)
from triptych.errors import DataError, MediaError, nearest

# Subtasks whose text says exactly what their media hold: two texts of one file can't both be right
EXACT = ("recognition", "translation", "order", "arrangements", "count")
LISTS = ("order", "arrangements")  # subtasks whose texts are lists, with numbers or without
_EMOJI = re.compile("[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")
VARIED = ("recognition", "translation")  # subtasks for which a model can write wrong texts
FACTS = ("licence", "consent", "language", "group", "category", "concept")
# Fields whose maker is the row; the others are the subtask's rules.
FROM_ROWS = {
    *FACTS,
    *EVENT_COLUMNS,
    "subtask",
    "given",
    "target_text",
    "author_died",
    "parts",
    "counts",
    "label",
    "events",
    "tracks",
    "foa_file",
    "mic_file",
    "audio_file",
    "video_file",
}


Parts = dict[str, Mapping[str, Any] | MediaError]


class Rows(Protocol):
    """The part of the recipe's configuration that names tables and data sets."""

    @property
    def triplets(self) -> tuple[str, ...]: ...

    @property
    def datasets(self) -> tuple[DatasetConfig, ...]: ...

    @property
    def parts(self) -> tuple[str, ...]: ...

    @property
    def common(self) -> dict[str, str]: ...

    @property
    def vary(self) -> bool: ...

    @property
    def translate(self) -> bool: ...

    @property
    def songs(self) -> tuple[int, int]: ...


@cache
def subtasks() -> dict[str, dict[str, Any]]:
    """The 17 subtasks as data."""
    path = Path(__file__).with_name("_xmodbench_subtasks.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def start(config: Rows, base: Path, context: Context) -> Iterator[Start]:
    """The rows of the tables, each with the SHA-256 of its files. Raises DataError that names all rows which can't be
    used."""
    faults = RowFaults()
    parts = _parts(config, base, context, faults)
    numbers = _rows_of_persons(config, base, context)
    texts: dict[tuple[Any, ...], tuple[str, str]] = {}
    for table, rows in [*_tables(config, base, faults), *_datasets(config, base, context)]:
        path = base / table
        for number, cells in enumerate(rows, 1):
            if not cells:
                continue
            row = {**config.common, **{name: value for name, value in cells.items() if value not in (None, "")}}
            with faults.row():
                yield _started(row, f"{path}, row {number}", table, number, parts, numbers, texts, config, context)
    faults.check()


def _started(
    row: Mapping[str, Any],
    where: str,
    table: str,
    number: int,
    parts: Parts,
    numbers: Mapping[str, int],
    texts: dict[tuple[Any, ...], tuple[str, str]],
    config: Rows,
    context: Context,
) -> Start:
    unusable = None
    try:
        fields = _fields(row, where, context, vary=config.vary, translate=config.translate)
        fields |= _composed_fields(row, parts, where, context) | scene_fields(row, where, context)
        unusable = _unfit(row, numbers, config.songs) or _contradiction(row, fields, texts)
    except MediaError as error:
        fields, unusable = {"subtask": row["subtask"]}, without_file(error)
    maker = Maker("source", str(row.get("source") or table), f"row={number}")
    source = f"triplet:{row.get('source') or row['id']}"
    makers = dict.fromkeys((name for name in fields if name in FROM_ROWS), maker)
    return Start(Record(str(row["id"]), fields, (source,)), makers, unusable)


def _parts(config: Rows, base: Path, context: Context, faults: RowFaults) -> Parts:
    """The parts of composed rows; in place of a part with a missing file the error, by which its rows fail."""
    parts: Parts = {}
    for table in config.parts:
        for row in read_table(base / table, ["id", "text"], faults=faults):
            if row:
                try:
                    parts[str(row["id"])] = _given_parts(row, "", context)
                except MediaError as error:
                    parts[str(row["id"])] = error
    return parts


def _tables(config: Rows, base: Path, faults: RowFaults) -> Iterator[tuple[str, Iterable[Mapping[str, Any]]]]:
    for table in config.triplets:
        yield table, read_table(base / table, ["id", "subtask"], faults=faults)


def _datasets(config: Rows, base: Path, context: Context) -> Iterator[tuple[str, Iterable[Mapping[str, Any]]]]:
    for dataset in config.datasets:
        yield dataset.folder, entries(dataset, base, subtasks().get(dataset.subtask, {}), context)


def _rows_of_persons(config: Rows, base: Path, context: Context) -> Counter[str]:
    """The number of rows of each person."""
    tables = [*_tables(config, base, RowFaults()), *_datasets(config, base, context)]
    rows = (row for _, rows in tables for row in rows)
    return Counter(
        str(row.get("category")) for row in rows if subtasks().get(str(row.get("subtask")), {}).get("person")
    )


def _unfit(row: Mapping[str, Any], numbers: Mapping[str, int], songs: tuple[int, int]) -> Outcome | None:
    """The outcome of a row that the paper's settings exclude: a plot with its title, too few or many songs of one."""
    rules, name = subtasks()[row["subtask"]], str(row.get("category") or "")
    if row.get("unusable"):
        return dropped(str(row["unusable"]), name)
    for column in ("text", "target_text", "transcript"):
        words = str(row.get(column) or "")
        fault = transcript_fault(words) if column == "transcript" else text_fault(words)
        if fault and fault[0] == "apology" and column == "text" and row["subtask"] in VARIED:
            fault = transcript_fault(words)  # the words of a recording, in which people may say that they are sorry
        if column == "target_text" and words and rules.get("target_language"):
            if fault and fault[0] == "apology" and REGRET.search(str(row.get("text") or "")):
                fault = None  # somebody says that they are sorry in the source, too
            fault = fault or translated_fault(words, str(row.get("text") or ""), rules["target_language"])
        if column != "transcript" and not fault and (marked := wording_fault("", [], words)):
            fault = marked if marked[0] == "answer-marked" else None
        if fault:
            return dropped(fault[0], f"{column}: {fault[1]}")
    if row["subtask"] == "calculation":
        texts = (str(row.get(column) or "") for column in ("text", "target_text", "relation"))
        if wrong := product_fault(*texts):
            return dropped(*wrong)
    if rules.get("category") and not rules.get("person") and not rules.get("untitled"):
        for column in ("text", "category"):
            if (words := str(row.get(column) or "")) and (fault := label_fault(words)):
                return dropped(fault[0], f"{column}: {fault[1]}")
    if row["subtask"] in VARIED:
        words = str(row.get("text") or "")
        if match := next(
            (
                match
                for text in (words, str(row.get("target_text") or ""), *_listed(row.get("wrong")))
                if (match := _EMOJI.search(text))
            ),
            None,
        ):
            return dropped("emoji", f"{match[0]!r} can't be spoken")
    if unfit := _options_fault(row) or _language_fault(row):
        return unfit
    words = str(row.get("text") or "")
    if rules.get("untitled") and names(words, name):
        return dropped("title-in-text", name)
    if rules.get("person") and (other := other_name(words, name, numbers)):
        return dropped("names-another", f"the text names {other}; the category is {name}")
    if rules.get("person") and not songs[0] <= numbers[name] <= songs[1]:
        return dropped("number-of-songs", f"{numbers[name]} of {name}; {songs[0]} to {songs[1]} are needed")
    return None


def _options_fault(row: Mapping[str, Any]) -> Outcome | None:
    """The outcome of a row whose texts have letters, marks, options or remarks of their own, alone and as options."""
    named = {name: str(row.get(name) or "").strip() for name in ("text", "target_text")}
    wrong = [text.strip() for text in _listed(row.get("wrong")) if text.strip()]
    if row["subtask"] in VARIED and (
        fault := sounds_alike_fault(str(row.get("target_text") or row.get("text") or ""), wrong, 3)
    ):
        return dropped(fault[0], f"wrong: {fault[1]}; give another wrong text")
    texts = [*named.items(), *(("wrong", text) for text in wrong)]
    for column, text in texts:
        fault = wording_fault(text, []) if text else None
        if fault and fault[0] != "apology":  # decided before: people in recordings may say that they are sorry
            return dropped(fault[0], f"{column}: {fault[1]}")
    if wrong and (fault := wording_fault("", wrong)):
        return dropped(fault[0], f"wrong: {fault[1]}")
    column = "target_text" if named["target_text"] else "text"
    right = named[column]
    for text in wrong:
        if remark := remark_in(text, right):
            return dropped("remark-in-text", f"wrong: {remark[:40]!r} is about the text: write the text itself")
    if not right or row["subtask"] in LISTS or subtasks()[row["subtask"]].get("person"):
        return None  # the letters of lists and of names (G.E.M.) are their own
    # A wrong text that says the same as the right one is left out when candidates are drawn
    faults = (fault for fault in option_faults("", [right, *wrong]) if fault[0] != "same-option-twice")
    return dropped(fault[0], f"{column}: {fault[1]}") if (fault := next(faults, None)) else None


def _language_fault(row: Mapping[str, Any]) -> Outcome | None:
    """The outcome of a sentence that isn't in its `language`. Without one, sentences with Latin letters are English."""
    if row["subtask"] not in VARIED:
        return None
    words, stated = str(row.get("text") or ""), str(row.get("language") or "")
    language = stated or ("en" if script_of(words) == "LATIN" else "")
    texts = [words, *(_listed(row.get("wrong")) if row["subtask"] == "recognition" else ())]
    if language and (text := next((each for each in texts if each.strip() and not in_language(each, language)), "")):
        more = "" if stated else "; if it is right, fill in the column `language`"
        return dropped("wrong-language", f"{text[:60]!r} is not in the language {language}{more}")
    return None


def _contradiction(
    row: Mapping[str, Any], fields: Mapping[str, Any], texts: dict[tuple[Any, ...], tuple[str, str]]
) -> Outcome | None:
    """The outcome of a row of which an earlier one has the same file with another text; `texts` collects those."""
    facts = (fields.get("given") or {}).get("own") or {}
    if row["subtask"] not in EXACT or not facts.get("text"):
        return None
    plain = plain_meaning(facts["text"])
    for kind in MEDIA:
        if not (file := facts.get(kind)):
            continue
        id, text = texts.setdefault(
            (row["subtask"], file["sha256"], file.get("begin"), file.get("end")), (str(row["id"]), plain)
        )
        if text != plain:
            return dropped("other-text-of-one-file", f"{file['file']} has another text in {id}")
    return None


def _fields(row: Mapping[str, Any], where: str, context: Context, *, vary: bool, translate: bool) -> dict[str, Any]:
    if row["subtask"] not in subtasks():
        raise DataError("no such subtask", where=where, got=row["subtask"], fix=nearest(row["subtask"], subtasks()))
    rules = subtasks()[row["subtask"]]
    category = row.get("category")
    if rules.get("category") and not category:
        raise DataError(f"{row['subtask']} needs a category", where=where, expected="a value in the column `category`")
    for column, allowed in (("category", rules.get("categories")), ("group", rules.get("groups"))):
        if allowed and row.get(column) not in allowed and not row.get("unusable"):
            raise DataError(
                f"no such {column} of {row['subtask']}", where=where, got=row.get(column), expected=", ".join(allowed)
            )
    columns = {"own": {} if is_scene(row) else _given_parts(row, "", context, where)}
    wrong = [text.strip() for text in _listed(row.get("wrong")) if text.strip()]
    varied = vary and row["subtask"] in VARIED and not wrong and not row.get("group")
    translated = bool(rules.get("target_language")) and not _has_form(row, "target_")
    if translated and not translate:
        raise DataError(
            f"{row['subtask']} needs the text that is asked for",
            where=where,
            expected=f"a text in {rules['target_language']} in the column `target_text`",
            fix="add it, or set translate = true and name [models.translator]",
        )
    if target := _given_parts(row, "target_", context, where):
        columns["target"] = target
    elif translated:
        pass  # a model writes the target
    elif (
        wrong or varied
    ):  # the four candidates are made alike: a recorded target among spoken texts would be recognised
        columns["target"] = {"text": row.get("text")}
    pool = "own" if wrong or varied or row.get("parts") or is_scene(row) else rules["pool"]
    if pool == "group" and not row.get("group"):
        raise DataError(
            f"{row['subtask']} takes distractors from a group",
            where=where,
            expected="a value in the column `group`, or wrong answers in `wrong`",
        )
    died = str(row.get("author_died") or "")
    fields = {
        "subtask": row["subtask"],
        "family": rules["family"],
        "vision_kind": rules["vision"],
        "pool": pool,
        "relation": _relation(row, where) or rules["relation"],
        "person": bool(rules.get("person")),
        "loudest": row.get("loudest") or rules.get("loudest"),
        "step": rules.get("step"),
        "paired": rules.get("paired"),
        "moves": rules.get("moves"),
        "written": bool(rules.get("written")),
        "to_translate": translated,
        "least_seconds": rules.get("least"),
        "most_seconds": rules.get("most"),
        "close": (rules.get("close") or {}).get(category),
        "target_language": rules.get("target_language"),
        "given": columns | ({"wrong": [{"text": text} for text in wrong]} if wrong else {}),
        "target_text": None if translated else (columns.get("target") or columns["own"]).get("text"),
        "varied": varied,
        "author_died": int(died) if died.removeprefix("-").isdecimal() else None,
        **{name: row.get(name) for name in FACTS},
    }
    return {name: value for name, value in fields.items() if value not in (None, "")}


def _part(part: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """A part of a data set's own: its files with their hashes, and the column of the picture that shows it."""
    files = {kind: {"file": part[kind], "sha256": context.sha256(part[kind])} for kind in MEDIA if part.get(kind)}
    if "image" in files:
        files["image"] |= {"column": part["column"]}
    return {"text": part["text"], **files}


def _composed_fields(row: Mapping[str, Any], parts: Parts, where: str, context: Context) -> dict[str, Any]:
    """The fields of a row that is composed of parts; none if it isn't. Raises the MediaError of a part."""
    if isinstance(row.get("parts"), list) and row["parts"] and isinstance(row["parts"][0], dict):
        return {"compose": row["compose"], "parts": [_part(part, context) for part in row["parts"]]}
    named = [name.strip() for name in _listed(row.get("parts"))]
    if not named:
        return {}
    kinds = COMPOSED.get(row["subtask"], ())
    kind = row.get("compose") or (kinds[0] if kinds else "")
    if kind not in kinds:
        raise DataError(
            f"{row['subtask']} can't be composed so", where=where, got=kind, expected=", ".join(kinds) or "none"
        )
    if unknown := [name for name in named if name not in parts]:
        raise DataError(
            f"no part {unknown[0]!r}",
            where=where,
            fix=nearest(unknown[0], parts),
            expected="an id of the tables in `parts`",
        )
    for part in (parts[name] for name in named):
        if isinstance(part, MediaError):
            raise part
    fields: dict[str, Any] = {"compose": kind, "parts": [parts[name] for name in named]}
    if kind in ("count", "double", "sum"):
        counts = str(row.get("count") or "").split("+")
        if len(counts) != (2 if kind == "sum" else 1) or not all(
            c.strip().isdecimal() and 0 < int(c) < 100 for c in counts
        ):
            raise DataError(
                "not a valid count",
                where=where,
                got=row.get("count"),
                expected="3+2" if kind == "sum" else "a number from 1 to 99",
            )
        fields["counts"] = [int(count) for count in counts]
    return fields


def _relation(row: Mapping[str, Any], where: str) -> str:
    """The row's own relation; empty if it has none. Raises DataError for one that names anything but {context}."""
    relation = str(row.get("relation") or "")
    if relation.replace("{context}", "").count("{") or relation.replace("{context}", "").count("}"):
        raise DataError("the relation can't be used", where=where, got=relation, expected="{context} as its only name")
    return relation


def _listed(value: object) -> list[str]:
    if isinstance(value, str):
        return value.split("|")
    return [str(each) for each in value] if isinstance(value, list) else []


def _has_form(row: Mapping[str, Any], prefix: str) -> bool:
    return any(row.get(f"{prefix}{name}") for name in ("text", *MEDIA))


def _given_parts(row: Mapping[str, Any], prefix: str, context: Context, where: str = "") -> dict[str, Any]:
    """The given parts of a form: its text, and files with their SHA-256 and the span that is used of them."""
    fields: dict[str, Any] = {"text": row[f"{prefix}text"]} if row.get(f"{prefix}text") else {}
    span = _span(row, prefix, where)
    for kind in MEDIA:
        if name := row.get(f"{prefix}{kind}"):
            fields[kind] = {"file": str(name), "sha256": context.sha256(name)} | (span if kind != "image" else {})
    if "video" in fields and row.get(f"{prefix}transcript"):
        fields["video"]["transcript"] = str(row[f"{prefix}transcript"])
    return fields


def _span(row: Mapping[str, Any], prefix: str, where: str) -> dict[str, float]:
    """The columns `begin` and `end`, in seconds; empty if neither is filled in. Raises DataError for an empty span."""
    begin, end = (row.get(f"{prefix}{name}") for name in ("begin", "end"))
    if begin in (None, "") and end in (None, ""):
        return {}
    first = number_of(begin, f"{prefix}begin", where) if begin not in (None, "") else 0.0
    last = number_of(end, f"{prefix}end", where) if end not in (None, "") else None
    if first < 0 or (last is not None and last <= first):
        raise DataError(
            "a span ends before it begins", where=where, got=f"{begin} to {end}", expected="begin < end, in seconds"
        )
    return {"begin": first} | ({"end": last} if last is not None else {})
