"""Near-duplicates of texts: MinHash finds candidates, exact Jaccard decides."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.text_checks.wording import simplified
from triptych.errors import SpecError


class NearDuplicates(Parameters, frozen=True):
    """Parameters of `near-duplicates`."""

    grams: Annotated[int, Meta(ge=1, description="characters of an n-gram")] = 3
    least: Annotated[
        float, Meta(gt=0, le=1, description="least Jaccard index of the n-grams of two near-duplicates")
    ] = 0.8
    edits: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="least share of equal characters of two near-duplicates; short ones aren't compared (0: none)",
        ),
    ] = 0.9
    permutations: Annotated[
        int, Meta(ge=16, le=1024, description="permutations of MinHash, which proposes the pairs")
    ] = 128
    drop: Annotated[
        bool,
        Meta(description="whether all but the first of a cluster are dropped; otherwise all have their `cluster`"),
    ] = True


@stage(
    "near-duplicates",
    version=2,
    reads=["text", "alike_within?"],
    writes=["cluster"],
    kind="whole",
    parameters=NearDuplicates,
)
def near_duplicates(records: Sequence[Values], context: Context[NearDuplicates]) -> list[Outcome]:
    """Find texts that are nearly the same; the first of each cluster is kept.

    Two texts are near-duplicates if the Jaccard index of their character n-grams (`grams`) is at least `least` and
    both have the same `alike_within` (a question about another picture is another question). Texts of ten characters or
    more of which at least the share `edits` is equal are near-duplicates too (2 of 20 changed: 0.9; 0: not compared).
    Traditional characters count as their simplified ones. MinHash with `permutations` permutations proposes pairs at a
    lower threshold, and each pair is verified exactly. If `drop` is false, all are kept with their `cluster` (the id of
    its first record), so that splits can keep it together.
    """
    wanted = context.parameters
    plain = [_letters_only(values["text"]) for values in records]
    pairs = similar_pairs(plain, wanted.grams, wanted.least - 0.25, wanted.permutations)
    if wanted.edits:
        pairs |= similar_pairs(plain, 2, 0.45, wanted.permutations)

    def index_of(a: int, b: int) -> float:
        return jaccard(_shingles(plain[a], wanted.grams), _shingles(plain[b], wanted.grams))

    first: dict[int, int] = {}
    for a, b in sorted(pairs):
        same = records[a]["alike_within"] == records[b]["alike_within"]
        near = same and index_of(a, b) >= wanted.least
        if near or (same and wanted.edits and unchanged(plain[a], plain[b]) >= wanted.edits):
            roots = sorted((_root(first, a), _root(first, b)))
            if roots[0] != roots[1]:
                first[roots[1]] = roots[0]
    outcomes = []
    for number in range(len(records)):
        root = _root(first, number)
        cluster = records[root].id
        if root == number or not wanted.drop:
            outcomes.append(kept(cluster=cluster))
        else:
            index = index_of(number, root)
            text = f"of {cluster}: {_likeness(index, plain[number], plain[root])}"
            outcomes.append(dropped("near-duplicate", text))
    return outcomes


def _likeness(index: float, a: str, b: str) -> str:
    """Return in words how alike two texts are: by their n-grams, and by their characters if they are long enough."""
    if a == b:
        return "the same text"
    equal = unchanged(a, b)
    by_characters = f", and {equal:.0%} of the characters" if equal else ""
    return f"the two share {index:.0%} of their n-grams{by_characters}"


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Return the n-grams in both sets divided by those in either; 1 for two empty sets."""
    return len(a & b) / len(a | b) if a or b else 1.0


def unchanged(a: str, b: str) -> float:
    """Return the share of the longer text that stays if one is edited into the other; 0 for texts under 10 characters.

    >>> unchanged("abcdefghij", "abcdefghix")
    0.9
    """
    from rapidfuzz.distance import Levenshtein

    if min(len(a), len(b)) < 10:
        return 0.0
    return round(1 - Levenshtein.distance(a, b) / max(len(a), len(b)), 4)


def _letters_only(text: str) -> str:
    made = unicodedata.normalize("NFKC", text).casefold()
    if (convert := simplified()) is not None:
        made = convert.convert(made)
    return re.sub(r"[\W_]+", "", made)


def _shingles(plain: str, size: int) -> frozenset[str]:
    return frozenset(plain[at : at + size] for at in range(max(1, len(plain) - size + 1)))


def similar_pairs(texts: Sequence[str], size: int, min_similarity: float, permutations: int) -> set[tuple[int, int]]:
    """Return candidate pairs: those that share a band of their signatures, at a threshold that misses very few."""
    if not find_spec("datasketch"):
        raise SpecError("the package datasketch is not installed", fix="pip install 'triptych[build]'")
    made = import_module("datasketch")
    import numpy as np

    sketches = np.zeros((len(texts), permutations), dtype=np.uint32)  # MinHash keeps 32 bits
    for number, text in enumerate(texts):
        sketch = made.MinHash(num_perm=permutations, seed=1)
        sketch.update_batch([gram.encode() for gram in sorted(_shingles(text, size))])
        sketches[number] = sketch.hashvalues
    pairs: set[tuple[int, int]] = set()
    # One band at a time: the index itself would hold a set for each text and band.
    for begin, end in made.MinHashLSH(threshold=max(0.1, min_similarity), num_perm=permutations).hashranges:
        alike: dict[bytes, list[int]] = {}
        for number, band in enumerate(np.ascontiguousarray(sketches[:, begin:end])):
            others = alike.setdefault(band.tobytes(), [])
            pairs.update((other, number) for other in others)
            others.append(number)
    return pairs


def _root(first: dict[int, int], number: int) -> int:
    while number in first:
        number = first[number]
    return number
