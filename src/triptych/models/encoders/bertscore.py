"""BERTScore of many pairs, equal to the package bert-score, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from triptych.metrics.vectors.greedy import Match, greedy_match, rescale, unit_vectors
from triptych.models.encoders.encoder import TextEncoder

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Tokens whose vectors are in memory at once: about 0.4 GB for a large model.
CHUNK_TOKENS = 100_000

# bert-score's default number of pairs per batch.
BATCH_SIZE = 64

Ids = tuple[int, ...]
# Tokens of two texts, and whether bert-score would pad each in its batch.
Pair = tuple[Ids, Ids, tuple[bool, bool]]


def bertscore(
    encoder: TextEncoder,
    candidates: Sequence[str],
    references: Sequence[str],
    baseline: Sequence[float] | None = None,
    *,
    batch_size: int = BATCH_SIZE,
) -> list[Match]:
    """Return precision, recall and F1 of each candidate against its reference, without idf; rescaled with `baseline`.

    Equal texts are encoded once, in batches of similar length. A text that exceeds the model's limit is truncated. An
    empty candidate or reference gives 0 before rescaling, as in bert-score with transformers 4 (with transformers 5 it
    fails). In bert-score, a pair's score depends slightly on the other pairs: in a batch of `batch_size` pairs the
    shorter texts are padded, and a token with only negative similarities counts 0. With `batch_size` 1, each pair is
    scored alone. Source: Zhang et al. (2020); bert-score 0.3.13.
    """
    tokens_of = {text: encoder.tokens(text) for text in {*candidates, *references}}
    tokens = [(tokens_of[mine], tokens_of[theirs]) for mine, theirs in zip(candidates, references, strict=True)]
    pairs = [
        pair for start in range(0, len(tokens), batch_size) for pair in _padded(tokens[start : start + batch_size])
    ]
    matches: dict[Pair, Match] = {}
    for chunk in _chunks(pairs):
        matches |= _match(encoder, chunk)
    scores = [matches[pair] for pair in pairs]
    return scores if baseline is None else [rescale(match, baseline) for match in scores]


def _padded(batch: Sequence[tuple[Ids, Ids]]) -> Iterator[Pair]:
    longest = [max(len(pair[side]) for pair in batch) for side in (0, 1)]
    for mine, theirs in batch:
        yield mine, theirs, (len(mine) < longest[0], len(theirs) < longest[1])


def _chunks(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Yield distinct pairs, grouped by reference, in chunks whose vectors fit into memory."""
    chunk: list[Pair] = []
    texts: set[Ids] = set()
    held = 0
    for pair in sorted(set(pairs), key=lambda pair: (len(pair[1]), pair[1], len(pair[0]))):
        if held > CHUNK_TOKENS:
            yield chunk
            chunk, texts, held = [], set(), 0
        chunk.append(pair)
        held += sum(len(text) for text in {*pair[:2]} - texts)
        texts.update(pair[:2])
    if chunk:
        yield chunk


def _match(encoder: TextEncoder, pairs: Sequence[Pair]) -> dict[Pair, Match]:
    texts = list(dict.fromkeys(text for pair in pairs for text in pair[:2]))
    vectors = dict(zip(texts, map(unit_vectors, encoder.vectors(texts)), strict=True))
    counted = {text: _counted(text, encoder) for text in texts}
    return {
        pair: greedy_match(vectors[pair[0]], vectors[pair[1]], (counted[pair[0]], counted[pair[1]]), pair[2])
        for pair in pairs
    }


def _counted(text: Ids, encoder: TextEncoder) -> NDArray[np.bool_]:
    """Return which tokens count: all except the markers of beginning and end, at any position."""
    return np.array([token not in encoder.marks for token in text], dtype=np.bool_)
