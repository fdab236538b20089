"""Splitting long recordings at pauses, at shot changes or at random, and writing the segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from typing import Any

from triptych.errors import MediaError
from triptych.media.opening import frames, length_of, opened_container, pyav
from triptych.media.pictures.upright import upright_frame
from triptych.media.sound.coding import SPEECH_HZ
from triptych.media.sound.times import timed_sound

Span = tuple[float, float]


def divide_at_pauses(
    probabilities: Sequence[float], frame_s: float, *, longest: float = 18.0, min_s: float = 0.2, threshold: float = 0.5
) -> list[Span]:
    """Return segments of speech, in seconds, from the probability of speech in each frame.

    Divide and conquer after SHAS (Tsiamas et al., 2022): silence at both ends is trimmed; a segment longer than
    `longest` is split at its least probable frame (in a tie, the one nearest to the middle), and both halves are
    treated in the same way. No segment is longer than `longest`; segments shorter than `min_s` are left out. An empty
    curve gives no segments.
    """
    max_frames = max(1, int(longest / frame_s + 1e-9))
    fewest = max(1, round(min_s / frame_s))
    spans: list[tuple[int, int]] = []
    waiting = [(0, len(probabilities))]
    while waiting:
        begin, end = _trimmed(probabilities, *waiting.pop(), threshold)
        if end - begin <= max_frames:
            if end - begin >= fewest:
                spans.append((begin, end))
            continue
        margin = fewest if end - begin > 2 * fewest else 1
        middle = (begin + end) / 2
        cut = min(range(begin + margin, end - margin + 1), key=lambda at: (probabilities[at - 1], abs(at - middle)))
        waiting += [(begin, cut), (cut, end)]
    return [(round(a * frame_s, 6), round(b * frame_s, 6)) for a, b in sorted(spans)]


def clips_of(seconds: float, *, shortest: float, longest: float, every: float, draw: Random) -> list[Span]:
    """Return clips of a recording, of random length between `shortest` and `longest`, one at random in each `every`
    seconds.

    If `every` and both lengths are equal, the recording is split into pieces of fixed length. A rest shorter than
    `shortest` is left out.
    """
    if not 0 < shortest <= longest <= every:
        raise MediaError(
            "clips can't be longer than the interval from which one is drawn", got=(shortest, longest, every)
        )
    spans = []
    begin = 0.0
    while begin + shortest <= seconds + 1e-9:
        stretch = min(every, seconds - begin)
        length = draw.uniform(shortest, min(longest, stretch))
        at = begin + draw.uniform(0, stretch - length)
        spans.append((round(at, 3), round(min(at + length, seconds), 3)))
        begin += every
    return spans


def at_shots(cuts: Sequence[float], seconds: float, *, shortest: float, longest: float) -> list[Span]:
    """Return clips that begin and end at shot changes.

    Adjacent shots are joined up to a length of `longest`. A shot that is longer itself is divided into pieces of
    `longest`. Clips shorter than `shortest` are left out.
    """
    edges = [0.0, *(cut for cut in cuts if 0 < cut < seconds), seconds]
    spans: list[Span] = []
    begin = edges[0]
    for before, after in pairwise(edges):
        if after - begin > longest:
            if before - begin >= shortest:
                spans.append((begin, before))
            begin = before
        while after - begin > longest:
            spans.append((begin, begin + longest))
            begin += longest
    if edges[-1] - begin >= shortest:
        spans.append((begin, edges[-1]))
    return [(round(a, 3), round(b, 3)) for a, b in spans]


def shot_changes(path: Path, *, threshold: float = 0.1, least_s: float = 0.5) -> list[float]:
    """Return the times of shot changes, in seconds.

    The picture changes if the mean difference from the previous frame, on 32 x 18 cells, of the colour channel that
    differs most is above `threshold` (0 to 1) and far above the recent level. Times are presentation timestamps, so a
    variable frame rate doesn't shift them. Memory doesn't grow with the length of the video.
    """
    import numpy as np

    cuts: list[float] = []
    before, usual = None, 0.0
    with opened_container(path, path, "video") as container:
        stream = _pictures(container, path)
        start = float((stream.start_time or 0) * stream.time_base)
        for frame in frames(container, stream, path):
            if frame.pts is None:
                continue
            cells = frame.reformat(32, 18, "rgb24").to_ndarray().astype(np.float32) / 255
            if before is not None:
                difference = float(np.abs(cells - before).mean(axis=(0, 1)).max())
                at = float(frame.pts * stream.time_base) - start
                if difference > threshold and difference > 4 * usual and (not cuts or at - cuts[-1] >= least_s):
                    cuts.append(round(at, 3))
                usual = 0.8 * usual + 0.2 * min(difference, threshold)
            before = cells
    return cuts


def cut_sound(path: Path, spans: Sequence[Span], rate: int = SPEECH_HZ) -> Iterator[Any]:
    """Yield the mono samples of each span, shape (frames, 1), in order, from one pass over the file.

    Spans must be sorted by their beginning and may overlap. Only the current spans are held in memory. Raises
    MediaError if the file has no audio, or ends before a span begins.
    """
    import numpy as np

    wanted = [(round(begin * rate), round(end * rate)) for begin, end in spans]
    if wanted != sorted(wanted):
        raise MediaError("spans must be sorted by their beginning", where=path)
    held: list[Any] = []
    first = position = 0
    done = 0
    for piece in _resampled(path, rate):
        held.append(piece)
        position += len(piece)
        while done < len(wanted) and wanted[done][1] <= position:
            joined = np.concatenate(held)
            begin, end = wanted[done]
            yield joined[begin - first : end - first].reshape(-1, 1)
            done += 1
        if done == len(wanted):
            return
        keep_from = min(wanted[done][0], position)
        if keep_from - first > rate and held:  # drop samples that no current span needs, at least a second at a time
            joined = np.concatenate(held)
            held, first = [joined[keep_from - first :]], keep_from
    joined = np.concatenate(held) if held else np.zeros(0, dtype=np.float32)
    for begin, end in wanted[done:]:
        samples = joined[max(0, begin - first) : end - first]
        if not len(samples):
            raise MediaError("the recording ends before a clip begins", where=path, got=f"{position / rate:.1f} s")
        yield samples.reshape(-1, 1)


def sound_of_span(path: Path, span: Span, rate: int = SPEECH_HZ) -> Any:
    """Return the mono samples of one span, shape (frames, 1), as `cut_sound` does.

    For many calls with spans of one recording in any order: the recording is decoded once and kept in a temporary file
    (12 MB a minute at 48 kHz) until two other recordings are cut. Raises MediaError if the file has no audio, can't be
    decoded, or ends before the span begins.
    """
    about = path.stat()
    samples = _decoded(path, about.st_mtime_ns, about.st_size, rate)
    begin, end = round(span[0] * rate), round(span[1] * rate)
    if begin >= len(samples):
        seconds = f"{len(samples) / rate:.1f} s"
        raise MediaError("the recording ends before a clip begins", where=path, got=seconds)
    return samples[begin:end].reshape(-1, 1)


@lru_cache(maxsize=2)
def _decoded(path: Path, modified: int, size: int, rate: int) -> Any:
    """Return the mono float32 samples of a recording, mapped from a file without a name. `modified` and `size`
    distinguish a file from an earlier one at the same path."""
    import numpy as np

    with TemporaryFile() as file:
        for piece in _resampled(path, rate):
            file.write(np.ascontiguousarray(piece, dtype=np.float32).data)
        file.flush()
        return np.memmap(file, np.float32, "r") if file.tell() else np.zeros(0, dtype=np.float32)


def cut_video(path: Path, span: Span, *, side: int = 640, per_second: float = 8.0) -> bytes:
    """Return one span of a video as a small silent MP4 (H.264).

    The longer side has at most `side` pixels, and there are at most `per_second` frames per second. Frames keep their
    times. The frame visible when the span begins is the first, and the last one is repeated at the end, so that slides
    shown for minutes keep their duration. Raises MediaError if the video ends before the span begins.
    """
    import io

    buffer = io.BytesIO()
    with (
        opened_container(path, path, "video") as container,
        pyav("video", path).open(buffer, "w", format="mp4") as made,
    ):
        out = None
        for at, stored in _visible_frames(container, path, span, 1 / per_second):
            frame = upright_frame(stored)
            out = out or _scaled_stream(made, frame, side)
            picture = frame.reformat(out.width, out.height, "yuv420p")
            picture.pts, picture.time_base = round(at * 1000), out.codec_context.time_base
            made.mux(out.encode(picture))
        if out is None:
            raise MediaError("the span contains no frames", where=path, got=span)
        made.mux(out.encode(None))
    return buffer.getvalue()


def _visible_frames(container: Any, path: Path, span: Span, step: float) -> Iterator[tuple[float, Any]]:
    """Yield the frames visible in a span: (seconds from its beginning, frame), at least `step` apart."""
    begin, length = span[0], span[1] - span[0]
    stream = _pictures(container, path)
    start = float((stream.start_time or 0) * stream.time_base)
    container.seek(int(max(0.0, begin + start - 1) * 1_000_000))
    standing, last, ended = None, -step, True
    for frame in frames(container, stream, path):
        at = float((frame.pts or 0) * stream.time_base) - start - begin
        if at >= length:
            ended = False
            break
        if at > step / 2 and standing is not None and last < 0:
            yield 0.0, standing
            last = 0.0
        if at >= 0 and at - last >= step - 1e-3:
            yield at, frame
            last = at
        standing = frame
    yield from _last_shown(container, standing, last, length, step, begin, ended)


def _last_shown(
    container: Any, standing: Any, last: float, length: float, step: float, begin: float, ended: bool
) -> Iterator[tuple[float, Any]]:
    """Return the frame visible at the end of a span, unless the video ends before the span begins."""
    over = ended and last < 0 and length_of(container) <= begin
    if standing is None or over:
        return
    if last < 0:
        yield 0.0, standing
        last = 0.0
    if length - step - last >= step - 1e-3:
        yield length - step, standing


def _scaled_stream(made: Any, frame: Any, side: int) -> Any:
    """Return the output stream: even sides, time in milliseconds, and the same bytes for the same frames."""
    from fractions import Fraction

    scale = min(1.0, side / max(frame.width, frame.height))
    options = {"preset": "ultrafast", "threads": "1", "flags": "+bitexact", "crf": "28"}
    stream = made.add_stream("libx264", rate=25, options=options)
    stream.width, stream.height = (max(2, round(n * scale / 2) * 2) for n in (frame.width, frame.height))
    stream.pix_fmt = "yuv420p"
    stream.codec_context.time_base = stream.time_base = Fraction(1, 1000)
    return stream


def _resampled(path: Path, rate: int) -> Iterator[Any]:
    """Yield the audio as pieces of mono float32 samples at `rate`, at its times."""
    with opened_container(path, path) as container:
        if not container.streams.audio:
            raise MediaError("there is no audio in the file", where=path)
        for piece in timed_sound(container, path, rate):
            yield piece.reshape(-1)


def _pictures(container: Any, path: Path) -> Any:
    if not container.streams.video:
        raise MediaError("there are no pictures in the video", where=path)
    return container.streams.video[0]


def _trimmed(curve: Sequence[float], begin: int, end: int, threshold: float) -> tuple[int, int]:
    while begin < end and curve[begin] <= threshold:
        begin += 1
    while begin < end and curve[end - 1] <= threshold:
        end -= 1
    return begin, end
