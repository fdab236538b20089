"""Parts of recordings and films: the samples and pictures of the wanted seconds, and times that belong elsewhere."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from triptych.errors import MediaError
from triptych.media.parts import part_of_film, part_of_sound
from triptych.media.payload import MediaReader
from triptych.records import Part

RATE = 8000


def recording(format_: str = "WAV", seconds: int = 10, channels: int = 2) -> bytes:
    """Each second has a level of its own."""
    level = np.repeat(np.arange(seconds), RATE)[:, None] * np.linspace(0.02, 0.04, channels)[None, :]
    out = io.BytesIO()
    soundfile.write(out, level, RATE, format=format_)
    return out.getvalue()


@pytest.mark.parametrize("format_", ["WAV", "FLAC"])
def test_exactly_the_wanted_samples(format_: str) -> None:
    whole, rate = soundfile.read(io.BytesIO(recording(format_)))
    part, own = soundfile.read(io.BytesIO(part_of_sound(recording(format_), 2.5, 4.25)))
    assert own == rate and np.allclose(part, whole[20_000:34_000], atol=1e-4)
    rest, _ = soundfile.read(io.BytesIO(part_of_sound(recording(format_), 9.5, None)))
    assert len(rest) == RATE // 2
    late, _ = soundfile.read(io.BytesIO(part_of_sound(recording(format_), 9, 10.6)))
    assert len(late) == RATE, "released times are rounded"


@pytest.mark.parametrize(("begin", "end"), [(10, None), (12, 13), (5, 11.5)])
def test_times_of_another_file_are_an_error(begin: float, end: float | None) -> None:
    with pytest.raises(MediaError, match="the file ends before") as refused:
        part_of_sound(recording(), begin, end, "a.wav")
    assert "10.00 s" in str(refused.value)


def test_a_part_is_a_step_of_a_media_part_and_conditions_come_after_it(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(recording())
    reader = MediaReader(tmp_path)
    whole = reader.load(Part("audio", path="a.wav"))
    part = reader.load(Part("audio", path="a.wav", transform="part:from=3,to=5"))
    cut = reader.load(Part("audio", path="a.wav", transform="part:from=3,to=5|cut:seconds=0.5"))
    assert part.sha256 != whole.sha256 and part.mime == "audio/wav"
    samples, _ = soundfile.read(io.BytesIO(cut.data))
    assert len(samples) == RATE // 2 and abs(samples[0, 0] - 3 * 0.02) < 1e-3
    for wrong in ("part:from=5,to=3", "part:from=-1", "part:to=nan,from=0", "part"):
        with pytest.raises(MediaError):
            reader.load(Part("audio", path="a.wav", transform=wrong))
    with pytest.raises(MediaError, match="can't be changed"):
        reader.load(Part("image", path="a.wav", transform="part:from=3,to=5"))


def film(seconds: int, format_: str, video: str, sound: str | None) -> bytes:
    """The pictures' brightness is the time in tenths of a second; the sound's pitch rises every second."""
    av = pytest.importorskip("av", reason="PyAV is not installed (pip install av)")
    out = io.BytesIO()
    with av.open(out, "w", format=format_) as target:
        pictures = target.add_stream(video, rate=25)
        pictures.width, pictures.height, pictures.pix_fmt = 64, 48, "yuv420p"
        track = target.add_stream(sound, rate=48_000, layout="mono") if sound else None
        for n in range(25 * seconds):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), n * 10 // 25, np.uint8), format="rgb24")
            frame.pts = n
            target.mux(pictures.encode(frame))
        target.mux(pictures.encode(None))
        if track is not None:
            time = np.arange(48_000 * seconds) / 48_000
            wave = (0.5 * np.sin(2 * np.pi * (200 + 100 * np.floor(time)) * time)).astype(np.float32)
            for begin in range(0, len(wave), 960):
                piece = av.AudioFrame.from_ndarray(*_samples(wave[None, begin : begin + 960], sound), layout="mono")
                piece.sample_rate, piece.pts = 48_000, begin
                target.mux(track.encode(piece))
            target.mux(track.encode(None))
    return out.getvalue()


def _samples(wave: Any, sound: str | None) -> tuple[Any, str]:
    if sound == "pcm_u8":
        return ((wave + 1) * 127.5).astype(np.uint8), "u8"
    return wave, "flt" if sound == "libopus" else "fltp"


def shown(data: bytes) -> tuple[list[tuple[float, float]], Any, int]:
    import av

    with av.open(io.BytesIO(data)) as container:
        stream = container.streams.video[0]
        pictures = [
            (round(float(f.pts * stream.time_base), 3), float(f.to_ndarray(format="rgb24").mean()))
            for f in container.decode(stream)
        ]
    with av.open(io.BytesIO(data)) as container:
        if not container.streams.audio:
            return pictures, None, 0
        pieces = [f.to_ndarray()[0] for f in container.decode(container.streams.audio[0])]
        return pictures, np.concatenate(pieces).astype(float), container.streams.audio[0].rate


@pytest.mark.parametrize(
    ("format_", "video", "sound"),
    [("mp4", "libx264", "aac"), ("webm", "libvpx-vp9", "libopus"), ("matroska", "libx264", "libmp3lame")],
)
def test_pictures_and_sound_of_a_film_stay_together(format_: str, video: str, sound: str) -> None:
    data = film(12, format_, video, sound)
    part = part_of_film(data, 7.5, 10.0)
    assert part == part_of_film(data, 7.5, 10.0), "the same part has the same hash"
    pictures, samples, rate = shown(part)
    assert pictures[0][0] == 0 and abs(pictures[0][1] - 74) < 3, "the picture that is visible at 7.5 s is the first"
    assert abs(pictures[-1][0] - 2.48) < 0.05 and abs(pictures[-1][1] - 99) < 3
    assert abs(len(samples) / rate - 2.5) < 0.06
    window = samples[int(0.7 * rate) : int(1.3 * rate)]  # 8.2 to 8.8 s: 200 + 8 * 100 Hz
    loudest = np.fft.rfftfreq(len(window), 1 / rate)[np.abs(np.fft.rfft(window)).argmax()]
    assert abs(loudest - 1000) < 5


def test_a_silent_film_and_its_end() -> None:
    data = film(4, "mp4", "libx264", None)
    pictures, samples, _ = shown(part_of_film(data, 3.0, None))
    assert samples is None and len(pictures) == 25
    with pytest.raises(MediaError, match="the file ends before"):
        part_of_film(data, 4.5, 6)


@pytest.mark.parametrize(("format_", "video"), [("matroska", "libx264"), ("avi", "mpeg4")])
def test_a_film_whose_sound_mp4_cannot_hold_is_cut_too(format_: str, video: str) -> None:
    part = part_of_film(film(4, format_, video, "pcm_u8"), 1.0, 3.0)
    assert part[:4] == b"\x1aE\xdf\xa3", "Matroska"
    pictures, samples, rate = shown(part)
    assert len(pictures) == 50 and abs(len(samples) / rate - 2) < 0.06


@pytest.mark.parametrize(("begin", "end"), [(0.3, 0.6), (0.31, 0.97), (1.234, 2.345)])
def test_a_part_may_begin_between_two_pictures(begin: float, end: float) -> None:
    """25 pictures a second, whose times an AVI file can only count by pictures."""
    pictures, _, _ = shown(part_of_film(film(4, "avi", "mpeg4", None), begin, end))
    later = [n / 25 - begin for n in range(100) if begin < n / 25 < end]
    assert [at for at, _ in pictures] == pytest.approx([0.0, *later], abs=0.002)


def test_a_damaged_film_is_still_named() -> None:
    with pytest.raises(MediaError, match=r"damaged|can't be"):
        part_of_film(film(2, "mp4", "libx264", None)[:600], 0.5, 1.0, "v.mp4")
