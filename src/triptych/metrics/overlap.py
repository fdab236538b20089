"""What a reply and a reference share: sets of characters, tokens, punctuation marks in place, named entities.

Where precision and recall are both 0, so is F1.
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
    "punctuation": ("of punctuation in place", inf, "Liu et al. (2025), appendix C.2 (T3), as released"),
    "entities": (
        "over sets of entities, blanks aside",
        100.0,
        "as f1.entity; commas separate too, empty ones drop out",
    ),
    "marks": ("of punctuation in place, each mark once", 100.0, "pairs as in f1.punctuation, with their counts"),
    "entity": ("over sets of entities", 100.0, "Liu et al. (2025), appendix C.2 (T4), as released"),
}
_NAMES = {"f1": "F1", "precision": "precision", "recall": "recall"}
METRICS = (
    Metric(
        "f1.token",
        "F1 over tokens, 1 where the reference stands in the reply",
        "higher",
        "%",
        (0.0, 100.0),
        ("sum", "units"),
        "after SQuAD (Rajpurkar et al. 2016), as Du et al. (2026) released it for SQA: a mean over Units",
        short="F1",
    ),
    Metric(
        "f1.characters",
        "F1 over characters with their counts",
        "higher",
        "%",
        (0.0, 100.0),
        ("sum", "units"),
        "after SQuAD (Rajpurkar et al. 2016), with characters for tokens as is usual in Chinese: a mean over Units",
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
            f"{source}: a mean over Units",
            short=name,
        )
        for kind, (over, top, source) in _SOURCES.items()
        for measure, name in _NAMES.items()
    ),
)


class Overlap(NamedTuple):
    """Precision, recall and their harmonic mean, of one Unit."""

    precision: float
    recall: float
    f1: float


def character_set_overlap(reference: str, hypothesis: str) -> Overlap:
    """Over the *sets* of characters: how often one stands doesn't count, nor where. 0 to 1. One or both empty: 0."""
    expected, got = set(reference), set(hypothesis)
    return _overlap(len(expected & got), len(expected), len(got))


def punctuation_overlap(reference: str, hypothesis: str) -> Overlap:
    """Over pairs (the character before, the mark): is each mark where the reference has one.

    A mark is every character but A-Z, a-z, 0-9 and U+4E00 to U+9FA5 (white space is one); before the first character
    stands the last one. A pair of the reply is right if it is *somewhere* in the reference's list, so that a repeated
    one counts each time: recall and F1 can exceed 1. No marks in either: 0.
    """
    expected, got = punctuation_pairs(reference), punctuation_pairs(hypothesis)
    known = set(expected)
    return _overlap(sum(pair in known for pair in got), len(expected), len(got))


def counted_punctuation_overlap(reference: str, hypothesis: str) -> Overlap:
    """As `punctuation_overlap`, but every mark of the reference can be met once: 0 to 1. No marks in either: 0."""
    expected, got = punctuation_pairs(reference), punctuation_pairs(hypothesis)
    return _overlap((Counter(expected) & Counter(got)).total(), len(expected), len(got))


def punctuation_pairs(text: str) -> list[tuple[str, str]]:
    """(the character before, the mark) for every mark of the text, in order. See `punctuation_overlap`."""
    return [(text[match.start() - 1], match[0]) for match in _MARK.finditer(text)]


def entity_overlap(reference: str, hypothesis: str, separator: str = "、") -> Overlap:
    """Over the sets of what stands between separators, nothing stripped. 0 to 1.

    An empty text is a set of one empty entity: two empty texts have 1, an empty reply to a reference has 0.
    """
    expected, got = set(reference.split(separator)), set(hypothesis.split(separator))
    return _overlap(len(expected & got), len(expected), len(got))


def token_f1(reference: str, hypothesis: str) -> float:
    r"""F1 over tokens (with their counts), 0 to 1; 1 where the reference's tokens, joined, stand in the reply's.

    Tokens: punctuation out (what is neither `\w` nor white space), lower case, split at white space (a run of Chinese
    is one token, so that without the joined rule only equal runs would count). Both empty: 1; one empty: 0.
    """
    expected, got = _tokens(reference), _tokens(hypothesis)
    if not expected or not got:
        return float(expected == got)
    if "".join(expected) in "".join(got):
        return 1.0
    return _shared(expected, got).f1


def character_f1(reference: str, hypothesis: str) -> float:
    """F1 over characters (with their counts), 0 to 1: normalise before. Both empty: 1; one empty: 0."""
    if not reference or not hypothesis:
        return float(reference == hypothesis)
    return _shared(reference, hypothesis).f1


_MARK = re.compile(r"[^A-Za-z0-9\u4e00-\u9fa5]")
_PUNCTUATION = re.compile(r"[^\w\s]")


def _tokens(text: str) -> list[str]:
    return _PUNCTUATION.sub("", text).lower().split()


def _shared(expected: Sequence[str], got: Sequence[str]) -> Overlap:
    """Of two bags of things."""
    return _overlap((Counter(expected) & Counter(got)).total(), len(expected), len(got))


def _overlap(shared: int, expected: int, got: int) -> Overlap:
    precision = shared / got if got else 0.0
    recall = shared / expected if expected else 0.0
    both = precision + recall
    return Overlap(precision, recall, 2 * precision * recall / both if both else 0.0)
