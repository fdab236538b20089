"""Tests of `benchmarks/mcs_bench/paper.py`."""

from __future__ import annotations

from triptych.benchmarks.mcs_bench.paper import letters_in


def test_letters_of_words_made_of_nothing_else() -> None:
    assert letters_in("The answer: BAD or E? ad C", "ABCD") == ("A", "B", "C", "D")
    assert letters_in("Because", "ABCDE") == ()
