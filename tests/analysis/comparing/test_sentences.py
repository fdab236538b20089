"""Tests of `analysis/comparing/sentences.py`: the findings of a comparison of Runs, in sentences."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from triptych.analysis.comparing.sentences import format_apart


@given(st.floats(0, 100), st.floats(0, 100))
def test_printed_scores_differ_by_the_printed_difference(first: float, second: float) -> None:
    (one, other), size = format_apart(first, second)
    digits = len(size.partition(".")[2])
    assert abs(float(one) - first) <= 0.5 * 10**-digits + 1e-9
    assert abs(float(size) - abs(first - second)) <= 0.5 * 10**-digits + 1e-9
    if digits > 1:
        assert abs(abs(float(one) - float(other)) - float(size)) < 1e-6


def test_the_issues_example_of_rounding() -> None:
    assert format_apart(62.54, 55.36) == (("62.54", "55.36"), "7.18")  # with one digit 62.5, 55.4 and 7.2
    assert format_apart(62.5, 55.3) == (("62.5", "55.3"), "7.2")
