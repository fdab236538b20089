"""The only module that opens media for decoding: known formats only, no other files, and within limits.

Media files can come from anywhere. Some formats are texts that refer to other files or network addresses (`ffconcat`,
SDP, HLS and DASH playlists), some start another program (EPS), and a small file can declare a huge image or contain
days of silence. Each library is therefore restricted to the formats listed here and may open no other files, and all
exceptions that decoders raise for damaged data become a MediaError. A test checks that no other module opens media.
"""

from __future__ import annotations

import io
import math
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from triptych.errors import MediaError, TriptychError

# Larger files are refused: clips of benchmarks are smaller, but a malicious or misplaced file may not be.
MAX_BYTES = 512 * 1024 * 1024
# Declared size of an image: Pillow's own limit, 268 MB in RGB.
MAX_PIXELS = 89_478_485
# Size of a video frame: 8K, 7680 x 4320.
MAX_VIDEO_PIXELS = 33_177_600
# Samples over all channels in memory: 20 minutes in stereo at 48 kHz, or two hours in mono at 16 kHz; 461 MB
# as float32.
MAX_SAMPLES = 115_200_000
# Samples of a recording that is changed, which needs several times its memory: 11 minutes in stereo at 48 kHz.
MAX_CHANGED_PIXELS = 64_000_000
# Streams in a container: a film with audio and subtitles in many languages has fewer.
MAX_STREAMS = 32
# Seconds of audio or video that are decoded from one file.
MAX_SECONDS = 4 * 3600.0
# Seconds that decoding one file may take, in case no other limit applies.
WORKING_S = 1800.0

PICTURES = ("JPEG", "PNG", "GIF", "BMP", "WEBP", "TIFF", "AVIF", "PPM")
# Names of FFmpeg's demuxers. None opens other files by default. That of MOV can be allowed to, which
# the empty list of protocols prevents, too.
CONTAINERS = (
    "wav",
    "w64",
    "aiff",
    "au",
    "caf",
    "amr",
    "mp3",
    "flac",
    "ogg",
    "aac",
    "mov",
    "mp4",
    "matroska",
    "webm",
    "avi",
    "flv",
    "mpeg",
    "mpegts",
    "asf",
)
_DECODERS = {"max_pixels": str(MAX_VIDEO_PIXELS)}
_PROTOCOLS = "none"  # an empty list would allow all protocols; this one doesn't exist

Source = bytes | Path


class Undecodable(MediaError):
    """A library can't read the data; another library may be able to."""


@contextmanager
def opened_picture(source: Source, where: object = None, *, max_pixels: int = MAX_PIXELS) -> Iterator[Any]:
    """Open an image with Pillow, and check its size before any pixel is decoded.

    Raises MediaError for unknown formats, for damaged data (also while the block decodes it), and for more than
    `max_pixels` pixels.
    """
    from PIL import Image

    Image.init()
    formats = [name for name in PICTURES if name in Image.OPEN]  # Pillow can be built without AVIF
    with _decoding("image", where), _stream(source) as stream, Image.open(stream, formats=formats) as image:
        if image.width * image.height > max_pixels:
            raise MediaError(
                "the image is too large to decode",
                where=where,
                expected=f"<= {max_pixels:,} pixels",
                got=f"{image.width} x {image.height}",
            )
        yield image


def count_pictures(source: Source, where: object = None) -> int:
    """Return how many pictures an image file holds: frames of an animation, pages of a TIFF. A photograph with its
    preview (MPO) is one. Raises MediaError as `opened_picture`."""
    with opened_picture(source, where) as image:
        return 1 if image.format in ("JPEG", "MPO") else int(getattr(image, "n_frames", 1))


@contextmanager
def opened_sound(source: Source, where: object = None) -> Iterator[Any]:
    """Open a recording with libsndfile (`soundfile.SoundFile`); read it with `read_samples`.

    Raises Undecodable for formats that libsndfile doesn't know and for damaged data.
    """
    import soundfile

    with _decoding("audio", where), _stream(source) as stream, soundfile.SoundFile(_Steady(stream)) as sound:
        yield sound


def read_samples(
    sound: Any,
    where: object = None,
    *,
    dtype: str = "float32",
    first: int | None = None,
    max_samples: int = MAX_SAMPLES,
) -> Any:
    """Return the samples of an opened recording, shape (frames, channels), or of its `first` frames.

    Raises MediaError if there are more than `max_samples` samples over all channels.
    """
    wanted = sound.frames if first is None else min(first, sound.frames)
    check_samples(wanted * sound.channels, where, max_samples)
    return sound.read(wanted, dtype=dtype, always_2d=True)


