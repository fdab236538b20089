"""Hostile media: what names other files, declares more than memory holds, or is damaged, ends in a MediaError."""

from __future__ import annotations

import ast
import io
import struct
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

import triptych
from tests.media.test_transform import film, tone, wav
from triptych.errors import MediaError
from triptych.media import opening
from triptych.media.convert import audio_to_wav, image_to_png
from triptych.media.films.changes import glimpse, mute, with_pictures
from triptych.media.films.stills import stills
from triptych.media.lengths import cut_sound
from triptych.media.payload import Payload
from triptych.media.pictures.changes import decode_picture, thumbnail
from triptych.media.sound.coding import decode_sound, sound_track
from triptych.records import Kind, Part

pytest.importorskip("av")

import pytest

from tests.media.test_transform import changed

SECRET = 0.05  # seconds of sound in the file that others name

Reader = Callable[[bytes], Any]
SOUND: list[Reader] = [decode_sound, sound_track, lambda data: audio_to_wav(payload(data, "audio"))]
FILM: list[Reader] = [stills, glimpse, mute, lambda data: with_pictures(data, lambda pixels: pixels)]
PICTURE: list[Reader] = [
    decode_picture,
    lambda data: thumbnail(data, 64, 70),
    lambda data: image_to_png(payload(data, "image")),
]


def payload(data: bytes, kind: Kind) -> Payload:
    return Payload(Part(kind, path="a"), Path("a"), data, f"{kind}/x", "")


def texts(folder: Path) -> dict[str, bytes]:
    """Texts that FFmpeg takes for media."""
    here = str(folder).encode()
    return {
        "concat": b"ffconcat version 1.0\nfile secret.wav\n",
        "concat of a film": b"ffconcat version 1.0\nfile secret.mp4\n",
        "concat, absolute": b"ffconcat version 1.0\nfile '" + here + b"/secret.wav'\n",
        "concat of a sequence": b"ffconcat version 1.0\nfile secret%d.png\n",
        "sdp": b"v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n",
        "hls": b"#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://"
        + here
        + b"/secret.mp4\n#EXT-X-ENDLIST\n",
        "dash": b'<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
        b'profiles="urn:mpeg:dash:profile:isoff-main:2011"><Period><AdaptationSet mimeType="audio/mp4"><Representation '
        b'id="1"><BaseURL>secret.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>',
        "subtitles": b"1\n00:00:01,000 --> 00:00:02,000\nhello\n\n",
        "webvtt": b"WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n",
        "ffmetadata": b";FFMETADATA1\ntitle=hello\n",
        "imf": b'<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016">'
        b"</CompositionPlaylist>",
        "rtsp": b"RTSPtextRTSP://127.0.0.1:5004/x\n",
        "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(secret.wav) (r) file\n",
        "svg": b'<svg xmlns="http://www.w3.org/2000/svg"><image href="secret0.png"/></svg>',
    }


def huge_png(width: int, height: int) -> bytes:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    )


def huge_others() -> dict[str, bytes]:
    bmp = (
        b"BM"
        + struct.pack("<IHHI", 2000, 0, 0, 54)
        + struct.pack("<IiiHHIIiiII", 40, 60_000, 60_000, 1, 24, 0, 0, 0, 0, 0, 0)
    )
    gif = b"GIF89a" + struct.pack("<HHBBB", 60_000, 60_000, 0x80, 0, 0) + b"\0" * 6
    gif += b"," + struct.pack("<HHHHB", 0, 0, 60_000, 60_000, 0) + b"\x02\x02\x44\x01\x00;"
    return {
        "png": huge_png(60_000, 60_000),
        "bmp": bmp + b"\0" * 2000,
        "gif": gif,
        "ppm": b"P6 60000 60000 255\n" + b"\0" * 99,
    }


@pytest.mark.parametrize("name", sorted(huge_others()))
def test_a_picture_that_declares_more_than_memory_holds_is_refused_unread(name: str) -> None:
    data = huge_others()[name]
    for read in PICTURE:
        with warnings.catch_warnings(), pytest.raises(MediaError):
            warnings.simplefilter("ignore")
            read(data)


