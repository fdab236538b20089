"""Tests of `analysis/comparing/joint.py`: several Runs over the same questions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.analysis.comparing.columns import column
from tests.scoring.toy import make_spec, protocol, score
from triptych.analysis.comparing.joint import join


def test_permutation_is_what_all_exchanges_give() -> None:
    first, second = "1110110", "0100011"
    joint = join([column(first), column(second)], protocol(), make_spec(), "all", replicates=40_000)
    differences = [int(a) - int(b) for a, b in zip(first, second, strict=True)]
    observed = abs(sum(differences))
    every = [abs(sum(s * d for s, d in zip(signs, differences, strict=True))) for signs in product((1, -1), repeat=7)]
    expected = np.mean([value >= observed for value in every])
    assert joint.permutation(0, 1)["toy/a", "acc", ()] == pytest.approx(expected, abs=0.01)


def test_the_figures_that_are_asked_for_are_the_same_alone() -> None:
    first, second = column("1110110"), column("0100011")
    key = ("toy/a", "acc", ())
    whole, alone = (
        join([first, second], protocol(), make_spec(), "all", replicates=500, wanted=wanted)
        for wanted in (None, frozenset({key}))
    )
    assert set(alone.values) == {key} and set(whole.values) > {key}
    assert alone.permutation(0, 1) == {key: whole.permutation(0, 1)[key]}
    assert alone.interval(key, 0, 1) == whole.interval(key, 0, 1) and alone.error(key, 0, 1) == whole.error(key, 0, 1)


def test_whole_instances_are_exchanged() -> None:
    """Six Units of one Instance are one piece of evidence: two Instances can't be significant, twelve Units could."""
    first = [score(f"u{n}", 1.0, instance=f"i{n // 6}") for n in range(12)]
    second = [score(f"u{n}", 0.0, instance=f"i{n // 6}") for n in range(12)]
    joint = join([first, second], protocol(), make_spec(), "all", replicates=4000)
    assert joint.permutation(0, 1)["toy/a", "acc", ()] == pytest.approx(0.5, abs=0.03)


def test_the_interval_of_a_paired_difference_is_the_closed_form() -> None:
    rng = np.random.default_rng(1)
    hard = rng.random(900)
    first = column("".join("1" if x < 0.7 else "0" for x in hard))
    second = column("".join("1" if x < 0.6 or y < 0.05 else "0" for x, y in zip(hard, rng.random(900), strict=True)))
    joint = join([first, second], protocol(), make_spec(), "all", replicates=20_000)
    d = np.array([a.numerator - b.numerator for a, b in zip(first, second, strict=True)])
    error = 100 * d.std(ddof=1) / np.sqrt(900)
    assert joint.error(("toy/a", "acc", ()), 0, 1) == pytest.approx(error, rel=0.03)
    low, high = joint.interval(("toy/a", "acc", ()), 0, 1) or (0, 0)
    assert (low, high) == pytest.approx((100 * d.mean() - 1.96 * error, 100 * d.mean() + 1.96 * error), abs=0.15)
