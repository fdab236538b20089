"""Recordings are converted once for the questions about them, in bounded memory."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import soundfile as sf

from triptych.errors import MediaError
from triptych.media import convert
from triptych.media.convert import _Converted, audio_to_wav, image_to_png
from triptych.media.payload import MediaReader, Payload
from triptych.records import Part, media


def flac(value: float) -> Payload:
    buffer = io.BytesIO()
    sf.write(buffer, np.full(1600, value), 16_000, format="FLAC")
    return Payload(
        Part("audio", path="a.flac"), Path("a.flac"), buffer.getvalue(), "audio/flac", "the hash of the file"
    )


def test_a_recording_is_decoded_once_and_another_of_the_same_name_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convert, "_CONVERTED", _Converted(convert.MAX_CACHED_BYTES))
    first, again, other = (audio_to_wav(flac(value)) for value in (0.1, 0.1, 0.2))
    assert first.data is again.data and first.data != other.data
    assert (first.mime, first.sha256) == ("audio/wav", "the hash of the file")
    assert sf.info(io.BytesIO(other.data)).frames == 1600


def test_the_last_conversions_are_kept_up_to_a_size() -> None:
    kept = _Converted(10)
    for key in (b"a", b"b"):
        kept.put(key, key * 5)
    assert kept.get(b"a") == b"aaaaa"
    kept.put(b"c", b"c" * 5)
    assert (kept.get(b"b"), kept.get(b"a")) == (None, b"aaaaa"), "the one that was not asked for goes first"
    kept.put(b"long", b"d" * 11)
    assert kept.get(b"long") is None and kept.get(b"a") == b"aaaaa"


def test_conversion_keeps_samples_pixels_and_the_files_hash(tmp_path: Path) -> None:
    import io

    import numpy as np
    import soundfile
    from PIL import Image

    stereo = np.random.default_rng(0).integers(-30_000, 30_000, (800, 2)).astype(np.int16)
    soundfile.write(tmp_path / "a.flac", stereo, 8_000)
    flac = MediaReader(tmp_path).load(media("audio", "a.flac"))
    wav = audio_to_wav(flac)
    again, rate = soundfile.read(io.BytesIO(wav.data), dtype="int16")
    assert (again == stereo).all() and rate == 8_000 and wav.sha256 == flac.sha256 and wav.format == "wav"
    pixels = np.random.default_rng(0).integers(0, 255, (5, 7, 3)).astype(np.uint8)
    Image.fromarray(pixels).save(tmp_path / "b.bmp")
    png = image_to_png(MediaReader(tmp_path).load(media("image", "b.bmp")))
    assert (np.asarray(Image.open(io.BytesIO(png.data))) == pixels).all() and png.format == "png"
    (tmp_path / "c.bmp").write_bytes(b"BM and no more")
    with pytest.raises(MediaError, match="can't be decoded"):
        image_to_png(MediaReader(tmp_path).load(media("image", "c.bmp")))


def test_audio_that_is_small_only_as_a_file(tmp_path: Path) -> None:
    import numpy as np
    import soundfile

    soundfile.write(tmp_path / "a.flac", np.zeros(48_000, np.int16), 48_000)
    data = bytearray((tmp_path / "a.flac").read_bytes())
    data[21] |= 0x0F  # the 36 bits that tell how many samples there are
    data[22:26] = b"\xff\xff\xff\xff"
    (tmp_path / "a.flac").write_bytes(data)
    with pytest.raises(MediaError, match="too long"):
        audio_to_wav(MediaReader(tmp_path).load(media("audio", "a.flac")))
