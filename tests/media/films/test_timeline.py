"""Frames chosen by time: variable rates, late sound and pictures, turned films, long ones, and files of many makes."""

from __future__ import annotations

import random

import numpy as np
import pytest

pytest.importorskip("av", reason="av is not installed")

from tests.support.known_films import HERTZ, known_film, number_in
from triptych.media.films.frames import film, wanted_frame_count
from triptych.media.films.timeline import Timeline, evenly_spaced_frames, timeline
from triptych.media.sound.coding import sound_track

SLIDES = (0.0, 100.0, 300.0, 900.0)
# Frames of a film, of how many that are chosen, which of them, its number by torch.linspace of 2.13
TIES = ((13059, 768, 545, 9278), (13346, 768, 480, 8352), (19996, 768, 644, 16788))


def numbers(data: bytes, *told: object, **more: object) -> tuple[list[int], tuple[float, ...]]:
    shown = film(data, *told, **more)  # type: ignore[arg-type]
    found = [number_in(picture) for picture in shown.pictures]
    assert found == list(shown.numbers), "the pictures are those whose numbers are told"
    return found, shown.times


@pytest.mark.parametrize(
    ("container", "codec"),
    [
        ("mp4", "libx264"),
        ("matroska", "libx264"),
        ("webm", "libvpx-vp9"),
        ("mpegts", "libx264"),
        ("mov", "mpeg4"),
        ("flv", "libx264"),
    ],
)
def test_frames_and_their_times_are_those_of_the_file(container: str, codec: str) -> None:
    found, times = numbers(known_film(container=container, codec=codec), 1.0, None)
    assert times == pytest.approx([number / 10 for number in found], abs=0.001)
    assert found[0] in (4, 5) and 52 <= found[-1] <= 57


def test_every_spread_takes_the_frames_that_it_names() -> None:
    data = known_film(100, 10)
    assert numbers(data, None, 4)[0] == [12, 37, 62, 87]
    assert numbers(data, None, 4, spread="start")[0] == [0, 25, 50, 75]
    assert numbers(data, None, 4, spread="finish")[0] == [25, 50, 75, 99]
    assert numbers(data, None, 4, spread="ends")[0] == [0, 33, 66, 99]
    assert numbers(data, 2.0, 7, min_frames=2, multiple=2, spread="ends")[1][-1] == 9.9
    assert len(numbers(data, None, None)[0]) == 100


def steady(total: int, rate: float) -> Timeline:
    times = tuple(round(number / rate, 6) for number in range(total))
    return Timeline(times, (), round(total / rate, 6), rate, 0.0, (64, 64))


def test_ends_is_what_cards_compute() -> None:
    """torch.linspace(0, total - 1, n).round(), as qwen-vl-utils chooses frames."""
    line = timeline(known_film(100, 10))
    for count in (4, 7, 16, 33):
        assert evenly_spaced_frames(line, count, "ends") == np.linspace(0, 99, count).round().astype(int).tolist()


def test_frames_are_those_of_qwen_vl_utils() -> None:
    """The published formula (qwen-vl-utils 0.0.14): smart_nframes, then torch.linspace in single precision."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    choose = random.Random(7)
    for number in range(400):
        rate = choose.choice([24, 25, 30, 30000 / 1001, 24000 / 1001, 12, 10, 15, 50, 60, 5, 1, 2.0])
        total = choose.randint(2, 12 if number % 4 == 0 else 6000)
        most = min(768, total) // 2 * 2
        count = int(min(min(max(total / rate * 2.0, 4), most), total)) // 2 * 2
        line = steady(total, rate)
        assert wanted_frame_count(line, 2.0, 768, min_frames=4, multiple=2) == count
        assert evenly_spaced_frames(line, count, "ends") == torch.linspace(0, total - 1, count).round().long().tolist()


@pytest.mark.parametrize(("total", "count", "place", "frame"), TIES)
def test_ties_are_rounded_as_in_single_precision(total: int, count: int, place: int, frame: int) -> None:
    """Frames that differ in double precision; those of torch 2.13."""
    assert evenly_spaced_frames(steady(total, 25), count, "ends")[place] == frame
    assert np.linspace(0, total - 1, count).round()[place] != frame


def test_a_film_of_three_frames_gives_two_if_a_multiple_of_two_is_asked() -> None:
    data = known_film(3, 10)
    assert numbers(data, 2.0, 768, min_frames=4, multiple=2, spread="ends")[0] == [0, 2]
    assert numbers(known_film(1), 2.0, 768, min_frames=4, multiple=2, spread="ends")[0] == [0]


def test_ends_down_is_what_ola_computes() -> None:
    """np.linspace(0, total - 1, 64, dtype=int), which rounds down."""
    line = timeline(known_film(100, 10))
    for count in (4, 7, 64):
        assert evenly_spaced_frames(line, count, "ends_down") == np.linspace(0, 99, count, dtype=int).tolist()


def test_start_is_what_cards_compute() -> None:
    """np.arange(0, total, total / n).astype(int), as LLaVA-NeXT-Video chooses frames."""
    line = timeline(known_film(100, 10))
    for count in (4, 8, 16):
        assert evenly_spaced_frames(line, count, "start") == np.arange(0, 100, 100 / count).astype(int).tolist()


def test_a_variable_rate_is_sampled_by_time() -> None:
    """10 frames a second for 3 s, then 2 a second: one frame a second is one frame a second throughout."""
    times = [*(n / 10 for n in range(30)), *(3 + n / 2 for n in range(30))]
    found, told = numbers(known_film(60, 10, times=times), 1.0, None)
    assert told == pytest.approx([times[number] for number in found], abs=0.001)
    assert np.diff(told).max() <= 1.01 and len(found) == 18
    assert not timeline(known_film(60, 10, times=times)).is_steady


def test_a_slide_is_one_frame_however_long_it_is_shown() -> None:
    data = known_film(4, 10, times=SLIDES)
    found, told = numbers(data, 1.0, 64)
    assert found == [0, 1, 2, 3] and told == SLIDES
    assert numbers(data, None, 2)[0] == [1, 2], "what is on screen in the middle of each half"


def test_a_film_of_one_frame_has_one() -> None:
    assert numbers(known_film(1), 8.0, 64) == ([0], (0.0,))


def test_the_length_is_what_the_film_declares() -> None:
    """A slide show ends when its last slide does, not a usual interval later."""
    assert timeline(known_film(4, 1, times=SLIDES, container="webm", codec="libvpx-vp9")).seconds == pytest.approx(901)
    assert timeline(known_film(60, 10)).seconds == pytest.approx(6)


def test_sound_that_begins_late_is_preceded_by_silence() -> None:
    data = known_film(60, 10, sound=4.0, late=2.0)
    sound = sound_track(data, None, timeline(data).begins)
    assert sound is not None and sound.seconds == pytest.approx(6, abs=0.1)
    loud = np.abs(sound.samples[:, 0])
    assert loud[: int(1.9 * sound.rate)].max() < 0.01 < 0.2 < loud[int(2.1 * sound.rate) :].max()
    second = sound.samples[3 * sound.rate : 4 * sound.rate, 0]
    assert int(np.abs(np.fft.rfft(second)).argmax()) == HERTZ
    assert sound_track(known_film(10)) is None
