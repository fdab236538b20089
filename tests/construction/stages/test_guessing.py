"""Tests of `construction/stages/guessing.py`: check that answers can't be guessed above chance."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from tests.construction.single_stage import decide_all
from tests.construction.stages.test_options import rows
from triptych.construction.engine.context import Values
from triptych.construction.record import Record
from triptych.construction.stages.guessing import guessable, guesses, unguessable, upper


@given(st.integers(0, 400), st.sampled_from([0.05, 0.25, 1 / 3, 0.5]), st.sampled_from([1, 10]))
def test_the_band_is_the_binomial_quantile(n: int, p: float, together: int) -> None:
    assert upper(n, p, together) == int(binom.ppf(1 - 0.025 / together, n, p)) or n == 0


def test_sound_sets_are_rarely_above_a_band_that_ways_of_guessing_share() -> None:
    """With a band for each of the ten ways, five of these hundred sets would be above one."""
    draw, words = random.Random(7), ["河边", "山上", "桥下", "城里", "舟中", "月下", "楼上", "门外", "花间", "林中"]
    above = 0
    for _ in range(100):
        sound = [
            {**row, "options": draw.sample(words, 4), "answers": [draw.randrange(4)], "question": "他们在哪里见面？"}
            for row in rows(34)
        ]
        values = [Values(unguessable, f"r{n}", row) for n, row in enumerate(sound)]
        above += any(
            guess.exceeds_chance for guess in guesses(values) if guess.name.startswith(("the options", "the first op"))
        )
    assert above <= 2


def left_after(given_rows: list[dict[str, Any]]) -> list[Values]:
    outcomes = decide_all(unguessable, given_rows)
    return [
        Values(unguessable, f"r{n}", row)
        for n, (row, o) in enumerate(zip(given_rows, outcomes, strict=True))
        if o.decision == "kept"
    ]


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
    assert any(g.exceeds_chance for g in guesses([Values(unguessable, f"r{n}", r) for n, r in enumerate(given_rows)]))
    left = left_after(given_rows)
    assert not [g for g in guesses(left) if g.exceeds_chance]
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
