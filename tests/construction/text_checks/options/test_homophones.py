"""Options that are one recording when they are spoken: English homophones and Chinese syllables."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.options import homophones
from triptych.construction.text_checks.options.homophones import sounding_apart, sounds_alike_fault, spoken_form


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The flower is on the table.", "the flour is on the table"),
        ("Their son can't hear.", "There sun can’t here"),
        ("I know the whole way.", "I no the hole weigh."),
    ],
)
def test_english_homophones(one: str, other: str) -> None:
    assert spoken_form(one) == spoken_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The cat sleeps.", "The hat sleeps."),
        ("It is raining.", "It is not raining."),
        ("3 cats", "4 cats"),
        ("我", "他"),
    ],
)
def test_other_texts_sound_otherwise(one: str, other: str) -> None:
    assert spoken_form(one) != spoken_form(other)


def test_chinese_syllables_with_their_tones(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
    assert spoken_form("他在学校教数学。") == spoken_form("她在学校教数学")
    assert spoken_form("我想买书。") != spoken_form("我想卖书。")
    monkeypatch.setattr(homophones, "find_spec", lambda name: None)
    assert spoken_form("他") != spoken_form("她")


def test_the_reason_names_both_texts_only_if_too_few_are_left() -> None:
    text, wrong = "The flower is here.", ["The flour is here.", "The tree is here.", "The flower is gone."]
    reason, note = sounds_alike_fault(text, wrong, 3) or ("", "")
    assert reason == "option-sounds-alike" and "'The flower is here.' and 'The flour is here.'" in note
    assert sounds_alike_fault(text, [*wrong, "The dog is here."], 3) is None
    assert sounding_apart(text, wrong) == wrong[1:]
    assert sounds_alike_fault(text, wrong[1:], 3) is None  # too few in any case: another reason says so
