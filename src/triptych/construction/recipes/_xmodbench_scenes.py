"""Scenes (a panorama with its sound field) and streets with tracked vehicles as rows of the recipe `xmodbench`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from triptych.construction.engine.context import Context
from triptych.construction.record import Record
from triptych.construction.stages.scene_forms import movement_of
from triptych.errors import DataError

EVENT_COLUMNS = ("azimuth", "elevation", "distance", "begin", "end")  # of an event in a scene: degrees, metres, seconds


class DatasetConfig(msgspec.Struct, forbid_unknown_fields=True):
    """A data set in its released layout: `name` (`triptych.construction.datasets`), `folder`, and the subtask.

    The label is the text and the category of each entry (RenderedText has no label, but the text itself); entries of
    categories that the subtask doesn't have are left out. `group` is the group of all entries.
    """

    name: str
    folder: str
    subtask: str
    group: str = ""


def is_scene(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a scene: its sound is a field, or its events are listed."""
    return row["subtask"] == "panaroma" and any(row.get(name) for name in ("foa", "mic", "events"))


def scene_row(settings: DatasetConfig, record: Record, kind: str) -> Mapping[str, Any]:
    """An entry with events or tracks as a row; its files are below the folder of the data set."""
    values = record.fields
    files = {
        name: f"{settings.folder}/{values[f'{name}_file']}"
        for name in ("audio", "foa", "mic", "video")
        if values.get(f"{name}_file")
    }
    return {
        "id": f"{settings.name}-{record.id}",
        "subtask": settings.subtask,
        "group": settings.group,
        "source": record.sources[0],
        "licence": values.get("licence"),
        kind: values[kind],
        "offscreen": values.get("offscreen"),
        **files,
    }


def street_rows(settings: DatasetConfig, record: Record, window: float) -> Iterator[Mapping[str, Any]]:
    """A street as rows: one for each vehicle that is heard and seen, or one for a street without any.

    Every row has a span of `window` seconds, in the middle of the time in which the vehicle is seen while it is heard:
    spans of other lengths would tell which film belongs to which recording. Of several vehicles of one kind, the one
    with the largest first box is taken. A span in which another kind is heard, or another vehicle of this kind moves
    otherwise, is unusable.
    """
    values, row = record.fields, dict(scene_row(settings, record, "tracks"))
    length = float(values.get("end") or window)
    if not values["events"] and not values["tracks"]:
        unusable = "unknown-vehicle" if values.get("unidentified_vehicle") else ""
        yield row | {"tracks": [], "begin": 0.0, "end": min(window, length), "offscreen": False, "unusable": unusable}
        return
    for number, event in enumerate(values["events"]):
        if event["label"] == "offscreen":
            continue
        one = row | {"id": f"{row['id']}-{number}", "offscreen": False}
        seen = [
            track | {"boxes": boxes}
            for track in values["tracks"]
            if track["label"] == event["label"]
            and (boxes := _visible_boxes(track["boxes"], event["begin"], event["end"]))
        ]
        if not seen:
            yield one | {"tracks": [], "unusable": "not-visible"}
            continue
        track = max(seen, key=lambda track: track["boxes"][0][3] * track["boxes"][0][4])
        middle = (track["boxes"][0][0] + track["boxes"][-1][0]) / 2
        begin = round(min(max(0.0, middle - window / 2), max(0.0, length - window)), 2)
        end = round(min(begin + window, length), 2)
        labels = {other["label"] for other in values["events"] if other["begin"] < end and begin < other["end"]}
        unusable = ""
        if "offscreen" in labels:
            unusable = "source-not-visible"
        elif labels - {event["label"]} or _move_apart(seen, begin, end):
            unusable = "several-vehicles"
        track = track | {"boxes": _visible_boxes(track["boxes"], begin, end)}
        yield one | {"tracks": [track], "begin": begin, "end": end, "unusable": unusable}


def _visible_boxes(boxes: Sequence[Sequence[float]], begin: float, end: float) -> list[Sequence[float]]:
    """The boxes of a span in which more than half of the vehicle is visible."""
    return [box for box in boxes if begin <= box[0] <= end and box[5] > 0.5]


def _move_apart(tracks: Sequence[Mapping[str, Any]], begin: float, end: float) -> bool:
    """Whether vehicles of one kind move in different directions in a span."""
    matching_tracks = {
        movement
        for track in tracks
        if len(boxes := _visible_boxes(track["boxes"], begin, end)) > 1 and (movement := movement_of(boxes, 1.0, 1.5))
    }
    return len(matching_tracks) > 1


def scene_fields(row: Mapping[str, Any], where: str, context: Context) -> dict[str, Any]:
    """The fields of a scene (a panorama with its sound field) or of a street with tracked vehicles; none otherwise."""
    street = row["subtask"] == "3D_movements" and isinstance(row.get("tracks"), list)
    if not (street or is_scene(row)):
        return {}
    fields: dict[str, Any] = {"compose": "street" if street else "scene"}
    for name in ("audio", "video") if street else ("foa", "mic", "video"):
        if file := row.get(name):
            fields |= {f"{name}_file": str(file), f"{name}_file_sha256": context.sha256(file)}
    if street:
        span = {name: row[name] for name in ("begin", "end") if row.get(name) is not None}
        return fields | span | {"tracks": row["tracks"], "offscreen": bool(row.get("offscreen"))}
    if row.get("events"):
        return fields | {"events": row["events"], "direction_of": "events"}
    if not row.get("text") or row.get("azimuth") in (None, ""):
        raise DataError(
            "a scene needs its event and the event's direction",
            where=where,
            expected="values in the columns `text` and `azimuth`",
        )
    position = {name: number_of(row[name], name, where) for name in EVENT_COLUMNS if row.get(name) not in (None, "")}
    return fields | position | {"label": row["text"], "direction_of": "row"}


def number_of(value: object, name: str, where: str) -> float:
    """Return a finite number. Raises DataError that names the column and the row."""
    try:
        number = float(str(value))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise DataError(f"{name} is not a number", where=where, got=value)
    return number