def test_a_film_that_declares_more_than_memory_holds_is_refused() -> None:
    """Raw pictures have no size but the container's: 60,000 x 60,000 take 10.8 GB."""
    import av

    buffer = io.BytesIO()
    with av.open(buffer, "w", format="avi") as small:
        stream = small.add_stream("rawvideo", rate=8)
        stream.width = stream.height = 32
        stream.pix_fmt = "bgr24"
        small.mux(stream.encode(av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), format="rgb24")))
    data = bytearray(buffer.getvalue())
    at = data.index(b"strf") + 12
    data[at : at + 8] = struct.pack("<ii", 60_000, 60_000)
    for read in FILM[:2]:
        assert read(buffer.getvalue())
        with pytest.raises(MediaError):
            read(bytes(data))


def endless(frames: int = (1 << 36) - 1) -> bytes:
    """A small FLAC that says it holds so many samples."""
    buffer = io.BytesIO()
    soundfile.write(buffer, np.zeros(48_000, np.int16), 48_000, format="FLAC")
    data = bytearray(buffer.getvalue())
    data[21] = data[21] & 0xF0 | frames >> 32
    data[22:26] = struct.pack(">I", frames & 0xFFFFFFFF)
    return bytes(data)


@pytest.mark.parametrize("read", SOUND[::2])
def test_a_recording_that_says_it_is_endless_is_refused_unread(read: Reader) -> None:
    with pytest.raises(MediaError, match="too long"):
        read(endless())


def test_hours_in_a_small_file_are_refused_before_they_are_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Silence in Opus: 600 hours a GB. The limits are lowered here, so that the test needs no hours."""
    buffer = io.BytesIO()
    soundfile.write(buffer, np.zeros((48_000 * 60, 1), np.float32), 48_000, format="OGG", subtype="OPUS")
    data = buffer.getvalue()
    assert len(data) < 60_000
    (tmp_path / "a.ogg").write_bytes(data)
    monkeypatch.setattr(opening, "MAX_SECONDS", 30.0)
    for read in (sound_track, lambda given: decode_sound(given, max_samples=48_000 * 30)):
        with pytest.raises(MediaError, match="too long"):
            read(data)
    assert len(cut_sound(data, 1.0, "a.ogg")) == 44 + 2 * 48_000  # the beginning of it can be had


def test_walking_through_a_file_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "WORKING_S", -1.0)
    for read in (sound_track, *FILM[1:]):
        with pytest.raises(MediaError):
            read(film())


def test_media_are_opened_in_one_place() -> None:
    """Whatever decodes media goes by `media/opening.py`. The runners of workers have files that it has decoded."""
    root = Path(triptych.__file__).parent
    openers = {
        ("av", "open"),
        ("Image", "open"),
        ("soundfile", "SoundFile"),
        ("soundfile", "read"),
        ("soundfile", "info"),
        ("soundfile", "blocks"),
        ("wave", "open"),
        ("cv2", "imread"),
    }
    found = set()
    for path in root.rglob("*.py"):
        if {"mini", "runners"} & set(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            called = node.func.value
            writes = len(node.args) > 1 and isinstance(node.args[1], ast.Constant) and node.args[1].value == "w"
            if isinstance(called, ast.Name) and (called.id, node.func.attr) in openers and not writes:
                found.add(str(path.relative_to(root)))
    assert found <= {"media/opening.py"}


def test_a_recording_that_would_grow_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening.check_samples, "__defaults__", (None, 10_000))
    with pytest.raises(MediaError, match="too long"):
        changed(tmp_path, wav(tone(0.5)), "resample:hz=384000")


def test_what_claims_to_be_endless_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MAX_CHANGED_PIXELS", 1000)
    with pytest.raises(MediaError, match="too long"):
        changed(tmp_path, wav(tone()), "silence")
