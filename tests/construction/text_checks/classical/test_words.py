"""Translations that hardly have a word of their text are another text's, or none."""

from __future__ import annotations

import pytest

from tests.construction.single_stage import decide_all
from triptych.construction.recipes import mcga
from triptych.construction.stages.text import one_translation_each
from triptych.construction.text_checks.classical.words import shared_words, translated_words

NIGHT = "床前明月光，疑是地上霜。举头望明月，低头思故乡。"
SNOW = "千山鸟飞绝，万径人踪灭。孤舟蓑笠翁，独钓寒江雪。"
OF_NIGHT = "The moon shines before my bed; is it frost on the ground? I gaze at the moon, and long for my old home."


@pytest.mark.parametrize(
    "text",
    [
        "A scholar of classical Chinese would serve you better than what can be written here today.",
        "The original defies every attempt; kindly consult a published edition of this work instead.",
        "Only a human expert should attempt a passage of this age and difficulty.",
        "Spring sleep knows no dawn; everywhere I hear birds. Wind and rain came at night: how many blossoms fell?",
        "The moon shines before my bed; yi shi di shang shuang. Ju tou wang ming yue.",
    ],
)
def test_texts_that_translate_another_text_or_none(text: str) -> None:
    fault = mcga._translation_fault(text, NIGHT)
    assert fault is not None, text


def test_sound_translations_have_the_words_of_their_text() -> None:
    assert mcga._translation_fault(OF_NIGHT, NIGHT) is None
    assert (
        translated_words(SNOW, "A thousand hills, no bird; one old man in a boat fishes the cold river's snow.") == []
    )
    assert shared_words("之乎者也", "anything") == (0, 0)


def test_a_translation_of_two_works_stays_with_its_own() -> None:
    rows = [{"text": text, "answer": OF_NIGHT} for text in (NIGHT, SNOW)]
    assert [each.decision for each in decide_all(one_translation_each, rows)] == ["kept", "dropped"]
    neither = [{"text": text, "answer": "Kindly consult a published edition of this."} for text in (NIGHT, SNOW)]
    assert {each.reason for each in decide_all(one_translation_each, neither)} == {"same-translation-twice"}
