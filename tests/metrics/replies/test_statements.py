"""Tests of `metrics/replies/statements.py`: what a reply asserts and denies, where, and how firmly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.replies.markup import strip_markup
from triptych.metrics.replies.patterns import FINAL, MARKED, STATED, THOUGHT
from triptych.metrics.replies.signs import signs
from triptych.metrics.replies.statements import Statement, statements


def read(reply: str) -> list[Statement]:
    return list(statements(signs(strip_markup(reply, "ABCD"), "ABCD")))


def said(reply: str) -> tuple[set[str], set[str]]:
    """The labels that are asserted, and those that are denied."""
    asserted, denied = set[str](), set[str]()
    for one in read(reply):
        (denied if one.denied else asserted).add("".join("ABCD"[n] for n in sorted(one.labels)))
    return asserted, denied


@pytest.mark.parametrize(
    ("reply", "asserted", "denied"),
    [
        ("The answer is B.", {"B"}, set()),
        ("答案是B。", {"B"}, set()),
        ("Die Antwort ist B.", {"B"}, set()),
        ("La risposta è B.", {"B"}, set()),
        ("The answers are A and C.", {"AC"}, set()),
        ("B is wrong.", set(), {"B"}),
        ("B不对。", set(), {"B"}),
        ("not A, but B", {"B"}, {"A"}),
        ("B rather than C", {"B"}, {"C"}),
        ("The wrong answer is D.", set(), {"D"}),
        ("The answer isn't C.", set(), {"C"}),
    ],
)
def test_what_is_asserted_and_what_is_denied(reply: str, asserted: set[str], denied: set[str]) -> None:
    assert said(reply) == (asserted, denied)


@pytest.mark.parametrize(
    "reply",
    [
        "Is it B?",
        "If it were C, there would be rain.",
        "Could the answer be A?",
        "A. cat\nB. dog\nC. owl",  # the options again
        "A dog barks.",
        "I hear nothing.",
        "",
    ],
)
def test_questions_conditions_and_lists_state_nothing(reply: str) -> None:
    assert said(reply) == (set(), set())


def test_a_list_of_options_before_an_answer_is_none() -> None:
    assert said("A. cat\nB. dog\nThe answer is A") == ({"A"}, set())


@pytest.mark.parametrize(
    ("reply", "rank"),
    [
        (r"\boxed{B}", FINAL),
        ("<answer>B</answer>", FINAL),
        ("Final answer: B", FINAL),
        ("Answer: B", MARKED),
        ("The answer is B.", STATED),
        ("I think B", THOUGHT),
        ("B", THOUGHT),
    ],
)
def test_how_firm_the_firmest_statement_is(reply: str, rank: int) -> None:
    assert max(one.rank for one in read(reply)) == rank


def test_also_is_in_addition() -> None:
    assert any(one.too for one in read("The answer is A. The answer is also C.") if 2 in one.labels)
    assert not any(one.too for one in read("The answer is A."))


WORDS = ["A", "B", "C", "D", "not", "is", "wrong", "answer", "the", "or", ",", ".", "?", "\n", "if", "so"]


@given(st.lists(st.sampled_from(WORDS), max_size=25))
def test_statements_lie_in_the_reply_and_have_labels(words: list[str]) -> None:
    text = signs(strip_markup(" ".join(words), "ABCD"), "ABCD")
    for one in statements(text):
        assert one.labels and 0 <= one.at < one.end <= len(text.text) and THOUGHT - 1 <= one.rank <= FINAL
