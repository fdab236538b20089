"""Stages about sound: what a file holds, and recordings in one form."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.construction.stages import decide
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Outcome
from triptych.construction.stages.sound import probe, standard_sound
from triptych.media.loudness import loudness
from triptych.media.sound import decode_sound, encode_wav

RATE = 44_100


def film(path: Path, seconds: float = 2.0, *, sound: bool = True, side: int = 64) -> None:
    """A film of grey pictures, ten a second, with a tone."""
    av = pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    with av.open(str(path), "w") as made:
        pictures = made.add_stream("libx264", rate=10)
        pictures.width, pictures.height, pictures.pix_fmt = 2 * side, side, "yuv420p"
        tone = made.add_stream("aac", rate=RATE, layout="mono") if sound else None
        for n in range(round(seconds * 10)):
            picture = np.full((side, 2 * side, 3), n * 8 % 255, np.uint8)
            made.mux(pictures.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        made.mux(pictures.encode(None))
        if tone is not None:
            wave = 0.1 * np.sin(np.arange(round(seconds * RATE)) / 20).astype(np.float32)
            frame = av.AudioFrame.from_ndarray(wave[None], format="fltp", layout="mono")
            frame.rate = RATE
            made.mux(tone.encode(frame))
            made.mux(tone.encode(None))


def looked_at(path: Path, **parameters: Any) -> Outcome:
    own = probe.with_(**parameters)
    fields = {"film": path.name, "film_sha256": "0"}
    context = Context(own.parameters, MediaStore(path.parent), 0, path.parent)
    return own.checked(own.run(Values(own, "r", fields), context), "r")


def test_a_film_says_its_length_and_streams(tmp_path: Path) -> None:
    film(tmp_path / "f.mp4")
    found = looked_at(tmp_path / "f.mp4", needs=["audio", "video"])
    assert found.decision == "kept" and found.fields["seconds"] == pytest.approx(2.0, abs=0.1)
    told = found.fields["streams"]
    assert (told["width"], told["height"], told["rate"], told["channels"]) == (128, 64, RATE, 1)
    assert told["per_second"] == pytest.approx(10, abs=0.1)


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"needs": ["video", "audio"]}, "no-audio"),
        ({"needs": ["video"], "least_seconds": 3.0}, "too-short"),
        ({"needs": ["video"], "most_seconds": 1.0}, "too-long"),
        ({"needs": ["video"], "least_pixels": 100}, "picture-too-small"),
    ],
)
def test_a_film_that_lacks_something_is_dropped(tmp_path: Path, parameters: dict[str, Any], reason: str) -> None:
    film(tmp_path / "f.mp4", sound=False)
    assert looked_at(tmp_path / "f.mp4", **parameters).reason == reason


def test_a_damaged_film_is_an_error_of_its_media(tmp_path: Path) -> None:
    pytest.importorskip("av")
    from triptych.errors import MediaError

    (tmp_path / "f.mp4").write_bytes(b"\x00\x00\x00\x20ftypisom" + bytes(2000))
    with pytest.raises(MediaError):
        looked_at(tmp_path / "f.mp4")


def stored(tmp_path: Path, samples: Any) -> str:
    return MediaStore(tmp_path).put(encode_wav(samples, RATE), "wav")


def tone(seconds: float, level: float) -> Any:
    return level * np.sin(2 * np.pi * 440 * np.arange(round(seconds * RATE)) / RATE)


def test_a_recording_is_trimmed_made_mono_and_equally_loud(tmp_path: Path) -> None:
    silence = np.zeros(RATE)
    mono = np.concatenate([silence, tone(3, 0.02), silence])
    outcome = decide(standard_sound, {"audio": stored(tmp_path, np.stack([mono, mono], axis=1))}, tmp_path, margin=0.1)
    assert (outcome.decision, outcome.reason) == ("revised", "standardised")
    made = outcome.fields
    assert made["seconds"] == pytest.approx(3.2, abs=0.03) and made["trimmed"] == pytest.approx([0.9, 0.9], abs=0.03)
    path = tmp_path / made["audio"]
    sound = decode_sound(path.read_bytes(), path)
    assert (sound.rate, sound.channels) == (16_000, 1)
    assert loudness(sound.samples, sound.rate) == pytest.approx(-23.0, abs=0.1) and made["lufs"] == -23.0


def test_the_silence_stays_where_it_is_asked_to(tmp_path: Path) -> None:
    samples = np.concatenate([np.zeros(RATE), tone(1, 0.1)]).reshape(-1, 1)
    outcome = decide(standard_sound, {"audio": stored(tmp_path, samples)}, tmp_path, trim=False)
    assert outcome.fields["seconds"] == 2.0 and outcome.fields["trimmed"] == [0.0, 0.0]


@pytest.mark.parametrize(("seconds", "level", "reason"), [(1.0, 0.0, "silent"), (0.05, 0.1, "too-short")])
def test_a_recording_without_enough_sound_is_dropped(tmp_path: Path, seconds: float, level: float, reason: str) -> None:
    outcome = decide(
        standard_sound, {"audio": stored(tmp_path, tone(seconds, level).reshape(-1, 1))}, tmp_path, margin=0.0
    )
    assert (outcome.decision, outcome.reason) == ("dropped", reason)


def test_the_same_recording_gives_the_same_bytes(tmp_path: Path) -> None:
    value = stored(tmp_path, tone(1, 0.1).reshape(-1, 1))
    first, second = (decide(standard_sound, {"audio": value}, tmp_path).fields["audio"] for _ in range(2))
    assert first == second
    assert io.BytesIO((tmp_path / first).read_bytes()).read(4) == b"RIFF"
