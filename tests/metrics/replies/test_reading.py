"""Tests of `metrics/replies/reading.py`: which options a reply chooses."""

from __future__ import annotations

import pytest

from triptych.metrics.replies.reading import MAX_ANSWER_LENGTH, letter, option, options_chosen

DOGS = ("a dog", "a black dog", "a cat", "rain")
INSTRUMENTS = ("violin", "cello", "flute", "oboe")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("The answer is (b).", "B"),
        ("答案：C", "C"),
        ('{"answer": "D"}', "D"),
        ('```json\n{"answer": "D", "why": "A and B are wrong"}\n```', "D"),
        ("<think>A? No. B? Yes.</think>C", "C"),
        ("thought\nIt may be A.\n\nThe answer is D.", "D"),
        ("A (violin)", "A"),
        ("It is the cello.", "B"),
        ("B. cello", "B"),
        ("正解は②です。", "B"),
        ("B. violin\nB. cello\nThe answer is B.", "B"),  # the right words are there, too
        ("B. violin", None),  # the letter of one option and the words of another
        ("I'm sorry, but I can't listen to audio. A, B, C or D?", None),
        ("A or B", None),
        ("E", None),
        ("", None),
        ("   \n", None),
    ],
)
def test_one_letter_or_none(reply: str, expected: str | None) -> None:
    assert letter(reply, "ABCD", INSTRUMENTS) == expected


def test_labels_in_small_letters_are_read_as_large_ones() -> None:
    assert letter("The answer is b.", "abcd", ()) == letter("The answer is B.", "abcd", ()) == "B"


def test_two_options_of_the_same_words_are_told_by_their_letter_alone() -> None:
    texts = ("violin", "Violin", "flute", "oboe")
    assert letter("It is the violin.", "ABCD", texts) is None
    assert letter("It is the flute.", "ABCD", texts) == letter("C", "ABCD", texts) == "C"
    assert letter("The answer is B.", "ABCD", texts) == "B"


def test_options_without_words_are_chosen_by_letter() -> None:
    assert letter("B", "ABCD", (None, None, None, None)) == "B"


@pytest.mark.parametrize(
    ("reply", "index"),
    [
        ("It is a black dog.", 1),
        ("A DOG", 0),
        ("not a dog, but a cat", 2),
        ("rain", 3),
        ("a bird", None),
        ("a cat or rain", None),
        ("", None),
    ],
)
def test_an_option_by_its_words(reply: str, index: int | None) -> None:
    assert option(reply, DOGS) == index


def test_an_option_in_other_scripts() -> None:
    texts = ["孩子在哭", "狗在叫", "孩子在哭，狗在叫"]
    assert option("录音里狗在叫。", texts) == 1 and option("孩子在哭，狗在叫", texts) == 2
    assert option("Ответ: дождь", ["дождь", "ветер"]) == 0
    assert option("dog", ["dog", "Dog", "cat"]) is None


@pytest.mark.parametrize(
    ("reply", "indices"),
    [
        ("A cat; a dog", (0, 2)),
        ("rain", (3,)),
        ("a cat, rain and a black dog", (1, 2, 3)),
        ("nothing", None),
        ("", None),
    ],
)
def test_all_options_that_are_chosen(reply: str, indices: tuple[int, ...] | None) -> None:
    assert options_chosen(reply, DOGS) == indices


def test_the_end_of_a_reply_without_an_end_is_read() -> None:
    assert letter("B is one option. " * 3_000 + "The answer is C.", "ABCD", ()) == "C"
    assert letter("The answer is C." + " " * (2 * MAX_ANSWER_LENGTH), "ABCD", ()) == "C"


def test_short_replies_that_come_again_are_read_the_same() -> None:
    assert [letter("(d)", "ABCD", INSTRUMENTS) for _ in range(3)] == ["D"] * 3
    assert letter("(d)", "ABC", ()) is None


