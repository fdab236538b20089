"""Recordings are converted once for the questions about them, in bounded memory."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import soundfile as sf

from triptych.media import convert
from triptych.media.convert import _Converted, audio_to_wav
from triptych.media.payload import Payload
from triptych.records import Part


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
