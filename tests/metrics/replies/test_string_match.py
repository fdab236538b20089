"""MMAU's string match, by hand; the quirks are the point."""

from __future__ import annotations

import pytest

from triptych.metrics.replies.string_match import string_match, words

OPTIONS = ["Man", "Woman", "Child", "Robot"]
CHINESE = ["一次朋友间的聚会，突然被一通电话打断", "一场紧张的谈判，突然被一通电话打断", "警方在监听", "一位工匠"]


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("man", True),
        ("The voice is a man.", True),
        ("(a) Man", True),
        ("Man or woman", False),
        ("woman", False),
        ("", False),
        ("...", False),
        ("mankind", False),
    ],
)
def test_english(reply: str, right: bool) -> None:
    assert string_match("Man", reply, OPTIONS) is right


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        (CHINESE[0], True),
        (CHINESE[0] + "。", True),
        ("突然被一通电话打断，一次朋友间的聚会", True),  # sets: order doesn't count
        ("答案是：" + CHINESE[0], True),
        ("答案是" + CHINESE[0], False),  # without the colon the first word is another
        (CHINESE[0].replace("，", ""), False),  # one dropped comma makes one long word
        (CHINESE[1], False),
    ],
)
def test_a_chinese_word_is_a_run_between_marks(reply: str, right: bool) -> None:
    assert string_match(CHINESE[0], reply, CHINESE) is right


def test_words_shared_with_the_answer_are_not_wrong() -> None:
    assert words("突然被一通电话打断") <= words(CHINESE[0])
    assert string_match(CHINESE[0], CHINESE[0], CHINESE)


def test_an_option_that_differs_from_the_answer_by_a_blank_has_no_wrong_word() -> None:
    assert string_match("Man", "Man", ["Man ", "Woman"])
