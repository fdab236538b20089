"""Whether there is anything to hear or to see: clicks, noise and films that stand still."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw

from triptych.media.levels import has_events, is_audible, is_blank, is_steady, is_still

RATE = 24_000


def test_a_click_of_two_samples_is_not_heard_and_a_tap_is() -> None:
    click = np.zeros((4 * RATE, 1), np.float32)
    click[48_000:48_002] = 0.9
    assert not is_audible(click)
    time = np.arange(RATE) / RATE
    tap = np.zeros((4 * RATE, 1), np.float32)
    tap[40_000 : 40_000 + RATE, 0] = 0.5 * np.sin(2 * np.pi * 800 * time) * np.exp(-time / 0.01)
    assert is_audible(tap)
    assert not is_audible(np.zeros((0, 1), np.float32))


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


def test_colours_of_equal_brightness_are_not_blank() -> None:
    drawing = Image.new("RGB", (96, 96), "red")
    ImageDraw.Draw(drawing).rectangle((5, 20, 45, 70), fill="blue")
    assert not is_blank(drawing)


def test_a_mark_that_moves_is_not_still_and_noise_of_a_codec_is() -> None:
    first = np.full((90, 160, 3), 120, np.uint8)
    other = first.copy()
    other[40:46, 60:66] = 255
    assert not is_still(first, other)
    assert is_still(first, first + np.random.default_rng(0).integers(0, 2, first.shape, np.uint8))


def test_noise_is_no_picture_and_drawings_and_pages_are() -> None:
    draw = np.random.default_rng(1)
    for noise in (draw.uniform(0, 255, (240, 320, 3)), draw.normal(128, 60, (240, 320, 1)).repeat(3, 2).clip(0, 255)):
        picture = Image.fromarray(noise.astype(np.uint8))
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=85)
        assert is_blank(picture) and is_blank(Image.open(out))
    page = Image.new("RGB", (320, 240), "white")
    for at in range(0, 240, 12):
        ImageDraw.Draw(page).text((4, at), "The calls of swifts in the noise of a street " * 2, fill="black")
    assert not is_blank(page)
    dithered = Image.linear_gradient("L").resize((320, 240)).convert("1").convert("RGB")
    assert not is_blank(dithered)


def test_noise_hums_and_tones_are_steady_and_speech_is_not() -> None:
    rate, draw = 16_000, np.random.default_rng(2)
    time = np.arange(rate * 5) / rate
    white = draw.normal(0, 0.2, len(time))
    pink = np.fft.irfft(np.fft.rfft(white) / np.sqrt(np.arange(len(time) // 2 + 1) + 1), len(time))
    for steady in (white, pink / np.abs(pink).max(), np.sin(2 * np.pi * 50 * time), np.zeros(len(time))):
        assert is_steady(steady.astype(np.float32), rate)
    words = white * (np.sin(2 * np.pi * 3 * time) > 0)  # bursts, as syllables are
    assert not is_steady(words.astype(np.float32), rate) and not is_steady(white[:rate], rate)


def test_a_rare_loud_event_in_rain_is_an_event_and_clicks_or_swelling_are_not() -> None:
    draw = np.random.default_rng(4)
    rain, at = draw.normal(0, 0.02, 12 * 16_000), np.arange(12 * 16_000) / 16_000
    for begin, length in ((3.0, 0.3), (7.0, 0.8), (10.0, 1.2)):
        thunder = np.where((at >= begin) & (at < begin + length), 0.3 * np.sin(2 * np.pi * 70 * at), 0)
        assert has_events(rain + thunder, 16_000), (begin, length)
    clicks = rain.copy()
    clicks[draw.integers(0, len(rain), 8)] += 0.9
    for noise in (rain, clicks, rain * (1 + 0.9 * np.sin(at)), np.sin(2 * np.pi * 50 * at)):
        assert not has_events(noise, 16_000)
