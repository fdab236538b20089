"""Tests of `audit/results/agreement.py`: agreement of two systems' answers beyond what their accuracy explains."""

from __future__ import annotations

import random

import numpy as np
import pytest

from triptych.audit.results.agreement import Agreement, compare


def test_the_tail_beyond_a_floor_by_hand() -> None:
    """3 of 3 alike, chance 1 of 3: at a floor of 0 the tail is (1/3)^3, at 0.5 (2/3)^3, at 1 it is 1."""
    alike = Agreement(n=3, same=3, wrong=3, same_wrong=3, expected=1.0, variance=1.0)
    assert alike.tail_beyond(0.0) == pytest.approx(1 / 27)
    assert alike.tail_beyond(0.5) == pytest.approx(8 / 27)
    assert alike.tail_beyond(1.0) == 1.0
    assert Agreement(0, 0, 0, 0, 0.0, 0.0).tail_beyond(0.5) == 1.0


def test_agreements_add_up() -> None:
    one = compare([("s", "A", "B", "B"), ("s", "A", "C", "D")])
    total = Agreement.total([one, one])
    assert (total.wrong, total.same_wrong, total.expected) == (4, 2, 2 * one.expected)


def test_expected_agreement_is_that_of_shuffled_answers() -> None:
    rng = random.Random(5)
    pairs = [(rng.randrange(3), "A", rng.choice("BBCD"), rng.choice("BCCD")) for _ in range(300)]
    told = compare(pairs)
    assert told.wrong == 300
    shuffler, simulated = np.random.default_rng(0), []
    for _ in range(1500):
        hits = 0
        for stratum in range(3):
            first = np.array([a for s, _, a, _ in pairs if s == stratum])
            second = np.array([b for s, _, _, b in pairs if s == stratum])
            hits += int((first == shuffler.permutation(second)).sum())
        simulated.append(hits)
    assert told.expected == pytest.approx(np.mean(simulated), abs=0.6)
    assert told.variance == pytest.approx(np.var(simulated), rel=0.12)


def test_agreement_counts_by_hand() -> None:
    told = compare([("s", "A", "A", "A"), ("s", "A", "B", "B"), ("s", "A", "C", "B"), ("s", "A", "A", "B")])
    assert (told.n, told.same, told.wrong, told.same_wrong) == (4, 2, 2, 1)
    assert told.expected == 1.0 and told.share == 0.5  # first B, C; second B, B
    assert compare([]).beyond_chance == 0.0
