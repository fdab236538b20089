"""Reading and writing films as streams: pictures at a constant rate, sound in pieces, H.264 and AAC in MP4."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from triptych.errors import MediaError
from triptych.media.lengths import probed
from triptych.media.opening import MAX_SECONDS, frames, length_of, opened_container, pyav
from triptych.media.pictures.upright import upright_pixels
from triptych.media.scenes.drawing import fitted
from triptych.media.sound.times import timed_sound
from triptych.store.files.atomic import atomic_file

MAX_PIXELS = 3840 * 2160
SOUND_HZ = 48_000
_EXACT = {"fflags": "+bitexact"}


@dataclass(frozen=True)
class Clip:
    """A span of a film or recording, in seconds; `end` None: up to its end."""

    path: Path
    begin: float = 0.0
    end: float | None = None

    @property
    def seconds(self) -> float:
        """Length in seconds. Raises MediaError if the span is empty or the length of the file is unknown."""
        end = self.end if self.end is not None else probed(self.path)["seconds"]
        if end is None or not 0 <= self.begin < end <= MAX_SECONDS:
            raise MediaError("a span of a film is empty or has no end", where=self.path, got=(self.begin, end))
        return float(end - self.begin)


@dataclass(frozen=True)
class Form:
    """What films are brought to: size in pixels (even), pictures per second, sampling rate and channels of the sound.

    channels 0: no sound.
    """

    width: int = 640
    height: int = 360
    per_second: int = 25
    rate: int = SOUND_HZ
    channels: int = 1

    def __post_init__(self) -> None:
        fine = self.width % 2 == self.height % 2 == 0 and 2 <= self.width * self.height <= MAX_PIXELS
        if not fine or not 1 <= self.per_second <= 120 or self.channels not in (0, 1, 2):
            raise MediaError("a film can't have this form", got=self, fix="use even sides and at most two channels")

    def without_sound(self) -> Form:
        """Return the same form without sound."""
        from dataclasses import replace

        return replace(self, channels=0)


def pictures(clip: Clip, per_second: int) -> Iterator[Any]:
    """Yield the pictures of a span at a constant rate: at each time the one that is visible, shape (height, width, 3).

    Their number is the length of the span times the rate, rounded; the last one is repeated if the film ends earlier.
    Raises MediaError if the file has no pictures, or ends before the span begins.
    """
    count = max(1, round(clip.seconds * per_second))
    made, shown, length = 0, None, 0.0
    with opened_container(clip.path, clip.path, "video") as container:
        stream, length = _shown(container, clip.path), length_of(container)
        start = float((stream.start_time or 0) * stream.time_base)
        container.seek(int(max(0.0, clip.begin + start - 1) * 1_000_000))
        for frame in frames(container, stream, clip.path):
            if frame.width * frame.height > MAX_PIXELS:
                raise MediaError("the film is too large", where=clip.path, got=f"{frame.width} x {frame.height}")
            at = float((frame.pts or 0) * stream.time_base) - start - clip.begin
            while shown is not None and made < count and made / per_second < at - 1e-6:
                yield shown
                made += 1
            if made == count:
                return
            if at < (count - 0.5) / per_second:
                shown = upright_pixels(frame)
    if shown is None or 0 < length <= clip.begin:
        raise MediaError("the film ends before the span begins", where=clip.path, got=clip.begin)
    for _ in range(made, count):
        yield shown


def sound(clip: Clip, rate: int = SOUND_HZ, channels: int = 1) -> Iterator[Any]:
    """Yield the sound of a span in pieces, shape (samples, channels), float32, with silence after its end.

    The number of samples is the length of the span times the rate, rounded. A film without sound is silent throughout.
    """
    import numpy as np

    count = round(clip.seconds * rate)
    left, skip = count, round(clip.begin * rate)
    for piece in _decoded(clip, rate, channels):
        dropped = min(skip, len(piece))
        skip -= dropped
        part = piece[dropped : dropped + left]
        left -= len(part)
        if len(part):
            yield part
        if not left:
            return
    for begin in range(0, left, rate):
        yield np.zeros((min(rate, left - begin), channels), np.float32)


def write_film(target: Path, made: Iterable[Any], form: Form, samples: Iterable[Any] = ()) -> int:
    """Write a film in MP4 (H.264, AAC) and return its number of pictures. Nothing is left behind after an error.

    Args:
        target: The file, replaced if it exists.
        made: Pictures in RGB, fitted to the form.
        form: Size and rates. With channels 0, `samples` is not read.
        samples: Pieces of sound, shape (samples, channels), at the form's rate.

    Raises:
        MediaError: There are no pictures.
    """
    av, count = pyav("video", target), 0
    with atomic_file(target) as file, av.open(file, "w", format="mp4", options=_EXACT) as box:
        shown = box.add_stream("libx264", rate=form.per_second, options=_h264())
        shown.width, shown.height, shown.pix_fmt = form.width, form.height, "yuv420p"
        track = _Track(av, box, form, samples) if form.channels else None
        for count, picture in enumerate(made, 1):
            frame = av.VideoFrame.from_ndarray(fitted(picture, form.width, form.height), format="rgb24")
            frame.pts, frame.time_base = count - 1, Fraction(1, form.per_second)
            box.mux(shown.encode(frame))
            if track:
                track.up_to(count * form.rate // form.per_second)
        if not count:
            raise MediaError("there are no pictures for the film", where=target)
        box.mux(shown.encode(None))
        if track:
            track.close()
    return count


def changed_film(clip: Clip, target: Path, form: Form, change: Callable[[Any, float], Any]) -> int:
    """Write a span of a film with each picture changed; `change` gets the picture and its time in the span in seconds.

    Returns the number of pictures. The sound is kept, in the rate and channels of the form.
    """
    made = (change(picture, n / form.per_second) for n, picture in enumerate(pictures(clip, form.per_second)))
    return write_film(target, made, form, sound(clip, form.rate, form.channels) if form.channels else ())


class _Track:
    """The sound of a film that is being written: encoded as far as the pictures are."""

    def __init__(self, av: Any, box: Any, form: Form, samples: Iterable[Any]) -> None:
        layout = "mono" if form.channels == 1 else "stereo"
        self.stream = box.add_stream("aac", rate=form.rate, layout=layout, options={"flags": "+bitexact"})
        self.stream.bit_rate = 128_000 * form.channels
        self.av, self.box, self.form, self.layout = av, box, form, layout
        self.pieces, self.written = iter(samples), 0
        self.held: list[Any] = []

    def up_to(self, samples: int) -> None:
        """Encode the sound up to a sample; silence if there is less."""
        import numpy as np

        wanted = samples - self.written
        while sum(map(len, self.held)) < wanted:
            piece = next(self.pieces, None)
            self.held.append(
                np.zeros((wanted, self.form.channels), np.float32) if piece is None else np.asarray(piece, np.float32)
            )
        joined = np.concatenate(self.held) if self.held else np.zeros((0, self.form.channels), np.float32)
        self.held = [joined[wanted:]]
        if not wanted:
            return
        planes = np.ascontiguousarray(np.clip(joined[:wanted], -1, 1).T)
        frame = self.av.AudioFrame.from_ndarray(planes, format="fltp", layout=self.layout)
        frame.sample_rate, frame.pts, frame.time_base = self.form.rate, self.written, Fraction(1, self.form.rate)
        self.written = samples
        self.box.mux(self.stream.encode(frame))

    def close(self) -> None:
        """Encode what the encoder still holds."""
        self.box.mux(self.stream.encode(None))


def _decoded(clip: Clip, rate: int, channels: int) -> Iterator[Any]:
    """The sound from the beginning of the pictures on: silence if it begins later, and in gaps."""
    with opened_container(clip.path, clip.path, "video") as container:
        if container.streams.audio:
            yield from timed_sound(container, clip.path, rate, channels)


def _shown(container: Any, path: Path) -> Any:
    if not container.streams.video:
        raise MediaError("there are no pictures in the film", where=path)
    return container.streams.video[0]


def _h264() -> dict[str, str]:
    # One thread and no look-ahead: the same pictures give the same bytes.
    return {"preset": "ultrafast", "threads": "1", "flags": "+bitexact", "crf": "20"}
