"""When the frames of a film are shown, read from its packets without decoding any of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from triptych.errors import MediaError
from triptych.media.opening import Source, frames, length_of, opened_container, packets

if TYPE_CHECKING:
    import numpy as np

USUAL_RATE = 25.0  # of a film with one frame and no declared rate


@dataclass(frozen=True)
class Timeline:
    """The frames of a film.

    times    seconds from the film's beginning at which each frame is shown, ascending
    places   presentation timestamps of the frames, in the stream's own unit; empty if the packets have none
    seconds  length of the film
    rate     frames a second, on average
    begins   seconds of the container's clock at which the film begins
    size     width and height as they are stored
    """

    times: tuple[float, ...]
    places: tuple[int, ...]
    seconds: float
    rate: float
    begins: float
    size: tuple[int, int]

    @property
    def is_steady(self) -> bool:
        """Whether frame i is shown at i / rate, to half a frame."""
        import numpy as np

        late = np.asarray(self.times) - np.arange(len(self.times)) / self.rate
        return bool(np.abs(late).max() <= 0.5 / self.rate)

    def shown_at(self, second: float) -> int:
        """Return the number of the frame that is visible at a time; before the first one, the first."""
        return max(0, bisect_right(self.times, second + 1e-6) - 1)

    def nearest_frame(self, second: float) -> int:
        """Return the number of the frame that is shown closest to a time."""
        before = self.shown_at(second)
        after = min(before + 1, len(self.times) - 1)
        return after if self.times[after] - second < second - self.times[before] else before


def timeline(source: Source, where: object = None) -> Timeline:
    """Return when each frame of a film is shown. Raises MediaError for a film without frames or pictures."""
    all_times = _read(source, where)
    if not all_times.frames:
        raise MediaError("the video has no frames", where=where)
    places = sorted(set(all_times.frames), key=lambda position: position[0])
    import numpy as np

    times = np.asarray([time[0] for time in places])
    steps = np.diff(times)
    usual = float(np.median(steps)) if len(steps) else 1 / all_times.rate
    zero = times[0]
    if all_times.begins is not None and zero - all_times.begins > 1.5 * usual:
        zero = all_times.begins  # the pictures begin later than the sound
    times_ = tuple(time[1] for time in places if time[1] is not None)
    return Timeline(
        times=tuple(round(float(one - zero), 6) for one in times),
        places=times_ if len(times_) == len(places) else (),
        seconds=round(
            _length(
                all_times.seconds, float(times[0] - zero) if all_times.pictures else 0.0, float(times[-1] - zero), usual
            ),
            6,
        ),
        rate=all_times.rate,
        begins=float(zero),
        size=all_times.size,
    )


def _length(declared: float, first: float, last: float, usual: float) -> float:
    """Return the length of a film: what it declares of its pictures, unless a frame is shown later than that."""
    return first + declared if first + declared > last else last + usual


@dataclass(frozen=True)
class _Timestamps:
    """The timestamps of a film: (seconds, timestamp) of each packet, length, rate, beginning, size.

    `pictures`: whether the length is that of the pictures, not of the whole container.
    """

    frames: list[tuple[float, int | None]]
    seconds: float
    rate: float
    begins: float | None
    size: tuple[int, int]
    pictures: bool


def _read(source: Source, where: object) -> _Timestamps:
    with opened_container(source, where, "video") as container:
        if not container.streams.video:
            raise MediaError("the video has no picture track", where=where)
        stream = container.streams.video[0]
        times = _Timestamps(
            [],
            float(stream.duration * stream.time_base) if stream.duration else length_of(container),
            float(stream.average_rate or 0) or USUAL_RATE,
            None if container.start_time is None else container.start_time / 1_000_000,
            (stream.codec_context.width, stream.codec_context.height),
            bool(stream.duration),
        )
        for packet in packets(container, stream, where=where):
            if packet.size == 0 or packet.is_discard:
                continue
            if packet.pts is None:
                break
            times.frames.append((float(packet.pts * stream.time_base), packet.pts))
        else:
            return times
    return replace(times, frames=_decoded(source, where, times.rate))


def _decoded(source: Source, where: object, rate: float) -> list[tuple[float, int | None]]:
    """Return the same by decoding all frames, for containers whose packets have no timestamps."""
    with opened_container(source, where, "video") as container:
        stream = container.streams.video[0]
        shown = enumerate(frames(container, stream, where))
        return [(number / rate if frame.time is None else float(frame.time), None) for number, frame in shown]


def evenly_spaced_frames(line: Timeline, count: int, spread: str) -> list[int]:
    """Return the numbers of up to `count` frames of the whole film, in order, none of them twice.

    `middle`: those visible in the middle of `count` equal intervals; `start`, `finish`: at the beginning or the end of
    each; `ends`: from the first to the last frame in equal steps, the nearest; `ends_down`: the one visible then.
    """
    last = line.times[-1]
    if spread == "ends" and line.is_steady:
        return sorted(set(_steps(len(line.times), count).round().astype(int).tolist()))
    if spread == "ends_down" and line.is_steady:  # by number, as Ola's inference computes it
        import numpy as np

        return sorted(set(np.linspace(0, len(line.times) - 1, count, dtype=int).tolist()))
    if spread == "ends_down":
        return sorted({line.shown_at(last * n / max(1, count - 1)) for n in range(count)})
    if spread == "ends":
        steps: Sequence[float] = [last * n / (count - 1) for n in range(count)] if count > 1 else [0.0]
        return sorted({line.nearest_frame(step) for step in steps})
    shift = {"start": 0.0, "middle": 0.5, "finish": 1.0}[spread]
    return sorted({line.shown_at(line.seconds * (n + shift) / count) for n in range(count)})


def _steps(total: int, count: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return `torch.linspace(0, total - 1, count)` to the last bit, as qwen-vl-utils spreads frames before it rounds to
    the nearest, halves to the even number.

    In single precision, with one rounding for each step (a fused multiply-add), from both ends to the middle: in about
    4 of 100 films a frame is another one than in double precision.
    """
    import numpy as np

    if count < 2:
        return np.zeros(count, np.float32)
    end = np.float32(total - 1)
    step = np.float64(end / np.float32(count - 1))
    number = np.arange(count)
    up, down = step * number, np.float64(end) - step * (count - 1 - number)
    return np.where(number < count // 2, up, down).astype(np.float32)
