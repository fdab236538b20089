"""Entries of data sets as rows of the recipe `xmodbench`, as the authors take them: spans, counts, covers, parts.

Facts from the public repository XingruiWang/XModBench: the clusters of classes (`vggss_add_category.py`), the formulas
of `generate_count_reasoning.py` (count * k, (count + a) * b, (count - a) * b; counts up to 10), the excerpts of 2 s at
the loudest part (`process_mp4.py`, `process_urmp.py`), album covers in `covers/GENRE` (`generate_music_genre.py`).
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
from triptych.construction.recipes._xmodbench_scenes import DatasetConfig, scene_row
from triptych.construction.record import Record

MEDIA = ("audio", "image", "video")
MAX_REPETITIONS = 10  # repetitions of a context, as in the authors' scripts
_PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp")
# Subtasks that take entries of data sets with events or tracks instead of labels
SCENES = {"panaroma": "events", "3D_movements": "tracks"}
Row = dict[str, Any]


@cache
def clusters() -> dict[str, str]:
    """Return the cluster of each class of VGG-Sound that has one."""
    path = Path(__file__).with_name("_xmodbench_clusters.toml")
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: cluster for cluster, names in found.items() for name in names}


def entries(own: DatasetConfig, base: Path, rules: Mapping[str, Any], context: Context) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of a data set as rows of a table of triplets. Raises as the data set's module does."""
    found = records(own.name, base / own.folder)
    scene = SCENES.get(own.subtask, "")
    if own.subtask in ("count", "calculation"):
        yield from _counted(own, list(found), context)
        return
    covers = _covers(base / own.folder) if own.subtask == "music_genre_classification" else {}
    allowed = rules.get("categories")
    for record in found:
        if scene in record.fields:
            yield scene_row(own, record, scene)
        elif own.subtask == "arrangements" and record.fields.get("parts"):
            yield from _arranged(own, record)
        elif not allowed or record.fields.get("label") in allowed:
            yield _labelled(own, record, rules) | _cover(own, record, covers)


def _labelled(own: DatasetConfig, record: Record, rules: Mapping[str, Any]) -> Row:
    values = record.fields
    label = values.get("label")
    group = own.group or (clusters().get(str(label), "") if rules.get("groups") else "")
    return _row(own, record) | {
        "group": group,
        "text": label or values.get("text"),
        "category": label,
        "transcript": values.get("transcript"),
        "begin": values.get("begin"),
        "end": values.get("end"),
        "unusable": "no-cluster" if rules.get("groups") and not group else "",
    }


def _row(own: DatasetConfig, record: Record) -> Row:
    values = record.fields
    files = {kind: values.get(f"{kind}_file") for kind in MEDIA}
    return {
        "id": f"{own.name}-{record.id}",
        "subtask": own.subtask,
        "group": own.group,
        "licence": values.get("licence"),
        "source": record.sources[0],
    } | {kind: f"{own.folder}/{name}" for kind, name in files.items() if name}


def _counted(own: DatasetConfig, found: Sequence[Record], context: Context) -> Iterator[Row]:
    """Repetitions: the text is their number. A calculation asks for an entry with the number that a formula gives."""
    by_count: dict[int, list[Record]] = defaultdict(list)
    for record in found:
        by_count[record.fields["count"]].append(record)
    for record in found:
        count = record.fields["count"]
        row = _row(own, record) | _times(count) | _span(record, "") | {"group": own.group or own.name}
        if own.subtask == "count":
            yield row
            continue
        draw = context.random("formula", own.name, record.id)
        fitting = [(text, value) for text, value in formulas(count) if by_count.get(value)]
        if not fitting or count > MAX_REPETITIONS:
            yield row | {"unusable": "no-formula"}
            continue
        text, value = draw.choice(fitting)
        target = draw.choice(by_count[value])
        files = {f"target_{kind}": _row(own, target).get(kind) for kind in ("audio", "video")}
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


def formulas(count: int) -> list[tuple[str, int]]:
    """Return the formulas of the released calculations with their results for a number of repetitions.

    Example:
        >>> formulas(1)[2:4]
        [('repetition count * 4', 4), ('(repetition count + 1) * 2', 4)]
    """
    found = [(f"repetition count * {k}", count * k) for k in (2, 3, 4)]
    found += [(f"(repetition count + {a}) * {b}", (count + a) * b) for a in (1, 2, 3) for b in (2, 3, 4)]
    found += [
        (f"(repetition count - {a}) * {b}", (count - a) * b) for a in range(1, min(3, count - 1) + 1) for b in (2, 3, 4)
    ]
    return found


def _times(count: int) -> Row:
    return {"text": f"{count} time{'' if count == 1 else 's'}", "category": str(count)}


def _span(record: Record, prefix: str) -> Row:
    return {f"{prefix}{name}": record.fields[name] for name in ("begin", "end") if name in record.fields}


def _arranged(own: DatasetConfig, record: Record) -> Iterator[Row]:
    """A piece of three to five players: their parts, and what each has of the picture, from left to right."""
    values = record.fields
    players, film = values["parts"], values.get("video_file")
    parts = [
        {
            "text": player["instrument"],
            "audio": f"{own.folder}/{player['audio_file']}",
            "image": film and f"{own.folder}/{film}",
            "column": [place, len(players)],
        }
        for place, player in enumerate(players)
        if player["audio_file"]
    ]
    row = {**_row(own, record), "parts": parts, "compose": "arrangement", "loudest": 2.0}
    yield {name: value for name, value in row.items() if name not in MEDIA}


def _covers(folder: Path) -> dict[str, list[str]]:
    """The album covers, by genre: `covers/GENRE/NAME.jpg`."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((folder / "covers").glob("*/*")):
        if path.suffix.lower() in _PICTURES and not path.is_symlink():
            found[path.parent.name].append(f"covers/{path.parent.name}/{path.name}")
    return found


def _cover(own: DatasetConfig, record: Record, covers: dict[str, list[str]]) -> Row:
    """The next cover of the genre; each is used once."""
    left = covers.get(str(record.fields.get("label")))
    return {"image": f"{own.folder}/{left.pop(0)}"} if left else {}
