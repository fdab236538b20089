"""Hostile media: what names other files, declares more than memory holds, or is damaged, ends in a MediaError."""

from __future__ import annotations

import ast
import io
import struct
import sys
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from PIL import Image

import triptych
from tests.media.test_transform import film, tone, wav
from triptych.errors import MediaError
from triptych.media import opening
from triptych.media.convert import audio_to_wav, image_to_png
from triptych.media.lengths import cut_sound, film_seconds, media_seconds, seconds_of
from triptych.media.payload import MediaReader, Payload
from triptych.media.picture_changes import decode_picture, thumbnail
from triptych.media.sound import decode_sound, sound_track
from triptych.media.stills import stills
from triptych.media.video_changes import glimpse, mute, with_pictures
from triptych.records import Kind, Part, media
from triptych.web.waveform import waveform

pytest.importorskip("av")
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


@pytest.fixture
def working(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder that holds files worth having."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.wav").write_bytes(wav(tone(SECRET)))
    (tmp_path / "secret.mp4").write_bytes(film())
    for number in range(3):
        Image.new("RGB", (16, 16), "red").save(tmp_path / f"secret{number}.png")
    return tmp_path


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


def test_a_film_with_its_sound_in_another_file_stays_without_it(working: Path) -> None:
    """A QuickTime file can say that its samples lie elsewhere (`alis`, `url `)."""
    film_file = bytearray(film())
    place = film_file.index(b"url \x00\x00\x00\x01")
    film_file[place : place + 8] = b"url \x00\x00\x00\x00"  # "elsewhere", and no word where
    assert len(stills(bytes(film_file))) == len(stills(film())) > 0
    opened: list[str] = []
    sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == "open" else None)
    for read in (decode_sound, sound_track):  # the decoder takes the samples of this file, and no other one's
        assert np.allclose(read(bytes(film_file)).samples, read(film()).samples)
    assert not [path for path in opened if "secret" in path]


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


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_the_pictures_size_is_told() -> None:
    with pytest.raises(MediaError, match=r"too large to decode\n.*89,478,485 pixels\n.*10000 x 9000"):
        decode_picture(huge_png(10_000, 9_000), "a.png")


def test_the_size_that_a_container_declares_is_not_believed() -> None:
    """The codec's own one counts, and this is a small film."""
    data, small = bytearray(film()), stills(film())
    places = [(b"avc1", 28, struct.pack(">HH", 60_000, 60_000)), (b"tkhd", 80, struct.pack(">II", *[60_000 << 16] * 2))]
    for box, offset, size in places:
        at = data.index(box) + offset
        data[at : at + len(size)] = size
    assert [still.shape for still in stills(bytes(data))] == [still.shape for still in small]


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
    for read in (sound_track, lambda given: decode_sound(given, most=48_000 * 30)):
        with pytest.raises(MediaError, match="too long"):
            read(data)
    assert len(cut_sound(data, 1.0, "a.ogg")) == 44 + 2 * 48_000  # the beginning of it can be had


def test_a_recording_of_one_sample_a_second_does_not_grow_without_end() -> None:
    """At 16 kHz it would be 16,000 times as long."""
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 40_036, b"WAVE", b"fmt ", 16, 1, 1, 1, 1, 1, 8, b"data", 40_000)
    slow = decode_sound(head + b"\x80" * 40_000)
    assert slow.rate == 1 and slow.seconds == 40_000
    for grow in (lambda: slow.mono(), lambda: slow.at(48_000)):
        with pytest.raises(MediaError, match="too long"):
            grow()


def test_what_libraries_say_is_told_in_words() -> None:
    with pytest.raises(MediaError) as refused:
        seconds_of(Path(__file__))
    assert "Error opening the file: Format not recognised" in refused.value.problem
    with pytest.raises(MediaError) as refused:
        stills(b"no video")
    assert "Errno" not in refused.value.problem


def test_walking_through_a_file_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "WORKING_S", -1.0)
    for read in (sound_track, *FILM[1:]):
        with pytest.raises(MediaError):
            read(film())


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


def test_formats_that_are_not_known_are_not_opened() -> None:
    """Pillow reads these; some of them start programs or open files within files."""
    picture = Image.new("RGB", (8, 8), "red")
    for name in ("EPS", "PCX", "TGA", "ICNS", "ICO", "SGI", "DDS", "PDF", "XBM"):
        buffer = io.BytesIO()
        (picture.convert("1") if name == "XBM" else picture).save(buffer, name)
        with pytest.raises(MediaError, match="can't be decoded"):
            decode_picture(buffer.getvalue())


def test_a_file_to_be_measured_that_is_no_file(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe.wav")
    (tmp_path / "link.wav").symlink_to("/dev/zero")
    for name in ("pipe.wav", "link.wav"):
        assert film_seconds(tmp_path / name) is None
        for measure in (seconds_of, waveform):
            with pytest.raises(MediaError):
                measure(tmp_path / name)


def test_every_part_of_a_request_goes_through_it(working: Path) -> None:
    (working / "clinic.ogg").write_bytes(texts(working)["concat"])
    reader = MediaReader(working)
    for steps in ("silence", "mp3:kbps=32", "noise:seed=1", "cut:seconds=1"):
        with pytest.raises(MediaError):
            reader.load(Part("audio", path="clinic.ogg", transform=steps))
    assert reader.load(media("audio", "clinic.ogg")).data == texts(working)["concat"]


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
