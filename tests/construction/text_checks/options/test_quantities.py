"""Tests of `construction/text_checks/options/quantities.py`: numbers, measure words and durations of short texts in one
form."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.construction.text_checks.options.quantities import with_digits, with_plain_quantities

# The English words in Unicode's names of 0 to 9, ⑩ to ⑳, and the Aegean numbers from 30 to 90
SIGNS = map(chr, (*range(0x30, 0x3A), *range(0x2469, 0x2474), *range(0x10112, 0x10119)))
WORDS = {int(unicodedata.numeric(sign)): unicodedata.name(sign).split()[-1].lower() for sign in SIGNS}


@given(st.integers(0, 99), st.sampled_from(["-", " "]))
def test_english_number_words_up_to_99_are_digits(number: int, joint: str) -> None:
    tens, ones = divmod(number, 10)
    word = WORDS[number] if number in WORDS else WORDS[10 * tens] + joint + WORDS[ones]
    assert with_digits(f"about {word} geese") == f"about {number} geese"


@pytest.mark.parametrize("text", ["someone", "tense", "often", "fortyish", "a stone", "一二三", ""])
def test_words_that_contain_a_number_stay(text: str) -> None:
    assert with_digits(text) == text


@pytest.mark.parametrize(
    ("texts", "plain"),
    [
        # 90 minutes in English, Chinese, German and Italian
        (["90 minutes", "1.5 hours", "an hour and a half", "one and a half hours", "ninety minutes"], "5400秒"),
        (["一个半小时", "九十分钟", "1小时30分", "1小时30分钟", "1个小时30分钟", "一小时零三十分钟"], "5400秒"),
        (["90 minuten", "90 minuti", "90 minutes", "1 stunde 30 minuten", "1.5 ore"], "5400秒"),
        (["half an hour", "30 mins", "半小时", "半个小时", "三十分钟", "eine halbe stunde", "mezz'ora"], "1800秒"),
        (["15 minutes", "a quarter of an hour", "一刻钟", "十五分钟"], "900秒"),
        (["2 weeks", "a fortnight", "14 days", "两周", "两个星期", "十四天"], f"{14 * 86400}秒"),
        (["半年", "六个月", "6 months"], "6months"),
        (["两年", "24个月", "2 years"], "24months"),
    ],
)
def test_the_same_duration_in_other_words_is_the_same_text(texts: list[str], plain: str) -> None:
    assert {text: with_plain_quantities(text) for text in texts} == dict.fromkeys(texts, plain)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("一名医生", "1医生"),
        ("两匹白马", "2白马"),
        ("三位", "3个"),
        ("一对老人", "1对老人"),
        ("一群羊", "1群羊"),
        ("a dozen eggs", "12 eggs"),
        ("half a dozen eggs", "6 eggs"),
        ("", ""),
        ("床前明月光", "床前明月光"),
    ],
)
def test_measure_words_of_single_things_are_left_out(text: str, plain: str) -> None:
    assert with_plain_quantities(text) == plain


@pytest.mark.parametrize(
    ("one", "other"), [("三月", "三个月"), ("1995年", "1996年"), ("2 hours", "2 minutes"), ("八点半", "八个半小时")]
)
def test_dates_and_times_are_no_durations(one: str, other: str) -> None:
    assert with_plain_quantities(one) != with_plain_quantities(other)


@given(st.integers(1, 23), st.integers(1, 59))
def test_hours_and_minutes_are_added(hours: int, minutes: int) -> None:
    seconds = f"{hours * 3600 + minutes * 60}秒"
    assert with_plain_quantities(f"{hours}小时{minutes}分钟") == seconds
    assert with_plain_quantities(f"{hours} hours and {minutes} minutes") == seconds
