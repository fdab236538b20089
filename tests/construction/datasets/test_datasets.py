"""Converters, on small folders in the layout of the released data sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.construction.released_layouts import film
from triptych.construction import datasets
from triptych.construction.engine.context import Context
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.construction.record import Record
from triptych.errors import DataError, SpecError


def laid(folder: Path, **files: str | bytes | None) -> Path:
    """Files by path: content, or empty media for None."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else (content or "").encode())
    return folder


def read(name: str, folder: Path) -> list[Record]:
    return list(datasets.records(name, folder))


def only(name: str, folder: Path) -> dict[str, Any]:
    (record,) = read(name, folder)
    return record.fields


VGG = {
    "vggsound.csv": '---g-f_I2yQ,1,"people marching",test\n--0PQM4-hqg,30,"waterfall burbling",train\n',
    "video/---g-f_I2yQ_000001.mp4": None,
    "audio/---g-f_I2yQ_000001.wav": None,
}
STARSS = {
    "metadata_dev/dev-train-sony/fold3_room21_mix001.csv": "0,1,0,10,-5,200\n1,1,0,12,-5,210\n1,8,2,-90,0,150\n"
    "5,1,0,14,-5,220\n",
    "foa_dev/dev-train-sony/fold3_room21_mix001.wav": None,
    "mic_dev/dev-train-sony/fold3_room21_mix001.wav": None,
    "video_dev/dev-train-sony/fold3_room21_mix001.mp4": None,
}
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
COUNTIX = {
    "CountixAV_test.csv": "video_id,kinetics_start,kinetics_end,repetition_start,repetition_end,count\n"
    "0CnQ-_e5Sl8,17,27,18.500000,20.233333,4.0\n0CnQ-_e5Sl8,17,27,21.633333,24.166667,6.0\n"
    "0rvWeDPPQ3M,7,17,7.000000,17.000000,3.0\nmissing,1,2,1.0,2.0,5.0\n",
    "test/0CnQ-_e5Sl8_000017_000027.mp4": None,
    "test/0rvWeDPPQ3M.mp4": None,
    "audio/0rvWeDPPQ3M.wav": None,
}
URMP = {
    "Dataset/01_Jupiter_vn_vc/AuMix_01_Jupiter_vn_vc.wav": None,
    "Dataset/01_Jupiter_vn_vc/AuSep_1_vn_01_Jupiter.wav": None,
    "Dataset/01_Jupiter_vn_vc/AuSep_2_vc_01_Jupiter.wav": None,
    "Dataset/01_Jupiter_vn_vc/Vid_01_Jupiter_vn_vc.mp4": None,
    "Dataset/01_Jupiter_vn_vc/Notes_1_vn_01_Jupiter.txt": "0.1 440 0.5",
    "Dataset/Supplementary_Files/readme.txt": "",
}


def test_every_data_set_is_described_with_its_layout() -> None:
    known = datasets.known_datasets()
    expected = {"countix_av", "extreme_countix_av", "landscapes", "solos", "starss23", "urbansas", "urmp", "vggsound"}
    assert expected <= known.keys()
    for each in known.values():
        assert each.about.endswith(".") and each.layout, each.name


def test_an_unknown_name_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="starss23"):
        read("starss2", tmp_path)


