"""Intervals against scipy, closed forms and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.metrics.statistics.test_limits import RNG
from triptych.metrics.statistics.intervals import (
    CLUSTERS_PER_PATTERN,
    bootstrap_sums,
    bootstrap_weights,
    percentile_interval,
    swapped_sums,
    wilson,
)


@given(n=st.integers(1, 400), data=st.data())
def test_wilson_is_scipys(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    expected = stats.binomtest(k, n).proportion_ci(0.95, "wilson")
    assert wilson(k, n) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_wilson_stays_within_bounds_and_knows_nothing_of_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == 1.0
    assert wilson(10, 10)[0] == pytest.approx(0.7225, abs=1e-4)  # 10 / (10 + 1.96²)


@given(sizes=st.lists(st.integers(1, 20), min_size=1, max_size=9), seed=st.integers(0, 9))
def test_weights_of_a_replicate_add_up_to_the_clusters(sizes: list[int], seed: int) -> None:
    weights = bootstrap_weights(np.array(sizes), 7, np.random.default_rng(seed))
    assert weights.shape == (7, len(sizes))
    assert np.allclose(weights.sum(axis=1), sum(sizes))
    assert (weights >= 0).all()


@pytest.mark.parametrize("n", [2, 3, 5, 40])
def test_the_variance_of_a_mean_is_unbiased_for_few_clusters_too(n: int) -> None:
    values = np.random.default_rng(n).normal(size=(n, 1))
    means = bootstrap_sums(values, 60_000, np.random.default_rng(1)) / n
    assert means.mean() == pytest.approx(values.mean(), abs=0.02)
    assert means.var() == pytest.approx(values.var(ddof=1) / n, rel=0.04)


def test_clusters_that_look_alike_are_drawn_as_often_as_others() -> None:
    values = np.array([1.0] * 7 + [0.0] * 3)[:, None]
    means = bootstrap_sums(values, 60_000, np.random.default_rng(2)) / 10
    assert means.mean() == pytest.approx(0.7, abs=0.005)
    assert means.var() == pytest.approx(0.7 * 0.3 / 9, rel=0.04)


def test_sums_in_chunks_are_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.metrics.statistics.intervals.CHUNK", 70)
    sums = np.random.default_rng(0).random((20, 4))
    drawn = bootstrap_sums(sums, 101, np.random.default_rng(3))
    assert drawn.shape == (101, 4)
    # Weights add up to 20 in each replicate, so a constant column must too.
    constant = bootstrap_sums(np.ones((20, 1)), 101, np.random.default_rng(3))
    assert np.allclose(constant, 20)


def test_the_bootstrap_is_scipys_for_a_mean() -> None:
    values = np.random.default_rng(5).exponential(size=200)
    sums = np.stack([values, np.ones(200)], axis=1)
    drawn = bootstrap_sums(sums, 20_000, np.random.default_rng(0))
    found = percentile_interval(drawn[:, 0] / drawn[:, 1])
    expected = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", random_state=0)
    assert found == pytest.approx(tuple(expected.confidence_interval), abs=0.01)


def test_replicates_without_a_value_are_left_out() -> None:
    assert percentile_interval(np.array([np.nan, 1.0, 3.0, np.nan, 2.0])) == pytest.approx((1.05, 2.95))
    assert percentile_interval(np.full(5, np.nan)) is None


def test_drawing_clusters_one_by_one_is_the_same_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(7).random((40, 2))
    sums = np.column_stack([values, np.ones(40)])
    groups = bootstrap_sums(sums, 40_000, np.random.default_rng(0))
    monkeypatch.setattr("triptych.metrics.statistics.intervals.MANY_WEIGHTS", 1)
    singly = bootstrap_sums(sums, 40_000, np.random.default_rng(1))
    assert singly.mean(axis=0) == pytest.approx(groups.mean(axis=0), rel=0.005)
    assert np.cov(singly.T)[:2, :2] == pytest.approx(np.cov(groups.T)[:2, :2], rel=0.06, abs=0.08)
    assert (singly[:, 2] == 40).all()
    backwards = bootstrap_sums(sums[::-1], 40_000, np.random.default_rng(1))
    assert np.array_equal(singly, backwards)


def test_clusters_of_few_patterns_are_drawn_in_groups_however_many_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    sums = np.repeat(np.random.default_rng(7).random((40, 2)), CLUSTERS_PER_PATTERN + 1, axis=0)
    groups = bootstrap_sums(sums, 100, np.random.default_rng(0))
    monkeypatch.setattr("triptych.metrics.statistics.intervals.MANY_WEIGHTS", 1)
    assert np.array_equal(groups, bootstrap_sums(sums, 100, np.random.default_rng(0)))


def test_signs_by_lot_give_the_variance_of_the_differences() -> None:
    differences = np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 0.0], [-1.0, 3.0]])
    drawn = swapped_sums(differences, 40_000, np.random.default_rng(0))
    assert drawn.mean(axis=0) == pytest.approx([0, 0], abs=0.05)
    assert np.cov(drawn.T) == pytest.approx(differences.T @ differences, rel=0.04)
    assert set(np.unique(drawn[:, 0])) == {-4.0, -2.0, 0.0, 2.0, 4.0}


def test_nothing_to_swap_is_no_difference() -> None:
    assert not swapped_sums(np.zeros((3, 2)), 5, np.random.default_rng(0)).any()
    assert swapped_sums(np.zeros((0, 2)), 5, np.random.default_rng(0)).shape == (5, 2)


def test_without_figures_nothing_is_swapped() -> None:
    assert swapped_sums(np.zeros((4, 0)), 5, np.random.default_rng(0)).shape == (5, 0)


def test_percentiles_are_expanded_by_students_quantile() -> None:
    drawn = RNG.normal(size=200_000)
    low, high = percentile_interval(drawn, df=9) or (0.0, 0.0)
    assert (low, high) == pytest.approx((-2.262, 2.262), abs=0.03)
    assert percentile_interval(drawn, df=0) is None
