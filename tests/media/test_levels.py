"""Whether there is anything to hear or to see: clicks, noise and films that stand still."""

from __future__ import annotations

import numpy as np
import pytest

from triptych.media.levels import is_blank, is_heard, is_still

RATE = 24_000


def test_a_click_of_two_samples_is_not_heard_and_a_tap_is() -> None:
    click = np.zeros((4 * RATE, 1), np.float32)
    click[48_000:48_002] = 0.9
    assert not is_heard(click)
    time = np.arange(RATE) / RATE
    tap = np.zeros((4 * RATE, 1), np.float32)
    tap[40_000 : 40_000 + RATE, 0] = 0.5 * np.sin(2 * np.pi * 800 * time) * np.exp(-time / 0.01)
    assert is_heard(tap)
    assert not is_heard(np.zeros((0, 1), np.float32))


@pytest.mark.parametrize("deviation", [3, 6, 12])
def test_noise_is_blank(deviation: int) -> None:
    noise = np.random.default_rng(0).normal(128, deviation, (240, 320, 3))
    assert is_blank(np.clip(noise, 0, 255).astype(np.uint8))


def test_patterns_and_small_marks_are_not_blank() -> None:
    rows, columns = np.mgrid[:240, :320]
    checks = np.where((rows // 4 + columns // 4) % 2, 255, 0)
    assert not is_blank(np.repeat(checks[..., None], 3, axis=2))
    mark = np.full((240, 320, 3), 255, np.uint8)
    mark[100:110, 50:60] = 0
    assert not is_blank(mark)


def test_a_mark_that_moves_is_not_still_and_noise_of_a_codec_is() -> None:
    first = np.full((90, 160, 3), 120, np.uint8)
    other = first.copy()
    other[40:46, 60:66] = 255
    assert not is_still(first, other)
    assert is_still(first, first + np.random.default_rng(0).integers(0, 2, first.shape, np.uint8))
