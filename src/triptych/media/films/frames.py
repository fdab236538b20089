"""The frames that stand for a film: chosen by time, decoded alone, upright, in a chosen size."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from triptych.errors import MediaError
from triptych.media.films.timeline import Timeline, evenly_spaced_frames, timeline
from triptych.media.opening import Source, frames, opened_container
from triptych.media.pictures.upright import upright_pixels

# Bytes of the decoded frames of one film: 1,300 frames of 1280 x 720 pixels in RGB
MAX_BYTES = 4 * 1024**3
# Seconds that are skipped by jumping to the next key frame instead of decoding
JUMP_S = 4.0

# Resizes a frame; the number of the film's frames that are taken can limit its size
Resize = Callable[[Any, int], Any]


@dataclass(frozen=True)
class Film:
    """Frames taken from a film.

    pictures  RGB arrays of shape (height, width, 3)
    frames    number of frames of the film
    times     seconds from the film's beginning at which each picture is shown
    numbers   their numbers among the film's frames, from 0
    line      when all frames of the film are shown
    """

    pictures: list[Any]
    frames: int
    times: tuple[float, ...]
    numbers: tuple[int, ...]
    line: Timeline


def film(
    data: Source,
    per_second: float | None,
    max_frames: int | None,
    where: object = None,
    *,
    min_frames: int = 1,
    multiple: int = 1,
    spread: str = "middle",
    resize: Resize | None = None,
) -> Film:
    """Return `per_second` frames of a film, at least `min_frames` and at most `max_frames`, spread over all of it.

    Without `per_second` there are `max_frames` frames, without both all. A film has no more frames than it stores: a
    slide that is shown for minutes is one frame. Raises MediaError if the film can't be decoded or has no frames.
    """
    if any(value is not None and not value > 0 for value in (per_second, max_frames)):
        raise MediaError("the frames per second and their number must be above 0", got=f"{per_second}, {max_frames}")
    line = timeline(data, where)
    count = wanted_frame_count(line, per_second, max_frames, min_frames=min_frames, multiple=multiple)
    numbers = range(len(line.times)) if count is None else evenly_spaced_frames(line, count, spread)
    return take_frames(data, line, numbers, where, resize=resize)


def wanted_frame_count(
    line: Timeline, per_second: float | None, max_frames: int | None, *, min_frames: int, multiple: int
) -> int | None:
    """Return how many frames are taken; None for all."""
    if per_second is None:
        return max_frames
    if multiple > 1:
        return _multiple(line, per_second, max_frames, min_frames, multiple)
    count = max(math.ceil(round(line.seconds * per_second, 6)), min_frames)
    return min(count, max_frames) if max_frames is not None else count


def _multiple(line: Timeline, per_second: float, maximum: int | None, minimum: int, multiple: int) -> int:
    """Return how many frames qwen-vl-utils takes (`smart_nframes`): a multiple, no more than the film has. One for a
    film with fewer, which it refuses."""
    total = len(line.times)
    count = total / line.rate * per_second if line.is_steady else line.seconds * per_second
    fewest = -(-minimum // multiple) * multiple
    limit = (total if maximum is None else min(maximum, total)) // multiple * multiple
    return max(1, int(min(max(count, fewest), limit)) // multiple * multiple)


def take_frames(
    data: Source, line: Timeline, numbers: Sequence[int], where: object = None, *, resize: Resize | None = None
) -> Film:
    """Return these frames of a film, given by their numbers in ascending order; a number can occur twice.

    A frame that can't be decoded is replaced by the next one that can, with its time.
    """
    pictures: dict[int, Any] = {}
    size = 0
    for number, frame in _decoded(data, line, sorted(set(numbers)), where):
        pixels = upright_pixels(frame)
        pictures[number] = pixels if resize is None else resize(pixels, len(numbers))
        size += pictures[number].nbytes
        if size > MAX_BYTES:
            raise MediaError(
                "the frames of the video don't fit into memory",
                where=where,
                got=f"{len(set(numbers)):,} frames",
                expected=f"<= {MAX_BYTES >> 30} GB",
                fix="--packing frames=… sends fewer, size=… smaller ones",
            )
    if not pictures:
        raise MediaError("the video has no frames", where=where)
    indices = sorted(pictures)
    there = [next((k for k in indices if k >= number), indices[-1]) for number in numbers]
    there = there if list(there) == list(numbers) else list(dict.fromkeys(there))
    times = tuple(round(line.times[number], 3) for number in there)
    return Film([pictures[number] for number in there], len(line.times), times, tuple(there), line)


def _decoded(
    data: Source, line: Timeline, numbers: Sequence[int], where: object, *, jumps: bool = True
) -> Iterator[tuple[int, Any]]:
    """Yield (number, frame), in order. Distant frames are reached by jumping to the key frame before them."""
    if not line.places:
        yield from _in_one_pass(data, numbers, where)
        return
    number_of = {line_place: number for number, line_place in enumerate(line.places)}
    now, left = 0.0, list(numbers)
    with opened_container(data, where, "video") as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        while left:
            jumped = jumps and line.times[left[0]] - now > JUMP_S
            if jumped:
                container.seek(line.places[left[0]], stream=stream)
            for frame in frames(container, stream, where):
                number = number_of.get(frame.pts)
                if number is None:
                    continue
                if jumped and number > left[0]:
                    break
                jumped, now = False, line.times[number]
                if number < left[0]:
                    continue
                while left and left[0] <= number:  # those that can't be decoded are left out
                    left.pop(0)
                yield number, frame
                if not left or (jumps and line.times[left[0]] - now > JUMP_S):
                    break
            else:
                break
            if jumped:
                break
    if left and jumps:  # the container's index is wrong: decode from the beginning
        yield from _decoded(data, line, left, where, jumps=False)


def _in_one_pass(data: Source, numbers: Sequence[int], where: object) -> Iterator[tuple[int, Any]]:
    chosen, last = set(numbers), max(numbers, default=-1)
    with opened_container(data, where, "video") as container:
        for number, frame in enumerate(frames(container, container.streams.video[0], where)):
            if number in chosen:
                yield number, frame
            if number >= last:
                return
