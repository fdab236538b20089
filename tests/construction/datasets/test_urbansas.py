"""Tests of `construction/datasets/urbansas.py`: street views with the spans and boxes of vehicles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.construction.datasets.folders import laid, read
from triptych.errors import DataError

URBANSAS = {
    "annotations/audio_annotations.csv": ",filename,class_id,label,non_identifiable_vehicle_sound,start,end\n"
    "1077,acevedo0103_00_0,-1,-1,1,-1.0,-1.0\n1078,acevedo0103_00_0,4,offscreen,0,0.449,10.0\n"
    "1080,acevedo0103_00_0,2,bus,1,3.583,10.0\n",
    "annotations/video_annotations.csv": ",frame_id,track_id,x,y,w,h,class_id,visibility,label,filename,city,"
    "location_id,time,night\n0,1,1,925.5,376.1,73.1,29.5,1,1.0,car,acevedo0103_00_0,montevideo,acevedo0103,0.0,0\n"
    "2,2,1,903.2,376.5,61.5,28.0,1,0.5,car,acevedo0103_00_0,montevideo,acevedo0103,0.5,0\n"
    "3,-1,-1,-1,-1,-1,-1,-1,-1,-1,empty_00_0,paris,empty,-1,1\n",
    "audio/acevedo0103_00_0.wav": None,
    "video_2fps/acevedo0103_00_0.mp4": None,
}


def test_urbansas(tmp_path: Path) -> None:
    clip, empty = read("urbansas", laid(tmp_path, **URBANSAS))
    assert clip.fields["events"] == [
        {"label": "offscreen", "begin": 0.449, "end": 10.0},
        {"label": "bus", "begin": 3.583, "end": 10.0},
    ]
    assert clip.fields["offscreen"] and clip.fields["unidentified_vehicle"] and not clip.fields["night"]
    (track,) = clip.fields["tracks"]
    assert track["label"] == "car" and track["boxes"][1] == [0.5, 903.2, 376.5, 61.5, 28.0, 0.5]
    assert clip.fields["video_file"] == "video_2fps/acevedo0103_00_0.mp4"
    assert clip.sources == ("urbansas:acevedo0103",)
    assert empty.fields["tracks"] == [] and empty.fields["night"] and empty.fields["audio_file"] is None


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"audio_annotations.csv": "h\n"}, "missing|cells"),
    ],
)
def test_a_malformed_list_is_an_error_that_says_where(files: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        read("urbansas", laid(tmp_path, **files))


def test_a_clip_whose_vehicles_leave_and_return_has_a_track_for_each(tmp_path: Path) -> None:
    heading = URBANSAS["annotations/video_annotations.csv"]
    assert isinstance(heading, str)
    row = "{},{},{},10,20,30,40,2,0.5,bus,clip_00_0,barcelona,clip,{},0\n"
    boxes = [(0, 4, 7, 2.0), (1, 2, 7, 1.0), (2, 2, 3, 1.0)]
    files = URBANSAS | {
        "annotations/video_annotations.csv": heading.splitlines()[0] + "\n" + "".join(row.format(*b) for b in boxes)
    }
    (clip,) = (record for record in read("urbansas", laid(tmp_path, **files)) if record.id == "clip_00_0")
    assert [(track["track"], [box[0] for box in track["boxes"]]) for track in clip.fields["tracks"]] == [
        (3, [1.0]),
        (7, [1.0, 2.0]),
    ]
    assert clip.fields["events"] == [] and not clip.fields["offscreen"] and clip.fields["video_file"] is None


@pytest.mark.parametrize(
    ("column", "value"), [("time", "soon"), ("x", ""), ("visibility", "nan"), ("night", "no"), ("track_id", "inf")]
)
def test_a_box_that_is_no_number_is_refused_with_its_line(tmp_path: Path, column: str, value: str) -> None:
    listed = URBANSAS["annotations/video_annotations.csv"]
    assert isinstance(listed, str)
    heading, row = (line.split(",") for line in listed.splitlines()[:2])
    row[heading.index(column)] = value
    changed = {"annotations/video_annotations.csv": f"{','.join(heading)}\n{','.join(row)}\n"}
    with pytest.raises(DataError, match="not a number") as error:
        read("urbansas", laid(tmp_path, **URBANSAS | changed))
    assert "video_annotations.csv, line 2" in str(error.value)
