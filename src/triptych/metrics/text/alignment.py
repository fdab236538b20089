"""Alignment of two sequences, as counts of matches, substitutions, deletions and insertions.

Several alignments can have the same smallest number of edits and still differ in the number of matches. `align` returns
the counts of the alignment that rapidfuzz (and therefore jiwer) finds; `align_match_first` follows the tie rule of OCR
scorers. Both have the same number of edits.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein


@dataclass(frozen=True, slots=True)
class EditCounts:
    """Counts of an alignment.

    Attributes:
        matches: Reference symbols that are matched by the same symbol of the hypothesis.
        substitutions: Reference symbols that are aligned with another symbol.
        deletions: Reference symbols that the hypothesis lacks.
        insertions: Symbols of the hypothesis that the reference lacks.
    """

    matches: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def errors(self) -> int:
        """The Levenshtein distance: substitutions + deletions + insertions."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def reference_length(self) -> int:
        """Number of symbols in the reference, N: matches + substitutions + deletions."""
        return self.matches + self.substitutions + self.deletions


def align(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> EditCounts:
    """Return the counts of an alignment with the fewest edits; ties are broken as in rapidfuzz and jiwer.

    Args:
        reference: A string (its symbols are characters) or a list (its symbols are the elements). May be empty.
        hypothesis: The sequence to align with it, of the same kind. May be empty.

    Example:
        >>> align("saturday", "sunday")
        EditCounts(matches=5, substitutions=1, deletions=2, insertions=0)
        >>> align(["a", "b"], []).deletions
        2
    """
    edits = {"replace": 0, "delete": 0, "insert": 0}
    for edit in Levenshtein.editops(reference, hypothesis):
        edits[edit.tag] += 1
    matches = len(reference) - edits["replace"] - edits["delete"]
    return EditCounts(matches, edits["replace"], edits["delete"], edits["insert"])


def align_match_first(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> EditCounts:
    """Return the counts of an alignment with the fewest edits, with ties broken as in OCR scorers (CR and AR).

    Traced from the end, the alignment prefers a match to a substitution, that to a deletion, and that to an insertion.
    rapidfuzz breaks ties the other way round, so its counts can differ.

    Args:
        reference: A string or a list. May be empty.
        hypothesis: The sequence to align with it, of the same kind. May be empty.

    References:
        Hyyrö (2003), A bit-vector algorithm for computing Levenshtein and Damerau edit distances: bit-parallel columns
        need a few integer operations per symbol of the hypothesis, each as wide as the reference is long.

    Example:
        >>> align_match_first("abc", "abd")
        EditCounts(matches=2, substitutions=1, deletions=0, insertions=0)
    """
    if reference == hypothesis:
        return EditCounts(len(reference), 0, 0, 0)
    table = _Table(reference, hypothesis)
    matches = substitutions = deletions = 0
    i, j = len(reference), len(hypothesis)
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            matches, i, j = matches + 1, i - 1, j - 1
        elif not table.is_unchanged(i, j):  # the distance grew along the diagonal: a substitution
            substitutions, i, j = substitutions + 1, i - 1, j - 1
        elif table.is_one_more(i, j):
            deletions, i = deletions + 1, i - 1
        else:
            j -= 1
    deletions += i
    return EditCounts(matches, substitutions, deletions, len(hypothesis) - matches - substitutions)


class _Table:
    """The table of edit distances as bit vectors, one column per symbol of the hypothesis, read from end to start.

    Only the columns of one block are kept. Those of an earlier block are computed again from the vertical differences
    at its start, so the memory does not grow with 100 bytes per symbol for hypotheses of millions of symbols.
    """

    BLOCK = 16_384

    def __init__(self, reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> None:
        self._hypothesis, self._full = hypothesis, (1 << len(reference)) - 1
        self._where: dict[Hashable, int] = {}
        for i, symbol in enumerate(reference):
            self._where[symbol] = self._where.get(symbol, 0) | 1 << i
        self._starts: list[tuple[int, int]] = []
        state = self._full, 0  # vertical differences +1 and -1 in the previous column
        for first in range(0, len(hypothesis), self.BLOCK):
            self._starts.append(state)
            state = self._compute(first, state)

    def is_unchanged(self, i: int, j: int) -> bool:
        """Return whether the distance at (i, j) equals the one at (i-1, j-1)."""
        return bool(self._column(j)[0] >> (i - 1) & 1)

    def is_one_more(self, i: int, j: int) -> bool:
        """Return whether the distance at (i, j) is one more than at (i-1, j)."""
        return bool(self._column(j)[1] >> (i - 1) & 1)

    def _column(self, j: int) -> tuple[int, int]:
        if j <= self._first:
            block = (j - 1) // self.BLOCK
            self._compute(block * self.BLOCK, self._starts[block])
        return self._columns[j - 1 - self._first]

    def _compute(self, first: int, state: tuple[int, int]) -> tuple[int, int]:
        """Compute the columns of the block that starts at symbol `first`; return the differences at its end."""
        (up, down), full, where = state, self._full, self._where
        self._first, self._columns = first, list[tuple[int, int]]()
        for symbol in self._hypothesis[first : first + self.BLOCK]:
            equal = where.get(symbol, 0)
            zero = (((equal & up) + up) ^ up | equal | down) & full
            right = (down | ~(zero | up)) << 1 | 1  # horizontal difference +1 in the row above
            left = (zero & up) << 1
            up = (left | ~(zero | right)) & full
            down = right & zero
            self._columns.append((zero, up))
        return up, down
