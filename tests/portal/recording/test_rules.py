"""Tests of `portal/recording/rules.py`: rules of recording, without a database."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.portal.recording.test_recording import RATE, facts, sound
from triptych.media.sound.coding import encode_wav
from triptych.portal.recording.check import check
from triptych.portal.recording.rules import Facts, Settings, faults, has_lost_frames, ruby, slot_of


def faults_of(samples: Any, given: Facts, **more: Any) -> list[str]:
    return check(encode_wav(samples, RATE), "床前", given, Settings(**more))[1]


@pytest.mark.parametrize(
    ("samples", "given", "found"),
    [
        (sound(level=0.0), facts(), ["silent"]),
        (sound(level=0.001), facts(), ["silent"]),
        (np.clip(sound(level=3.0), -1, 1), facts(), ["clipped"]),
        (sound(0.5), facts(0.5), ["too-short"]),
        (sound(32.0), facts(32.0), ["too-long"]),
        (sound(), facts(lost=1), ["frames-missing"]),
        (sound(), facts(frames=3 * RATE + 128), ["frames-missing"]),
        (sound(), facts(milliseconds=4000), ["frames-missing"]),
        (sound(), facts(rate=44_100), ["frames-missing"]),
    ],
)
def test_each_fault_is_found(samples: Any, given: Facts, found: list[str]) -> None:
    assert faults_of(samples, given) == found


@settings(max_examples=50, deadline=None)
@given(st.floats(1, 30), st.integers(0, 3), st.integers(-400, 400))
def test_missing_sound_is_noticed_whatever_the_length(seconds: float, lost: int, off: int) -> None:
    frames = int(seconds * RATE)
    measures = {"frames": frames, "rate": RATE, "seconds": frames / RATE, "level_db": -20.0, "clipped": 0.0}
    counted = Facts(frames, RATE, 1, lost, int(1000 * seconds) + off)
    clock = int(1000 * seconds) + off
    late = abs(clock / 1000 - frames / RATE) > 0.35 + 0.02 * clock / 1000
    assert has_lost_frames(measures, counted) == (lost > 0 or late)
    assert ("frames-missing" in faults(measures, counted, Settings())) == (lost > 0 or late)


def test_pinyin_is_above_its_own_character_or_not_shown() -> None:
    assert ruby("好，好", "hǎo hào") == [[("好", "hǎo"), ("，", ""), ("好", "hào")]]
    assert ruby("好，好", ["hǎo", "，", "hào"]) == [[("好", "hǎo"), ("，", ""), ("好", "hào")]]
    assert ruby("好\n好", ["hǎo", "\n", "hào"]) == [[("好", "hǎo")], [("好", "hào")]]
    assert ruby("好好", "hǎo") == [[("好", ""), ("好", "")]]
    assert ruby("", None) == []


@given(st.text("好\n，ab", max_size=20), st.lists(st.text("hao", min_size=1, max_size=3), max_size=20))
def test_no_character_is_lost(text: str, pinyin: list[str]) -> None:
    assert "".join(c for line in ruby(text, pinyin) for c, _ in line) == text.replace("\n", "")


def test_slots() -> None:
    assert slot_of(("man", "woman"), "undisclosed") is None and slot_of(("1",), "undisclosed") == "1"
