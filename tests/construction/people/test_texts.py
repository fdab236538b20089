"""Tests of `construction/people/texts.py`: texts that people edit."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.construction.people.texts import edit_fault, language_fault, remark_in, script_of


def faults(name: str, value: Any, shows: dict[str, Any], **checks: Any) -> list[str]:
    return list(edit_fault(name, value, shows, checks))


@pytest.mark.parametrize(
    ("name", "value", "shown", "fault"),
    [
        ("question", "What does the man buy?", "What does the man sell?", ""),
        ("question", "The man buys bread.", "What does the man buy?", "question-not-asked"),
        ("question", "Name what the man buys.", "What does the man buy?", ""),
        ("question", "他买了什么？", "他卖了什么？", ""),
        ("text", "this question is too easy", "Where is he?", "remark-in-text"),
        ("text", "同上", "他在哪里？", "remark-in-text"),
        ("text", "见下", "他在哪里？", "remark-in-text"),
        ("text", "", "Where is he?", "empty"),
        ("text", "les vagues de la mer", "waves at the sea", "wrong-language"),
        ("text", "一只狗", "a dog", "wrong-script"),
        ("text", "NASA", "国家航空航天局", ""),
    ],
)
def test_edits_of_one_text(name: str, value: str, shown: str, fault: str) -> None:
    said = faults(name, value, {name: shown})
    assert fault in said[0] if fault else said == [], said


def test_of_a_list_only_new_entries_are_checked_and_named_by_line() -> None:
    shows = {"options": ["a dog", "to be changed"]}
    assert faults("options", ["to be changed", "a cat"], shows) == []
    (said,) = faults("options", ["a dog", "a cat", " "], shows)
    assert said.startswith("options, line 3: ")


def test_words_that_give_an_answer_away_may_not_be_added() -> None:
    assert (
        "screened-word"
        in faults("question", "What is the dog doing?", {"question": "What is it doing?"}, words={"question": ["dog"]})[
            0
        ]
    )
    assert (
        faults(
            "question",
            "What is the dog doing now?",
            {"question": "What is the dog doing?"},
            words={"question": ["dog"]},
        )
        == []
    )


def test_a_very_long_text_is_refused() -> None:
    assert "too-long" in faults("text", "a dog barks. " * 2000, {"text": "a dog"})[0]


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Привет, world", "CYRILLIC"),
        ("こんにちは世界", "CJK"),
        ("안녕", "HANGUL"),
        ("café", "LATIN"),
        ("你好ab", ""),
        ("123 !?", ""),
        ("", ""),
    ],
)
def test_the_script_of_most_letters(text: str, script: str) -> None:
    assert script_of(text) == script


def test_languages_and_remarks() -> None:
    assert language_fault("Der Hund schläft im Garten.", "de", "Die Katze schläft im Garten.") is None
    assert language_fault("一隻黑貓在屋頂上睡覺", "zh", "一只黑狗在院子里睡觉") is not None
    assert remark_in("please rewrite", "please rewrite this") == ""
    assert remark_in("He said please rewrite the letter.") == ""
