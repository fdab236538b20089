"""Tests of `analysis/comparing/scope.py`: the scope of a comparison in words."""

from __future__ import annotations

from collections.abc import Sequence

from tests.analysis.comparing.columns import column, lost
from tests.analysis.seen import seen
from tests.scoring.toy import score
from triptych.analysis.comparing.comparison import compare_runs
from triptych.analysis.comparing.scope import comparable, count_answered, scope_words
from triptych.analysis.comparing.shared import share
from triptych.analysis.observed import Observed


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


def words(runs: Sequence[Observed], sizes: Sequence[int] = ()) -> tuple[str, ...]:
    return scope_words(runs, share(runs, "all"), "all", sizes)


def test_the_scope_counts_the_questions_of_each_run() -> None:
    two = [seen("A", column("1100")), seen("乙", column("110011"))]
    assert words(two)[0] == (
        "4 questions count: those that both Runs were asked and that can be scored in each of them "
        "(A was asked 4, 乙 was asked 6)"
    )
    (single,) = words([seen("A", column("1")), seen("B", column("0")), seen("C", column("1"))])
    assert single.startswith("1 question counts: those that all 3 Runs were asked")


def test_of_more_than_three_runs_numbers_are_named_with_their_runs() -> None:
    same = [seen(name, column("1100")) for name in "ABCD"]
    assert words(same)[0].endswith("(each was asked 4)")
    other = [*same, seen("long", column("1100" * 2))]
    assert words(other)[0].endswith("(asked 8: long; asked 4: A, B and 2 others)")


def test_pairs_with_questions_of_their_own_have_a_range() -> None:
    runs = [seen("A", column("1100")), seen("B", column("1100")), seen("C", column("11", start=9))]
    assert words(runs, [4, 4])[0].startswith(
        "Each pair of Runs is compared over the questions that the two share: 4 questions; 1 pair shares none ("
    )
    assert "share: 2 to 1,200 questions (" in words(runs, [2, 1200, 5])[0]


def test_a_run_without_which_a_quarter_more_would_count_is_named() -> None:
    def limiting(count: int) -> list[str]:
        runs = [seen("A", column("1" * 20)), seen("B", column("0" * 20)), seen("C", column("1" * count))]
        return [sentence for sentence in words(runs) if "limits" in sentence]

    assert limiting(16) == ["C limits the comparison to 16 questions: the others share 20"]
    assert limiting(17) == []


def test_runs_without_a_scored_question_or_an_answer_are_left_out_with_the_reason() -> None:
    refused = [score(f"toy/a/{n}", 0.0, status="refused") for n in range(3)]
    runs = [seen("A", column("10")), seen("empty", []), seen("refused", refused), seen("down", lost("failed", 1200))]
    usable, why = comparable(runs, "all")
    assert [run.label for run in usable] == ["A", "refused"], "a refusal is what the model said"
    assert why == {
        "empty": "it contains no scored question",
        "down": "none of its questions has an answer that counts (1,200 failed)",
    }
    assert [run.label for run in comparable(runs, "answered")[0]] == ["A"]


def test_questions_with_a_reply_are_counted_once() -> None:
    scores = [
        score("u", 1.0, repeat=0),
        score("u", 0.0, repeat=1),
        score("v", 0.0, status="unparsed"),
        *lost("failed", 2),
    ]
    assert count_answered(seen("A", scores)) == 2
