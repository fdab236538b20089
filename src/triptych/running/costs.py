"""The cost of Responses in tokens, seconds and money, summed by one rule for tables, reports and analyses.

A Response from the cache costs nothing. A value that was not reported is unknown, not 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from triptych.records import Response
from triptych.store.decoded import fact_table

Read = Callable[[Response], float | None]
_WAITING = 256  # values that are added at once

MEASURES: Mapping[str, Read] = {
    "input_tokens": lambda r: None if r.usage is None else r.usage.input_tokens,
    "output_tokens": lambda r: None if r.usage is None else r.usage.output_tokens,
    "seconds": lambda r: r.seconds or None,
    "usd": lambda r: r.cost_usd,
}


@dataclass(slots=True)
class Sum:
    """A sum of known values, the number of these, and the number of unknown ones.

    Example:
        >>> total = Sum()
        >>> total.add([1.5, 2.0]); total.add([None])
        >>> total.value, total.known_count, total.unknown_count, total.complete_sum
        (3.5, 1, 1, None)
    """

    value: float = 0.0
    known_count: int = 0
    unknown_count: int = 0

    def add(self, values: Iterable[float | None]) -> None:
        """Add values that are known only together, such as those of the Responses to one Unit."""
        listed = list(values)
        if not listed or None in listed:
            self.unknown_count += 1
        else:
            self.value += sum([value or 0.0 for value in listed])
            self.known_count += 1

    @property
    def complete_sum(self) -> float | None:
        """The sum if every value is known; None otherwise, and if there are no values."""
        return self.value if self.known_count and not self.unknown_count else None

    def __iadd__(self, other: Sum) -> Sum:
        return Sum(
            self.value + other.value, self.known_count + other.known_count, self.unknown_count + other.unknown_count
        )


class ExactSum:
    """A `Sum` that is rounded once, so that it doesn't depend on the order of the values.

    Example:
        >>> total = ExactSum()
        >>> for value in (1e16, 1.0, -1e16): total.add([value])
        >>> total.value
        1.0
    """

    __slots__ = ("_waiting", "known_count", "unknown_count")

    def __init__(self) -> None:
        self._waiting: list[float] = []  # floats whose exact sum is meant
        self.known_count: int = 0
        self.unknown_count: int = 0

    def add(self, values: Iterable[float | None]) -> None:
        """Add values that are known only together, such as those of the Responses to one Unit."""
        listed = list(values)
        if not listed or None in listed:
            self.unknown_count += 1
            return
        self._waiting.extend([value for value in listed if value])
        self.known_count += 1
        if len(self._waiting) > _WAITING:
            self._waiting = exact_terms(self._waiting)

    @property
    def value(self) -> float:
        """The sum of the known values."""
        return fsum(self._waiting)

    def __iadd__(self, other: ExactSum) -> ExactSum:
        self._waiting = exact_terms([*self._waiting, *other._waiting])
        self.known_count, self.unknown_count = (
            self.known_count + other.known_count,
            self.unknown_count + other.unknown_count,
        )
        return self


def exact_terms(values: Sequence[float]) -> list[float]:
    """Return a few floats with the same exact sum: the rounded sum, then what rounding left of it, and so on.

    Raises OverflowError if a sum is too large for a float.
    """
    terms: list[float] = []
    while term := fsum([*values, *(-each for each in terms)]):
        terms.append(term)
    return terms


def cost_of(response: Response | None, read: Read) -> float | None:
    """Return one measure of a Response: 0 if it came from the cache, None if it is missing or was not reported."""
    return None if response is None else 0.0 if response.cached else read(response)


def sums(responses: Sequence[Response]) -> dict[str, Sum]:
    """Return the sum of each measure over the Responses that were not served from the cache.

    Within `keep_files()`, the sums over one sequence are computed once.
    """
    costs_kept: dict[int, tuple[dict[str, Sum], Sequence[Response]]] = fact_table("costs")
    if id(responses) not in costs_kept:
        costs_kept[id(responses)] = sums_of(responses), responses
    return dict(costs_kept[id(responses)][0])


def sums_of(responses: Iterable[Response]) -> dict[str, Sum]:
    """Return `sums`, computed each time."""
    fresh = [response for response in responses if not response.cached]
    return {name: sum_of([read(response) for response in fresh]) for name, read in MEASURES.items()}


def sum_of(values: Sequence[float | None]) -> Sum:
    """Return the sum of the known values."""
    field_values = [value for value in values if value is not None]
    return Sum(sum(field_values), len(field_values), len(values) - len(field_values))