@pytest.mark.parametrize("name", sorted(datasets.known_datasets()))
def test_an_empty_folder_and_none_are_refused(name: str, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(DataError):
            read(name, folder)


def test_vggsound(tmp_path: Path) -> None:
    first, second = read("vggsound", laid(tmp_path, **VGG))
    assert first.id == "---g-f_I2yQ_000001" and first.sources == ("youtube:---g-f_I2yQ",)
    assert first.fields["label"] == "people marching" and first.fields["split"] == "test"
    assert first.fields["video_file"] == "video/---g-f_I2yQ_000001.mp4"
    assert first.fields["audio_file"] == "audio/---g-f_I2yQ_000001.wav"
    assert (first.fields["begin"], first.fields["end"], first.fields["source_begin"]) == (0, 10, 1)
    assert second.fields["video_file"] is None and second.fields["label"] == "waterfall burbling"


def test_vggsound_source_has_boxes_and_its_clips_alone(tmp_path: Path) -> None:
    boxes = [{"file": "---g-f_I2yQ_000001", "class": "people marching", "bbox": [[0.1, 0.2, 0.5, 0.6]]}]
    fields = only("vggsound", laid(tmp_path, **VGG, **{"vggss.json": json.dumps(boxes)}))
    assert fields["boxes"] == [[0.1, 0.2, 0.5, 0.6]]


def test_starss23(tmp_path: Path) -> None:
    fields = only("starss23", laid(tmp_path, **STARSS))
    assert fields["foa_file"] == "foa_dev/dev-train-sony/fold3_room21_mix001.wav"
    assert fields["mic_file"].startswith("mic_dev/") and fields["video_file"].endswith("mix001.mp4")
    first, music, again = fields["events"]
    assert first == {
        "label": "male speech, man speaking",
        "source": 0,
        "begin": 0.0,
        "end": 0.2,
        "azimuth": [10, 12],
        "elevation": [-5, -5],
        "distance": [2.0, 2.1],
    }
    assert (music["label"], music["begin"], music["azimuth"]) == ("music", 0.1, [-90])
    assert (again["begin"], again["end"]) == (0.5, 0.6)
    assert fields["split"] == "dev-train-sony" and fields["licence"] == "MIT"


def test_starss22_without_distances(tmp_path: Path) -> None:
    files = {"metadata_dev/dev-test-tau/x.csv": "3,12,1,-180,90\n"}
    (event,) = only("starss23", laid(tmp_path, **files))["events"]
    assert event["distance"] == [None] and event["label"] == "knock"


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


def test_countix_av(tmp_path: Path) -> None:
    first, second, third, missing = read("countix_av", laid(tmp_path, **COUNTIX))
    assert (first.fields["count"], first.fields["begin"], first.fields["end"]) == (4, 1.5, 3.233)  # in the clip
    assert second.fields["count"] == 6 and second.id != first.id
    assert (third.fields["begin"], third.fields["end"]) == (7, 17)  # in the whole video
    assert third.fields["audio_file"] == "audio/0rvWeDPPQ3M.wav" and third.fields["split"] == "test"
    assert missing.fields["video_file"] is None


def test_extreme_countix_av(tmp_path: Path) -> None:
    labels = (
        "youtube_id,repetition_start_frame,repetition_end_frame,start_crop_frame,end_crop_frame,count,class\n"
        "abc,105,115,100,120,4,clapping\nvgg,1,2,0,9,3\nabsent,1,2,0,9,3,jumping\n"
    )
    laid(tmp_path, **{"ExtremeLabels.csv": labels, "Audio/Low illumination/abc.wav": None})
    for condition in ("Low illumination", "Occlusions"):
        (tmp_path / "Videos" / condition).mkdir(parents=True)
        film(tmp_path / "Videos" / condition / "abc.mp4", 1, 2.0, 10, heard=False)
    first, second = read("extreme_countix_av", tmp_path)
    assert first.id == "Low_illumination/abc" and first.fields["audio_file"] == "Audio/Low illumination/abc.wav"
    assert (first.fields["begin"], first.fields["end"], first.fields["count"]) == (0.5, 1.5, 4)
    assert second.fields["condition"] == "Occlusions" and second.fields["audio_file"] is None


def test_urmp(tmp_path: Path) -> None:
    fields = only("urmp", laid(tmp_path, **URMP))
    place = "Dataset/01_Jupiter_vn_vc"
    assert fields["instruments"] == ["violin", "cello"] and fields["label"] == "violin and cello"
    assert fields["parts"][1] == {"instrument": "cello", "audio_file": f"{place}/AuSep_2_vc_01_Jupiter.wav"}
    assert fields["audio_file"] == f"{place}/AuMix_01_Jupiter_vn_vc.wav"
    assert fields["video_file"] == f"{place}/Vid_01_Jupiter_vn_vc.mp4"


def test_urmp_refuses_parts_that_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="unknown instrument"):
        read("urmp", laid(tmp_path / "a", **{"01_Jupiter_vn_xx/AuMix.wav": None}))
    with pytest.raises(DataError, match="don't fit"):
        read("urmp", laid(tmp_path / "b", **{"01_Jupiter_vn_vc/AuSep_1_fl_01_Jupiter.wav": None}))


def test_solos(tmp_path: Path) -> None:
    stamps = {"DoubleBass": {"abc": [[0, 250], [300, 425]], "none": []}, "Violin": {"def": [[25, 50]]}}
    laid(tmp_path, **{"solos_timestamps.json": json.dumps(stamps), "DoubleBass/abc.mp4": None})
    first, second, third = read("solos", tmp_path)
    assert first.fields["label"] == "double bass" and (second.fields["begin"], second.fields["end"]) == (12, 17)
    assert first.fields["video_file"] == "DoubleBass/abc.mp4" and third.fields["video_file"] is None


