"""Entries of data sets as rows of the recipe `xmodbench`, as the authors take them: spans, counts, covers, parts.

Facts from the public repository XingruiWang/XModBench: the clusters of classes (`vggss_add_category.py`), the formulas
of `generate_count_reasoning.py` (count * k, (count + a) * b, (count - a) * b; counts up to 10), the excerpts of 2 s at
the loudest part (`process_mp4.py`, `process_urmp.py`), album covers in `covers/GENRE` (`generate_music_genre.py`), 3 to
5 clips of different classes in an order (`generate_order.py`), spans of one vehicle and streets without any
(`movements/1_generate_urban_clip.py`), sentences of at least ten words (`02_process_ocr_hard.py`), an answer that is
another clip of the same emotion or count than the stem (`generate_emotions.py`, `generate_count.py`).
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from triptych.construction.datasets import records
from triptych.construction.engine.context import Context
from triptych.construction.recipes._xmodbench_scenes import DatasetConfig, scene_row, street_rows
from triptych.construction.record import Record

MEDIA = ("audio", "image", "video")
MAX_REPETITIONS = 10  # repetitions of a context, as in the authors' scripts
MIN_WORDS = 10  # of a text that is read and spoken, as in the authors' scripts
_PARTS = (3, 5)  # clips of an order
_PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp")
# Subtasks that take entries of data sets with events or tracks instead of labels
SCENES = {"panaroma": "events", "3D_movements": "tracks"}
Row = dict[str, Any]


@cache
def clusters() -> dict[str, str]:
    """Return the cluster of each class of VGG-Sound that has one."""
    path = Path(__file__).with_name("_xmodbench_clusters.toml")
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: cluster for cluster, names in document.items() for name in names}


def entries(
    settings: DatasetConfig, base: Path, rules: Mapping[str, Any], context: Context
) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of a data set as rows of a table of triplets. Raises as the data set's module does."""
    source_records = records(settings.name, base / settings.folder)
    scene = SCENES.get(settings.subtask, "")
    if settings.subtask in ("count", "calculation"):
        yield from _count_rows(settings, list(source_records), context)
        return
    if settings.subtask == "order":
        yield from _order_rows(settings, list(source_records), context)
        return
    if settings.subtask == "emotion_classification":
        yield from _emotion_entries(settings, list(source_records), rules, context)
        return
    covers = _covers(base / settings.folder) if settings.subtask == "music_genre_classification" else {}
    allowed = rules.get("categories")
    for record in source_records:
        if scene == "tracks" and scene in record.fields:
            yield from street_rows(settings, record, rules["window"])
        elif scene in record.fields:
            yield scene_row(settings, record, scene)
        elif settings.subtask == "arrangements" and record.fields.get("parts"):
            yield from _arrangement_rows(settings, record)
        elif not allowed or record.fields.get("label") in allowed:
            yield _labelled(settings, record, rules) | _cover(settings, record, covers)


def _labelled(settings: DatasetConfig, record: Record, rules: Mapping[str, Any]) -> Row:
    values = record.fields
    label, unusable = values.get("label"), ""
    group = settings.group or (clusters().get(str(label), "") if rules.get("groups") else values.get("genre") or "")
    if rules.get("groups") and not group:
        unusable = "no-cluster"
    elif rules.get("written") and not group and len(str(values.get("text") or "").split()) < MIN_WORDS:
        unusable = "too-few-words"
    return _row(settings, record) | {
        "group": group,
        "text": values.get("text") or label,
        "category": label,
        "transcript": values.get("transcript"),
        "begin": values.get("begin"),
        "end": values.get("end"),
        "unusable": unusable,
    }


def _row(settings: DatasetConfig, record: Record) -> Row:
    values = record.fields
    files = {kind: values.get(f"{kind}_file") for kind in MEDIA}
    return {
        "id": f"{settings.name}-{record.id}",
        "subtask": settings.subtask,
        "group": settings.group,
        "licence": values.get("licence"),
        "source": record.sources[0],
    } | {kind: f"{settings.folder}/{name}" for kind, name in files.items() if name}


def _count_rows(settings: DatasetConfig, records: Sequence[Record], context: Context) -> Iterator[Row]:
    """Repetitions: the text is their number. A calculation asks for an entry with the number that a formula gives."""
    by_count: dict[int, list[Record]] = defaultdict(list)
    for record in records:
        by_count[record.fields["count"]].append(record)
    for record in records:
        count = record.fields["count"]
        row = _row(settings, record) | _times(count) | _span(record, "") | {"group": settings.group or settings.name}
        if settings.subtask == "count":
            other = _draw_other_entry(settings, record, by_count[count], context)
            yield row | other | ({"target_text": row["text"]} if other else {})
            continue
        draw = context.random("formula", settings.name, record.id)
        fitting = [(text, value) for text, value in formulas(count) if by_count.get(value)]
        if not fitting or count > MAX_REPETITIONS:
            yield row | {"unusable": "no-formula"}
            continue
        text, value = draw.choice(fitting)
        target = draw.choice(by_count[value])
        files = {f"target_{kind}": _row(settings, target).get(kind) for kind in ("audio", "video")}
        yield (
            row
            | files
            | _span(target, "target_")
            | {
                "target_text": _times(value)["text"],
                "category": str(value),
                "relation": f"has the number of repetitions that follows from this {{context}} by the formula {text}",
            }
        )


