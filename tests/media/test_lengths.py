"""Tests of `media/lengths.py`."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import numpy as np
import pytest
import soundfile
from PIL import Image

from tests.media.test_opening import FILM, PICTURE, SOUND, Reader, texts
from tests.media.test_transform import film, tone, wav
from triptych.errors import MediaError
from triptych.media.films.stills import stills
from triptych.media.lengths import film_seconds, media_seconds, seconds_of
from triptych.media.sound.coding import decode_sound, sound_track
from triptych.web.waveform import waveform

pytest.importorskip("av")


@pytest.mark.parametrize("name", sorted(texts(Path("/"))))
def test_a_text_that_names_other_files_or_addresses_is_no_media(
    working: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = texts(working)[name]
    for read in (*SOUND, *FILM, *PICTURE):
        with pytest.raises(MediaError):
            read(data)
    for path in (working / "clinic.ogg", working / "clinic%d.png", working / "clinic.sdp", working / "clinic.raw"):
        path.write_bytes(data)
        assert film_seconds(path) is None and media_seconds(path) is None
        for measure in (seconds_of, waveform):
            with pytest.raises(MediaError):
                measure(path)


def test_a_name_that_is_a_pattern_or_a_format_of_its_own_is_a_name(working: Path) -> None:
    """`a%d.png` is a file, not all that are called so; `.raw` is a suffix, not a format without a header."""
    for name in ("secret%d.wav", "sound.raw", "sound.sdp", "sound.eps"):
        (working / name).write_bytes(wav(tone(0.5)))
        assert seconds_of(working / name) == 0.5
        assert waveform(working / name)["seconds"] == 0.5
        assert film_seconds(working / name) == pytest.approx(0.5, abs=0.01)


def test_what_libraries_say_is_told_in_words() -> None:
    with pytest.raises(MediaError) as refused:
        seconds_of(Path(__file__))
    assert "Error opening the file: Format not recognised" in refused.value.problem
    with pytest.raises(MediaError) as refused:
        stills(b"no video")
    assert "Errno" not in refused.value.problem


def kinds() -> dict[str, tuple[bytes, list[Reader]]]:
    """A file of every kind that is read, and what reads it."""
    found: dict[str, tuple[bytes, list[Reader]]] = {"mp4": (film(), [*FILM, sound_track, decode_sound])}
    for name, subtype in (("WAV", "PCM_16"), ("FLAC", "PCM_16"), ("OGG", "VORBIS"), ("MP3", None), ("AIFF", None)):
        buffer = io.BytesIO()
        soundfile.write(buffer, tone(0.2), 16_000, format=name, subtype=subtype)
        found[name.lower()] = (buffer.getvalue(), SOUND)
    picture = Image.linear_gradient("L").convert("RGB").resize((40, 30))
    for name in ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF", "AVIF", "PPM"):
        if name in Image.SAVE or name != "AVIF":
            buffer = io.BytesIO()
            picture.save(buffer, name)
            found[name.lower()] = (buffer.getvalue(), PICTURE)
    return found


@pytest.mark.parametrize("name", sorted(kinds()))
def test_every_kind_is_read_whole_and_damaged_it_is_a_media_error_at_most(name: str, tmp_path: Path) -> None:
    data, readers = kinds()[name]
    rng = np.random.default_rng(len(data))
    assert all(read(data) is not None for read in readers)
    told = 0
    for trial in range(25):
        damaged = bytearray(data[: int(rng.integers(len(data)))] if trial % 3 == 0 else data)
        for _ in range(0 if trial % 3 == 0 else int(rng.integers(1, 12))):
            damaged[int(rng.integers(min(len(damaged), 600 if trial % 2 else len(damaged))))] = int(rng.integers(256))
        (tmp_path / "a").write_bytes(damaged)
        measures = [
            lambda _: film_seconds(tmp_path / "a"),
            lambda _: seconds_of(tmp_path / "a"),
            lambda _: waveform(tmp_path / "a"),
        ]
        for read in (*readers, *measures):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    read(bytes(damaged))
            except MediaError as error:
                told += bool(error.problem)
    assert told


def test_a_file_to_be_measured_that_is_no_file(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe.wav")
    (tmp_path / "link.wav").symlink_to("/dev/zero")
    for name in ("pipe.wav", "link.wav"):
        assert film_seconds(tmp_path / name) is None
        for measure in (seconds_of, waveform):
            with pytest.raises(MediaError):
                measure(tmp_path / name)
