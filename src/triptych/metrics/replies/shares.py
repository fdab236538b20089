"""Replies that give each option a probability and say nothing else: `A 5%, B 80%, C 15%`, `{"A": 0.2, "B": 0.8}`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triptych.metrics.replies.lazy_pattern import lazy_pattern

_MAX_LENGTH = 1000
_HEADING = r"(?:[^\W\d_][^\W\d_ ]{2,}(?: [^\W\d_]{2,}){0,3}\s*[:—–-]?\s*)?"
_VALUE = r"[*\"')\]]*\s*[:=(—–-]?\s*(\d{1,3}(?:\.\d{1,6})?)\s*%?\)?"
_FENCE = lazy_pattern(r"```(?:json)?")
_ROUNDED = 0.03  # the sum of rounded shares is at most this far from the whole


def shares(answer: str, labels: Sequence[str]) -> list[float] | None:
    """Return the probability of each option if an answer consists of these; None for another answer.

    The shares add up to 1 or to 100. An option without one has 0.

    Example:
        >>> shares("A 5%, B 80%, C 15%", "ABC"), shares("A: 2, B: 3", "AB")
        ([0.05, 0.8, 0.15], None)
    """
    if len(answer) > _MAX_LENGTH or not labels or not any(sign.isdecimal() for sign in answer):
        return None
    item = rf"[-*\"'{{(\[\s]*\b({'|'.join(map(re.escape, labels))})(?!\w){_VALUE}[*,;}}\s.]*"
    text = _FENCE.sub("", answer)
    if re.fullmatch(rf"\s*{_HEADING}(?:{item}){{2,26}}", text) is None:
        return None
    values = [(label, float(value)) for label, value in re.findall(item, text)]
    total = sum(value for _, value in values)
    if len({label for label, _ in values}) < len(values) or min(abs(total - 1), abs(total / 100 - 1)) > _ROUNDED:
        return None
    of = {label: value / (100 if total > 2 else 1) for label, value in values}
    return [of.get(label, 0.0) for label in labels]
