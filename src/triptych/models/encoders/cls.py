"""The cosine of the [CLS] vectors of two texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from triptych.metrics.vectors.greedy import cosine
from triptych.models.encoders.encoder import TextEncoder

BLOCK = 512


def cls_cosine(encoder: TextEncoder, candidates: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return the cosine of the vectors of each candidate and its reference, -1 to 1.

    The tokens of a text, including [CLS] and [SEP], are split into blocks of 512. The vector of the first token of each
    block in the last layer is taken (in later blocks this isn't [CLS]), and these vectors are averaged with equal
    weights. An empty text is [CLS][SEP]. Source: the released scorer of Liu et al. (2025).
    """
    texts = list(dict.fromkeys([*candidates, *references]))
    size = min(BLOCK, encoder.limit)
    cut = []
    for text in texts:
        ids = encoder.tokens(text, untruncated=True)
        cut.append([ids[start : start + size] for start in range(0, len(ids), size)])
    distinct = list(dict.fromkeys(block for blocks in cut for block in blocks))
    vectors = dict(zip(distinct, encoder.first_vectors(distinct), strict=True))
    vectors_of = {
        text: np.stack([vectors[block] for block in blocks]).mean(axis=0, dtype=np.float64)
        for text, blocks in zip(texts, cut, strict=True)
    }
    return [cosine(vectors_of[mine], vectors_of[theirs]) for mine, theirs in zip(candidates, references, strict=True)]
