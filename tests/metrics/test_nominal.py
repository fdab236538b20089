"""Agreement on labels: against published cases, another library and definitions written out."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.nominal import cohen_kappa, nominal_alpha, observed_agreement

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
