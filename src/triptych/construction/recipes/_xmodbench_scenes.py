"""Scenes (a panorama with its sound field) and streets with tracked vehicles as rows of the recipe `xmodbench`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from triptych.construction.engine.context import Context
from triptych.construction.record import Record
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


def scene_row(own: DatasetConfig, record: Record, kind: str) -> Mapping[str, Any]:
    """An entry with events or tracks as a row; its files are below the folder of the data set."""
    values = record.fields
    files = {
        name: f"{own.folder}/{values[f'{name}_file']}"
        for name in ("audio", "foa", "mic", "video")
        if values.get(f"{name}_file")
    }
    return {
        "id": f"{own.name}-{record.id}",
        "subtask": own.subtask,
        "group": own.group,
        "source": record.sources[0],
        "licence": values.get("licence"),
        kind: values[kind],
        "offscreen": values.get("offscreen"),
        **files,
    }


def scene_fields(row: Mapping[str, Any], where: str, context: Context) -> dict[str, Any]:
    """The fields of a scene (a panorama with its sound field) or of a street with tracked vehicles; none otherwise."""
    street = row["subtask"] == "3D_movements" and row.get("tracks")
    if not (street or is_scene(row)):
        return {}
    fields: dict[str, Any] = {"compose": "street" if street else "scene"}
    for name in ("audio", "video") if street else ("foa", "mic", "video"):
        if file := row.get(name):
            fields |= {f"{name}_file": str(file), f"{name}_file_sha256": context.sha256(file)}
    if street:
        return fields | {"tracks": row["tracks"], "offscreen": bool(row.get("offscreen"))}
    if row.get("events"):
        return fields | {"events": row["events"], "direction_of": "events"}
    if not row.get("text") or row.get("azimuth") in (None, ""):
        raise DataError(
            "a scene needs its event and the event's direction",
            where=where,
            expected="values in the columns `text` and `azimuth`",
        )
    place = {name: number_of(row[name], name, where) for name in EVENT_COLUMNS if row.get(name) not in (None, "")}
    return fields | place | {"label": row["text"], "direction_of": "row"}


def number_of(value: object, name: str, where: str) -> float:
    """Return a finite number. Raises DataError that names the column and the row."""
    try:
        found = float(str(value))
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise DataError(f"{name} is not a number", where=where, got=value)
    return found
