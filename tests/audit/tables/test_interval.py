"""Intervals hold whatever was printed so: checked by rounding numbers that are known."""

from __future__ import annotations

import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.audit.tables.interval import (
    Interval,
    deviation,
    digits_of,
    greatest_interval,
    mean,
    ranks,
    smallest_interval,
    total,
    weighted,
)
from triptych.audit.tables.repeats import tail
from triptych.audit.tables.shares import chance, likely_n

numbers = st.floats(-500, 500).map(lambda v: round(v, 7))
lists = st.lists(numbers, min_size=2, max_size=8)
digits = st.integers(0, 3)


def printed(value: float, places: int) -> Interval:
    return Interval.printed(f"{value:.{places}f}")


def holds(interval: Interval, value: float) -> bool:
    return interval.meets(Interval.exact(value))


@given(numbers, digits)
def test_a_printed_number_may_have_been_the_one_that_was_rounded(value: float, places: int) -> None:
    assert holds(printed(value, places), value)


def test_dropped_zeros_count_where_the_table_is_known_to_print_them() -> None:
    assert Interval.printed("80", 2).gap(Interval.exact(80.4)) > 0.39
    assert Interval.printed("80").meets(Interval.exact(80.4))
    assert digits_of("80") == 0 and digits_of("-3.10") == 2


@given(lists, digits)
def test_aggregates_of_rounded_numbers_hold_the_aggregate_of_the_numbers(values: list[float], places: int) -> None:
    told = [printed(v, places) for v in values]
    weights = [float(n + 1) for n in range(len(values))]
    assert holds(mean(told), statistics.fmean(values))
    assert holds(total(told), sum(values))
    assert holds(deviation(told), statistics.stdev(values))
    assert holds(smallest_interval(told), min(values))
    assert holds(greatest_interval(told), max(values))
    assert holds(weighted(weights, told), sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights))


@given(numbers, numbers, digits)
def test_arithmetic_holds_the_exact_result(a: float, b: float, places: int) -> None:
    x, y = printed(a, places), printed(b, places)
    assert holds(x + y, a + b) and holds(x - y, a - b) and holds(x * y, a * b) and holds(abs(x), abs(a))
    if not y.low <= 0 <= y.high:
        assert holds(x / y, a / b)


@given(st.lists(numbers, min_size=2, max_size=8, unique=True))
def test_ranks_hold_the_place_in_the_sorted_numbers(values: list[float]) -> None:
    told = [printed(v, 1) for v in values]
    for index, value in enumerate(values):
        assert holds(ranks(told, index), 1 + sum(v > value for v in values))


def test_the_distance_of_what_cannot_be_the_same() -> None:
    assert round(Interval(1, 2).gap(Interval(2.5, 3)), 6) == 0.5
    assert Interval(1, 2).gap(Interval(2, 3)) == 0.0


def test_chance_statistics_against_hand_computed_cases() -> None:
    assert tail(2, 2, 0.5) == pytest.approx(0.25)
    assert tail(1, 3, 0.1) == pytest.approx(1 - 0.9**3)
    # two values of width 0.01 and n = 100: each fits with 1%
    assert chance(100, [Interval.printed("33.00"), Interval.printed("12.00")]) == pytest.approx(1e-4)
    assert chance(100, [Interval.printed("0.00"), Interval.printed("100.00")]) == 1.0
    rng = random.Random(0)
    assert likely_n([Interval.printed(f"{rng.uniform(5, 95):.2f}") for _ in range(20)]) is None
