"""Files of which an upload or a copy kept only the beginning, in the formats of phones, browsers and editors."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import soundfile

from triptych.media.cut_files import cut_short, file_cut_short

RATE = 16_000
FORMATS = ["wav", "aiff", "ogg-vorbis", "ogg-opus", "mp3", "adts", "mp4", "webm", "mkv", "avi"]


def sound(seconds: float = 6.0) -> np.ndarray:
    draw = np.random.default_rng(0)
    t = np.arange(int(RATE * seconds)) / RATE
    return (0.2 * np.sin(2 * np.pi * 220 * t) + 0.05 * draw.standard_normal(len(t))).astype(np.float32)


def encoded(name: str) -> bytes:
    """The sound in a format, as libsndfile or FFmpeg writes it."""
    out = io.BytesIO()
    simple = {
        "wav": ("WAV", "PCM_16"),
        "aiff": ("AIFF", "PCM_16"),
        "ogg-vorbis": ("OGG", "VORBIS"),
        "mp3": ("MP3", None),
    }
    if name in simple:
        kind, subtype = simple[name]
        soundfile.write(out, sound(), RATE, format=kind, subtype=subtype)
        return out.getvalue()
    av = pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    box, codec, rate = {
        "ogg-opus": ("ogg", "libopus", 48_000),
        "adts": ("adts", "aac", RATE),
        "mp4": ("mp4", "aac", RATE),
        "webm": ("webm", "libopus", 48_000),
        "mkv": ("matroska", "flac", RATE),
        "avi": ("avi", "pcm_s16le", RATE),
    }[name]
    samples = np.interp(np.arange(0, 6, 1 / rate), np.arange(0, 6, 1 / RATE), sound()).astype(np.float32)
    with av.open(out, "w", format=box) as container:
        stream = container.add_stream(codec, rate=rate, layout="mono")
        wanted = stream.codec_context.format.name if stream.codec_context.format else "fltp"
        size = 960
        for begin in range(0, len(samples) - size, size):
            piece = samples[begin : begin + size].reshape(1, -1)
            frame = av.AudioFrame.from_ndarray(piece, format="flt", layout="mono")
            frame.sample_rate, frame.pts, frame.time_base = rate, begin, Fraction(1, rate)
            for ready in av.AudioResampler(format=wanted, layout="mono", rate=rate).resample(frame):
                for packet in stream.encode(ready):
                    container.mux(packet)
        for packet in stream.encode(None):
            container.mux(packet)
    return out.getvalue()


@pytest.mark.parametrize("name", FORMATS)
def test_a_whole_file_is_whole_and_a_part_of_it_is_cut(name: str, tmp_path: Path) -> None:
    data = encoded(name)
    assert cut_short(data) == ""
    for share in (0.3, 0.5, 0.9, 0.97):
        part = data[: int(len(data) * share)]
        assert cut_short(part), share
    (tmp_path / "f").write_bytes(data[: len(data) // 2])
    assert file_cut_short(tmp_path / "f")


def test_what_was_written_without_a_known_end_is_whole() -> None:
    """Recorders of browsers and pipes leave sizes open."""
    wav = bytearray(encoded("wav"))
    for stated in (0, 0xFFFFFFFF, 0x7FFFF000):
        at = wav.index(b"data") + 4
        wav[at : at + 4] = stated.to_bytes(4, "little")
        assert cut_short(bytes(wav)) == ""
    webm = encoded("webm")
    at = webm.index(bytes.fromhex("18538067")) + 4
    live = webm[:at] + b"\x01" + b"\xff" * 7 + webm[at + 8 :]
    assert cut_short(live) == "" and cut_short(live[: int(len(live) * 0.8)])


def test_tags_at_the_end_are_no_cut_and_other_data_is_left_alone() -> None:
    mp3 = encoded("mp3")
    assert cut_short(mp3 + b"TAG" + bytes(125)) == ""
    assert cut_short(b"ID3\x04\x00\x00\x00\x00\x00\x0a" + bytes(10) + mp3) == ""
    for data in (b"", b"R", b"RIFF", b"OggS", b"\xff\xfb", b"<html>", b"fLaC" + bytes(40), b"\x1aE\xdf\xa3", bytes(64)):
        cut_short(data)
    assert cut_short(b"<html><body>not found</body></html>") == ""


def test_the_speech_of_the_mini_sets_is_whole() -> None:
    root = Path(__file__).parents[2] / "src/triptych/benchmarks"
    files = [
        path for path in root.glob("*/mini/**/*") if path.suffix in (".ogg", ".mp3", ".wav", ".flac", ".mp4", ".webm")
    ]
    assert len(files) > 50
    assert [path.name for path in files if file_cut_short(path)] == []
