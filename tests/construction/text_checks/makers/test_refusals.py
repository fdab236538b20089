"""Tests of `construction/text_checks/makers/refusals.py`: texts in which a maker declines in place of writing."""

from __future__ import annotations

import time

import pytest

from triptych.construction.text_checks.makers.refusals import declines

# How models decline, in the languages of the benchmarks and others; as their replies are seen in logs.
REFUSALS = [
    "I'm sorry, but I can't access the audio file you've attached.",
    "As an AI language model, I cannot listen to recordings.",
    "Unfortunately, I am unable to translate this poem.",
    "I’m not able to view the image.",
    "No audio was provided, so there is nothing to transcribe.",
    "抱歉，我无法直接听取您提供的音频。",
    "作为一个人工智能语言模型，我不能翻译这段文本。",
    "圖片無法載入，因此不能描述。",
    "Als KI-Sprachmodell kann ich diese Aufnahme nicht anhören.",
    "Ich kann dieses Gedicht leider nicht übersetzen.",
    "Je ne peux pas traduire ce texte.",
    "Non posso tradurre questo testo.",
    "Como modelo de lenguaje, no tengo oídos.",
    "この音声を翻訳することはできません。",
    "이 시를 번역할 수 없습니다.",
    "Я не могу перевести это стихотворение.",
]
TEXTS = [
    "",
    "   \n",
    "I cannot see the ancients who came before me.",
    "He could not open the window, and the file of soldiers passed.",
    "The guide says visitors can't take pictures of this painting.",
    "我不能同意他的看法。",
    "他听不见远处的钟声。",
    "无法忘记那年的雪。",
    "Ich kann nicht schlafen.",
    "Non posso dimenticare quella sera.",
    "Je ne peux pas oublier.",
    "Two dogs bark while a train passes.",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_a_text_that_declines_its_task(text: str) -> None:
    assert declines(text)
    assert declines(f"\n  {text}\nA dog barks.")


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_in_which_somebody_cannot_do_something_else(text: str) -> None:
    assert not declines(text)


@pytest.mark.parametrize("refusal", REFUSALS[:3])
def test_the_first_sentence_decides(refusal: str) -> None:
    assert not declines(f"Two dogs bark while a train passes. {refusal}")


def test_the_time_is_that_of_the_first_sentence() -> None:
    begun = time.process_time()
    for unit in ("I can't ", "抱歉，", "no audio ", "the image "):
        declines(unit * 20_000)
    assert time.process_time() - begun < 5