@pytest.mark.parametrize(
    "heading", ["【解析】", "【详解】", "解析：", "解释：", "解說：", "解説：", "讲解：", "题解：", "解题思路："]
)
def test_an_explanation_after_the_answer_states_no_other(heading: str) -> None:
    assert letter(f"【答案】C\n{heading}A项说的是狗，B项是雨。", "ABCD", ()) == "C"
    assert letter(f"答案：C\n{heading}选项A描述的是狗叫。", "ABCD", ()) == "C"
    assert letter(f"答案：A\n{heading}录音里是警笛，所以答案是C", "ABCD", ()) is None


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Отговорът е C", "C"),
        ("Мисля, че отговорът е C.", "C"),
        ("Отговорът A е грешен", None),
        ("Incorrect: A", None),
        ("Wrong: A, B, D. Correct: C", "C"),
        ("错误：A", None),
        ("Unlikely: A\nMost likely: C", "C"),
        ("It's wrong to say A.", None),
    ],
)
def test_denied_options_and_bulgarian_answers(reply: str, expected: str | None) -> None:
    assert letter(reply, "ABCD", ()) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Unlikely to be rain.", None),
        ("It is improbable that it is rain.", None),
        ("It would be incorrect to call it rain.", None),
        ("Wrong: rain", None),
        ("Eliminated: rain. It is a cat.", 2),
        ("Most likely rain.", 3),
    ],
)
def test_words_that_an_option_is_denied_with(reply: str, expected: int | None) -> None:
    assert option(reply, DOGS) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("A) violin B) cello C) flute D) oboe", None),
        ("A. violin, B. cello, C. flute, D. oboe.", None),
        ("A) violin\nB) cello\nC) flute\nD) oboe", None),
        ("A) violin\nB) cello\nC) flute\nD) oboe\n\nThe answer is C.", "C"),
        ("A. violin ❌\nB. cello ❌\nC. flute ✅\nD. oboe ❌", "C"),
        ("C) flute", "C"),
    ],
)
def test_a_list_of_all_options_is_no_choice(reply: str, expected: str | None) -> None:
    assert letter(reply, "ABCD", INSTRUMENTS) == expected


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ("B. wind or C. hail", None),
        ("B. wind and D. snow", None),
        ("B. wind, or C. hail", None),
        ("B. wind, not C. hail", "B"),
        ("A. rain\nB. wind\nC. hail\nD. snow\n\nB", "B"),
        ("A. wind\nB. rain\nC. hail\nD. snow\n\nB", None),
        ("(A) rain (B) wind (C) hail (D) snow", None),
        ("C is incorrect, and so is D.", None),
        ("It could be A, but D is more likely.", "D"),
        ("It could be C; it could also be D.", None),
        ("Nobody would answer D here.", None),
        ("A, no wait, D.", "D"),
        ("The statement on B is partly true.", None),
        ("B → C", None),
        ("Assume the answer is B.", None),
        ("I assume the answer is B.", "B"),
        ("Rain is a form of water. I can't say which sound this is.", None),
        ("Answer: B. I can't say whether it is loud.", "B"),
        ("Antwort A stimmt.", "A"),
        ("אני בוחר ב-B.", "B"),
    ],
)
def test_sentences_about_one_option_or_several(reply: str, choice: str | None) -> None:
    assert letter(reply, "ABCD", ["rain", "wind", "hail", "snow"]) == choice


@pytest.mark.parametrize(
    ("reply", "texts", "choice"),
    [
        ("2 or 3", ["2", "3"], None),
        ("Yes and no.", ["Yes", "No"], None),
        ("No — a dog barks.", ["Yes", "No"], "B"),
        ("Yes, there is one.", ["Yes", "No"], "A"),
    ],
)
def test_everyday_words_as_options(reply: str, texts: list[str], choice: str | None) -> None:
    assert letter(reply, "AB", texts) == choice
