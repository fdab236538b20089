"""BERTScore's arithmetic on token vectors, and the cosine: pure functions on arrays. Encoders are in `models`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Match:
    """Precision, recall and their harmonic mean, each -1 to 1 before rescaling; higher is better."""

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
    """BERTScore of two texts without idf: each token is matched with the most similar one of the other text.

    `candidate` (n, d) and `reference` (m, d) hold unit vectors of all tokens, marks of beginning and end among them;
    `counted`: which tokens of each weigh (the marks don't, though others may be matched with them). P = mean over the
    candidate's tokens of their best similarity, R the same for the reference, F1 = 2PR / (P + R). Where a side has no
    token that weighs, all three are 0, as bert-score sets them. `padded`: whether the candidate, and the reference, is
    filled up with blanks whose similarity to anything is 0, as bert-score does with the shorter texts of a batch: a
    token that resembles nothing then counts 0, and less than 0 otherwise. Source: Zhang et al. (2020), equations 1, 2.
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
    return float((np.maximum(best, 0.0) if at_least_nothing else best).mean())


def rescale(match: Match, baseline: Sequence[float]) -> Match:
    """(x - b) / (1 - b) for each of P, R, F1: 0 is what two unrelated sentences get, 1 stays 1; may be below 0.

    `baseline`: b for each of the three. Source: bert-score's "Rescaling BERTScore with Baselines".
    """
    scaled = [(x - b) / (1 - b) for x, b in zip((match.precision, match.recall, match.f1), baseline, strict=True)]
    return Match(*scaled)


def cosine(one: NDArray[np.floating], other: NDArray[np.floating]) -> float:
    """The cosine of two vectors, -1 to 1; 0 where one of them is 0."""
    a, b = one.astype(np.float64), other.astype(np.float64)
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / size if size else 0.0


def unit_vectors(vectors: Vectors) -> Vectors:
    """Each row divided by its length."""
    divided: Vectors = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return divided
