"""The CMDAR-like mini set as it ships: the three released forms, balanced keys, audio. Nothing is synthesised here."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import triptych.benchmarks

ROOT = Path(triptych.benchmarks.__file__).parent / "cmdar" / "mini"
KEYS = {
    "main": ["id", "audio_path", "question", "chosens", "answer", "category"],
    "multi": ["id", "audio_path_1", "audio_path_2", "question", "chosens", "answer", "category"],
    "open": ["id", "audio_path", "question", "answer", "category"],
}
CATEGORIES = {
    "main": {
        "人物身份关联任务",
        "社交意图推理任务",
        "事件因果推理任务",
        "事件顺序推理任务",
        "场景定位任务",
        "场景变化（切换）推理任务",
        "场景要素识别",
        "异常检测与安全任务",
        "时间推理任务",
    },
    "multi": {"情节发展推理任务", "连续场景推理任务", "多角色互动推理任务"},
    "open": {"人物关系与社交推理类", "事件推理类", "场景理解类", "异常检测与安全任务", "时间推理任务"},
}


def rows(kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((ROOT / f"MDAR-{kind}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("kind", KEYS)
def test_released_form_and_categories(kind: str) -> None:
    for number, row in enumerate(rows(kind)):
        assert list(row) == KEYS[kind]
        assert row["id"] == f"{number:04}"
    assert {row["category"] for row in rows(kind)} == CATEGORIES[kind]


@pytest.mark.parametrize("kind", KEYS)
def test_the_real_files_have_the_same_keys_and_categories(kind: str, shared_data: Path) -> None:
    real = json.loads((shared_data / "cmdar" / f"MDAR-{kind}.json").read_text(encoding="utf-8"))
    assert {tuple(row) for row in real} == {tuple(KEYS[kind])}
    assert {row["category"] for row in real} == CATEGORIES[kind]


def test_enough_questions() -> None:
    counts = {kind: len(rows(kind)) for kind in KEYS}
    assert sum(counts.values()) >= 40
    assert counts["main"] >= 24
    assert min(counts.values()) >= 8


def test_main_keys_stand_as_often_at_each_place() -> None:
    places = Counter(row["chosens"].index(row["answer"]) for row in rows("main"))
    assert set(places.values()) == {len(rows("main")) // 4}


def test_main_can_be_scored_by_string_match() -> None:
    """One word token per option (no commas): the released scorer can tell the options apart."""
    for row in rows("main"):
        assert len(set(row["chosens"])) == 4
        assert all(len(re.findall(r"\w+", option)) == 1 for option in row["chosens"]), row["id"]


def test_multi_answers_are_options_in_order_and_no_constant_wins() -> None:
    for row in rows("multi"):
        assert 4 <= len(row["chosens"]) == len(set(row["chosens"])) <= 6
        assert row["answer"] == [option for option in row["chosens"] if option in row["answer"]]
        assert 0 < len(row["answer"]) < len(row["chosens"])
    for k in range(1, 7):
        exact = sum(set(row["chosens"][:k]) == set(row["answer"]) for row in rows("multi"))
        assert exact / len(rows("multi")) <= 0.25, f"first {k}"


def test_audio_is_relative_and_there_and_nothing_else_is() -> None:
    named = {value for kind in KEYS for row in rows(kind) for key, value in row.items() if key.startswith("audio")}
    assert named == {f"audio/{file.name}" for file in (ROOT / "audio").iterdir()}
