"""Cleaning, script, clips, pinyin, screening: hand-made cases, and properties of the clips."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.construction.single_stage import decide
from triptych.construction.stages.text import clean_text, clip_text, pinyin, script


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("關關雎鳩,在河之洲.", "關關雎鳩，在河之洲。"),
        ("床前 明月光", "床前明月光"),
        ("a\u200bb\x00c", "abc"),
        ("e\u0301", "é"),
        ("It costs 3.5, or so.", "It costs 3.5, or so."),
        ("一、\r\n\r\n\r\n二", "一、\n\n二"),
        ("子曰:學而時習之,不亦說乎?", "子曰：學而時習之，不亦說乎？"),
    ],
)
def test_cleaning(text: str, cleaned: str) -> None:
    outcome = decide(clean_text, {"text": text})
    assert outcome.fields["text"] == cleaned
    assert outcome.decision == ("kept" if text == cleaned else "revised")
    assert decide(clean_text, {"text": cleaned}).decision == "kept"  # cleaning again changes nothing


def test_what_is_removed_and_what_is_left_empty() -> None:
    assert decide(clean_text, {"text": "春眠[1]不觉晓"}, remove=(r"\[\d+\]",)).fields["text"] == "春眠不觉晓"
    assert decide(clean_text, {"text": "  。 \u200b"}).reason == "empty"


def test_script_both_ways() -> None:
    assert decide(script, {"text": "關雎"}).fields == {"text": "关雎"}
    outcome = decide(script, {"text": "关雎"}, keep_other=True)
    assert (outcome.decision, outcome.fields["text_traditional"]) == ("kept", "關雎")


def test_clips_end_at_sentences_and_keep_their_spans() -> None:
    text = "关关雎鸠，在河之洲。窈窕淑女，君子好逑。参差荇菜，左右流之。窈窕淑女，寤寐求之。"
    outcome = decide(clip_text, {"text": text}, most_seconds=6, least_seconds=2)
    assert [c.fields["text"] for c in outcome.children] == [
        "关关雎鸠，在河之洲。窈窕淑女，君子好逑。",
        "参差荇菜，左右流之。窈窕淑女，寤寐求之。",
    ]
    spans = [tuple(map(int, c.makers["text"].at.removeprefix("chars=").split("-"))) for c in outcome.children]
    assert [text[a:b] for a, b in spans] == [c.fields["text"] for c in outcome.children]


def test_a_sentence_without_marks_that_is_too_long_is_not_cut() -> None:
    assert decide(clip_text, {"text": "之" * 200}).reason == "sentence-too-long"
    assert decide(clip_text, {"text": "短。"}).reason == "too-short"


@settings(max_examples=200)
@given(st.text("之乎者也，。；？ \n", max_size=300), st.floats(4, 40), st.floats(1, 3))
def test_no_clip_is_longer_than_allowed_and_none_overlaps(text: str, most: float, least: float) -> None:
    outcome = decide(clip_text, {"text": text}, most_seconds=most, least_seconds=least)
    end = 0
    for child in outcome.children:
        a, b = map(int, child.makers["text"].at.removeprefix("chars=").split("-"))
        assert end <= a < b <= len(text)
        end = b
        read = sum(c in "之乎者也" for c in child.fields["text"]) / 3.0
        assert least - 1e-9 <= read <= most + 1e-9


def test_pinyin_is_made_or_held_against_what_is_given() -> None:
    pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
    assert decide(pinyin, {"text": "床前，明月"}).fields["pinyin"] == ["chuáng", "qián", "，", "míng", "yuè"]
    given = decide(pinyin, {"text": "床前，明月", "pinyin": "chuáng qián míng yuè"})
    assert given.fields == {"pinyin": ["chuáng", "qián", "，", "míng", "yuè"], "pinyin_differs": []}
    other = decide(pinyin, {"text": "床前明月", "pinyin": "chuáng qián míng yuě"})
    assert other.fields["pinyin_differs"] == [3]
    assert (
        decide(pinyin, {"text": "床前明月", "pinyin": "chuáng qián míng yuě"}, differing="drop").reason
        == "pinyin-differs"
    )
    assert decide(pinyin, {"text": "床前", "pinyin": "chuáng"}).reason == "pinyin-length"
    assert decide(pinyin, {"text": "还魂"}, words={"还魂": "huán hún"}).fields["pinyin"] == ["huán", "hún"]
