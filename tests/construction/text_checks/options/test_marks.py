"""Options that say more than their text, stems that list options, texts that decline, and options that are equal in
other words. Sound ones of the same look remain."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.wording import option_faults

BOOKS = ["孟子", "论语", "史记", "庄子"]
ASKED = "他在做什么？"


def _reasons(question: str, options: list[str]) -> set[str]:
    return {fault[0] for fault in option_faults(question, options)}


@pytest.mark.parametrize(
    "option",
    [
        "B与C两项",
        "A、B两者",
        "A和B",
        "甲、乙两项",
        "①和③",
        "二者皆是",
        "两者都不是",
        "选项2与选项3都对",
        "both B and C",
        "Both A and C",
        "A or C",
        "neither A nor B",
        "sowohl A als auch B",
        "A et C",
        "tutte le precedenti",
        "ninguna de las anteriores",
        "AとBの両方",
        "A와 B 모두",
        "alle oben genannten",
    ],
)
def test_options_about_others_are_refused(option: str) -> None:
    reasons = _reasons(ASKED, ["读书", "采菊", "饮酒", option])
    assert "option-refers-to-others" in reasons
    assert "option-letters" not in reasons


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("谁认识谁？", ["甲和乙", "乙和丙", "甲和丙"]),
        ("Which two notes are heard?", ["A and B", "C and D", "E and F"]),
        ("他带了伞还是雨衣？", ["伞", "雨衣", "两者都有", "两者都没有"]),
        ("哪两个数字？", ["1和3", "2和5", "3和4"]),
        (ASKED, ["读书和写字", "采菊", "饮酒", "他和她都走了"]),
    ],
)
def test_options_with_letters_by_nature_remain(question: str, options: list[str]) -> None:
    assert "option-refers-to-others" not in _reasons(question, options)


def test_statements_that_options_refer_to_by_number_remain() -> None:
    question = "下列说法正确的是：\n①作者是李白\n②作者是杜甫\n③写于唐代"
    assert "options-in-question" not in _reasons(question, ["①③", "②③", "①②"])


@pytest.mark.parametrize(
    "option", ["孟子★", "★孟子", "孟子*", "→孟子", "#孟子", "「孟子」", "“孟子”", "●孟子", "孟子，", "孟子（本题正确）"]
)
def test_a_mark_of_one_option_is_found(option: str) -> None:
    assert "option-marked" in _reasons("是哪一部书？", [option, *BOOKS[1:]])


@pytest.mark.parametrize(
    "options",
    [
        ["《孟子》", "《论语》", "《史记》"],
        ["“走”", "“停”", "“看”"],
        ["5％", "7", "9"],
        ["F#", "G", "A"],
        ["$5", "6", "7"],
    ],
)
def test_signs_that_belong_to_options_remain(options: list[str]) -> None:
    assert "option-marked" not in _reasons("是什么？", options)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("道歉的人最可能是谁？（　C　）", True),
        ("下列说法正确的是（ B ）。", True),
        ("Which of these is it? (C)", True),
        ("下列说法正确的是（　　）。", False),
        ("维生素（C）有什么作用？", False),
        ("What is vitamin (C) good for?", False),
    ],
)
def test_a_letter_in_the_brackets_of_a_stem_is_found(question: str, named: bool) -> None:
    assert ("answer-in-question" in _reasons(question, BOOKS)) is named


def test_keys_of_music_have_no_letters_of_a_list() -> None:
    question = "In which key is the piece?"
    assert not _reasons(question, ["A minor", "B flat major", "C sharp minor", "D major"])
    assert "option-letters" in _reasons(question, ["A slow", "B fast", "C loud", "D soft"])


def test_who_knows_may_be_answered_by_not_knowing() -> None:
    assert not _reasons("他知道谁来吗？", ["知道", "不知道", "没说", "记错了"])
    assert "option-is-no-answer" in _reasons("他为什么没来？", ["生病了", "堵车了", "忘记了", "不知道"])
