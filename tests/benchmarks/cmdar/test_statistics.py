"""Tests of `benchmarks/cmdar/statistics.py`: tables 5 and 6 and Figure 5, computed from the user's copy."""

from __future__ import annotations

import pytest

from tests.benchmarks.test_statistics import Told, values
from triptych.benchmarks.cmdar.statistics import statistics as cmdar
from triptych.records import Item, media, text


def test_films_of_cmdar_are_500() -> None:
    from triptych.benchmarks.cmdar.statistics import FILMS

    assert sum(FILMS.values()) == 500


def test_cmdar_by_hand() -> None:
    def item(kind: str, number: int, question: str, options: tuple[str, ...], target: object, *audio: str) -> Item:
        parts = (*(media("audio", path, "content") for path in audio), text(question, "question"))
        facets = {"category": "SR", "subtask": f"s{number}"}
        shown = tuple((text(option),) for option in options)
        return Item(f"{kind}{number}", f"cmdar/{kind}", parts, shown, target=target, facets=facets)  # type: ignore[arg-type]

    items = [
        item("main", 1, "谁在说话?", ("甲", "乙乙"), "甲", "a.wav"),  # question 5, options 1 and 2
        item("main", 2, "哪里?", ("丙丙丙", "丁丁丁丁"), "丙丙丙", "b.wav"),  # question 3, options 3 and 4
        item("open", 1, "为什么", (), "因为下雨了", "a.wav"),
        item("multi", 1, "什么", ("一", "二二", "三三三"), ("一", "二二"), "a.wav", "b.wav"),
        item("multi", 2, "什么呢?", ("四", "五"), ("四",), "a.wav", "none.wav"),
    ]
    found = values(cmdar(items, Told({"a.wav": 20.0, "b.wav": 31.0}), {}))
    assert found["main", "questions"] == 2 and found["main", "subtasks"] == 2
    assert found["main", "tasks (categories)"] == 1
    assert found["main", "average question length"] == 4.0 and found["main", "average option length"] == 2.5
    assert found["main", "average audio length"] == 25.5
    assert found["open", "average reference length"] == 5.0
    assert found["multi", "average option length"] == pytest.approx(8 / 5)
    assert found["multi", "average number of answers"] == 1.5
    assert found["multi", "average audio length"] == 51.0  # the other pair lacks a recording
