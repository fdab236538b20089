"""One alignment for all measures that count edits: matches, substitutions, deletions and insertions.

Several alignments can share the smallest number of edits, and differ in how many of them are matches. `align` takes
the one that rapidfuzz finds (jiwer's too); `align_match_first` follows the tie rule that OCR scorers use. The number
of edits is the same in both.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein


@dataclass(frozen=True, slots=True)
class EditCounts:
    """How often a reference's symbols were matched, substituted and deleted, and how many were inserted."""

    matches: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def errors(self) -> int:
        """Substitutions, deletions and insertions together: the Levenshtein distance."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def reference_length(self) -> int:
        """Symbols of the reference: N."""
        return self.matches + self.substitutions + self.deletions


def align(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> EditCounts:
    """The counts of one cheapest alignment (a string's symbols are its characters; a list's are its words).

    Either may be empty: all is inserted, or deleted. Ties as in rapidfuzz and jiwer.
    """
    edits = {"replace": 0, "delete": 0, "insert": 0}
    for edit in Levenshtein.editops(reference, hypothesis):
        edits[edit.tag] += 1
    matches = len(reference) - edits["replace"] - edits["delete"]
    return EditCounts(matches, edits["replace"], edits["delete"], edits["insert"])


def align_match_first(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> EditCounts:
    """The counts of the cheapest alignment that, read from the end, prefers match, substitution, deletion, insertion.

    That is the path through the table of a plain dynamic programme which the released OCR scorers (CR and AR) walk.
    Computed by bit-parallel columns (Hyyrö 2003), a few integer operations per symbol of the hypothesis, as wide as
    the reference is long: rapidfuzz's path breaks ties the other way round, so that its counts can differ.
    """
    if reference == hypothesis:
        return EditCounts(len(reference), 0, 0, 0)
    unchanged, downhill = _columns(reference, hypothesis)
    matches = substitutions = deletions = 0
    i, j = len(reference), len(hypothesis)
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            matches, i, j = matches + 1, i - 1, j - 1
        elif not unchanged[j - 1] >> (i - 1) & 1:  # the diagonal costs one more: a substitution is cheapest
            substitutions, i, j = substitutions + 1, i - 1, j - 1
        elif downhill[j - 1] >> (i - 1) & 1:
            deletions, i = deletions + 1, i - 1
        else:
            j -= 1
    deletions += i
    return EditCounts(matches, substitutions, deletions, len(hypothesis) - matches - substitutions)


def _columns(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> tuple[list[int], list[int]]:
    """Two bit vectors for each symbol j of the hypothesis; bit i stands for symbol i of the reference.

    `unchanged`: the distance at (i, j) equals the one at (i-1, j-1). `downhill`: it is one more than at (i-1, j).
    """
    full = (1 << len(reference)) - 1
    where: dict[Hashable, int] = {}
    for i, symbol in enumerate(reference):
        where[symbol] = where.get(symbol, 0) | 1 << i
    unchanged, downhill = [], []
    up, down = full, 0  # vertical differences +1 and -1 of the column before
    for symbol in hypothesis:
        equal = where.get(symbol, 0)
        zero = (((equal & up) + up) ^ up | equal | down) & full
        right = (down | ~(zero | up)) << 1 | 1  # horizontal difference +1, of the row above
        left = (zero & up) << 1
        up = (left | ~(zero | right)) & full
        down = right & zero
        unchanged.append(zero)
        downhill.append(up)
    return unchanged, downhill
