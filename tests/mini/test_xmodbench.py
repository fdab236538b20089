"""The XModBench-like mini set as it ships: counts, pairing, balance, media. No speech is synthesised here."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tools.mini import xmodbench_set
from tools.mini.meanings import MAKERS, Workshop

import triptych.benchmarks
from triptych.benchmarks.xmodbench.names import DIRECTIONS
from triptych.construction.tables import read_table

ROOT = Path(triptych.benchmarks.__file__).parent / "xmodbench" / "mini"
WORDS = ("03_speech/recognition", "03_speech/translation")
FILES = sorted((ROOT / "tasks").rglob("*.json"))
Row = dict[str, Any]


@cache
def subtasks() -> dict[str, dict[str, list[Row]]]:
    """Folder -> direction -> rows."""
    found: dict[str, dict[str, list[Row]]] = {}
    for file in FILES:
        direction = file.stem.split("_questions_")[1].replace("video", "vision")  # panaroma's files say `video`
        folder = file.parent.relative_to(ROOT / "tasks").as_posix()
        found.setdefault(folder, {})[direction] = json.loads(file.read_text(encoding="utf-8"))
    return found


def content(side: dict[str, str]) -> str:
    return side["input"] if side["modality"] == "Text" else side["description"]


def test_every_subtask_has_the_six_directions_with_as_many_rows() -> None:
    for folder, directions in subtasks().items():
        assert set(directions) == set(DIRECTIONS), folder
        assert len({len(rows) for rows in directions.values()}) == 1, folder


def test_all_five_families_and_enough_of_everything() -> None:
    assert {folder.split("/")[0] for folder in subtasks()} == {
        "01_perception",
        "02_spatial",
        "03_speech",
        "04_temporal",
        "05_Exteral",
    }
    instances = {folder: len(directions["audio_text"]) for folder, directions in subtasks().items()}
    assert len(instances) == 17 and sum(instances.values()) == 104
    assert instances["03_speech/recognition"] >= 20
    assert 6 * sum(instances[folder] for folder in WORDS) >= 100


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}-{f.stem.split('_questions_')[1]}")
def test_rows_are_of_the_released_form(file: Path) -> None:
    source, target = file.stem.split("_questions_")[1].replace("video", "vision").split("_")
    allowed = {"audio": {"Audio"}, "text": {"Text"}, "vision": {"Image", "Video"}}
    for row in json.loads(file.read_text(encoding="utf-8")):
        assert set(row) - {"category"} == {"question", "conditions", "options", "correct_answer"}
        assert list(row["options"]) == ["A", "B", "C", "D"]
        assert row["conditions"]["modality"] in allowed[source]
        assert {option["modality"] for option in row["options"].values()} <= allowed[target]
        assert len({option["input"] for option in row["options"].values()}) == 4


def test_the_same_index_is_the_same_instance_in_all_directions() -> None:
    for folder, directions in subtasks().items():
        for rows in zip(*(directions[d] for d in DIRECTIONS), strict=True):
            assert len({row["correct_answer"] for row in rows}) == 1, folder
            assert len({content(row["conditions"]) for row in rows}) == 1, folder
            assert len({tuple(content(o) for o in row["options"].values()) for row in rows}) == 1, folder


def test_the_key_is_the_option_with_the_content_of_the_stem() -> None:
    rows = read_table(xmodbench_set.FOLDER / "triplets.csv", ["id", "text"])
    targets = {(row["subtask"], row["text"]): row["target_text"] or row["text"] for row in rows}
    for folder, directions in subtasks().items():
        for row in directions["text_vision"]:
            names = {"general_activities": "general"}
            stem = targets[names.get(folder.split("/")[1], folder.split("/")[1]), content(row["conditions"])]
            right = [letter for letter, option in row["options"].items() if content(option) == stem]
            assert right == [row["correct_answer"]], (folder, stem)


def test_the_table_is_what_the_content_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("speech", "sound", "picture", "video"):
        end = {"picture": "jpg", "video": "mp4"}.get(name, "ogg")
        monkeypatch.setattr(Workshop, name, lambda self, stem, *_, end=end: f"media/{stem}.{end}")
    for name in ("chinese_columns", "chinese_lines", "words"):
        monkeypatch.setattr(f"tools.mini.pictures.{name}", lambda *_: None)
    monkeypatch.setattr("tools.mini.meanings.synthesise", lambda *_: {})
    monkeypatch.setattr("tools.mini.composites.scene", lambda *_: (None, None, "at the front left"))
    shop = Workshop(xmodbench_set.content(), tmp_path, tmp_path)
    made = [row for make in MAKERS for row in make(shop)]
    kept = read_table(xmodbench_set.FOLDER / "triplets.csv", ["id", "text"])
    same = [{name: value for name, value in row.items() if value} for row in kept]
    for row in (*made, *same):
        row["text"] = row["text"].split(", at the ")[0]
    assert made == same


def test_a_constant_letter_gets_a_quarter() -> None:
    for folder, directions in subtasks().items():
        counts = Counter(row["correct_answer"] for row in directions["audio_text"])
        assert set(counts) == set("ABCD"), folder
        assert max(counts.values()) - min(counts.values()) <= 1, folder


def test_media_are_relative_and_there_and_nothing_else_is() -> None:
    named = {
        side["input"]
        for directions in subtasks().values()
        for rows in directions.values()
        for row in rows
        for side in (row["conditions"], *row["options"].values())
        if side["modality"] != "Text"
    }
    assert all(not path.startswith("/") and ".." not in path for path in named)
    there = {file.relative_to(ROOT).as_posix() for file in (ROOT / "media").rglob("*") if file.is_file()}
    assert named == there


def test_some_chinese_pictures_are_columns_and_some_are_lines() -> None:
    from PIL import Image

    tall = set()
    for file in (xmodbench_set.FOLDER / "media" / "translation").glob("zh_*.jpg"):
        with Image.open(file) as picture:
            tall.add(picture.height > picture.width)
    assert tall == {True, False}


def test_media_are_the_material_unchanged() -> None:
    material = {file.read_bytes() for file in (xmodbench_set.FOLDER / "media").rglob("*") if file.is_file()}
    assert {file.read_bytes() for file in (ROOT / "media").iterdir()} == material
