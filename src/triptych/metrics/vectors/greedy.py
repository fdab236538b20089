"""BERTScore computed from token vectors, and the cosine: pure functions on arrays. Encoders are in `models`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Match:
    """Precision, recall and their harmonic mean (F1), each from -1 to 1 before rescaling; higher is better."""

    precision: float
    recall: float
    f1: float


NOTHING = Match(0.0, 0.0, 0.0)


def greedy_match(
    candidate: Vectors,
    reference: Vectors,
    counted: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    padded: tuple[bool, bool] = (False, False),
) -> Match:
    """Return the BERTScore of two texts, without idf weights.

    Each token is matched with the most similar token of the other text. P is the mean similarity over the tokens of the
    candidate, R over the tokens of the reference, and F1 = 2 P R / (P + R).

    Args:
        candidate: Unit vectors of all tokens, shape (n, d), including the markers of beginning and end.
        reference: The same for the reference, shape (m, d).
        counted: Boolean masks of shapes (n,) and (m,): the tokens that enter the means. The markers do not, but other
            tokens may be matched with them.
        padded: Whether the candidate and the reference are padded, as bert-score pads the shorter texts of a batch.
            The similarity to padding is 0, so a token's best similarity is then at least 0.

    Returns:
        P, R and F1, each from -1 to 1; higher is better. All are 0 if a text has no counted token, as in bert-score.

    References:
        Zhang et al. (2020), BERTScore: Evaluating Text Generation with BERT, equations 1 and 2.

    Example:
        >>> import numpy as np
        >>> vectors, counted = np.eye(3, dtype=np.float32), np.array([False, True, True])
        >>> greedy_match(vectors, vectors, (counted, counted))
        Match(precision=1.0, recall=1.0, f1=1.0)
    """
    mine, theirs = counted
    if not mine.any() or not theirs.any():
        return NOTHING
    similar = candidate @ reference.T
    precision = _mean_best(similar.max(axis=1)[mine], padded[1])
    recall = _mean_best(similar.max(axis=0)[theirs], padded[0])
    total = precision + recall
    return Match(precision, recall, 2 * precision * recall / total if total else 0.0)


def _mean_best(best: Vectors, at_least_nothing: bool) -> float:
    return float((best.clip(min=0.0) if at_least_nothing else best).mean())


def rescale(match: Match, baseline: Sequence[float]) -> Match:
    """Return P, R and F1 rescaled with a baseline: (x - b) / (1 - b).

    Args:
        match: Precision, recall and F1.
        baseline: b for each of the three: the mean value for unrelated sentences.

    Returns:
        Values of at most 1; higher is better. 0 corresponds to unrelated sentences, and values can be negative.

    References:
        bert-score, "Rescaling BERTScore with Baselines".

    Example:
        >>> rescale(Match(0.75, 0.5, 1.0), [0.5, 0.5, 0.5])
        Match(precision=0.5, recall=0.0, f1=1.0)
    """
    scaled = [(x - b) / (1 - b) for x, b in zip((match.precision, match.recall, match.f1), baseline, strict=True)]
    return Match(*scaled)


def cosine(one: NDArray[np.floating], other: NDArray[np.floating]) -> float:
    """Return the cosine of two vectors of the same length, from -1 to 1; 0 if a vector is 0.

    Example:
        >>> import numpy as np
        >>> cosine(np.array([3.0, 4.0]), np.array([4.0, 3.0]))
        0.96
    """
    import numpy as np

    a, b = one.astype(np.float64), other.astype(np.float64)
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / size if size else 0.0


def unit_vectors(vectors: Vectors) -> Vectors:
    """Return vectors, shape (…, d), each divided by its Euclidean length, which must not be 0."""
    import numpy as np

    divided: Vectors = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return divided
