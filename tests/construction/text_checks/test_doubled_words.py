"""Tests of `construction/text_checks/doubled_words.py`."""

from __future__ import annotations

from triptych.construction.text_checks.doubled_words import doubled_word


def test_function_words_twice_are_found_unless_two_words_meet() -> None:
    for text in ("他在在家", "她走了了吗", "这是是家", "雨和和雪", "他把把门关了"):
        assert doubled_word(text, "zh"), text
    for text in ("实在在理", "明明是是非题", "他把把手拆了", "总和和差"):
        assert not doubled_word(text, "zh"), text
