"""Stages about scenes in space: material of data sets, arrangements, turned scenes, moving sources, boxes."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.construction.single_stage import decide
from tests.media.spatial.sofa_files import write_sofa
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.stages.scenes import box_at, track_box, turn_scene
from triptych.errors import MediaError, SpecError
from triptych.media.scenes.films import Clip, Form, pictures, write_film
from triptych.media.sound.coding import Sound, decode_sound, encode_wav
from triptych.media.spatial.ambisonics import encode

pytest.importorskip("h5py", reason="h5py comes with the extra [build]")
pytest.importorskip("av", reason="PyAV comes with the extra [local]")


RATE = 24_000
SMALL = {"width": 64, "height": 36, "per_second": 5}


def noise(seconds: float, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(round(seconds * RATE)).astype(np.float32) * 0.05


def stored(root: Path, samples: Any) -> str:
    return MediaStore(root).put(encode_wav(samples.reshape(len(samples), -1), RATE), "wav")


def heard(root: Path, value: str) -> Sound:
    return decode_sound((root / value).read_bytes())


def levels(sound: Sound) -> Any:
    return np.sqrt(np.mean(sound.samples**2, axis=0))


def panorama(root: Path, azimuth: float, seconds: float = 1.0) -> str:
    """A film with a white post at an azimuth, before black."""
    picture = np.zeros((60, 120, 3), np.uint8)
    x = round((0.5 - azimuth / 360) * 120 - 0.5)
    picture[:, x - 2 : x + 3] = 255
    form = Form(120, 60, 5, channels=0)
    write_film(root / "panorama.mp4", [picture] * round(5 * seconds), form)
    return MediaStore(root).add(root / "panorama.mp4")


def first_picture(root: Path, value: str) -> Any:
    return next(pictures(Clip(root / value), 5)).astype(int)


@pytest.mark.parametrize("output", ["stereo", "binaural"])
def test_a_scene_is_turned_in_sound_and_picture(tmp_path: Path, output: str) -> None:
    fields = {"foa": stored(tmp_path, encode(noise(1.0), 0.0)), "video": panorama(tmp_path, 0.0), "azimuth": 0.0}
    made = decide(turn_scene, fields, tmp_path, output=output, field=90.0, **SMALL).fields["turned"]
    by_yaw = {each["yaw"]: each for each in made}
    assert [by_yaw[yaw]["azimuth"] for yaw in (0, 90, 180, -90)] == [0, 90, -180, -90]
    left = {yaw: np.subtract(*levels(heard(tmp_path, each["audio"]))) for yaw, each in by_yaw.items()}
    assert left[90] > 0.01 and left[-90] < -0.01 and abs(left[0]) < 0.004
    front = first_picture(tmp_path, by_yaw[0]["video"])
    assert front[18, 32, 0] > 200 and front[18, 8, 0] < 60
    assert first_picture(tmp_path, by_yaw[90]["video"]).max() < 60  # the post is on the left, outside the view


def test_a_positive_turn_moves_the_event_to_the_left(tmp_path: Path) -> None:
    fields = {"video": panorama(tmp_path, 0.0), "azimuth": 0.0, "distance": 2.0}
    (made,) = decide(turn_scene, fields, tmp_path, yaws=(30.0,), box_metres=1.0, **SMALL).fields["turned"]
    picture = first_picture(tmp_path, made["video"])
    columns = np.nonzero(picture[18].sum(axis=1) > 500)[0]
    assert columns.size and columns.mean() < 25
    red = (picture[..., 0] > 150) & (picture[..., 1] < 90) & (picture[..., 2] < 90)
    assert red.any() and abs(np.nonzero(red)[1].mean() - columns.mean()) < 4  # around the post


def test_a_microphone_array_is_encoded_first(tmp_path: Path) -> None:
    from triptych.media.spatial.microphones import from_foa

    mic = from_foa(encode(noise(1.0), 60.0), RATE)
    (made,) = decide(turn_scene, {"mic": stored(tmp_path, mic)}, tmp_path, output="foa", yaws=(0.0,)).fields["turned"]
    w, y, _, x = heard(tmp_path, made["audio"]).samples.T
    assert np.degrees(np.arctan2(np.sum(w * y), np.sum(w * x))) == pytest.approx(60, abs=3)


def test_a_scene_without_sound_and_picture_is_dropped_and_a_wrong_one_refused(tmp_path: Path) -> None:
    assert decide(turn_scene, {}, tmp_path).reason == "no-scene"
    with pytest.raises(MediaError, match="four channels"):
        decide(turn_scene, {"foa": stored(tmp_path, noise(0.1))}, tmp_path)
    with pytest.raises(SpecError, match="output"):
        decide(turn_scene, {"foa": stored(tmp_path, encode(noise(0.1), 0.0))}, tmp_path, output="mono")


def test_the_head_of_a_sofa_file_is_used_and_another_file_is_refused(tmp_path: Path) -> None:
    path = write_sofa(tmp_path / "head.sofa")
    fields = {"foa": stored(tmp_path, encode(noise(0.5), 90.0))}

    def turned(sha256: str, sofa: str = "head.sofa") -> Any:
        own = turn_scene.with_(sofa=sofa, sha256=sha256, yaws=[0.0])
        outcome = own.run(Values(own, "r", fields), Context(own.parameters, MediaStore(tmp_path), base=tmp_path))
        return outcome.fields["turned"][0]["audio"]

    with pytest.raises(SpecError, match="another hash"):
        turned("0" * 64)
    assert turned(hashlib.sha256(path.read_bytes()).hexdigest()) != turned("", sofa="")


BOXES = [[0.0, 10.0, 10.0, 20.0, 10.0, 1.0], [0.5, 20.0, 10.0, 20.0, 10.0, 1.0], [3.0, 90.0, 10.0, 20.0, 10.0, 1.0]]


def test_a_box_moves_steadily_between_its_marks() -> None:
    assert box_at(BOXES, 0.25, 1.0) == (15.0, 10.0, 35.0, 20.0)
    assert box_at(BOXES, 0.5, 1.0) is None  # the next mark is too far away
    assert box_at(BOXES, 3.4, 1.0) == (90.0, 10.0, 110.0, 20.0) and box_at(BOXES, 4.5, 1.0) is None
    assert box_at(BOXES[1:], 0.1, 1.0) is None


def test_an_object_is_marked_in_a_film(tmp_path: Path) -> None:
    video = panorama(tmp_path, 0.0)
    fields = {"video": video, "tracks": [{"track": 1, "label": "bus", "boxes": BOXES[:2]}], "end": 0.6}
    picture = first_picture(tmp_path, decide(track_box, fields, tmp_path, width=120, height=60).fields["video"])
    assert picture[10, 12:28, 0].mean() > 120 and picture[10, 12:28, 1].mean() < 110 and picture[40, 15].max() < 60
    hidden = [{"track": 1, "boxes": [[0.0, 10.0, 10.0, 20.0, 10.0, 0.1]]}]
    assert decide(track_box, fields | {"tracks": hidden}, tmp_path).reason == "not-visible"
    assert decide(track_box, fields | {"track": 7}, tmp_path).reason == "not-visible"
