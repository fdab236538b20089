"""The one place where media are opened to be decoded: known formats, nothing but the file's own bytes, within limits.

A media file comes from anywhere. Some formats are texts that name other files or network addresses (`ffconcat`, SDP,
HLS and DASH playlists), some start another program (EPS), and a small file can declare a huge picture or hold days of
silence. So each library is told which formats it may read and that it may open nothing else, and everything that a
decoder raises over damaged bytes becomes a MediaError. A test holds the rest of the code to opening media here alone.
"""

from __future__ import annotations

import io
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from triptych.errors import MediaError, TriptychError

# A file over this size is refused: a benchmark's clip is never that large, a hostile or misplaced file can be.
MAX_BYTES = 512 * 1024 * 1024
# Of a picture as it is declared: Pillow's own limit, 268 MB in RGB.
MOST_PIXELS = 89_478_485
# Of one picture of a video: 8K, 7680 x 4320.
MOST_VIDEO_PIXELS = 33_177_600
# Samples over all channels that are held at once: 20 minutes in stereo at 48 kHz, two hours in mono at 16 kHz; 461 MB
# as float32.
MOST_SAMPLES = 115_200_000
# Of a recording that is changed, which takes several times its own memory: 11 minutes in stereo at 48 kHz.
MOST_CHANGED = 64_000_000
# Seconds of sound or pictures that are walked through in one file.
LONGEST_S = 4 * 3600.0
# Seconds on the clock that walking through one file may take: a last resort, where no other limit is met.
WORKING_S = 1800.0

PICTURES = ("JPEG", "PNG", "GIF", "BMP", "WEBP", "TIFF", "AVIF", "PPM")
# Names of FFmpeg's demuxers. None of them opens another file by itself; that of MOV does where it is allowed to, which
# the empty list of protocols forbids once more.
CONTAINERS = (
    "wav", "w64", "aiff", "au", "caf", "amr", "mp3", "flac", "ogg", "aac", "mov", "mp4", "matroska", "webm", "avi",
    "flv", "mpeg", "mpegts", "asf",
)  # fmt: skip
_DECODERS = {"max_pixels": str(MOST_VIDEO_PIXELS)}
_PROTOCOLS = "none"  # an empty list would allow all of them; this names one that there isn't

Source = bytes | Path


class Undecodable(MediaError):
    """A library can't read the bytes; another might."""


@contextmanager
def opened_picture(source: Source, where: object = None, *, most: int = MOST_PIXELS) -> Iterator[Any]:
    """A picture as Pillow opens it, its size checked before a pixel is decoded.

    Raises MediaError for another format, for damage (also while the block decodes it), and for more than `most` pixels.
    """
    from PIL import Image

    Image.init()
    known = [name for name in PICTURES if name in Image.OPEN]  # Pillow can be built without AVIF
    with _decoding("image", where), _stream(source) as stream, Image.open(stream, formats=known) as image:
        if image.width * image.height > most:
            raise MediaError("the image is too large to be decoded", where=where, expected=f"<= {most:,} pixels",
                             got=f"{image.width} x {image.height}")  # fmt: skip
        yield image


@contextmanager
def opened_sound(source: Source, where: object = None) -> Iterator[Any]:
    """A recording as libsndfile opens it (`soundfile.SoundFile`); read it with `read_samples`.

    Raises Undecodable for what libsndfile doesn't know and for damage.
    """
    import soundfile

    with _decoding("audio", where), _stream(source) as stream, soundfile.SoundFile(_Steady(stream)) as sound:
        yield sound


def read_samples(
    sound: Any, where: object = None, *, dtype: str = "float32", first: int | None = None, most: int = MOST_SAMPLES
) -> Any:
    """The samples (frames, channels) of an opened recording, or of its `first` frames.

    Raises MediaError where these are more than `most` samples over all channels.
    """
    wanted = sound.frames if first is None else min(first, sound.frames)
    check_samples(wanted * sound.channels, where, most)
    return sound.read(wanted, dtype=dtype, always_2d=True)