def _draw_other_entry(settings: DatasetConfig, record: Record, alike: Sequence[Record], context: Context) -> Row:
    """Another entry of the same count or emotion, drawn by the seed, which is the answer; none if there is none."""
    others = [other for other in alike if other is not record]
    if not others:
        return {}
    other = context.random("another", settings.name, record.id).choice(others)
    files = _row(settings, other)
    media = {f"target_{kind}": files[kind] for kind in ("audio", "video") if files.get(kind)}
    if not media:
        return {}
    if words := other.fields.get("transcript"):
        media["target_transcript"] = words
    return media | _span(other, "target_")


def _emotion_entries(
    settings: DatasetConfig, records: Sequence[Record], rules: Mapping[str, Any], context: Context
) -> Iterator[Mapping[str, Any]]:
    """Dialogues: the text is their emotion; another dialogue of the same emotion is asked for."""
    by_emotion: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        seconds = record.fields.get("seconds")
        if seconds is None or rules["least"] <= seconds <= rules["most"]:
            by_emotion[str(record.fields.get("label"))].append(record)
    for record in records:
        label = str(record.fields.get("label"))
        if label in rules["categories"]:
            yield (
                _labelled(settings, record, rules)
                | {"text": label, "target_text": label}
                | _draw_other_entry(settings, record, by_emotion[label], context)
            )


def _order_rows(settings: DatasetConfig, records: Sequence[Record], context: Context) -> Iterator[Row]:
    """Each clip with two to four others of other classes, 2 seconds of each one after another.

    A class is named by its first words: `playing violin, fiddle` is `playing violin`.
    """
    clips = [
        (str(record.fields.get("label") or "").partition(",")[0].strip(), _row(settings, record)) for record in records
    ]
    usable = [(label, row) for label, row in clips if label and row.get("video")]
    for (label, row), record in zip(clips, records, strict=True):
        draw = context.random("order", settings.name, record.id)
        taken = {label: row}
        number = draw.randint(*_PARTS)
        for other, clip in draw.sample(usable, len(usable)):
            if len(taken) == number:
                break
            taken.setdefault(other, clip)
        made = {name: value for name, value in row.items() if name not in MEDIA}
        if not label or not row.get("video") or len(taken) < _PARTS[0]:
            yield made | {"unusable": "no-video" if label and not row.get("video") else "too-few-classes"}
            continue
        order = draw.sample(list(taken), len(taken))
        parts = [{"text": name, "video": taken[name]["video"]} for name in order]
        yield made | {"parts": parts, "compose": "order", "loudest": 2.0}


def formulas(count: int) -> list[tuple[str, int]]:
    """Return the formulas of the released calculations with their results for a number of repetitions.

    Example:
        >>> formulas(1)[2:4]
        [('repetition count * 4', 4), ('(repetition count + 1) * 2', 4)]
    """
    derived_values = [(f"repetition count * {k}", count * k) for k in (2, 3, 4)]
    derived_values += [(f"(repetition count + {a}) * {b}", (count + a) * b) for a in (1, 2, 3) for b in (2, 3, 4)]
    derived_values += [
        (f"(repetition count - {a}) * {b}", (count - a) * b) for a in range(1, min(3, count - 1) + 1) for b in (2, 3, 4)
    ]
    return derived_values


def _times(count: int) -> Row:
    return {"text": f"{count} time{'' if count == 1 else 's'}", "category": str(count)}


def _span(record: Record, prefix: str) -> Row:
    return {f"{prefix}{name}": record.fields[name] for name in ("begin", "end") if name in record.fields}


def _arrangement_rows(settings: DatasetConfig, record: Record) -> Iterator[Row]:
    """A piece of three to five players: their parts, and what each has of the picture, from left to right."""
    values = record.fields
    players, film = values["parts"], values.get("video_file")
    parts = [
        {
            "text": player["instrument"],
            "audio": f"{settings.folder}/{player['audio_file']}",
            "image": film and f"{settings.folder}/{film}",
            "column": [index, len(players)],
        }
        for index, player in enumerate(players)
        if player["audio_file"]
    ]
    row = {**_row(settings, record), "parts": parts, "compose": "arrangement", "loudest": 2.0}
    yield {name: value for name, value in row.items() if name not in MEDIA}


def _covers(folder: Path) -> dict[str, list[str]]:
    """The album covers, by genre: `covers/GENRE/NAME.jpg`."""
    covers: dict[str, list[str]] = defaultdict(list)
    for path in sorted((folder / "covers").glob("*/*")):
        if path.suffix.lower() in _PICTURES and not path.is_symlink():
            covers[path.parent.name].append(f"covers/{path.parent.name}/{path.name}")
    return covers


def _cover(settings: DatasetConfig, record: Record, covers: dict[str, list[str]]) -> Row:
    """The next cover of the genre; each is used once."""
    left = covers.get(str(record.fields.get("label")))
    return {"image": f"{settings.folder}/{left.pop(0)}"} if left else {}
