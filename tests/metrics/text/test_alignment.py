"""The alignment against jiwer (rapidfuzz's ties) and against a plain dynamic programme (the OCR scorers' ties)."""

from __future__ import annotations

import random
from collections.abc import Sequence

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tests.support.steps import steps
from triptych.metrics.text.alignment import EditCounts, _Table, align, align_match_first

TEXTS = st.text("ab春风", max_size=14)


def plain(reference: Sequence[object], hypothesis: Sequence[object]) -> EditCounts:
    """The textbook table, traced back as match, substitution, deletion, insertion."""
    n, m = len(reference), len(hypothesis)
    table = [[i + j if not i or not j else 0 for j in range(m + 1)] for i in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            differs = reference[i - 1] != hypothesis[j - 1]
            table[i][j] = min(table[i - 1][j - 1] + differs, table[i - 1][j] + 1, table[i][j - 1] + 1)
    matches = substitutions = deletions = insertions = 0
    i, j = n, m
    while i or j:
        if i and j and reference[i - 1] == hypothesis[j - 1] and table[i][j] == table[i - 1][j - 1]:
            matches, i, j = matches + 1, i - 1, j - 1
        elif i and j and table[i][j] == table[i - 1][j - 1] + 1:
            substitutions, i, j = substitutions + 1, i - 1, j - 1
        elif i and table[i][j] == table[i - 1][j] + 1:
            deletions, i = deletions + 1, i - 1
        else:
            insertions, j = insertions + 1, j - 1
    return EditCounts(matches, substitutions, deletions, insertions)


@pytest.mark.parametrize("function", [align, align_match_first])
@pytest.mark.parametrize(
    ("reference", "hypothesis", "counts"),
    [
        ("", "", (0, 0, 0, 0)),
        ("abc", "", (0, 0, 3, 0)),
        ("", "abc", (0, 0, 0, 3)),
        ("abc", "abc", (3, 0, 0, 0)),
        ("abc", "axc", (2, 1, 0, 0)),
        ("春眠不觉晓", "春不觉晓了", (4, 0, 1, 1)),
        ("abcd", "abxxcd", (4, 0, 0, 2)),
    ],
)
def test_by_hand(function, reference: str, hypothesis: str, counts: tuple[int, int, int, int]) -> None:  # type: ignore[no-untyped-def]
    assert function(reference, hypothesis) == EditCounts(*counts)


def test_ties_are_broken_as_the_rule_says() -> None:
    # Two edits either way: two substitutions, or a deletion and an insertion around a match.
    assert align_match_first("ab", "ba") == plain("ab", "ba") == EditCounts(0, 2, 0, 0)
    assert align("ab", "ba") == EditCounts(1, 0, 1, 1)


@given(TEXTS, TEXTS)
def test_match_first_equals_the_plain_dynamic_programme(reference: str, hypothesis: str) -> None:
    assert align_match_first(reference, hypothesis) == plain(reference, hypothesis)


@given(st.lists(st.integers(0, 3), max_size=8), st.lists(st.integers(0, 3), max_size=8))
def test_any_symbols_can_be_aligned(reference: list[int], hypothesis: list[int]) -> None:
    assert align_match_first(reference, hypothesis) == plain(reference, hypothesis)
    assert align(reference, hypothesis).errors == plain(reference, hypothesis).errors


def test_long_texts_equal_the_plain_dynamic_programme() -> None:
    draw = random.Random(7)
    for size in (63, 64, 65, 200):
        reference = "".join(draw.choices("天地玄黄宇宙洪荒", k=size))
        hypothesis = "".join(c for c in reference if draw.random() > 0.2) + "".join(draw.choices("天地日月", k=30))
        assert align_match_first(reference, hypothesis) == plain(reference, hypothesis)


@given(TEXTS, TEXTS)
def test_counts_add_up(reference: str, hypothesis: str) -> None:
    for counts in (align(reference, hypothesis), align_match_first(reference, hypothesis)):
        assert counts.errors == Levenshtein.distance(reference, hypothesis)
        assert counts.reference_length == len(reference)
        assert counts.matches + counts.substitutions + counts.insertions == len(hypothesis)


@given(TEXTS.filter(bool), TEXTS)
def test_counts_equal_jiwers(reference: str, hypothesis: str) -> None:
    theirs = jiwer.process_characters(reference, hypothesis)
    assert align(reference, hypothesis) == EditCounts(
        theirs.hits, theirs.substitutions, theirs.deletions, theirs.insertions
    )


def test_the_work_grows_with_the_length_and_not_with_its_square() -> None:
    draw = random.Random(3)
    alphabet = [chr(0x4E00 + i) for i in range(3000)]

    def work(length: int) -> int:
        reference = "".join(draw.choices(alphabet, k=length))
        hypothesis = "".join(c if draw.random() < 0.6 else draw.choice(alphabet) for c in reference)
        return steps(lambda: align_match_first(reference, hypothesis))

    assert work(2000) < 5 * work(500) < 5 * 30 * 500, "a plain table takes the product of the lengths"


@given(TEXTS, st.text("ab春风", max_size=60))
def test_blocks_of_the_table_make_no_difference(reference: str, hypothesis: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Table, "BLOCK", 7)
        assert align_match_first(reference, hypothesis) == plain(reference, hypothesis)


def test_only_one_block_of_the_table_is_kept() -> None:
    hypothesis = "春ab风" * 50_000
    table = _Table("春风ab" * 10, hypothesis)
    assert table.is_unchanged(1, 1)
    assert len(table._columns) == _Table.BLOCK
    assert len(table._starts) == -(-len(hypothesis) // _Table.BLOCK)
