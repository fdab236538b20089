"""Confidence limits: against closed forms, and by how often they contain the true value in simulations."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks_truth.intervals import EQUAL, LARGE, Case, coverage

from triptych.metrics.statistics.intervals import percentile_interval, wilson
from triptych.metrics.statistics.limits import (
    bounded_interval,
    deviation_interval,
    difference_interval,
    figure_interval,
    lowest_interval,
)

RNG = np.random.default_rng(11)


def test_independent_answers_have_wilsons_interval() -> None:
    for right, n in ((1, 9), (30, 40), (999, 1000)):
        p = right / n
        found = bounded_interval(p, p * (1 - p) / n, 0.0, 1.0)
        assert found == pytest.approx(wilson(right, n), abs=1e-12)


def test_few_clusters_widen_and_the_bounds_hold() -> None:
    many, few = (bounded_interval(95.0, 9.0, 0.0, 100.0, df) for df in (1e9, 4))
    assert 0 <= few[0] < many[0] < 95 < many[1] < few[1] <= 100
    assert bounded_interval(100.0, 9.0, 0.0, 100.0) == (0.0, 100.0)
    one = bounded_interval(9.5, 0.09, 1.0, 10.0, 20)  # a scale that begins at 1
    other = bounded_interval((9.5 - 1) / 9, 0.09 / 81, 0.0, 1.0, 20)
    assert one == pytest.approx([1 + 9 * limit for limit in other])


def test_a_figure_that_is_no_mean_of_bounded_values_has_percentiles() -> None:
    drawn = RNG.normal(3.0, 1.0, size=10_000)
    assert figure_interval(drawn, 3.0) == percentile_interval(drawn)
    assert figure_interval(drawn, None) is None and figure_interval(np.full(9, 0.5), 0.5, (0.0, 1.0)) is None
    assert figure_interval(np.full(9, np.nan), 0.5, (0.0, 1.0)) is None


def test_a_standard_deviation_equals_the_inverted_chi_square_test() -> None:
    """For independent noise of one variance the limits come from the noncentral chi-square distribution."""
    stats, optimize = pytest.importorskip("scipy.stats"), pytest.importorskip("scipy.optimize")
    values = np.array([40.0, 44.0, 47.0, 52.0, 55.0])
    drawn = values + 3.0 * RNG.normal(size=(100_000, 5))
    observed = ((values - values.mean()) ** 2).sum() / 9.0
    for side, limit in zip((0.975, 0.025), deviation_interval(values, drawn) or (), strict=True):
        size = optimize.brentq(lambda s, q=side: stats.ncx2.cdf(observed, 4, s) - q, 1e-9, 400.0)
        assert limit == pytest.approx(3.0 * np.sqrt(size / 4), rel=0.02)


def test_a_standard_deviation_that_noise_explains_begins_at_0() -> None:
    values = np.array([58.0, 61.0, 60.0, 63.0])
    low, high = deviation_interval(values, values + 5.0 * RNG.normal(size=(2000, 4))) or (1.0, 0.0)
    assert low == 0.0 and high >= values.std(ddof=1)
    assert deviation_interval(values, np.tile(values, (50, 1))) is None
    assert deviation_interval(values[:1], values[:1] + RNG.normal(size=(50, 1))) is None


def test_a_missing_value_is_left_out_of_a_standard_deviation() -> None:
    values = np.array([40.0, np.nan, 60.0])
    noise = RNG.normal(size=(2000, 3))
    assert deviation_interval(values, values + noise) == deviation_interval(
        values[[0, 2]], values[[0, 2]] + noise[:, [0, 2]]
    )


@pytest.mark.parametrize("instances", [12, 60])
def test_standard_deviations_are_covered(instances: int) -> None:
    for accuracies in (EQUAL, LARGE):
        after, before = coverage("standard deviation over six forms", Case("", accuracies, 0.5), instances, 200)
        assert after >= 91, (accuracies, instances, after)
        assert accuracies is LARGE or before < 30, "percentiles alone hardly ever contain 0"


@pytest.mark.parametrize("instances", [8, 12, 20, 50])
def test_shares_are_covered_with_few_instances(instances: int) -> None:
    for shared in (0.0, 0.5):
        after, _ = coverage("share of right answers", Case("", (0.8,) * 6, shared), instances, 300)
        assert after >= 89, (instances, shared, after)


def test_the_difference_of_two_intervals() -> None:
    low, high = difference_interval(10.0, (8.0, 12.0), 4.0, (4.0, 4.0))
    assert (low, high) == (4.0, 8.0)


def test_the_lowest_of_equal_values_is_not_too_low() -> None:
    covered = 0
    for _ in range(300):
        values = 50 + RNG.normal(size=5)
        low, high = lowest_interval(values, values + RNG.normal(size=(500, 5))) or (0.0, 0.0)
        covered += low <= 50 <= high
    assert covered >= 280


def test_an_infinite_limit_is_no_interval() -> None:
    """A ratio whose denominator is 0 in a tenth of the replicates has no upper limit; in one of a thousand, it has."""
    often, seldom = np.arange(1000.0), np.arange(1000.0)
    often[900:], seldom[-1:] = np.inf, np.inf
    assert figure_interval(often, 500.0) is None
    assert figure_interval(seldom, 500.0) == pytest.approx((24.975, 974.025))
