"""Clusters of vectors by average linkage over cosine distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from triptych.records.packages import need


def clusters(vectors: Any, apart: float, groups: Sequence[object] = ()) -> list[int]:
    """Return the cluster of each vector, numbered from 0 in the order of their first members.

    The two clusters with the smallest mean cosine distance between their members are joined while it is at most
    `apart`. Vectors of the same group are never joined, directly or through others.

    Args:
        vectors: Array (n, dim); their lengths don't count. A zero vector has the distance 1 to every other.
        apart: Cosine distance, 0 (same direction) to 2 (opposite).
        groups: A group for each vector; empty if any two may be joined.

    Raises:
        SpecError: If scipy, which the extra `build` installs, is missing.

    References:
        Sokal and Michener (1958), A statistical method for evaluating systematic relationships (UPGMA).

    Example:
        >>> clusters([[1, 0], [0, 1], [1, 0.1]], 0.1)
        [0, 1, 0]
        >>> clusters([[1, 0], [0, 1], [1, 0.1]], 0.1, ["a", "a", "a"])
        [0, 1, 2]
    """
    import numpy as np

    count = len(vectors)
    if count < 2:
        return [0] * count
    hierarchy = need("scipy.cluster.hierarchy", "clustering", "build")
    spatial = need("scipy.spatial.distance", "clustering", "build")
    distances = _cosine_distances(np.asarray(vectors, dtype=np.float64))
    if len(groups):
        kinds = np.unique(np.asarray([str(group) for group in groups]), return_inverse=True)[1]
        # The mean distance of two clusters is above `apart` if a single pair of their members is this far apart
        distances[kinds[:, None] == kinds[None, :]] = (max(apart, 2.0) + 1.0) * count**2
    np.fill_diagonal(distances, 0.0)
    joined = hierarchy.linkage(spatial.squareform(distances, checks=False), "average")
    first: dict[int, int] = {}
    return [first.setdefault(label, len(first)) for label in hierarchy.fcluster(joined, apart, "distance").tolist()]


def _cosine_distances(vectors: Any) -> Any:
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return np.maximum(0.0, 1.0 - unit @ unit.T)
