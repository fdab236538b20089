"""Tests of `portal/recording/check.py`: the check of a recording."""

from __future__ import annotations

import numpy as np
import pytest

from tests.portal.recording.test_recording import RATE, facts, sound
from triptych.media.sound.coding import encode_wav
from triptych.portal.recording.check import check
from triptych.portal.recording.rules import Settings


def test_a_good_recording_has_no_fault_and_becomes_16_khz_mono() -> None:
    measures, found, made = check(encode_wav(np.hstack([sound(), sound()]), RATE), "床前", facts(), Settings())
    assert found == [] and measures["seconds"] == 3.0
    assert measures["level_db"] == pytest.approx(20 * np.log10(0.2 / np.sqrt(2)), abs=0.1)
    assert made[:4] == b"RIFF" and len(made) == 44 + 2 * 3 * 16_000


def test_a_telephones_rate_is_too_low() -> None:
    slow = encode_wav(sound()[::6], 8_000)
    assert check(slow, "", facts(frames=3 * 8_000, rate=8_000), Settings())[1] == ["low-rate"]


@pytest.mark.parametrize("data", [b"", b"RIFF", b"RIFF\x00\x00\x00\x00WAVEfmt " + bytes(100), b"<html>"])
def test_what_is_not_sound_is_unreadable(data: bytes) -> None:
    assert check(data, "", facts(), Settings())[1:] == (["unreadable"], b"")


def test_the_better_recogniser_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    wav = encode_wav(sound(), RATE)
    for rates, found in (({"a": 0.9, "b": 0.1}, []), ({"a": 0.9, "b": 0.2}, ["misread"]), ({}, [])):
        measures, reasons, _ = check(wav, "床前", facts(), Settings(), lambda data, text, rates=rates: rates)
        assert reasons == found and measures["cer"] == rates
