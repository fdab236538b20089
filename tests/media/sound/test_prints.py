"""One recording in other formats, at other levels and after other silence is the same; other recordings are others."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import soundfile

from triptych.media.sound.coding import decode_sound
from triptych.media.sound.prints import SHARED, shared, sound_print, twins

ROOT = Path(__file__).parents[3] / "src/triptych/benchmarks"
RATE = 16_000


def speech(name: str) -> np.ndarray:
    path = next(ROOT.glob(f"*/mini/**/{name}"))
    return decode_sound(path.read_bytes()).mono(RATE)


def files() -> list[Path]:
    return sorted((ROOT / "mcga/mini").rglob("*.ogg"))[:10] + sorted((ROOT / "cmdar/mini").rglob("*.ogg"))[:10]


def through(samples: np.ndarray, kind: str, subtype: str | None, rate: int = RATE) -> np.ndarray:
    """The sound written as a file of this kind and read again."""
    import soxr

    out = io.BytesIO()
    soundfile.write(
        out, soxr.resample(samples, RATE, rate) if rate != RATE else samples, rate, format=kind, subtype=subtype
    )
    return decode_sound(out.getvalue()).mono(RATE)


CHANGES = {
    "quieter": lambda x: 0.1 * x,
    "louder": lambda x: np.clip(3 * x, -1, 1),
    "as MP3": lambda x: through(x, "MP3", None),
    "as Vorbis": lambda x: through(x, "OGG", "VORBIS"),
    "with 8 bits": lambda x: through(x, "WAV", "PCM_U8"),
    "at 44.1 kHz": lambda x: through(x, "WAV", "PCM_16", 44_100),
    "at a telephone's rate": lambda x: through(x, "WAV", "PCM_16", 8_000),
    "after silence": lambda x: np.concatenate([np.zeros(int(3.21 * RATE), np.float32), x]),
    "without its first 0.3 s": lambda x: x[int(0.3 * RATE) :],
    "upside down": lambda x: -x,
    "with some noise": lambda x: x + 0.002 * np.random.default_rng(1).standard_normal(len(x)).astype(np.float32),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_same_recording_is_known_again(change: str) -> None:
    for path in files()[::4]:
        samples = decode_sound(path.read_bytes()).mono(RATE)
        changed = CHANGES[change](samples)
        assert shared(sound_print(samples, RATE), sound_print(changed, RATE)) >= SHARED, path.name


def test_other_recordings_by_the_same_voices_are_others() -> None:
    prints = [sound_print(decode_sound(path.read_bytes()).mono(RATE), RATE) for path in files()]
    assert all(prints) and twins(prints) == []


def test_nothing_to_hear_is_like_nothing() -> None:
    assert sound_print(np.zeros(RATE * 5, np.float32), RATE) == ""
    assert sound_print(np.zeros(10, np.float32), RATE) == "" and shared("", "") == 0.0
    assert twins(["", "", ""]) == []
