"""Tests of `media/sniff.py`: detecting the type of a file by its first bytes."""

from __future__ import annotations

from pathlib import Path

from triptych.media.sniff import sniff


def test_what_real_encoders_write_is_known_by_its_bytes(tmp_path: Path) -> None:
    import numpy as np
    import soundfile
    from PIL import Image

    samples = np.zeros(4800, np.float32)
    for name, kind, mime in (
        ("wav", "WAV", "audio/wav"),
        ("flac", "FLAC", "audio/flac"),
        ("ogg", "OGG", "audio/ogg"),
        ("mp3", "MP3", "audio/mpeg"),
    ):
        soundfile.write(tmp_path / f"a.{name}", samples, 24_000, format=kind)
        assert sniff((tmp_path / f"a.{name}").read_bytes()) == mime
    for name, mime in (
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("WEBP", "image/webp"),
        ("GIF", "image/gif"),
        ("BMP", "image/bmp"),
    ):
        Image.new("RGB", (4, 4)).save(tmp_path / "b", name)
        assert sniff((tmp_path / "b").read_bytes()) == mime
    assert sniff(b"") == sniff(b"\xff") == sniff(b"hello") == sniff(b"RIFF....xxxx") == ""
