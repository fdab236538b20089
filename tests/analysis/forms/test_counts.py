"""Tests of `analysis/forms/counts.py`: right and wrong over the forms of an Instance, counted by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from tests.analysis.forms.test_consistency import CONTRAST, FORMS, asked
from triptych.analysis.forms.counts import MEASURES, Counts, count, rates, resampled, sums_of
from triptych.analysis.forms.instances import forms_of
from triptych.analysis.observed import Observed
from triptych.benchmarks.spec import Variation

VARIATION = Variation("form", "form", FORMS, contrasts=(CONTRAST,))


def counted(run: Observed) -> Counts:
    (counts,) = count(forms_of(run, VARIATION), run)
    return counts


def total(counts: Counts, *name: str) -> float:
    return float(counts.rows[:, counts.at[name]].sum())


def test_every_column_by_hand() -> None:
    #              0: all right, 1: heard unanswered, 2: seen wrong as read, 3: all wrong in their own way
    counts = counted(asked({"read": "AABB", "heard": "A?AC", "seen": "AABD"}))
    assert counts.forms == FORMS and counts.places[:4] == tuple("ABCD") and counts.rows.shape[0] == 4
    assert [total(counts, "n", form) for form in FORMS] == [4, 3, 4]
    assert [total(counts, "right", form) for form in FORMS] == [2, 2, 2]
    assert [total(counts, "pick", "read", place) for place in "ABCD"] == [2, 2, 0, 0]
    assert [total(counts, "pick", "heard", place) for place in "ABCD"] == [2, 0, 1, 0]
    assert [total(counts, "key", place) for place in "ABCD"] == [4, 0, 0, 0]
    pair = ("read", "heard")
    assert [total(counts, name, *pair) for name in ("n", "both", "first", "second", "same")] == [3, 1, 1, 2, 1]
    assert [total(counts, name, "read", "seen") for name in ("n", "both", "first", "second", "same")] == [4, 2, 2, 2, 3]
    assert [total(counts, name) for name in ("whole", "all", "none")] == [3, 1, 1]


def test_each_instance_has_a_row_of_its_own() -> None:
    counts = counted(asked({"read": "AB", "heard": "AA"}))
    assert counts.rows[:, counts.at["all",]].tolist() == [1, 0]
    assert counts.rows[:, counts.at["same", "read", "heard"]].tolist() == [1, 0]


def test_an_answer_that_could_not_be_read_is_wrong_and_picks_nothing() -> None:
    run = asked({"read": "A?A", "heard": "AA?"})
    scores = [structs.replace(one, status="unparsed") if one.status == "failed" else one for one in run.scores]
    counts = counted(replace(run, scores=tuple(scores)))
    assert [total(counts, name, "read", "heard") for name in ("n", "both", "read", "same")] == [3, 1, 1, 1]
    assert [total(counts, "pick", form, "A") for form in ("read", "heard")] == [2, 2]


letters = st.text("ABCD?", min_size=3, max_size=3)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(letters, st.sampled_from("ABCD")), min_size=2, max_size=12))
def test_counts_are_those_of_a_plain_loop(rows: list[tuple[str, str]]) -> None:
    said = {form: "".join(row[n] for row, _ in rows) for n, form in enumerate(FORMS)}
    keys = "".join(key for _, key in rows)
    (counts,) = count(forms_of(run := asked(said, keys), VARIATION), run)
    for a, b in combinations(FORMS, 2):
        pairs = [(x, y, k) for x, y, k in zip(said[a], said[b], keys, strict=True) if "?" not in x + y]
        assert total(counts, "n", a, b) == len(pairs)
        assert total(counts, "both", a, b) == sum(x == y == k for x, y, k in pairs)
        assert total(counts, "same", a, b) == sum(x == y for x, y, _ in pairs)
    whole = [(answers, key) for answers, key in rows if "?" not in answers]
    assert total(counts, "whole") == len(whole)
    assert total(counts, "all") == sum(answers == 3 * key for answers, key in whole)
    assert total(counts, "none") == sum(key not in answers for answers, key in whole)


def share(counts: Counts, measure: str, form: str = "read") -> float:
    top, below = rates(sums_of([counts]), measure)[counts.stratum, form]
    return float(top / below)


def test_rates_by_hand() -> None:
    counts = counted(asked({"read": "AABA", "heard": "ABBA"}, "AAAA"))
    # right: read 3 of 4, heard 2 of 4; both right or both wrong in 0, 2 and 3
    assert share(counts, "agreement") == pytest.approx(3 / 4)
    assert share(counts, "agreement.by_luck") == pytest.approx(0.75 * 0.5 + 0.25 * 0.5)
    assert share(counts, "same_pick") == pytest.approx(3 / 4)
    assert share(counts, "same_pick.by_luck") == pytest.approx(0.75 * 0.5 + 0.25 * 0.5)
    assert share(counts, "all") == 0.5 and share(counts, "none") == 0.25
    assert share(counts, "by_luck") == pytest.approx(0.75 * 0.5)
    # all keys are A: picking A or not, each at its own rate
    assert share(counts, "agreement.by_habit") == pytest.approx(0.75 * 0.5 + 0.25 * 0.5)


def test_a_constant_letter_agrees_by_habit_alone() -> None:
    counts = counted(asked({"read": "BBBB", "heard": "BBBB"}, "ABCD"))
    assert share(counts, "agreement") == share(counts, "agreement.by_habit") == 1.0
    assert share(counts, "same_pick.by_luck") == 1.0
    assert share(counts, "agreement.by_luck") == pytest.approx(0.25**2 + 0.75**2)


def test_resampled_sums_are_around_the_sums_and_the_same_for_a_seed() -> None:
    rng = np.random.default_rng(2)
    said = {form: "".join(rng.choice(list("ABCD"), 60, p=[0.7, 0.1, 0.1, 0.1])) for form in ("read", "heard")}
    counts = counted(asked(said, "A" * 60))
    (one,), (again,), (other,) = (resampled([counts], 400, seed) for seed in (7, 7, 8))
    assert np.array_equal(one.values, again.values) and not np.array_equal(one.values, other.values)
    (sums,) = sums_of([counts])
    drawn = one.column_sum("right", "read")
    assert drawn.shape == (400,) and one.column_sum("n", "read") == pytest.approx(np.full(400, 60.0)), (
        "as many Instances each"
    )
    p = sums.column_sum("right", "read") / 60
    assert drawn.mean() == pytest.approx(60 * p, abs=0.6) and drawn.std() == pytest.approx(
        (60 * p * (1 - p)) ** 0.5, rel=0.15
    )
    assert set(MEASURES) == {
        "agreement",
        "agreement.by_luck",
        "agreement.by_habit",
        "same_pick",
        "same_pick.by_luck",
    }
