"""Precision, recall and F1 of what a reply and a reference share: characters, tokens, punctuation, entities.

F1 is 0 if precision and recall are both 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from triptych.metrics.metric import Metric

_SOURCES = {
    "charset": ("over sets of characters", 100.0, "Liu et al. (2025), appendix C.2 (OCR), as released"),
    "punctuation": ("over punctuation by position", inf, "Liu et al. (2025), appendix C.2 (T3), as released"),
    "entities": (
        "over sets of entities, spaces ignored",
        100.0,
        "as f1.entity, but commas separate entities, too, and empty entities are left out",
    ),
    "marks": ("over punctuation by position, each counted once", 100.0, "as f1.punctuation, with clipped counts"),
    "entity": ("over sets of entities", 100.0, "Liu et al. (2025), appendix C.2 (T4), as released"),
}
_NAMES = {"f1": "F1", "precision": "precision", "recall": "recall"}
METRICS = (
    Metric(
        "f1.token",
        "F1 over tokens, 1 if the reply contains the reference",
        "higher",
        "%",
        (0.0, 100.0),
        ("sum", "units"),
        "after SQuAD (Rajpurkar et al. 2016), as released by Du et al. (2026) for SQA; mean over Units",
        short="F1",
    ),
    Metric(
        "f1.characters",
        "F1 over characters, with counts",
        "higher",
        "%",
        (0.0, 100.0),
        ("sum", "units"),
        "after SQuAD (Rajpurkar et al. 2016), with characters as tokens, as usual for Chinese; mean over Units",
        short="F1",
    ),
    *(
        Metric(
            f"{measure}.{kind}",
            f"{name} {over}",
            "higher",
            "%",
            (0.0, top if measure != "precision" else 100.0),
            ("sum", "units"),
            f"{source}; mean over Units",
            short=name,
        )
        for kind, (over, top, source) in _SOURCES.items()
        for measure, name in _NAMES.items()
    ),
)


class Overlap(NamedTuple):
    """Precision, recall and their harmonic mean (F1) of one Unit, as fractions; higher is better."""

    precision: float
    recall: float
    f1: float


def character_set_overlap(reference: str, hypothesis: str) -> Overlap:
    """Return the overlap of the sets of characters: neither counts nor positions matter.

    Returns:
        Fractions from 0 to 1; all are 0 if a text is empty.

    Example:
        >>> character_set_overlap("aabc", "abd")
        Overlap(precision=0.6666666666666666, recall=0.6666666666666666, f1=0.6666666666666666)
    """
    expected, got = set(reference), set(hypothesis)
    return _overlap(len(expected & got), len(expected), len(got))


def punctuation_overlap(reference: str, hypothesis: str) -> Overlap:
    """Return the overlap of punctuation by position, over pairs (preceding character, punctuation character).

    Punctuation is every character other than A-Z, a-z, 0-9 and U+4E00 to U+9FA5, including whitespace. The first
    character is preceded by the last one. A pair of the reply is correct if it occurs anywhere in the reference; a
    repeated pair counts each time, so recall and F1 can exceed 1.

    Returns:
        Fractions of 0 or more; all are 0 if a text has no punctuation.

    References:
        Liu et al. (2025), appendix C.2 (T3), as released.

    Example:
        >>> punctuation_overlap("a,b.", "a,b,").f1
        0.5
        >>> punctuation_overlap("a,", "a,a,").recall
        2.0
    """
    expected, got = punctuation_pairs(reference), punctuation_pairs(hypothesis)
    expected_marks = set(expected)
    return _overlap(sum(pair in expected_marks for pair in got), len(expected), len(got))


def counted_punctuation_overlap(reference: str, hypothesis: str) -> Overlap:
    """Return the overlap of `punctuation_overlap` with clipped counts: each pair of the reference is matched once.

    Returns:
        Fractions from 0 to 1; all are 0 if a text has no punctuation.

    Example:
        >>> counted_punctuation_overlap("a,", "a,a,")
        Overlap(precision=0.5, recall=1.0, f1=0.6666666666666666)
    """
    expected, got = punctuation_pairs(reference), punctuation_pairs(hypothesis)
    return _overlap((Counter(expected) & Counter(got)).total(), len(expected), len(got))


def punctuation_pairs(text: str) -> list[tuple[str, str]]:
    """Return (preceding character, punctuation character) for all punctuation of a text; see `punctuation_overlap`.

    Example:
        >>> punctuation_pairs("a,b.")
        [('a', ','), ('b', '.')]
    """
    return [(text[match.start() - 1], match[0]) for match in _MARK.finditer(text)]


def entity_overlap(reference: str, hypothesis: str, separator: str = "、") -> Overlap:
    """Return the overlap of the sets of entities, which are the pieces between separators, without stripping.

    Returns:
        Fractions from 0 to 1. An empty text is a set of one empty entity, so two empty texts have 1, and an empty
        reply has 0 if the reference is not empty.

    References:
        Liu et al. (2025), appendix C.2 (T4), as released.

    Example:
        >>> entity_overlap("李白、杜甫", "杜甫")
        Overlap(precision=1.0, recall=0.5, f1=0.6666666666666666)
    """
    expected, got = set(reference.split(separator)), set(hypothesis.split(separator))
    return _overlap(len(expected & got), len(expected), len(got))


def token_f1(reference: str, hypothesis: str) -> float:
    r"""Return F1 over tokens, with counts; 1 if the joined tokens of the reply contain those of the reference.

    Tokens: punctuation (neither `\w` nor whitespace) is removed, the text becomes lower case and is split at
    whitespace. Chinese text without spaces is a single token; without the rule on joined tokens it would have to be
    equal.

    Returns:
        A fraction from 0 to 1; higher is better. 1 if both texts are empty, 0 if one is.

    References:
        After SQuAD (Rajpurkar et al., 2016), as released by Du et al. (2026).

    Example:
        >>> token_f1("a red car", "the red car")
        0.6666666666666666
        >>> token_f1("李白", "是李白写的。")
        1.0
    """
    expected, got = _tokens(reference), _tokens(hypothesis)
    if not expected or not got:
        return float(expected == got)
    if "".join(expected) in "".join(got):
        return 1.0
    return _shared(expected, got).f1


def character_f1(reference: str, hypothesis: str) -> float:
    """Return F1 over characters, with counts, of two normalised texts.

    Returns:
        A fraction from 0 to 1; higher is better. 1 if both texts are empty, 0 if one is.

    Example:
        >>> character_f1("abcc", "abc")
        0.8571428571428571
    """
    if not reference or not hypothesis:
        return float(reference == hypothesis)
    return _shared(reference, hypothesis).f1


_MARK = re.compile(r"[^A-Za-z0-9\u4e00-\u9fa5]")
_PUNCTUATION = re.compile(r"[^\w\s]")


def _tokens(text: str) -> list[str]:
    return _PUNCTUATION.sub("", text).lower().split()


def _shared(expected: Sequence[str], got: Sequence[str]) -> Overlap:
    """Return the overlap of two multisets."""
    return _overlap((Counter(expected) & Counter(got)).total(), len(expected), len(got))


def _overlap(shared: int, expected: int, got: int) -> Overlap:
    precision = shared / got if got else 0.0
    recall = shared / expected if expected else 0.0
    both = precision + recall
    return Overlap(precision, recall, 2 * precision * recall / both if both else 0.0)
