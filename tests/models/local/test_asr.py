"""Tests of `models/local/asr.py`: speech to text."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.models.local.test_cascade import needs
from triptych.models.weights.resolver import Resolver

MINI = Path(__file__).parents[3] / "src" / "triptych" / "benchmarks" / "xmodbench" / "mini"


@pytest.mark.weights
def test_the_recogniser_hears_both_languages() -> None:
    needs("whisper-base")
    from triptych.media.sound.coding import decode_sound as decode
    from triptych.models.local.asr import Asr

    engine = Asr(Resolver().resolve("whisper-base"))
    questions = MINI / "tasks" / "03_speech" / "recognition" / "acr_audio_bench_questions_audio_text.json"
    asked = [row["conditions"] for row in json.loads(questions.read_text("utf-8"))]
    english, mandarin = (
        engine.transcribe(decode((MINI / said["input"]).read_bytes()).mono())
        for word in ("cat is sleeping", "医院")
        for said in [next(each for each in asked if word in each["description"])]
    )
    assert english.language == "en" and "cat is sleeping" in english.text
    assert mandarin.language == "zh" and "医院" in mandarin.text


def test_the_encoder_runs_once_for_language_and_words() -> None:
    """The recogniser's encoder is called once for the language and the words (same frames)."""
    from triptych.models.local.asr import _remember_last

    calls: list[int] = []
    remembered = _remember_last(lambda features: calls.append(1) or len(calls))
    one, other = np.zeros((80, 3000)), np.ones((80, 3000))
    assert [remembered(one), remembered(one.copy()), remembered(other), remembered(one)] == [1, 1, 2, 3]
