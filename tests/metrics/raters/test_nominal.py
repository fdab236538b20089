"""Agreement on labels: against published cases, another library and definitions written out."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.raters.nominal import cohen_kappa, fleiss_kappa, gwet_ac1, nominal_alpha, observed_agreement

N = None
# Krippendorff (2011), section D: four observers, twelve units, missing values; nominal alpha is 0.743.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]
LABELS = st.sampled_from(["approve", "edit", "reject", None])


def test_the_published_case_of_alpha() -> None:
    assert nominal_alpha(list(zip(*OBSERVERS, strict=True))) == pytest.approx(0.743, abs=5e-4)


def test_the_published_figures_of_irrcac() -> None:
    """The same data are `cac.raw4raters` of the R package irrCAC, whose vignette prints these coefficients."""
    units = list(zip(*OBSERVERS, strict=True))
    assert observed_agreement(units) == pytest.approx(0.8181818, abs=5e-8)
    assert fleiss_kappa(units) == pytest.approx(0.76117, abs=5e-6)
    assert gwet_ac1(units) == pytest.approx(0.77544, abs=5e-6)
    assert nominal_alpha(units) == pytest.approx(0.74342, abs=5e-6)


# 14 raters, 10 subjects, 5 categories: the worked example of Fleiss' kappa in many textbooks, 0.210.
COUNTS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def test_fleiss_kappa_of_a_textbook_and_of_statsmodels() -> None:
    units = [[label for label, count in enumerate(row) for _ in range(count)] for row in COUNTS]
    assert fleiss_kappa(units) == pytest.approx(0.210, abs=5e-4)
    rater = pytest.importorskip("statsmodels.stats.inter_rater", reason="statsmodels is not installed")
    assert fleiss_kappa(units) == pytest.approx(rater.fleiss_kappa(COUNTS), abs=1e-12)


def test_ac1_by_hand_where_nearly_all_units_are_alike() -> None:
    """118 yes-yes, 5 and 2 that differ, none no-no, of 125 (Gwet's paradox): kappa is about 0, AC1 is not."""
    units = [["yes", "yes"]] * 118 + [["yes", "no"]] * 5 + [["no", "yes"]] * 2
    yes = (2 * 118 + 7) / 250
    expected = 2 * yes * (1 - yes)
    assert gwet_ac1(units) == pytest.approx((118 / 125 - expected) / (1 - expected), abs=1e-12)
    kappa = fleiss_kappa(units)
    assert kappa is not None and kappa < 0 < 0.9 < (gwet_ac1(units) or 0)


def test_ac1_counts_labels_that_nobody_gave() -> None:
    assert gwet_ac1([["a", "a"], ["a", "a"]]) is None and gwet_ac1([["a", "a"]], labels=3) == 1
    assert gwet_ac1([["a", "b"]], labels=3) == pytest.approx((0 - 0.25) / 0.75)
    with pytest.raises(ValueError, match="2 different labels"):
        gwet_ac1([["a", "b"]], labels=1)


@given(st.lists(st.lists(LABELS, min_size=3, max_size=3), max_size=12))
def test_fleiss_and_ac1_are_defined_where_the_observed_agreement_is(units: list[list[str | None]]) -> None:
    given_ = {label for own in units for label in own if label}
    for found in (fleiss_kappa(units), gwet_ac1(units)):
        assert (found is None) == (observed_agreement(units) is None or len(given_) < 2)
        assert found is None or found <= 1 + 1e-12


def test_kappa_by_hand() -> None:
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, by chance 0.5 x 0.6 + 0.5 x 0.4 = 0.5."""
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4, abs=1e-15)
    assert observed_agreement(list(zip(first, second, strict=True))) == pytest.approx(0.7, abs=1e-15)


@given(st.lists(st.tuples(LABELS, LABELS), max_size=30))
def test_kappa_equals_its_definition(pairs: list[tuple[str | None, str | None]]) -> None:
    both = [(x, y) for x, y in pairs if x is not None and y is not None]
    found = cohen_kappa([x for x, _ in pairs], [y for _, y in pairs])
    if len({label for pair in both for label in pair}) < 2:
        assert found is None
        return
    observed = Fraction(sum(x == y for x, y in both), len(both))
    by_chance = Fraction(sum(x == y for x, _ in both for _, y in both), len(both) ** 2)
    assert found == pytest.approx(float((observed - by_chance) / (1 - by_chance)), abs=1e-12)


@given(st.lists(st.lists(LABELS, min_size=3, max_size=3), max_size=12))
def test_alpha_and_agreement_equal_their_definitions(units: list[list[str | None]]) -> None:
    rated = [own for unit in units if len(own := [label for label in unit if label]) > 1]
    pairs = [(x, y, len(own)) for own in rated for x, y in permutations(own, 2)]
    values = [label for own in rated for label in own]
    expected = [x != y for x, y in permutations(values, 2)]
    if not rated:
        assert observed_agreement(units) is None and nominal_alpha(units) is None
        return
    shares = [sum(x == y for x, y in permutations(own, 2)) / (len(own) * (len(own) - 1)) for own in rated]
    assert observed_agreement(units) == pytest.approx(sum(shares) / len(shares), abs=1e-12)
    if not any(expected):
        assert nominal_alpha(units) is None
        return
    observed = sum((x != y) / (m - 1) for x, y, m in pairs) / len(values)
    assert nominal_alpha(units) == pytest.approx(1 - observed / (sum(expected) / len(expected)), abs=1e-12)


def test_nothing_shared_or_nothing_that_varies_is_undefined() -> None:
    assert nominal_alpha([["a", None], [None, "b"]]) is None and observed_agreement([]) is None
    assert nominal_alpha([["a", "a"], ["a", "a"]]) is None and observed_agreement([["a", "a"]]) == 1.0
    assert cohen_kappa(["a", "a"], ["a", "a"]) is None and cohen_kappa(["a", None], [None, "a"]) is None
    with pytest.raises(ValueError, match="argument"):
        cohen_kappa(["a"], [])
