"""Error rates of speech and text recognition: CER, WER, and the OCR rates CR and AR."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from rapidfuzz.distance import Levenshtein

from triptych.metrics.metric import Metric
from triptych.metrics.text.alignment import align_match_first

_RATE = "(S + D + I) / N, pooled over Units; Morris, Maier and Green (2004), as computed by jiwer"
_OCR = "Peng et al. (2023); Liu et al. (2025), equations 9 and 10: mean over Units"
METRICS = (
    Metric(
        "cer", "character error rate", "lower", "%", (0.0, inf), ("errors", "reference characters"), _RATE, short="CER"
    ),
    Metric(
        "cer.spaced",
        "character error rate, spaces between characters counted",
        "lower",
        "%",
        (0.0, inf),
        ("errors", "reference characters and blanks"),
        "Du et al. (2026), as released: about half of the CER; pooled over Units",
        short="CER",
    ),
    Metric(
        "cer.mean",
        "character error rate, mean of the Units' rates",
        "lower",
        "%",
        (0.0, inf),
        ("sum of rates", "units"),
        "Du et al. (2026), as released: each rate rounded to 0.0001%; mean over Units",
        short="CER",
    ),
    Metric("wer", "word error rate", "lower", "%", (0.0, inf), ("errors", "reference words"), _RATE, short="WER"),
    Metric("cr", "correct rate", "higher", "%", (0.0, 100.0), ("sum of rates", "units"), _OCR, short="CR"),
    Metric("ar", "accurate rate", "higher", "%", (-inf, 100.0), ("sum of rates", "units"), _OCR, short="AR"),
)


def character_errors(reference: str, hypothesis: str) -> tuple[int, int]:
    """Return the statistics of the character error rate (CER) of one text: (edits, characters of the reference).

    The CER of many texts is the sum of the edits divided by the sum of the lengths: a fraction of 0 or more, lower is
    better. It exceeds 1 if more characters are inserted than the reference has.

    Args:
        reference: The correct text, already normalised: spaces count as characters. If it is empty, its insertions
            add to the edits and nothing adds to the length.
        hypothesis: The recognised text, normalised in the same way.

    References:
        Morris, Maier and Green (2004), From WER and RIL to MER and WIL.

    Example:
        >>> character_errors("abcd", "abxd")
        (1, 4)
    """
    return Levenshtein.distance(reference, hypothesis), len(reference)


def word_errors(reference: str | Sequence[str], hypothesis: str | Sequence[str]) -> tuple[int, int]:
    """Return the statistics of the word error rate (WER) of one text: (edits, words of the reference).

    Otherwise the same as `character_errors`.

    Args:
        reference: Words, or a string that is split at whitespace.
        hypothesis: The same for the recognised text.

    Example:
        >>> word_errors("the cat sat", "the cat")
        (1, 3)
    """
    expected, got = _words(reference), _words(hypothesis)
    return Levenshtein.distance(expected, got), len(expected)


def spaced_character_errors(reference: str, hypothesis: str) -> tuple[int, int]:
    """Return the statistics of a CER in which a space is inserted between all characters and counted as a character.

    A reference of n characters has the length 2n - 1, so a substitution weighs about half as much as in the CER. Empty
    texts stay empty.

    References:
        Du et al. (2026), the released scorer.

    Example:
        >>> character_errors("abcd", "abxd"), spaced_character_errors("abcd", "abxd")
        ((1, 4), (1, 7))
    """
    return character_errors(" ".join(reference), " ".join(hypothesis))


def error_rate(errors: float, length: float) -> float:
    """Return errors / length.

    Args:
        errors: Number of substitutions, deletions and insertions.
        length: Number of symbols in the reference.

    Returns:
        A fraction of 0 or more; lower is better. For an empty reference: 0 without errors, otherwise infinity.

    Example:
        >>> error_rate(1, 4), error_rate(0, 0), error_rate(2, 0)
        (0.25, 0.0, inf)
    """
    if length:
        return errors / length
    return inf if errors else 0.0


def ocr_rates(reference: str, hypothesis: str) -> tuple[float, float]:
    """Return the correct rate and the accurate rate of one Unit: CR = (N - D - S) / N, AR = (N - D - S - I) / N.

    N is the number of characters in the reference; S, D and I are the substitutions, deletions and insertions of
    `align_match_first`.

    Returns:
        (CR, AR) as fractions; higher is better. CR is between 0 and 1, AR at most 1 and possibly negative. Both are 0
        if the reference is empty.

    References:
        Peng et al. (2023); Liu et al. (2025), equations 9 and 10, and the released scorer for the empty case.

    Example:
        >>> ocr_rates("abcd", "abxde")
        (0.75, 0.5)
    """
    counts = align_match_first(reference, hypothesis)
    length = counts.reference_length
    if not length:
        return 0.0, 0.0
    return counts.matches / length, (counts.matches - counts.insertions) / length


def _words(text: str | Sequence[str]) -> Sequence[str]:
    return text.split() if isinstance(text, str) else text
