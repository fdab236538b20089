"""Sentence BLEU on tokens that are given, smoothed as nltk does it.

The formula is short and nltk is slow to import and counts in fractions, so it stands here; nltk and sacrebleu are the
oracles in the tests.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Literal

from triptych.metrics.metric import Metric

METRICS = (
    Metric(
        "bleu",
        "sentence BLEU, orders 1 to 4",
        "higher",
        "%",
        (0.0, 100.0),
        ("sum", "units"),
        "Papineni et al. (2002), smoothing of Chen and Cherry (2014) as in nltk: a mean over Units",
        short="BLEU",
    ),
)
_ORDERS = 4
_EPSILON = 0.1  # nltk's count for method 1
_K = 5.0  # nltk's constant for method 4


def sentence_bleu(reference: Sequence[Hashable], hypothesis: Sequence[Hashable], smoothing: Literal[1, 4] = 1) -> float:
    """BP * exp(mean of log p_n for n = 1 to 4), 0 to 1, higher is better.

    BP is exp(1 - |reference| / |hypothesis|) for a hypothesis that is shorter. Where an order has no match, method 1
    gives it 0.1 matches; method 4 gives the k-th such order ln |hypothesis| / (5 * 2^k), which is 0 for a hypothesis
    of one token: such an order is left out of the mean, as nltk does. No token in common, or one side empty: 0.
    """
    matches, totals = zip(*(_matches(reference, hypothesis, n) for n in range(1, _ORDERS + 1)), strict=True)
    if not matches[0]:
        return 0.0
    smoothed = _SMOOTHINGS[smoothing](matches, len(hypothesis))
    logs = (math.log(match / total) for match, total in zip(smoothed, totals, strict=True) if match)
    return _brevity_penalty(len(reference), len(hypothesis)) * math.exp(math.fsum(logs) / _ORDERS)


def _matches(reference: Sequence[Hashable], hypothesis: Sequence[Hashable], n: int) -> tuple[int, int]:
    """n-grams of the hypothesis that the reference has, clipped to its counts; and how many there are, at least 1."""
    got, expected = n_grams(hypothesis, n), n_grams(reference, n)
    return sum((got & expected).values()), max(1, len(hypothesis) - n + 1)


def n_grams(tokens: Sequence[Hashable], n: int) -> Counter[tuple[Hashable, ...]]:
    """How often each run of n tokens stands in the text; none where it is shorter."""
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def _method_1(matches: Sequence[float], _length: int) -> list[float]:
    return [match or _EPSILON for match in matches]


def _method_4(matches: Sequence[float], length: int) -> list[float]:
    empty_before, smoothed = 0, []
    for match in matches:
        empty_before += not match
        smoothed.append(match or math.log(length) / (_K * 2**empty_before))
    return smoothed


_SMOOTHINGS = {1: _method_1, 4: _method_4}


def _brevity_penalty(expected: int, got: int) -> float:
    return 1.0 if got > expected else math.exp(1 - expected / got)
