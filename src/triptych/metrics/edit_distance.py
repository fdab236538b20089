"""Edit distance as a share of the longer text: NED, and the similarity ANLS in its two forms."""

from __future__ import annotations

from rapidfuzz.distance import Levenshtein

from triptych.metrics.metric import Metric

_SUM = ("sum", "units")
METRICS = (
    Metric(
        "ned",
        "normalised edit distance",
        "lower",
        "%",
        (0.0, 100.0),
        _SUM,
        "Liu et al. (2025), equation 16",
        short="NED",
    ),
    Metric(
        "anls",
        "average normalised Levenshtein similarity",
        "higher",
        "%",
        (0.0, 100.0),
        _SUM,
        "Biten et al. (2019) without the threshold, as Liu et al. (2025) released it",
        short="ANLS",
    ),
    Metric(
        "anls.paper",
        "ANLS, divided by |y| once more",
        "higher",
        "%",
        (0.0, 100.0),
        _SUM,
        "Liu et al. (2025), equations 7, 8",
        short="ANLS",
    ),
)


def normalised_edit_distance(reference: str, hypothesis: str) -> float:
    """LD / max(|reference|, |hypothesis|), 0 to 1, lower is better. Both empty: 0; one empty: 1."""
    return Levenshtein.normalized_distance(reference, hypothesis)


def levenshtein_similarity(reference: str, hypothesis: str) -> float:
    """ANLS of one Unit: 1 - LD / max(|reference|, |hypothesis|), 0 to 1, higher is better. Both empty: 1."""
    return 1.0 - normalised_edit_distance(reference, hypothesis)


def levenshtein_similarity_of_the_paper(reference: str, hypothesis: str) -> float:
    """ANLS as equation 7 of Liu et al. (2025) writes it: max(0, 1 - NLD / |reference|), 0 to 1, higher is better.

    NLD is already a share, so that dividing by the reference's length leaves long texts close to 1 whatever the
    reply. An empty reference: 1 for an empty reply, else 0.
    """
    distance = normalised_edit_distance(reference, hypothesis)
    if not reference:
        return 0.0 if distance else 1.0
    return max(0.0, 1.0 - distance / len(reference))
