"""Scenes in the recipe `xmodbench`: turned panoramas of STARSS23 and of tables, streets of Urbansas."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.construction.stages.test_signals import AZIMUTH, starss23
from triptych.construction.build import build
from triptych.construction.recipes._xmodbench_release import question_file
from triptych.construction.recipes.xmodbench import subtasks
from triptych.construction.stages.scene_forms import lateral, movement_of, sector
from triptych.errors import DataError
from triptych.media.scenes.films import Clip, Form, pictures, write_film
from triptych.media.scenes.panorama import pixel_of
from triptych.media.sound.coding import decode_sound, encode_wav

pytest.importorskip("scipy", reason="SciPy comes with the extra [build]")
pytest.importorskip("av", reason="PyAV comes with the extra [local]")

SMALL = {"width": 180, "height": 90, "per_second": 5, "output": "foa", "box_metres": 0.4}
RATE = 24_000


def rows_of(out: Path, subtask: str, direction: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((out / question_file(subtasks()[subtask], direction)).read_bytes())
    return found


def red(picture: Any) -> Any:
    """Columns in which the box is drawn."""
    shown = (picture[..., 0].astype(int) > 150) & (picture[..., 1] < 110) & (picture[..., 2] < 110)
    return np.nonzero(shown.any(axis=0))[0]


def test_an_event_of_starss23_becomes_four_turns_of_its_scene(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    starss23(tmp_path / "data")
    config = {
        "datasets": [{"name": "starss23", "folder": "data", "subtask": "panaroma"}],
        "name": "t",
        "stages": {"turn-scene": SMALL},
        "allow_guessable": True,
    }
    built = build("xmodbench", config, tmp_path / "b")
    assert built.complete and built.written == 6
    (row,) = rows_of(tmp_path / "b/out", "panaroma", "audio_vision")
    shown = {letter: (option["description"], option["input"]) for letter, option in row["options"].items()}
    directions = {AZIMUTH: "front left", 120: "back left", -150: "back right", -60: "front right"}
    assert {text for text, _ in shown.values()} == {f"bell, at the {where}" for where in directions.values()}
    for text, file in shown.values():
        (azimuth,) = (a for a in directions if f"bell, {sector(a)}" == text)
        columns = red(next(pictures(Clip(tmp_path / "b/out" / file), 5)))
        assert columns.mean() == pytest.approx(pixel_of(azimuth, 0, 180, 90)[0], abs=2)
    stem, key = row["conditions"], shown[row["correct_answer"]]
    assert stem["description"] == key[0]
    w, y, _, x = decode_sound((tmp_path / "b/out" / stem["input"]).read_bytes()).samples.T
    assert f"bell, {sector(np.degrees(np.arctan2(np.sum(w * y), np.sum(w * x))))}" == key[0]


def table(folder: Path, *rows: dict[str, Any]) -> dict[str, Any]:
    with (folder / "t.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)), restval="")
        writer.writeheader()
        writer.writerows(rows)
    return {"triplets": ["t.csv"], "common": {"licence": "cc0-1.0"}, "stages": {"turn-scene": SMALL}}


def test_a_scene_of_a_table_needs_its_direction_and_directions_that_sound_different(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    starss23(tmp_path / "data")
    place = "data/{}/dev-test-tau/fold4_room2_mix001.{}"
    row = {
        "subtask": "panaroma",
        "text": "a bell",
        "foa": place.format("foa_dev", "wav"),
        "video": place.format("video_dev", "mp4"),
    }
    rows = [{"id": "front", **row, "azimuth": 0}, {"id": "left", **row, "azimuth": 20}]
    built = build("xmodbench", table(tmp_path, *rows), tmp_path / "b", only=["scene-forms"])
    assert built.counts[-1].decisions == {"kept": 1, "dropped": 1}
    for own, message in (({}, "direction"), ({"azimuth": "left"}, "azimuth is not a number")):
        with pytest.raises(DataError, match=message):
            build("xmodbench", table(tmp_path, {"id": "a", **row, **own}), tmp_path / "c")


def urbansas(root: Path) -> None:
    """Clips of two cars and two buses: a red square that moves, and the boxes around it."""
    moves = {"a": (10, 90, 20), "b": (90, 10, 20), "c": (40, 40, 0), "d": (40, 40, 1)}
    heard, seen = (
        ["filename,class_id,label,non_identifiable_vehicle_sound,start,end"],
        ["frame_id,track_id,x,y,w,h,class_id,visibility,label,filename,city,location_id,time,night"],
    )
    for folder in ("audio", "video_2fps", "annotations"):
        (root / folder).mkdir(parents=True)
    for number, (name, (first, last, kind)) in enumerate(moves.items()):
        noise = 0.1 * np.random.default_rng(number).standard_normal((2 * RATE, 2))
        (root / f"audio/{name}.wav").write_bytes(encode_wav(noise, RATE))
        frames = []
        for step in range(4):
            size = 20 if kind == 20 else 20 + 8 * (step if kind else 3 - step)
            x = first + (last - first) * step // 3
            frames.append(np.full((60, 120, 3), 40 * number, np.uint8))
            seen.append(f"{step},0,{x},10,{size},{size},0,1,{'car' if number % 2 else 'bus'},{name},x,x1,{step / 2},0")
        heard.append(f"{name},0,{'car' if number % 2 else 'bus'},0,0,2")
        write_film(root / f"video_2fps/{name}.mp4", iter(frames), Form(120, 60, 2, channels=0))
    for name, lines in (("audio", heard), ("video", seen)):
        text = "\n".join(f"{number},{line}" for number, line in enumerate(lines))
        (root / f"annotations/{name}_annotations.csv").write_text(text + "\n", encoding="utf-8")


def test_streets_of_urbansas_show_the_vehicle_in_a_red_box_and_name_its_movement(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    urbansas(tmp_path / "data")
    stages = {"rights": {"licences": ["licenseref-urbansas"]}, "track-box": {"width": 120, "height": 60}}
    config = {
        "datasets": [{"name": "urbansas", "folder": "data", "subtask": "3D_movements"}],
        "name": "t",
        "stages": stages,
        "allow_guessable": True,
    }
    built = build("xmodbench", config, tmp_path / "b")
    assert built.complete and built.written == 24
    rows = rows_of(tmp_path / "b/out", "3D_movements", "text_vision")
    assert {row["conditions"]["input"] for row in rows} == {
        "A bus moving from left to right.",
        "A car moving from right to left.",
        "A bus going away.",
        "A car coming closer.",
    }
    for row in rows:
        key = row["options"][row["correct_answer"]]
        assert key["description"] == row["conditions"]["input"]
        shown = list(pictures(Clip(tmp_path / "b/out" / key["input"]), 10))
        assert red(shown[0]).size > 4


def test_movements_and_directions_are_named():
    still = [[0, 10, 10, 20, 20], [1, 12, 10, 20, 20]]
    assert movement_of(still, 1.0, 1.5) == ""
    assert [sector(a) for a in (0, 90, 180, -90, -180)] == [
        "in front",
        "on the left",
        "behind",
        "on the right",
        "behind",
    ]
    assert lateral(0) == 0 and lateral(90) == pytest.approx(90) and lateral(150) == pytest.approx(lateral(30))
