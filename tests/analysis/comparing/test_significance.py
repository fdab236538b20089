"""Tests of significance against scipy and statsmodels, and by hand."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from triptych.analysis.comparing.significance import (
    chi_square_p,
    detectable,
    detectable_share,
    holm,
    marginal_homogeneity,
    mcnemar,
    power_of,
    questions_needed,
    wilcoxon,
)

contingency = pytest.importorskip("statsmodels.stats.contingency_tables")
multitest = pytest.importorskip("statsmodels.stats.multitest")
power = pytest.importorskip("statsmodels.stats.power")


@given(b=st.integers(0, 300), c=st.integers(0, 300))
def test_mcnemar_is_statsmodels(b: int, c: int) -> None:
    found = mcnemar(b, c)
    if b + c == 0:
        assert found is None
        return
    assert found is not None
    table = [[7, b], [c, 9]]
    assert found.exact_p == pytest.approx(contingency.mcnemar(table, exact=True).pvalue, abs=1e-9)
    if abs(b - c) >= 1:  # where b = c statsmodels corrects past 0
        corrected = contingency.mcnemar(table, exact=False, correction=True)
        assert (found.chi2, found.chi2_p) == pytest.approx((corrected.statistic, corrected.pvalue), abs=1e-9)


def test_mcnemar_by_hand() -> None:
    found = mcnemar(1, 5)  # P(X <= 1 of 6) = 7/64, twice that
    assert found is not None
    assert found.exact_p == pytest.approx(14 / 64)
    assert found.chi2 == pytest.approx(9 / 6)
    assert mcnemar(4, 4) == (1.0, 0.0, 1.0, 8)


def test_mcnemar_of_thousands_is_the_binomials() -> None:
    found = mcnemar(2400, 2600)
    assert found is not None
    assert found.exact_p == pytest.approx(stats.binomtest(2400, 5000).pvalue, rel=1e-9)


@given(st.lists(st.integers(-40, 40), min_size=1, max_size=60))
def test_wilcoxon_is_scipys_normal_approximation_with_ties(values: list[int]) -> None:
    found = wilcoxon([float(v) for v in values])
    moved = [abs(v) for v in values if v]
    if not moved:
        assert found is None
        return
    assert found is not None
    if len(set(moved)) < len(moved) or len(moved) > 50:
        expected = stats.wilcoxon(values, zero_method="wilcox", correction=False, method="approx")
        assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)
        assert not found.exact


@given(st.sets(st.integers(1, 500), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_wilcoxon_is_scipys_exact_without_ties(sizes: set[int], random: object) -> None:
    values = [v * random.choice((-1, 1)) for v in sorted(sizes)]  # type: ignore[attr-defined]
    found, expected = wilcoxon(values), stats.wilcoxon(values, method="exact")
    assert found is not None and found.exact
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)


@given(st.floats(0.001, 300), st.integers(1, 12))
def test_the_chi_square_tail_is_scipys(statistic: float, freedom: int) -> None:
    assert chi_square_p(statistic, freedom) == pytest.approx(stats.chi2.sf(statistic, freedom), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("seed", range(20))
def test_marginal_homogeneity_is_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = 2 + seed % 4
    pairs = rng.integers(0, size, (60, 2))
    pairs[rng.random(60) < 0.4, 1] = pairs[rng.random(60) < 0.4, 0][:1]
    table = np.zeros((size, size))
    np.add.at(table, (pairs[:, 0], pairs[:, 1]), 1)
    expected = contingency.SquareTable(table, shift_zeros=False).homogeneity(method="stuart_maxwell")
    found = marginal_homogeneity(np.eye(size)[pairs[:, 0]] - np.eye(size)[pairs[:, 1]])  # type: ignore[arg-type]
    assert found is not None and found.freedom == expected.df == size - 1
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))


def test_clusters_that_say_the_same_are_one_voice() -> None:
    """Twenty questions asked six times each say no more than the twenty: rows are clusters."""
    rng = np.random.default_rng(3)
    once = [list(np.eye(3)[a] - np.eye(3)[b]) for a, b in rng.integers(0, 3, (20, 2))]
    assert marginal_homogeneity([[6 * x for x in row] for row in once]) == pytest.approx(marginal_homogeneity(once))


def test_marginal_homogeneity_of_nothing_is_none() -> None:
    assert marginal_homogeneity([]) is None
    assert marginal_homogeneity([[1.0, -1.0]]) is None
    assert marginal_homogeneity([[0.0, 0.0], [0.0, 0.0]]) is None


@pytest.mark.parametrize("seed", range(20))
def test_holm_is_statsmodels(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "collect", int)  # multipletests collects garbage each time: half a second in a whole suite
    p_values = list(np.random.default_rng(seed).random(1 + seed % 9) ** 3)
    expected = multitest.multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(list(expected))


def test_holm_by_hand_and_with_a_gap() -> None:
    assert holm([0.01, None, 0.04, 0.03]) == [pytest.approx(0.03), None, pytest.approx(0.06), pytest.approx(0.06)]


@given(st.floats(-3, 3), st.integers(2, 500))
def test_power_is_statsmodels(effect: float, n: int) -> None:
    expected = power.normal_power(effect, n, 0.05, alternative="two-sided", sigma=1.0)
    assert power_of(effect, 1 / np.sqrt(n)) == pytest.approx(expected, abs=1e-9)


def test_what_is_detectable_is_found_in_four_of_five() -> None:
    error = 0.013
    assert power_of(detectable(error), error) == pytest.approx(0.8, abs=1e-4)
    assert detectable(1.0) == pytest.approx(2.8016, abs=1e-4)
    assert power_of(0.1, 0.0) is None


def test_planning_goes_both_ways() -> None:
    share = detectable_share(1000, 0.2)
    assert share == pytest.approx(2.8016 * np.sqrt(0.2 / 1000), abs=1e-5)
    assert questions_needed(float(share or 0), 0.2) == pytest.approx(1000, abs=1)
    assert detectable_share(0, 0.2) is None
    assert questions_needed(0.0, 0.2) is None