def check_samples(samples: int, where: object = None, max_samples: int = MAX_SAMPLES) -> None:
    """Raise MediaError if there are more samples (over all channels) than may be held in memory."""
    if samples > max_samples:
        raise MediaError(
            "the audio is too long to decode",
            where=where,
            expected=f"<= {max_samples:,} samples",
            got=f"{samples:,}",
            fix="cut it first",
        )


@contextmanager
def opened_container(source: Source, where: object = None, what: str = "audio") -> Iterator[Any]:
    """Open a recording or video with PyAV; read it with `packets`.

    Raises Undecodable for unknown containers (including playlists, subtitles, image sequences and session descriptions)
    and for damaged data, also while the block reads; MediaError if PyAV isn't installed.
    """
    formats, streams = ",".join(CONTAINERS), str(MAX_STREAMS)
    rules = {"format_whitelist": formats, "protocol_whitelist": _PROTOCOLS, "max_streams": streams}
    fields = {"options": _DECODERS, "container_options": rules, "metadata_errors": "replace", "timeout": WORKING_S}
    with _decoding(what, where), _stream(source) as file, pyav(what, where).open(file, **fields) as container:
        for stream in container.streams:
            if stream.codec_context is not None:
                stream.codec_context.options = dict(_DECODERS)
        yield container


def pyav(what: str = "audio", where: object = None) -> Any:
    """Return the package av, also for writing. Raises MediaError if it isn't installed."""
    try:
        return import_module("av")
    except ImportError:
        fix = "pip install av"
        raise MediaError(f"this kind of {what} requires the package av", where=where, fix=fix) from None


def packets(container: Any, *streams: Any, where: object = None) -> Iterator[Any]:
    """Yield the packets of some streams, while the file stays within MAX_SECONDS and WORKING_S. Raises MediaError."""
    ends = time.monotonic() + WORKING_S
    latest: dict[int, float] = {}
    for packet in container.demux(*streams):
        if packet.stream_index not in latest:
            latest[packet.stream_index] = _last_timestamp(packet.stream)
        if packet.pts is not None and packet.pts > latest[packet.stream_index]:
            _too_long(f"<= {MAX_SECONDS / 3600:g} hours", where)
        if time.monotonic() > ends:
            _too_long(f"decoded within {WORKING_S / 60:g} minutes", where)
        yield packet


def _last_timestamp(stream: Any) -> float:
    """Return the last timestamp within MAX_SECONDS: a whole number, since fractions for each packet took longer than
    its decoding."""
    start: int = stream.start_time or 0
    return start + int(MAX_SECONDS / stream.time_base) if stream.time_base else math.inf


def frames(container: Any, stream: Any, where: object = None) -> Iterator[Any]:
    """Yield the decoded frames of one stream, within the same limits."""
    for packet in packets(container, stream, where=where):
        yield from packet.decode()


def length_of(container: Any) -> float:
    """Return the length in seconds that a container declares; 0 if it declares none."""
    return max(0.0, (container.duration or 0) / 1_000_000)


def open_ordinary(path: Path) -> BinaryIO:
    """Open a regular file for reading. Raises OSError for a link and for other kinds of files (reading a pipe would
    block).
    """
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(0, "not a regular file")
    return os.fdopen(handle, "rb")


def _stream(source: Source) -> Any:
    """Return the bytes as a stream without a name, since libraries interpret names, which are not trusted either."""
    return nullcontext(io.BytesIO(source)) if isinstance(source, bytes) else open_ordinary(source)


class _Steady:
    """A stream for libsndfile, which seeks to negative positions in damaged data: an exception raised in its callback
    can't be caught and would be printed.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.read, self.tell, self._seek = stream.read, stream.tell, stream.seek

    def __repr__(self) -> str:
        """The name of the file in libsndfile's messages."""
        return "the file"

    def seek(self, offset: int, whence: int = 0) -> int:
        """Return the new position, or the current one if the requested position is invalid."""
        with suppress(ValueError, OSError, OverflowError):
            self._seek(offset, whence)
        return self.tell()


@contextmanager
def _decoding(what: str, where: object) -> Iterator[None]:
    try:
        yield
    except (TriptychError, GeneratorExit):
        raise
    except Exception as error:  # noqa: BLE001 (over damaged bytes a decoder raises whatever it comes to)
        problem = f"{type(error).__name__}: {getattr(error, 'strerror', None) or error}"[:300]
        raise Undecodable(f"{what} can't be decoded ({problem})", where=where) from None


def _too_long(expected: str, where: object) -> NoReturn:
    raise MediaError("the file is too long to decode", where=where, expected=expected, fix="cut it first")
