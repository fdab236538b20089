"""Tests of `construction/recipes/_xmodbench_scenes.py`: scenes and streets as rows of the recipe."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from triptych.construction.engine.context import Context
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.construction.recipes._xmodbench_scenes import (
    DatasetConfig,
    is_scene,
    number_of,
    scene_fields,
    scene_row,
    street_rows,
)
from triptych.construction.record import Record
from triptych.errors import DataError

STREETS = DatasetConfig("urbansas", "sets/u", "3D_movements", "streets")


def boxes(left: float, step: float, size: float = 40, visibility: float = 1.0) -> list[list[float]]:
    """A box at 2 pictures a second for 10 s, as in the published annotations."""
    return [[n / 2, left + step * n, 100.0, size, size, visibility] for n in range(21)]


def track(number: int, label: str, *args: float) -> dict[str, Any]:
    return {"track": number, "label": label, "boxes": boxes(*args)}


def event(label: str, begin: float = 0.0, end: float = 10.0) -> dict[str, Any]:
    return {"label": label, "begin": begin, "end": end}


def street(events: list[dict[str, Any]], tracks: list[dict[str, Any]], **more: Any) -> list[dict[str, Any]]:
    fields = {
        "events": events,
        "tracks": tracks,
        "end": 10.0,
        "licence": "LicenseRef-Urbansas",
        "audio_file": "audio/a.wav",
    }
    record = Record("acevedo0103_00_0", {**fields, "video_file": None, **more}, ("urbansas:acevedo0103",))
    return [dict(row) for row in street_rows(STREETS, record, 4.0)]


def test_a_vehicle_that_is_heard_and_seen_is_a_row_with_a_span_in_the_middle() -> None:
    (row,) = street([event("car", 2.0, 9.0)], [track(1, "car", 0, 30)])
    assert (row["begin"], row["end"], row["unusable"]) == (3.5, 7.5, "")  # around 5.5 s, the middle of 2 to 9
    assert row["id"] == "urbansas-acevedo0103_00_0-0" and row["source"] == "urbansas:acevedo0103"
    assert row["audio"] == "sets/u/audio/a.wav" and "video" not in row and row["group"] == "streets"
    (seen,) = row["tracks"]
    assert [box[0] for box in seen["boxes"]] == [3.5 + n / 2 for n in range(9)]


def test_every_span_has_the_same_length_and_is_inside_the_clip() -> None:
    for begin, end in ((0.0, 1.0), (9.0, 10.0), (0.0, 10.0)):
        (row,) = street([event("bus", begin, end)], [track(1, "bus", 0, 30)])
        assert row["end"] - row["begin"] == 4.0 and row["begin"] >= 0 and row["end"] <= 10.0
    (short,) = street([event("bus")], [track(1, "bus", 0, 30)], end=3.0)
    assert (short["begin"], short["end"]) == (0.0, 3.0)


@pytest.mark.parametrize(
    ("events", "tracks", "unusable"),
    [
        ([event("car")], [track(1, "bus", 0, 30)], "not-visible"),
        ([event("car")], [track(1, "car", 0, 30, 40, 0.5)], "not-visible"),  # half hidden all the time
        ([event("car"), event("offscreen", 4, 6)], [track(1, "car", 0, 30)], "source-not-visible"),
        ([event("car"), event("bus", 4, 6)], [track(1, "car", 0, 30)], "several-vehicles"),
        ([event("car")], [track(1, "car", 0, 30, 50), track(2, "car", 900, -30)], "several-vehicles"),
        ([event("car")], [track(1, "car", 0, 30, 50), track(2, "car", 100, 30)], ""),
        ([event("car"), event("bus", 8, 10)], [track(1, "car", 0, 30)], ""),  # outside the span
    ],
)
def test_a_span_in_which_it_is_not_clear_what_is_heard_is_unusable(
    events: list[dict[str, Any]], tracks: list[dict[str, Any]], unusable: str
) -> None:
    assert street(events, tracks)[0]["unusable"] == unusable


def test_of_several_vehicles_the_one_with_the_largest_first_box_is_taken() -> None:
    (row,) = street([event("car")], [track(1, "car", 0, 30, 40), track(2, "car", 50, 30, 60)])
    assert row["tracks"][0]["track"] == 2


@pytest.mark.parametrize(("unidentified", "unusable"), [(False, ""), (True, "unknown-vehicle")])
def test_a_street_without_vehicles_is_one_row(unidentified: bool, unusable: str) -> None:
    (row,) = street([], [], unidentified_vehicle=unidentified)
    assert (row["tracks"], row["begin"], row["end"], row["unusable"]) == ([], 0.0, 4.0, unusable)
    assert street([event("offscreen")], []) == []


def test_a_scene_is_a_sound_field_or_a_list_of_events() -> None:
    assert is_scene({"subtask": "panaroma", "foa": "a.wav"}) and is_scene(
        {"subtask": "panaroma", "events": [event("bell")]}
    )
    assert not is_scene({"subtask": "panaroma", "audio": "a.wav"}) and not is_scene(
        {"subtask": "general", "foa": "a.wav"}
    )


def context(base: Path) -> Context:
    for name in ("a.wav", "v.mp4"):
        (base / name).write_bytes(name.encode())
    return Context(Parameters(), MediaStore(base / "b"), base=base)


def test_the_files_of_a_scene_are_hashed_and_its_direction_is_the_rows_or_the_events(tmp_path: Path) -> None:
    own = context(tmp_path)
    row = {"subtask": "panaroma", "foa": "a.wav", "video": "v.mp4", "text": "bell", "azimuth": "-90", "begin": 1}
    fields = scene_fields(row, "row 1", own)
    assert fields["foa_file_sha256"] == hashlib.sha256(b"a.wav").hexdigest() and fields["video_file"] == "v.mp4"
    assert (fields["compose"], fields["label"], fields["azimuth"], fields["begin"]) == ("scene", "bell", -90.0, 1.0)
    assert fields["direction_of"] == "row" and "elevation" not in fields
    events = scene_fields({**row, "events": [event("bell")]}, "row 1", own)
    assert events["direction_of"] == "events" and "azimuth" not in events
    moved = scene_fields({"subtask": "3D_movements", "audio": "a.wav", "tracks": [], "begin": 0.0}, "row 2", own)
    assert moved["compose"] == "street" and moved["begin"] == 0.0 and not moved["offscreen"] and "end" not in moved
    assert scene_fields({"subtask": "general", "text": "dog"}, "row 3", own) == {}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"text": "", "azimuth": 0}, "needs its event"),
        ({"text": "bell"}, "needs its event"),
        ({"text": "bell", "azimuth": ""}, "needs its event"),
        ({"text": "bell", "azimuth": "left"}, "azimuth is not a number"),
        ({"text": "bell", "azimuth": 0, "distance": "nan"}, "distance is not a number"),
    ],
)
def test_a_scene_without_a_direction_is_refused_with_its_row(
    tmp_path: Path, more: dict[str, Any], message: str
) -> None:
    with pytest.raises(DataError, match=message) as error:
        scene_fields({"subtask": "panaroma", "foa": "a.wav", **more}, "rows.csv, row 4", context(tmp_path))
    assert error.value.where == "rows.csv, row 4"


def test_a_direction_of_zero_is_a_direction(tmp_path: Path) -> None:
    row = {"subtask": "panaroma", "foa": "a.wav", "text": "bell", "azimuth": 0, "elevation": 0.0}
    fields = scene_fields(row, "row 1", context(tmp_path))
    assert fields["azimuth"] == 0.0 and fields["elevation"] == 0.0
    assert number_of("1e2", "x", "") == 100.0


def test_an_entry_of_a_data_set_has_its_files_below_the_folder() -> None:
    record = Record("dev/x", {"foa_file": "foa_dev/x.wav", "mic_file": None, "events": [], "licence": "MIT"}, ("s:x",))
    row = scene_row(DatasetConfig("starss23", "sets/s", "panaroma"), record, "events")
    assert row["foa"] == "sets/s/foa_dev/x.wav" and "mic" not in row
    assert (row["id"], row["licence"], row["events"]) == ("starss23-dev/x", "MIT", [])
