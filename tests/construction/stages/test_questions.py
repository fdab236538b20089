"""Options, keys, guessing, splits, near-duplicates."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from tests.construction.single_stage import context, decide, decide_all
from triptych.construction.engine.context import Values
from triptych.construction.record import Record
from triptych.construction.stages.duplicates import jaccard, near_duplicates
from triptych.construction.stages.guessing import guessable, guesses, unguessable, upper
from triptych.construction.stages.options import balance_keys, options
from triptych.construction.stages.splits import split_records
from triptych.errors import SpecError

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


@given(st.integers(0, 400), st.sampled_from([0.05, 0.25, 1 / 3, 0.5]))
def test_the_band_is_the_binomial_quantile(n: int, p: float) -> None:
    assert upper(n, p) == int(binom.ppf(0.975, n, p)) or n == 0


def left_after(given_rows: list[dict[str, Any]]) -> list[Values]:
    outcomes = decide_all(unguessable, given_rows)
    return [
        Values(unguessable, f"r{n}", row)
        for n, (row, o) in enumerate(zip(given_rows, outcomes, strict=True))
        if o.decision == "kept"
    ]


def test_a_fair_set_is_left_alone() -> None:
    given_rows = [row | {"options": ["aaaa", "bbbb", "cccc", "dddd"]} for row in rows(200)]
    balanced = [dict(o.fields) for o in decide_all(balance_keys, given_rows)]
    assert all(o.decision == "kept" for o in decide_all(unguessable, balanced))


@pytest.mark.parametrize("defect", ["place", "longest", "shortest", "blind", "set"])
def test_what_can_be_guessed_is_thinned_until_it_cant(defect: str) -> None:
    draw = random.Random(3)
    given_rows = rows(300, right=2 if defect == "set" else 1)
    for row in given_rows:
        if defect == "place" and draw.random() < 0.5:
            row["answers"] = [1]
        if defect == "set" and draw.random() < 0.5:
            row["answers"] = [0, 1]
        if defect in ("longest", "shortest"):
            right = draw.random() < 0.6
            row["options"] = [
                ("x" * 9 if (place in row["answers"]) == (defect == "longest") else "x" * 3) if right else "x" * 5
                for place in range(4)
            ]
        if defect == "blind":
            row["blind_right"] = draw.random() < 0.5
    assert any(g.above for g in guesses([Values(unguessable, f"r{n}", r) for n, r in enumerate(given_rows)]))
    left = left_after(given_rows)
    assert not [g for g in guesses(left) if g.above]
    assert len(left) > 100


def test_two_recordings_of_a_question_count_once_and_go_together() -> None:
    given_rows = [{**row, "question": f"q{n}", "answers": [0]} for n, row in enumerate(rows(40)) for _ in range(2)]
    decided = [outcome.decision for outcome in decide_all(unguessable, given_rows)]
    assert decided[::2] == decided[1::2]
    assert decided.count("kept") // 2 == len(left_after(given_rows[::2]))


def test_a_finished_set_that_can_be_guessed_is_named() -> None:
    fair = [Record(f"r{n}", {**row, "task": "main", "question": f"q{n}"}) for n, row in enumerate(rows(40))]
    assert guessable(fair) == []
    biased = [msgspec.structs.replace(r, fields={**r.fields, "answers": [0]}) for r in fair]
    assert guessable(biased)[0] == "main: always 1: 40 of 40 correct; at most 16 by chance"
    assert guessable([Record("r", {"question": "open"})]) == []


def test_splits_never_divide_what_is_connected() -> None:
    draw = random.Random(5)
    given_rows = [
        {
            "keep_together": [f"work:{draw.randrange(150)}", f"speaker:{draw.randrange(300)}"],
            "stratum": draw.choice("ab"),
        }
        for _ in range(400)
    ]
    planted = [{"keep_together": [f"leak:{n}"], "stratum": "a"} for n in range(100) for _ in range(2)]
    everything = given_rows + planted
    found = [o.fields["split"] for o in decide_all(split_records, everything)]
    where: dict[str, set[str]] = {}
    for row, name in zip(everything, found, strict=True):
        for key in row["keep_together"]:
            where.setdefault(key, set()).add(name)
    assert all(len(names) == 1 for names in where.values())
    assert len([key for key in where if key.startswith("leak:")]) == 100


def test_shares_are_kept_in_each_stratum_and_a_split_can_be_equal() -> None:
    given_rows = [{"stratum": "shi"}] * 1000 + [{"stratum": "fu"}] * 300
    found = [o.fields["split"] for o in decide_all(split_records, given_rows)]
    assert Counter(found[:1000]) == {"train": 800, "val": 100, "test": 100}
    assert Counter(found[1000:]) == {"train": 240, "val": 30, "test": 30}
    equal = [o.fields["split"] for o in decide_all(split_records, given_rows, equal_in="test", equal_count=200)]
    assert (equal[:1000].count("test"), equal[1000:].count("test")) == (200, 200)


def test_a_split_that_the_benchmark_does_not_have_is_refused() -> None:
    with pytest.raises(SpecError, match="no split of this name"):
        decide_all(split_records, [{}], shares={"dev": 1.0}, names=("train", "val", "test"))


def test_near_duplicates_are_found_and_verified() -> None:
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    texts = [
        "春眠不觉晓处处闻啼鸟夜来风雨声花落知多少",
        "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少！",
        "白日依山尽黄河入海流欲穷千里目更上一层楼",
        "春眠不觉晓处处闻啼鸟夜来风雨声花落知几何",
    ]
    outcomes = decide_all(near_duplicates, [{"text": t} for t in texts], least=0.7)
    assert [o.decision for o in outcomes] == ["kept", "dropped", "kept", "dropped"]
    assert "of r0" in outcomes[1].note
    apart = decide_all(near_duplicates, [{"text": t, "alike_within": str(n)} for n, t in enumerate(texts)], least=0.7)
    assert all(o.decision == "kept" for o in apart)
    kept_all = decide_all(near_duplicates, [{"text": t} for t in texts], least=0.7, drop=False)
    assert [o.fields["cluster"] for o in kept_all] == ["r0", "r0", "r2", "r0"]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text("abcde", min_size=3, max_size=12), min_size=2, max_size=25))
def test_no_pair_that_is_kept_is_a_near_duplicate(texts: list[str]) -> None:
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    from triptych.construction.stages.duplicates import _shingles

    outcomes = decide_all(near_duplicates, [{"text": t} for t in texts], least=0.9)
    left = [_shingles(t, 3) for t, o in zip(texts, outcomes, strict=True) if o.decision == "kept"]
    assert not [1 for a, b in itertools.combinations(left, 2) if jaccard(a, b) >= 0.9]
    assert context(near_duplicates).parameters["grams"] == 3
