"""Error rates of recognised speech and text: CER, WER, and the OCR rates CR and AR."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from rapidfuzz.distance import Levenshtein

from triptych.metrics.alignment import align_match_first
from triptych.metrics.metric import Metric

_RATE = "(S + D + I) / N, pooled over Units: Morris, Maier and Green (2004); as jiwer computes it"
_OCR = "Peng et al. (2023); Liu et al. (2025), equations 9 and 10: a mean over Units"
METRICS = (
    Metric("cer", "character error rate", "lower", "%", (0.0, inf), ("errors", "reference characters"), _RATE,
        short="CER"),
    Metric(
        "cer.spaced", "character error rate, blanks between characters counted", "lower", "%", (0.0, inf),
        ("errors", "reference characters and blanks"), "Du et al. (2026), as released: about half of the CER, pooled",
        short="CER"),
    Metric(
        "cer.mean", "character error rate, mean of the Units' own", "lower", "%", (0.0, inf),
        ("sum of rates", "units"), "Du et al. (2026), as released: each rounded to 0.0001%, a mean over Units",
        short="CER"),
    Metric("wer", "word error rate", "lower", "%", (0.0, inf), ("errors", "reference words"), _RATE, short="WER"),
    Metric("cr", "correct rate", "higher", "%", (0.0, 100.0), ("sum of rates", "units"), _OCR, short="CR"),
    Metric("ar", "accurate rate", "higher", "%", (-inf, 100.0), ("sum of rates", "units"), _OCR, short="AR"),
)  # fmt: skip


def character_errors(reference: str, hypothesis: str) -> tuple[int, int]:
    """CER's statistics: (edits, characters of the reference). Sum both over Units, then divide.

    0 and up, lower is better; over 1 where more is inserted than the reference has. Blanks count as characters:
    normalise before. An empty reference adds its insertions to the edits and nothing to the length.
    """
    return Levenshtein.distance(reference, hypothesis), len(reference)


def word_errors(reference: str | Sequence[str], hypothesis: str | Sequence[str]) -> tuple[int, int]:
    """WER's statistics: (edits, words of the reference); strings are split at white space. Else as CER."""
    expected, got = _words(reference), _words(hypothesis)
    return Levenshtein.distance(expected, got), len(expected)


def spaced_character_errors(reference: str, hypothesis: str) -> tuple[int, int]:
    """CER's statistics with a blank put between all characters, and the blanks counted as characters.

    The scorer that Du et al. (2026) released computes this. A substitution costs one edit in about twice the length:
    the figure is lower than the CER. An empty text stays empty; a reference of n characters has length 2n - 1.
    """
    return character_errors(" ".join(reference), " ".join(hypothesis))


def error_rate(errors: float, length: float) -> float:
    """errors / length. An empty reference: 0 where nothing was inserted, else infinite."""
    if length:
        return errors / length
    return inf if errors else 0.0


def ocr_rates(reference: str, hypothesis: str) -> tuple[float, float]:
    """(CR, AR) of one Unit: (N - D - S) / N, 0 to 1, and (N - D - S - I) / N, at most 1; higher is better.

    Ties between equally cheap alignments go to match, substitution, deletion, insertion, in that order, traced from
    the end. An empty reference (N = 0): 0 and 0, as Liu et al. (2025) released it.
    """
    counts = align_match_first(reference, hypothesis)
    length = counts.reference_length
    if not length:
        return 0.0, 0.0
    return counts.matches / length, (counts.matches - counts.insertions) / length


def _words(text: str | Sequence[str]) -> Sequence[str]:
    return text.split() if isinstance(text, str) else text
