"""Average linkage: joined step by step as oracle, groups that stay separate, cases by hand."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.vectors.clusters import clusters


def renumbered(labels: list[int]) -> list[int]:
    first: dict[int, int] = {}
    return [first.setdefault(label, len(first)) for label in labels]


def joined_step_by_step(vectors: Any, apart: float, groups: list[int]) -> list[int]:
    """The definition: join the two closest clusters that share no group, while their mean distance is small enough."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    distances, own = 1 - unit @ unit.T, [[n] for n in range(len(vectors))]
    while True:
        pairs = [
            (distances[np.ix_(a, b)].mean(), a, b)
            for a, b in combinations(own, 2)
            if not {groups[n] for n in a} & {groups[n] for n in b}
        ]
        least = min(pairs, default=(np.inf, [], []))
        if least[0] > apart:
            break
        own = [cluster for cluster in own if cluster not in least[1:]] + [least[1] + least[2]]
    return renumbered([next(i for i, cluster in enumerate(own) if n in cluster) for n in range(len(vectors))])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("apart", [0.05, 0.3, 0.8, 2.0])
@pytest.mark.parametrize("kinds", [4, 30])
def test_it_clusters_as_the_definition_says(seed: int, apart: float, kinds: int) -> None:
    draw = np.random.default_rng(seed)
    centres = draw.standard_normal((4, 12))
    vectors = centres[draw.integers(0, 4, 20)] + 0.4 * draw.standard_normal((20, 12))
    groups = draw.permutation(np.arange(20) % kinds).tolist()
    assert clusters(vectors, apart, groups) == joined_step_by_step(vectors, apart, groups)


@given(st.integers(0, 200), st.floats(0, 2), st.integers(1, 6))
def test_vectors_of_a_group_are_never_joined(seed: int, apart: float, kinds: int) -> None:
    draw = np.random.default_rng(seed)
    vectors, groups = draw.standard_normal((20, 3)), draw.integers(0, kinds, 20).tolist()
    found = clusters(vectors, apart, groups)
    for cluster in set(found):
        own = [group for group, label in zip(groups, found, strict=True) if label == cluster]
        assert len(own) == len(set(own))
    assert found == renumbered(found)


def test_lengths_do_not_count_and_nothing_has_no_clusters() -> None:
    assert clusters([[1, 0], [5, 0.01], [0, 2]], 0.1) == [0, 0, 1]
    assert clusters([], 0.5) == []
    assert clusters([[1.0, 0.0]], 0.5) == [0]
    assert clusters([[0.0, 0.0], [1.0, 0.0]], 0.5) == [0, 1]
