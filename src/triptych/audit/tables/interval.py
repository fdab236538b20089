"""Intervals of the numbers that are printed as a figure, and arithmetic on them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Printing = Literal["rounded", "truncated"]  # rounded: half up or half to even; truncated: further digits are dropped
_SLACK = 1e-9  # floating-point noise, far below any printed digit


@dataclass(frozen=True, slots=True)
class Interval:
    """All values from `low` to `high`. Operations are exact bounds where each operand occurs once (a wider interval
    otherwise), so that a value outside a result can't be explained by rounding."""

    low: float
    high: float

    @classmethod
    def exact(cls, value: float) -> Interval:
        """A number that wasn't rounded."""
        return cls(value, value)

    @classmethod
    def printed(cls, text: str, decimals: int = 0, printing: Printing = "rounded") -> Interval:
        """Return the numbers that are printed as `text`: half a unit of its last digit to either side, which holds for
        rounding half up and half to even; or, if digits were dropped, a unit away from 0 (0 itself: to either side).

        The ends belong to the interval: programs print 29.00 as 28.99 if their number is 28.999999999999996.
        `decimals`: number of digits that the table prints at least, if a file has dropped trailing zeros.
        """
        unit, value = 10.0 ** -max(decimals, digits_of(text)), float(text)
        if printing == "rounded":
            return cls(value - 0.5 * unit, value + 0.5 * unit)
        return cls(value - unit * (value <= 0), value + unit * (value >= 0))

    @property
    def middle(self) -> float:
        """The middle."""
        return (self.low + self.high) / 2

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __mul__(self, other: Interval) -> Interval:
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def __truediv__(self, other: Interval) -> Interval:
        """Raises ZeroDivisionError where the divisor may be 0."""
        if other.low <= 0 <= other.high:
            raise ZeroDivisionError("the divisor may be 0")
        ends = [a / b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def __abs__(self) -> Interval:
        if self.low >= 0:
            return self
        return -self if self.high <= 0 else Interval(0.0, max(-self.low, self.high))

    def meets(self, other: Interval) -> bool:
        """Can both be the same number?"""
        return self.low <= other.high + _SLACK and other.low <= self.high + _SLACK

    def gap(self, other: Interval) -> float:
        """How far apart they are at least; 0 where they meet."""
        return 0.0 if self.meets(other) else max(other.low - self.high, self.low - other.high)

    def may_be_less(self, other: Interval) -> bool:
        """Can this be less than (or equal to) the other?"""
        return self.low <= other.high + _SLACK


def digits_of(text: str) -> int:
    """Return the number of digits after the decimal point."""
    return len(text.strip().partition(".")[2])


def total(values: Iterable[Interval]) -> Interval:
    """The sum."""
    return sum(values, Interval.exact(0.0))


def mean(values: Sequence[Interval]) -> Interval:
    """The unweighted mean. Raises ValueError where there are none."""
    if not values:
        raise ValueError("the mean of no values is not defined")
    return total(values) / Interval.exact(float(len(values)))


def weighted(weights: Sequence[float], values: Sequence[Interval]) -> Interval:
    """The mean with these weights. Raises ValueError where their numbers differ."""
    if len(weights) != len(values) or not sum(weights):
        raise ValueError("a weighted mean needs as many weights as values")
    parts = [Interval.exact(w) * v for w, v in zip(weights, values, strict=True)]
    return total(parts) / Interval.exact(sum(weights))


def deviation(values: Sequence[Interval]) -> Interval:
    """The standard deviation with n - 1. It moves by no more than sqrt(n / (n-1)) times what its inputs do."""
    if len(values) < 2:
        raise ValueError("a deviation needs two values")
    n = len(values)
    middles = [v.middle for v in values]
    centre = sum(middles) / n
    spread = math.sqrt(sum((m - centre) ** 2 for m in middles) / (n - 1))
    reach = math.sqrt(sum(((v.high - v.low) / 2) ** 2 for v in values) / (n - 1))
    return Interval(max(0.0, spread - reach), spread + reach)


def smallest_interval(values: Sequence[Interval]) -> Interval:
    """The smallest of them."""
    return Interval(min(v.low for v in values), min(v.high for v in values))


def greatest_interval(values: Sequence[Interval]) -> Interval:
    """The largest of them."""
    return Interval(max(v.low for v in values), max(v.high for v in values))


def ranks(values: Sequence[Interval], index: int) -> Interval:
    """The places that one of them may take when sorted, the largest first (ties share the better place)."""
    values_of_interval = values[index]
    others = [v for n, v in enumerate(values) if n != index]
    surely_better = sum(v.low > values_of_interval.high + _SLACK for v in others)
    maybe_better = sum(v.high > values_of_interval.low + _SLACK for v in others)
    return Interval(1.0 + surely_better, 1.0 + maybe_better)