def test_solos_by_ids_alone(tmp_path: Path) -> None:
    fields = only("solos", laid(tmp_path, **{"solos_ids.json": '{"Viola": ["x"]}', "Viola/x.webm": None}))
    assert "begin" not in fields and fields["video_file"] == "Viola/x.webm"


def test_landscapes_by_folder_and_by_name(tmp_path: Path) -> None:
    by_folder = laid(tmp_path / "a", **{"fire_crackling/x_1.mp4": None, "fire_crackling/x_1.wav": None})
    fields = only("landscapes", by_folder)
    assert (fields["label"], fields["audio_file"]) == ("fire crackling", "fire_crackling/x_1.wav")
    by_name = laid(tmp_path / "b", **{"train/fire_crackling_141_2_1.mp4": None, "test/thunder_3.mp4": None})
    assert [(r.fields["split"], r.fields["label"]) for r in read("landscapes", by_name)] == [
        ("test", "thunder"),
        ("train", "fire crackling"),
    ]
    with pytest.raises(DataError, match="no class"):
        read("landscapes", laid(tmp_path / "c", **{"train/x.mp4": None}))


@pytest.mark.parametrize(
    ("name", "files", "message"),
    [
        ("vggsound", {"vggsound.csv": "a,b\n"}, "number of cells"),
        ("vggsound", {"vggsound.csv": "a,x,label,test\n"}, "not a number"),
        ("vggsound", {"vggsound.csv": "a,1,l,test\na,1,l,test\n"}, "listed twice"),
        ("vggsound", {"vggsound.csv": "a,1,l,test\n", "vggss.json": "{}"}, "malformed"),
        ("vggsound", {"vggsound.csv": b"\xff\xfe\x00"}, "UTF-8"),
        ("vggsound", {"vggsound.csv": 'a,1,"l,test\n'}, "malformed"),
        ("starss23", {"metadata_dev/dev-x/a.csv": "0,13,0,0,0,100\n"}, "unknown class"),
        ("starss23", {"metadata_dev/dev-x/a.csv": "0,1,0,200,0,100\n"}, "unknown class"),
        ("starss23", {"metadata_dev/dev-x/a.csv": "-1,1,0,0,0,100\n"}, "not a number"),
        ("starss23", {"metadata_dev/dev-x/a.csv": "0,1,0,nan,0,100\n"}, "not a number"),
        ("countix_av", {"CountixAV_val.csv": "h,h,h,h,h,h\na,0,10,5,5,3\n"}, "no span"),
        ("countix_av", {"CountixAV_val.csv": "h,h,h,h,h,h\na,0,10,1,5,3.5\n"}, "whole count"),
        ("extreme_countix_av", {"ExtremeLabels.csv": "a,b\n"}, "number of cells"),
        ("solos", {"solos_timestamps.json": '{"Tuba": {"a": [[5, 5]]}}'}, "ends before"),
        ("solos", {"solos_timestamps.json": '{"Tuba": {"a": [[5]]}}'}, "malformed"),
        ("urbansas", {"audio_annotations.csv": "h\n"}, "missing|cells"),
    ],
)
def test_a_malformed_list_is_an_error_that_says_where(
    name: str, files: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=message):
        read(name, laid(tmp_path, **files))


def test_a_recipe_starts_from_records_with_the_hashes_of_their_media(tmp_path: Path) -> None:
    laid(tmp_path / "data/vgg", **{**VGG, "video/---g-f_I2yQ_000001.mp4": b"film"})
    context = Context(Parameters(), MediaStore(tmp_path / "build"), base=tmp_path)
    first, second = datasets.starts("vggsound", Path("data/vgg"), context)
    fields = first.record.fields
    assert fields["video_file"] == "data/vgg/video/---g-f_I2yQ_000001.mp4"
    assert (
        fields["video_file_sha256"] == context.sha256(fields["video_file"]) and len(fields["video_file_sha256"]) == 64
    )
    assert "video_file_sha256" not in second.record.fields
    assert first.makers["label"].kind == "source" and first.makers["label"].name == "vggsound"


def test_the_parts_of_a_piece_are_hashed_too(tmp_path: Path) -> None:
    laid(tmp_path / "sets/urmp", **URMP)
    context = Context(Parameters(), MediaStore(tmp_path / "build"), base=tmp_path)
    (begun,) = datasets.starts("urmp", Path("sets/urmp"), context)
    fields = begun.record.fields
    assert fields["parts"][0]["audio_file"] == "sets/urmp/Dataset/01_Jupiter_vn_vc/AuSep_1_vn_01_Jupiter.wav"
    assert fields["parts_sha256"] == [context.sha256(part["audio_file"]) for part in fields["parts"]]
