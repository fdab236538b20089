"""Agreement of two systems' answers beyond what their accuracy explains.

Two good systems agree because both are correct. On questions that both get wrong they may still prefer the same wrong
answer, since some are more tempting than others; repeats of one model agree there almost always. The agreement on
questions that both get wrong is therefore compared with chance (the same answers, shuffled among the questions of one
Task and reference answer) and with known repeats.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from triptych.audit.tables.repeats import tail


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two systems. `n` questions that both answered, `same` of them alike; `wrong` that both got wrong,
    `same_wrong` of them alike; `expected` and `variance` of the latter if answers were shuffled."""

    n: int
    same: int
    wrong: int
    same_wrong: int
    expected: float
    variance: float

    @property
    def share(self) -> float:
        """Return the share of equal answers to the questions that both got wrong; 0 if there are none."""
        return self.same_wrong / self.wrong if self.wrong else 0.0

    @property
    def beyond_chance(self) -> float:
        """(observed - expected) / (possible - expected): 0 for independence, 1 for the same answers throughout."""
        room = self.wrong - self.expected
        return (self.same_wrong - self.expected) / room if room > 0 else 0.0

    @property
    def z(self) -> float:
        """Return the distance from chance in standard errors."""
        return (self.same_wrong - self.expected) / math.sqrt(self.variance) if self.variance > 0 else 0.0

    def tail_beyond(self, floor: float) -> float:
        """Return the probability of this much agreement or more on questions that both got wrong, if answers agreed
        with the probability at `floor` (0 to 1) between chance and certainty. 1 if there is no such question."""
        if not self.wrong:
            return 1.0
        chance = self.expected / self.wrong
        return tail(self.same_wrong, self.wrong, chance + floor * (1 - chance))

    @classmethod
    def total(cls, parts: Sequence[Agreement]) -> Agreement:
        """Return the sum of several agreements on different questions."""
        return cls(*(sum(getattr(part, name) for part in parts) for name in cls.__slots__))

    @property
    def error(self) -> float:
        """Return the binomial standard error of `share`."""
        return math.sqrt(self.share * (1 - self.share) / self.wrong) if self.wrong else 0.0


def compare(pairs: Iterable[tuple[Hashable, str, str, str]]) -> Agreement:
    """Return the agreement over (stratum, reference answer, first answer, second answer).

    Chance: within each stratum and reference answer, the second system's wrong answers are shuffled among the questions
    that both got wrong. Mean and variance of the number of agreements follow exactly from the counts of the answers.
    """
    n = same = 0
    strata: dict[Hashable, list[tuple[str, str]]] = defaultdict(list)
    for stratum, key, first, second in pairs:
        n += 1
        same += first == second
        if key not in (first, second):
            strata[stratum, key].append((first, second))
    return agreement(n, same, strata.values())


def agreement(n: int, same: int, strata: Iterable[Sequence[tuple[Hashable, Hashable]]]) -> Agreement:
    """Return the agreement from counts and the pairs of wrong answers: a list per stratum and reference answer."""
    expected, variance, wrong, same_wrong = 0.0, 0.0, 0, 0
    for cells in strata:
        mean, spread = _matching(cells)
        expected, variance = expected + mean, variance + spread
        wrong += len(cells)
        same_wrong += sum([a == b for a, b in cells])
    return Agreement(n, same, wrong, same_wrong, expected, variance)


def _matching(cells: Sequence[tuple[Hashable, Hashable]]) -> tuple[float, float]:
    """Return mean and variance of the number of agreements of two lists of answers under a random matching."""
    n = len(cells)
    first, second = Counter(a for a, _ in cells), Counter(b for _, b in cells)
    products = {answer: first[answer] * second[answer] for answer in first}
    mean = sum(products.values()) / n
    if n < 2:
        return mean, 0.0
    # E[X(X-1)] = sum over ordered pairs of questions and answers (k, l) of both agreeing
    pairs = 0.0
    for k in first:
        for m in first:
            a = first[k] * (first[m] - (k == m))
            b = second[k] * (second[m] - (k == m))
            pairs += a * b
    return mean, max(pairs / (n * (n - 1)) + mean - mean**2, 0.0)
