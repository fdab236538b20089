"""Tests of `analysis/comparing/scope.py`: the scope of a comparison in words."""

from __future__ import annotations

from tests.analysis.comparing.columns import column, lost
from tests.analysis.seen import seen
from triptych.analysis.comparing.comparison import compare_runs


def test_what_failed_counts_as_the_headline_counts_it_and_is_named() -> None:
    found = compare_runs([seen("A", column("11??")), seen("B", column("0011"))], replicates=200)
    assert found.shared == 4
    assert "A: 2 failed count as wrong, as in the protocol's headline figure" in found.scope


def test_an_empty_run_and_one_without_an_answer_leave_the_others_comparable() -> None:
    runs = [seen("A", column("1100")), seen("B", column("1000")), seen("typo", lost("failed", 4))]
    found = compare_runs(runs, replicates=200)
    assert found.shared == 4 and [run.label for run in found.runs] == ["A", "B"]
    assert found.excluded == {"typo": "none of its questions has an answer that counts (4 failed)"}
    two = compare_runs([runs[0], runs[2]], replicates=200)
    assert two.shared == 0 and "typo: none of its questions" in two.sentences[0]
    assert "better" not in two.sentences[0]


def test_a_trial_among_whole_runs_is_named() -> None:
    runs = [seen("A", column("10" * 20)), seen("B", column("01" * 20)), seen("trial", column("10110"))]
    found = compare_runs(runs, replicates=200)
    assert found.shared == 5
    assert found.pairwise == (5, 40)
    assert found.scope[0].startswith("Each pair of Runs is compared over the questions that the two share: 5 to 40")
    pair = compare_runs([runs[0], runs[2]], replicates=200)
    assert "trial limits the comparison to 5 questions: A has 40" in pair.scope


def test_runs_that_share_nothing_are_named_in_pairs_with_the_reason() -> None:
    runs = [seen(name, column("10", start=50 * n)) for n, name in enumerate("ABCDE")]
    found = compare_runs(runs, replicates=200)
    assert found.sentences == ("No two of the Runs share a question: they can't be compared.",)
    assert found.scope[1] == "A and B share no question (none of their questions has the same id)"
    assert len(found.scope) == 8 and found.scope[-1] == "4 more pairs share no question"
    assert not any("limits" in sentence for sentence in found.scope), "no Run limits what is nothing"
    pair = compare_runs(runs[:2], replicates=200)
    assert len(pair.scope) == 1 and pair.sentences == ("The Runs share no question: they can't be compared.",)
