"""Tests of `audit/data/recordings.py`: checks of media files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile
from PIL import Image, ImageDraw

from tests.audit.data.test_check import heard
from triptych.audit.data.recordings import picture_print, sound_print


def tone(path: Path, seconds: float = 2.0, gain: float = 0.3, seed: int = 0, rate: int = 8000) -> None:
    rng = np.random.default_rng(seed)
    shape = np.repeat(rng.uniform(0.05, 1.0, 40), int(seconds * rate) // 40)
    wave = gain * shape * np.sin(np.arange(len(shape)) * 0.3)
    soundfile.write(path, np.clip(wave, -1, 1), rate, subtype="PCM_16")


def test_media_that_can_be_heard_are_no_finding(tmp_path: Path) -> None:
    for seed in range(6):
        tone(tmp_path / f"{seed}.wav", seed=seed)
    assert heard(tmp_path, [f"{seed}.wav" for seed in range(6)] + ["not-there.wav"], longest_seconds=3.0) == {}


def test_silent_clipped_long_short_and_broken_media(tmp_path: Path) -> None:
    tone(tmp_path / "fine.wav", seed=1)
    tone(tmp_path / "silent.wav", gain=0.0)
    tone(tmp_path / "clipped.wav", gain=4.0, seed=2)
    tone(tmp_path / "long.wav", seconds=5.0, seed=3)
    tone(tmp_path / "short.wav", seconds=0.4, seed=4)
    (tmp_path / "broken.wav").write_bytes(b"RIFF, and then nothing")
    names = ["fine.wav", "silent.wav", "clipped.wav", "long.wav", "short.wav", "broken.wav"]
    found = heard(tmp_path, names, longest_seconds=3.0, shortest_seconds=1.0)
    assert set(found) == {"media silent", "media clipped", "media long", "media short", "media unreadable"}
    assert all(f"{kind}" in found[f"media {kind}"].message for kind in ("silent", "clipped", "long", "short"))
    assert found["media unreadable"].rows == ("i5",)


def test_the_same_and_nearly_the_same_media(tmp_path: Path) -> None:
    tone(tmp_path / "a.wav", seed=1)
    (tmp_path / "b.wav").write_bytes((tmp_path / "a.wav").read_bytes())
    tone(tmp_path / "louder.wav", seed=1, gain=0.6)
    rng = np.random.default_rng(0)
    picture = Image.fromarray(rng.integers(0, 255, (60, 80, 3), dtype=np.uint8)).resize((240, 180))
    picture.save(tmp_path / "p.png")
    picture.resize((200, 150)).save(tmp_path / "q.jpg", quality=80)
    Image.fromarray(rng.integers(0, 255, (60, 80, 3), dtype=np.uint8)).resize((240, 180)).save(tmp_path / "r.png")
    found = heard(tmp_path, ["a.wav", "b.wav", "louder.wav", "p.png", "q.jpg", "r.png"])
    same = found["duplicate are the same, byte by byte"]
    assert "a.wav = b.wav" in same.message and same.severity == "warning"
    assert "louder.wav" in found["duplicate are nearly the same (audio)"].message
    assert "p.png = q.jpg" in found["duplicate are nearly the same (image)"].message
    assert "r.png" not in found["duplicate are nearly the same (image)"].message


def test_two_notes_that_die_away_are_two_recordings(tmp_path: Path) -> None:
    """Their loudness falls alike, so their prints are one; what sounds is another note. The same note at another rate
    and level is the same recording."""
    for name, pitch, rate, gain in (("a", 262, 8000, 0.5), ("b", 392, 8000, 0.5), ("c", 262, 16000, 0.2)):
        time = np.arange(2 * rate) / rate
        wave = gain * np.exp(-2 * time) * sum(np.sin(2 * np.pi * pitch * k * time) / k for k in (1, 2, 3))
        soundfile.write(tmp_path / f"{name}.wav", wave, rate, subtype="PCM_16")
    assert heard(tmp_path, ["a.wav", "b.wav"]) == {}
    near = heard(tmp_path, ["a.wav", "b.wav", "c.wav"])["duplicate are nearly the same (audio)"]
    assert "a.wav = c.wav" in near.message and "b.wav" not in near.message


def test_other_words_on_one_card_are_another_picture(tmp_path: Path) -> None:
    for name, word in (("a.png", "harbour"), ("b.png", "lantern"), ("c.png", "thunder")):
        card = Image.new("RGB", (200, 120), "ivory")
        ImageDraw.Draw(card).text((40, 40), word, fill="black", font_size=30)
        card.save(tmp_path / name)
    assert heard(tmp_path, ["a.png", "b.png", "c.png"]) == {}


def test_blank_pictures_and_videos_cut_short(tmp_path: Path) -> None:
    Image.new("RGB", (40, 30), "grey").save(tmp_path / "grey.png")
    for name, seed in (("a.mp4", 1), ("b.mp4", 1), ("c.mp4", 2)):
        film(tmp_path / name, seed, crf=20 if name == "a.mp4" else 26)
    whole = (tmp_path / "c.mp4").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    found = heard(tmp_path, ["grey.png", "a.mp4", "b.mp4", "c.mp4", "cut.mp4"], longest_seconds=9.0)
    assert found["media blank"].rows == ("i0",)
    assert found["media unreadable"].rows == ("i4",)
    assert "a.mp4 = b.mp4" in found["duplicate are nearly the same (video)"].message
    assert "c.mp4" not in found["duplicate are nearly the same (video)"].message


def film(path: Path, seed: int, crf: int) -> None:
    """Two seconds of one noisy picture that wanders, with the file's index at its front."""
    import av

    rng = np.random.default_rng(seed)
    picture = np.asarray(
        Image.fromarray(rng.integers(0, 255, (9, 12, 3), dtype=np.uint8)).resize((160, 120), Image.Resampling.BILINEAR)
    )
    with av.open(str(path), "w", options={"movflags": "faststart"}) as target:
        stream = target.add_stream("libx264", rate=10, options={"crf": str(crf)})
        stream.width, stream.height, stream.pix_fmt, stream.gop_size = 160, 120, "yuv420p", 5
        for number in range(20):
            target.mux(stream.encode(av.VideoFrame.from_ndarray(np.roll(picture, number, axis=1), format="rgb24")))
        target.mux(stream.encode(None))


def test_fingerprints_do_not_depend_on_level_or_size() -> None:
    rng = np.random.default_rng(1)
    wave = rng.normal(size=(6400, 1)) * np.repeat(rng.uniform(0.1, 1, 64), 100)[:, None]
    assert sound_print(wave) == sound_print(wave * 0.1)
    assert sound_print(np.hstack([wave, wave * 0])) != sound_print(np.hstack([wave * 0, wave]))  # sides count
    image = Image.fromarray(rng.integers(0, 255, (9, 8, 3), dtype=np.uint8)).resize((90, 80))
    assert (picture_print(image) ^ picture_print(image.resize((180, 160)))).bit_count() <= 3
