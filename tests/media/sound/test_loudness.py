"""Loudness: the reference signals of BS.1770 and EBU Tech 3341, FFmpeg's meter as oracle; silence at both ends."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from triptych.errors import SpecError
from triptych.media.sound.loudness import at_loudness, loudness, sounding_range


def sine(seconds: float, level_db: float, rate: int = 48_000, hertz: float = 1000.0) -> Any:
    return 10 ** (level_db / 20) * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)


def stereo(*parts: Any) -> Any:
    mono = np.concatenate(parts)
    return np.stack([mono, mono], axis=1)


# EBU Tech 3341, table 1, cases 1 to 4: stereo sines of 1 kHz; the tolerance is 0.1 LU
@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([(20, -23)], -23.0),
        ([(20, -33)], -33.0),
        ([(10, -36), (60, -23), (10, -36)], -23.0),
        ([(10, -72), (10, -36), (60, -23), (10, -36), (10, -72)], -23.0),
    ],
)
def test_the_reference_signals_of_the_ebu(parts: list[tuple[float, float]], expected: float) -> None:
    assert loudness(stereo(*(sine(*part) for part in parts)), 48_000) == pytest.approx(expected, abs=0.1)


def speech_like(rate: int, seconds: float = 7.3) -> Any:
    """Noise in syllables of changing level, with a pause."""
    draw = np.random.default_rng(3)
    n = round(seconds * rate)
    envelope = np.abs(np.sin(2 * np.pi * 3 * np.arange(n) / rate)) * np.linspace(0.05, 0.4, n)
    envelope[n // 3 : n // 2] = 1e-4
    return draw.standard_normal(n) * envelope


# BS.1770-4, annex 1: 0 dB of full scale at 997 Hz in one of the front channels
@pytest.mark.parametrize("rate", [16_000, 44_100, 48_000])
def test_a_sine_of_997_hertz_at_full_scale(rate: int) -> None:
    assert loudness(sine(2, 0, rate, 997.0), rate) == pytest.approx(-3.01, abs=0.05)


def test_a_recording_shorter_than_a_block_is_one_block() -> None:
    assert loudness(sine(0.3, -20, hertz=997.0), 48_000) == pytest.approx(-23.01, abs=0.05)
    assert loudness(np.zeros(1), 48_000) == float("-inf")


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyloudnorm", None)
    with pytest.raises(SpecError, match="measuring loudness needs the package pyloudnorm") as raised:
        loudness(np.zeros(48_000), 48_000)
    assert raised.value.fix == "pip install 'triptych[build]'"


def test_it_measures_as_ffmpeg_does() -> None:
    av = pytest.importorskip("av")
    samples = speech_like(48_000)
    graph = av.filter.Graph()
    source = graph.add_abuffer(sample_rate=48_000, format="flt", layout="mono")
    meter, sink = graph.add("ebur128", "metadata=1"), graph.add("abuffersink")
    source.link_to(meter)
    meter.link_to(sink)
    graph.configure()
    frame = av.AudioFrame.from_ndarray(samples.astype(np.float32)[None], format="flt", layout="mono")
    frame.rate = 48_000
    source.push(frame)
    source.push(None)
    heard = -70.0
    while True:
        try:
            heard = float(sink.pull().metadata["lavfi.r128.I"])
        except (av.error.EOFError, av.error.BlockingIOError):
            break
    assert loudness(samples, 48_000) == pytest.approx(heard, abs=0.1)


def test_silence_and_nothing_have_no_loudness() -> None:
    assert loudness(np.zeros(48_000), 48_000) == float("-inf")
    assert loudness(np.zeros(0), 48_000) == float("-inf")
    assert at_loudness(np.zeros(100), 48_000, -23.0)[1] == 0.0


def test_a_recording_is_brought_to_a_loudness_and_never_clipped() -> None:
    quiet = sine(5, -40)
    louder, gain = at_loudness(quiet, 48_000, -23.0)
    assert loudness(louder, 48_000) == pytest.approx(-23.0, abs=0.01)
    assert gain == pytest.approx(-23.0 - loudness(quiet, 48_000), abs=0.01)
    peaky = quiet.copy()
    peaky[100] = 0.9
    assert np.max(np.abs(at_loudness(peaky, 48_000, -10.0)[0])) == pytest.approx(0.891, abs=1e-6)


@pytest.mark.parametrize("channels", [1, 2])
def test_silence_at_both_ends_is_found(channels: int) -> None:
    rate = 16_000
    mono = np.concatenate([np.zeros(rate), sine(2, -10, rate), np.zeros(rate // 2)])
    begin, end = sounding_range(np.stack([mono] * channels, axis=1), rate, margin_s=0.1)
    assert begin == pytest.approx(0.9 * rate, abs=rate // 100)
    assert end == pytest.approx(3.1 * rate, abs=rate // 100)


def test_noise_far_below_the_loudest_frame_is_silence_and_a_pause_inside_is_not() -> None:
    rate = 16_000
    hiss = np.random.default_rng(0).standard_normal(rate) * 1e-4
    mono = np.concatenate([hiss, sine(1, -10, rate), hiss, sine(1, -12, rate), hiss])
    begin, end = sounding_range(mono, rate, margin_s=0.0)
    assert (begin, end) == (rate, 4 * rate)


def test_silence_throughout_leaves_nothing() -> None:
    assert sounding_range(np.zeros(1000), 16_000) == (0, 0)
    assert sounding_range(np.zeros((0, 1)), 16_000) == (0, 0)
