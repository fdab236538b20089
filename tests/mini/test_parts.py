"""The parts that only some subtasks need: landscapes, instruments, rooms, singers."""

from __future__ import annotations

import numpy as np
import pytest
from tools.mini import instruments, nature, rooms, singers, sounds

pytestmark = pytest.mark.mini


def pitch(wave: np.ndarray) -> float:
    """The pitch in Hz: the first high peak of the autocorrelation."""
    part = wave[:4096].astype(np.float64)
    found = np.correlate(part, part, "full")[len(part) - 1 :] / np.arange(len(part), 0, -1)
    inside = found[1:1200]
    peaks = np.flatnonzero((inside > found[:1199]) & (inside >= found[2:1201]) & (inside > 0.8 * inside[15:].max())) + 1
    return sounds.RATE / float(peaks[peaks > 12][0])


@pytest.mark.parametrize("name", instruments.TONES)
def test_an_instrument_plays_its_notes(name: str) -> None:
    wave = instruments.played(name, (0, 12))
    half = len(wave) // 2
    for part, times in ((wave[2000:half], 1), (wave[half + 2000 :], 2)):
        assert pitch(part) == pytest.approx(times * instruments.TONES[name].hertz, rel=0.03)
    assert np.array_equal(wave, instruments.played(name, (0, 12)))


def test_instruments_together_have_equal_energy() -> None:
    mix = instruments.together(("flute", "tuba"), 0)
    spectrum, hertz = np.abs(np.fft.rfft(mix)) ** 2, np.fft.rfftfreq(len(mix), 1 / sounds.RATE)
    low, high = spectrum[hertz < 550].sum(), spectrum[hertz >= 550].sum()
    assert 0.4 < low / high < 2.5
    assert instruments.drawn(("flute", "tuba"), 1).size == (320, 160)


@pytest.mark.parametrize("text", nature.SCENES)
def test_landscapes_differ_by_their_seed_and_are_the_same_again(text: str) -> None:
    heard, seen = nature.SCENES[text]
    assert np.array_equal(heard(1), heard(1)) and not np.array_equal(heard(1), heard(2)[: len(heard(1))])
    assert seen(1).tobytes() == seen(1).tobytes() != seen(2).tobytes()


def test_singers_differ_in_range_and_pace_and_their_biographies_name_both() -> None:
    assert len({singer.voice for singer in singers.SINGERS}) == len(singers.SINGERS) == 8
    for number, singer in enumerate(singers.SINGERS):
        wave = singers.song(singer, 0)
        assert pitch(wave[1200:5000]) == pytest.approx(singers.RANGES[singer.range], rel=0.04)
        assert (len(wave) > 2 * sounds.RATE) == singer.slow
        assert all(part in singers.biography(singer, number) for part in (singer.name, singer.voice, singer.town))


@pytest.mark.parametrize("azimuth", [0, 67, -157, 180])
def test_a_room_sounds_where_its_picture_is(azimuth: float) -> None:
    empty = np.asarray(rooms.panorama("bell", (azimuth + 180) % 360)).astype(int)
    shown = np.abs(np.asarray(rooms.panorama("bell", azimuth)).astype(int) - empty).sum(axis=(0, 2))
    x = (0.5 - azimuth / 360) * rooms.SIZE[0] % rooms.SIZE[0]
    assert shown[int(x) % rooms.SIZE[0]] > 0
    w, y, _, front = rooms.field(rooms.repeated(sounds.doorbell()), azimuth).T
    turned = np.degrees(np.arctan2(np.sum(w * y), np.sum(w * front)))
    assert (turned - azimuth + 180) % 360 - 180 == pytest.approx(0, abs=1)
