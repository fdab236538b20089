"""Exact match and F1 of SQuAD: texts are compared without case, punctuation and English articles."""

from __future__ import annotations

import re
import string
from collections import Counter

from triptych.metrics.metric import Metric

_SOURCE = "SQuAD (Rajpurkar et al., 2016), evaluation 1.1; the best over the references"
METRICS = (
    Metric("em.squad", "exact match", "higher", "%", (0.0, 100.0), ("matches", "units"), _SOURCE, short="exact"),
    Metric("f1.squad", "F1 over words", "higher", "%", (0.0, 100.0), ("sum of F1", "units"), _SOURCE, short="F1"),
)
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised(text: str) -> str:
    """Return a text in lower case, without ASCII punctuation and English articles, with single spaces.

    Example:
        >>> normalised("The  Cat's hat!")
        'cats hat'
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def squad_f1(reference: str, hypothesis: str) -> float:
    """Return F1 over the words of two texts, counted with repetition, after `normalised`.

    Args:
        reference: The reference answer.
        hypothesis: The reply.

    Returns:
        A fraction from 0 to 1; higher is better. 1 if both have no words, 0 if one has none. A text without spaces
        between words (Chinese, Japanese) is one word.

    References:
        Rajpurkar et al. (2016), SQuAD: 100,000+ questions for machine comprehension of text.

    Example:
        >>> squad_f1("a red car", "the red bus")
        0.5
    """
    expected, got = normalised(reference).split(), normalised(hypothesis).split()
    if not expected or not got:
        return float(expected == got)
    shared = sum((Counter(expected) & Counter(got)).values())
    return 2 * shared / (len(expected) + len(got))


def squad_match(reference: str, hypothesis: str) -> bool:
    """Return whether two texts are equal after `normalised`.

    Example:
        >>> squad_match("The Eiffel Tower", "eiffel tower.")
        True
    """
    return normalised(reference) == normalised(hypothesis)