def check_samples(samples: int, where: object = None, most: int = MOST_SAMPLES) -> None:
    """Raise MediaError for more samples (over all channels) than may be held at once."""
    if samples > most:
        raise MediaError("the audio is too long to be decoded", where=where, expected=f"<= {most:,} samples",
                         got=f"{samples:,}", fix="cut it first")  # fmt: skip


@contextmanager
def opened_container(source: Source, where: object = None, what: str = "audio") -> Iterator[Any]:
    """A recording or video as PyAV opens it; walk through it with `packets`.

    Raises Undecodable for a container that isn't known here (playlists, subtitles, picture sequences and session
    descriptions are none) and for damage, also while the block reads on; MediaError where PyAV isn't installed.
    """
    rules = {"format_whitelist": ",".join(CONTAINERS), "protocol_whitelist": _PROTOCOLS, "max_streams": "32"}
    told = {"options": _DECODERS, "container_options": rules, "metadata_errors": "replace", "timeout": WORKING_S}
    with _decoding(what, where), _stream(source) as file, pyav(what, where).open(file, **told) as container:
        for stream in container.streams:
            if stream.codec_context is not None:
                stream.codec_context.options = dict(_DECODERS)
        yield container


def pyav(what: str = "audio", where: object = None) -> Any:
    """The package av, also for writing. Raises MediaError where it isn't installed."""
    try:
        return import_module("av")
    except ImportError:
        fix = "pip install av"
        raise MediaError(f"this kind of {what} needs the package av", where=where, fix=fix) from None


def packets(container: Any, *streams: Any, where: object = None) -> Iterator[Any]:
    """The packets of some streams, as long as the file stays within LONGEST_S and WORKING_S. Raises MediaError."""
    ends = time.monotonic() + WORKING_S
    for packet in container.demux(*streams):
        if packet.pts is not None and (packet.pts - (packet.stream.start_time or 0)) * packet.time_base > LONGEST_S:
            _too_long(f"<= {LONGEST_S / 3600:g} hours", where)
        if time.monotonic() > ends:
            _too_long(f"decoded within {WORKING_S / 60:g} minutes", where)
        yield packet


def frames(container: Any, stream: Any, where: object = None) -> Iterator[Any]:
    """The decoded frames of one stream, within the same limits."""
    for packet in packets(container, stream, where=where):
        yield from packet.decode()


def length_of(container: Any) -> float:
    """The seconds that a container declares; 0 where it doesn't."""
    return max(0.0, (container.duration or 0) / 1_000_000)


def open_ordinary(path: Path) -> BinaryIO:
    """A file to read. Raises OSError for a link, and for what is no ordinary file (a pipe would be waited for)."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(0, "it is no file")
    return os.fdopen(handle, "rb")


def _stream(source: Source) -> Any:
    """The bytes as a stream without a name: libraries go by names, which are as much a stranger's as the bytes."""
    return nullcontext(io.BytesIO(source)) if isinstance(source, bytes) else open_ordinary(source)


class _Steady:
    """A stream for libsndfile, which over damaged bytes seeks to before their beginning: an error that Python raises
    in its callback can't be caught, and would be printed."""

    def __init__(self, stream: BinaryIO) -> None:
        self.read, self.tell, self._seek = stream.read, stream.tell, stream.seek

    def __repr__(self) -> str:
        """What libsndfile's messages call it."""
        return "the file"

    def seek(self, offset: int, whence: int = 0) -> int:
        """Where the stream then is: where it was, if it can't go there."""
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
        told = f"{type(error).__name__}: {getattr(error, 'strerror', None) or error}"[:300]
        raise Undecodable(f"{what} can't be decoded ({told})", where=where) from None


def _too_long(expected: str, where: object) -> NoReturn:
    raise MediaError("the file is too long to be decoded", where=where, expected=expected, fix="cut it first")
