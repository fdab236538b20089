"""A build from the released layout of STARSS23 to turned scenes: the stages in the engine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from triptych.construction import datasets
from triptych.construction.build import build
from triptych.construction.engine.context import Context
from triptych.construction.recipe import Recipe, Start
from triptych.construction.record import Record
from triptych.construction.stage import Stage
from triptych.construction.stages.material import scene_events, take_media
from triptych.construction.stages.scenes import turn_scene
from triptych.media.scenes.films import Clip, Form, pictures, write_film
from triptych.media.scenes.panorama import View, pixel_of
from triptych.media.sound.coding import decode_sound, encode_wav
from triptych.media.spatial.ambisonics import encode

pytest.importorskip("scipy", reason="SciPy comes with the extra [build]")

pytest.importorskip("av", reason="PyAV comes with the extra [local]")
RATE, AZIMUTH = 24_000, 30
VIEW = {"field": 90.0, "width": 96, "height": 54, "per_second": 5, "output": "foa"}


class Config(msgspec.Struct, forbid_unknown_fields=True):
    folder: str
    build: str = ""


def start(config: Config, base: Path, context: Context) -> Iterator[Start]:
    yield from datasets.starts("starss23", Path(config.folder), context)


def stages(config: Config) -> list[Stage]:
    return [take_media.with_(needs=["foa", "video"]), scene_events, turn_scene.with_(**VIEW)]


def write(config: Config, records: Sequence[Record], out: Path, context: Context) -> None:
    rows = [{"id": record.id, **{k: record.fields[k] for k in ("label", "azimuth", "turned")}} for record in records]
    (out / "scenes.json").write_text(json.dumps(rows), encoding="utf-8")


RECIPE = Recipe("turned", 1, "for tests", Config, start, stages, write, {})


def starss23(root: Path) -> None:
    """A configuration, and two recordings of a bell, a white post in the panorama; one has no video."""
    (root.parent / "recipe.toml").write_text('folder = "data"\n')
    place = "dev-test-tau/fold4_room2_mix00"
    for number in (1, 2):
        for kind in ("metadata_dev", "foa_dev", "video_dev"):
            (root / kind / "dev-test-tau").mkdir(parents=True, exist_ok=True)
        lines = [f"{frame},11,0,{AZIMUTH},0,200" for frame in range(2, 14)]
        (root / f"metadata_dev/{place}{number}.csv").write_text("\n".join(lines) + "\n")
        noise = np.random.default_rng(number).standard_normal(2 * RATE).astype(np.float32) * 0.05
        (root / f"foa_dev/{place}{number}.wav").write_bytes(encode_wav(encode(noise, AZIMUTH), RATE))
    picture = np.zeros((90, 180, 3), np.uint8)
    x = round(pixel_of(AZIMUTH, 0, 180, 90)[0])
    picture[:, x - 2 : x + 3] = 255
    write_film(root / f"video_dev/{place}1.mp4", [picture] * 10, Form(180, 90, 5, channels=0))


def test_scenes_of_a_data_set_are_turned_in_sound_and_picture(tmp_path: Path) -> None:
    starss23(tmp_path / "data")
    built = build(RECIPE, tmp_path / "recipe.toml", tmp_path / "build")
    assert built.complete and built.written == 1
    by_name = {each.stage: each for each in built.counts}
    assert by_name["take-media"].decisions == {"kept": 1, "dropped": 1}
    (row,) = json.loads((tmp_path / "build/out/scenes.json").read_text())
    assert row["id"] == "dev-test-tau/fold4_room2_mix001/0000" and row["label"] == "bell"
    for each in row["turned"]:
        _check(tmp_path / "build", each, each["yaw"])


def _check(root: Path, made: dict[str, Any], yaw: float) -> None:
    """The direction that is heard and the place that is seen are those of the event, turned."""
    expected = (AZIMUTH + yaw + 180) % 360 - 180
    assert made["azimuth"] == expected
    w, y, _, x = decode_sound((root / made["audio"]).read_bytes()).samples.T
    assert np.degrees(np.arctan2(np.sum(w * y), np.sum(w * x))) == pytest.approx(expected, abs=0.5)
    picture = next(pictures(Clip(root / made["video"]), 5)).astype(int)
    view = View(0, 0, VIEW["field"], VIEW["width"], VIEW["height"])
    columns = np.nonzero(picture[27].sum(axis=1) > 400)[0]
    if view.shows(expected):
        assert columns.mean() == pytest.approx(view.pixel_of(expected)[0], abs=1.5)
    else:
        assert not columns.size


def test_a_second_build_makes_nothing_again(tmp_path: Path) -> None:
    starss23(tmp_path / "data")
    for _ in range(2):
        built = build(RECIPE, tmp_path / "recipe.toml", tmp_path / "build")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "build/media").rglob("*.*")}
    assert build(RECIPE, tmp_path / "recipe.toml", tmp_path / "build").written == built.written
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "build/media").rglob("*.*")}
