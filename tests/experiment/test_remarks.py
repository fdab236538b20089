"""Tests of `experiment/remarks.py`: prompts that leave something out, and Conditions that change nothing."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from msgspec.structs import replace

from triptych.benchmarks import own_questions
from triptych.conditions.condition import find_condition
from triptych.experiment.plan import Plan
from triptych.experiment.planning import plan
from triptych.experiment.remarks import Remembered, condition_remarks
from triptych.records import Item, text

TEXT_ALONE = "question,A,B,answer\nWhich barks?,a dog,a cat,A\nWhich has strings?,a drum,a violin,B\n"


def planned(tmp_path: Path, *conditions: str) -> Plan:
    (tmp_path / "q.csv").write_text(TEXT_ALONE, encoding="utf-8")
    benchmark = own_questions(str(tmp_path / "q.csv"))
    assert benchmark is not None
    return plan(benchmark, "baseline/first", conditions=conditions)


def remarks(ready: Plan) -> list[str]:
    assert len(list(ready.requests())) > 0
    return list(ready.problems)


def test_a_condition_that_changes_no_question_is_named(tmp_path: Path) -> None:
    assert remarks(planned(tmp_path, "blind")) == [
        "blind changed none of the questions: they are asked as without a Condition"
    ]
    (both,) = remarks(planned(tmp_path, "blind", "mute"))
    assert both.startswith("blind and mute changed none")


def test_of_several_conditions_only_those_that_change_nothing_are_named(tmp_path: Path) -> None:
    (one,) = remarks(planned(tmp_path, "shuffle:seed=1", "mute"))
    assert one == "mute changed none of the questions: they are asked as without it"
    (one,) = remarks(planned(tmp_path, "blind", "mute", "reasons"))
    assert one == "blind and mute changed none of the questions: they are asked as without them"


class Drawn:
    """A Condition that breaks its contract: it draws its numbers each time anew."""

    name, summary = "drawn", "a number after the question"

    def __init__(self) -> None:
        self.drawn = 0

    def apply(self, item: Item) -> Item:
        self.drawn += 1
        return replace(item, parts=(*item.parts, text(str(self.drawn))))


def test_a_condition_that_draws_at_random_is_named(tmp_path: Path) -> None:
    ready = planned(tmp_path, "shuffle:seed=1")
    (one,) = remarks(dataclasses.replace(ready, conditions=(*ready.conditions, Drawn())))
    assert one.startswith("drawn makes something else of the same question each time")


@pytest.mark.parametrize("condition", ["shuffle:seed=1", "circular", "reasons"])
def test_conditions_that_change_texts_or_the_prompt_are_not(tmp_path: Path, condition: str) -> None:
    assert remarks(planned(tmp_path, condition)) == []


def test_conditions_that_change_media_are_not() -> None:
    for condition in ("blind", "noise", "cut:seconds=1"):
        assert remarks(plan("cmdar/main", "baseline/first", conditions=[condition], limit=2)) == []


def test_a_part_of_the_requests_says_nothing_about_all(tmp_path: Path) -> None:
    ready = planned(tmp_path, "blind")
    next(iter(ready.requests()))
    assert not ready.problems


def test_a_run_without_questions_has_no_remark() -> None:
    problems: dict[str, None] = {}
    assert list(condition_remarks([], Remembered([]), [find_condition("blind")], problems)) == []
    assert problems == {}


def test_the_item_that_was_yielded_last_is_remembered() -> None:
    items = [Item(str(n), "t", (text("x"),)) for n in range(3)]
    remembered = Remembered(items)
    assert remembered.latest is None
    assert [(item, remembered.latest) for item in remembered] == [(item, item) for item in items]
