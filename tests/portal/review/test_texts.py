"""Tests of `portal/review/texts.py`: the texts of a task, and names of fields and choices."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.portal.review.fields import fields_of
from triptych.portal.review.texts import choice_name, field_name, shown_values
from triptych.portal.site.media_access import media_of


@pytest.mark.parametrize(
    ("value", "kind", "language"),
    [
        ("谁在说话？", "text", "zh"),
        ("Who speaks?", "text", ""),
        ("ひらがな", "text", ""),  # no ideograph: nothing says that it is Chinese
        (["老人", "child", 3], "list", "zh"),
        ([["a"], ["b"]], "data", ""),
        ({"en": "We count."}, "data", ""),
        (7, "text", ""),
        (False, "text", ""),
    ],
)
def test_each_value_has_its_kind_and_language(value: Any, kind: str, language: str) -> None:
    (shown,) = shown_values({"shows": {"value": value}}, [], [])
    assert (shown.name, shown.kind, shown.language) == ("value", kind, language)


def test_nothing_is_shown_of_what_is_empty_or_a_medium_or_edited() -> None:
    form = {"verdict": ["approve", "edit"], "question": "text"}
    shows = {
        "none": None,
        "blank": "",
        "list": [],
        "dict": {},
        "question": "Wer?",
        "media": {"audio": "0" * 64},
        "n": 0,
    }
    assert [each.name for each in shown_values({"shows": shows}, [], fields_of(form, shows))] == ["n"]
    assert shown_values({}, [], []) == []


def test_a_list_whose_media_are_shown_has_the_same_letters() -> None:
    """The options of a question of which some are pictures: their texts stand beside the media's letters."""
    forms = [{"text": "马", "image": "x.png"}, {"text": "", "image": "y.png"}]
    named = {"candidates.0.image": "a" * 64, "candidates.1.image": "b" * 64}
    body = {"shows": {"candidates": forms, "media": named}}
    (shown,) = shown_values(body, media_of(1, body), [])
    assert (shown.kind, shown.value, shown.language) == ("entries", ["马", ""], "zh")
    for each in forms:
        each["text"] = ""
    (without,) = shown_values(body, media_of(1, body), [])
    assert (without.kind, without.value) == ("entries", [])  # there are no texts beside the media


@pytest.mark.parametrize(
    ("name", "english"),
    [
        ("true_text", "True text"),
        ("a_field_of_a_stranger", "A field of a stranger"),
        ("", ""),
        ("candidates.1.audio", "Candidates B: Recording"),
    ],
)
def test_a_field_has_a_name_whoever_wrote_the_form(name: str, english: str) -> None:
    assert field_name("en")(name) == english


def test_choices_are_named_in_the_language_of_the_page_and_others_stay() -> None:
    english, chinese = choice_name("en"), choice_name("zh")
    assert (english(True), english(False)) == ("yes", "no")
    assert chinese("not_in_the audio") == chinese("not in the audio") == "与音频内容无关"
    for stranger in ("<b>bold</b>", "ДА", "3.5", ""):
        assert english(stranger) == chinese(stranger) == stranger
    assert english(3) == "3"
