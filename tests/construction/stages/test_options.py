"""Tests of `construction/stages/options.py`: questions with options."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from tests.construction.single_stage import decide, decide_all
from triptych.construction.stages.guessing import unguessable
from triptych.construction.stages.options import balance_keys, options

GOOD = {"question": "谁先开口？", "options": ["老人", "孩子", "司机", "医生"], "answers": [2]}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, ""),
        ({"options": ["老人", "孩子", "司机"]}, "number-of-options"),
        ({"answers": []}, "no-right-option"),
        ({"answers": [4]}, "no-right-option"),
        ({"answers": [2, 2]}, "no-right-option"),
        ({"answers": [1, 2]}, "number-of-right-options"),
        ({"options": ["老人", "孩子", "司机", "。"]}, "no-words"),
        ({"options": ["老人", "孩子", "司机", "老人。"]}, "same-option-twice"),
        ({"options": ["A", "ａ", "b", "c"]}, "same-option-twice"),
        ({"options": ["老人", "孩子", "司机", "老人和孩子"]}, "options-not-exclusive"),
        ({"options": ["1", "2", "12", "21"]}, ""),
        ({"options": ["老人", "孩子", "一位在雨里等了很久的司机", "医生"]}, "option-length"),
        ({"question": "司机什么时候开口？"}, "answer-in-question"),
        ({"question": "司机和老人谁先开口？"}, ""),
    ],
)
def test_options(change: dict[str, Any], reason: str) -> None:
    assert decide(options, {**GOOD, **change}).reason == reason


def rows(n: int, right: int = 1, number: int = 4, seed: int = 0) -> list[dict[str, Any]]:
    draw = random.Random(seed)
    return [
        {"options": [f"{i}-{k}" for k in range(number)], "answers": sorted(draw.sample(range(number), right))}
        for i in range(n)
    ]


@pytest.mark.parametrize(("right", "number"), [(1, 4), (2, 4), (3, 6), (1, 2)])
def test_keys_are_balanced_to_one_and_stay_with_their_texts(right: int, number: int) -> None:
    given_rows = [{**row, "answers": list(range(right))} for row in rows(101, right, number)]
    outcomes = decide_all(balance_keys, given_rows)
    counts = Counter(tuple(o.fields["answers"]) for o in outcomes)
    sets = list(itertools.combinations(range(number), right))
    assert max(counts.values()) - min(counts.get(s, 0) for s in sets) <= 1
    for row, outcome in zip(given_rows, outcomes, strict=True):
        assert sorted(outcome.fields["options"]) == sorted(row["options"])
        before = {row["options"][p] for p in row["answers"]}
        assert {outcome.fields["options"][p] for p in outcome.fields["answers"]} == before


def test_keys_are_balanced_within_each_task_and_over_all() -> None:
    given_rows = [{**row, "task": f"T{n % 7}"} for n, row in enumerate(rows(90))]
    outcomes = decide_all(balance_keys, given_rows)
    places = [(row["task"], o.fields["answers"][0]) for row, o in zip(given_rows, outcomes, strict=True)]
    for task in (None, *{row["task"] for row in given_rows}):
        counts = Counter(place for own, place in places if task in (None, own))
        assert max(counts.values()) - min(counts[place] for place in range(4)) <= 1


def test_balancing_depends_on_the_seed_and_on_ids_alone() -> None:
    first = decide_all(balance_keys, rows(40))
    assert decide_all(balance_keys, rows(40)) == first
    assert decide_all(balance_keys, rows(40), seed=1) != first


def test_a_fair_set_is_left_alone() -> None:
    given_rows = [row | {"options": ["aaaa", "bbbb", "cccc", "dddd"]} for row in rows(200)]
    balanced = [dict(o.fields) for o in decide_all(balance_keys, given_rows)]
    assert all(o.decision == "kept" for o in decide_all(unguessable, balanced))
