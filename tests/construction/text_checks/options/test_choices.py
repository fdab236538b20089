"""Tests of `construction/text_checks/options/choices.py`: questions with options."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.answers import options_fault
from triptych.construction.text_checks.options.choices import Limits, NoChoice, choice_fault, edited, places_of
from triptych.construction.text_checks.wording import wording_fault


@pytest.mark.parametrize(
    ("options", "answers", "new", "answer", "right"),
    [
        (["a", "b", "c"], [0], None, "b", [1]),
        (["a", "b", "c"], [0], None, "C", [2]),
        (["a", "b", "c"], [0], ["a2", "b", "c"], None, [0]),
        (["a", "b", "c"], [0], ["b", "c", "a"], None, [2]),
        (["a", "b", "c", "d"], [0, 1], None, "a；d", [0, 3]),
        (["a", "b", "c", "d"], [0, 1], None, ["B", "c"], [1, 2]),
        (["因为雨", "因为雨；风", "雪"], [0], None, "因为雨；风", [1]),
    ],
)
def test_answer_and_options_are_one_value(options, answers, new, answer, right) -> None:  # type: ignore[no-untyped-def]
    assert list(edited(options, answers, new, answer).answers) == right


def test_a_letter_that_is_the_text_of_another_option_is_not_guessed() -> None:
    with pytest.raises(NoChoice, match="the letter of one option and the text of another"):
        places_of("B", ["B", "A", "C"])
    assert places_of("A", ["A", "B"]) == [0]


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        (["三天", "两到五天", "不足十天", "半个月"], True),
        (["5 km", "less than 10 km", "20 km", "30 km"], True),
        (["三人", "五人以上", "至少八人", "十到二十人"], False),
        (["三天", "五天", "七天", "九天"], False),
        (["2:1", "1:2", "3:2", "1:1"], False),
    ],
)
def test_a_range_that_holds_the_correct_amount_is_correct_too(options: list[str], refused: bool) -> None:
    fault = choice_fault("多少？", options, [0], Limits())
    assert (fault is not None and fault[0] == "options-not-exclusive") is refused


@pytest.mark.parametrize(
    "options",
    [
        ["8:30", "9:00", "9:30", "10:00"],
        ["1：30", "2：30", "3：30", "4：30"],
        ["3:2", "2:1", "1:0", "0:0"],
        ["1.5 km", "2.5 km", "3.5 km", "4.5 km"],
        ["1°C", "2°C", "3°C", "4°C"],
        ["①②", "②③", "①③"],
        ["一、二年级", "三、四年级", "五、六年级"],
        ["E♭ major", "F# minor", "C major", "A minor"],
    ],
)
def test_times_scores_amounts_and_choices_of_statements_have_no_letters_of_their_own(options: list[str]) -> None:
    assert wording_fault("是什么？", options) is None
    assert options_fault("是什么？", options, "zh" if options[0][0] in "①一" else "") is None
    assert choice_fault("是什么？", options, [1], Limits()) is None
