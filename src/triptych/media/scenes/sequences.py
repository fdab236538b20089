"""Sequences of clips in an order, and repetitions of an event in an exact number: sounds, pictures, and both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from triptych.errors import MediaError
from triptych.media.scenes.films import Clip, Form, pictures, sound, write_film

MAX_REPETITIONS = 100
_FADE_S = 0.005


def join_sounds(sounds: Sequence[Any], rate: int, *, gap: float = 0.0) -> tuple[Any, list[float]]:
    """Return mono sounds one after another, and the second at which each begins.

    Args:
        sounds: Arrays (frames,) at the same rate.
        rate: Sampling rate in Hz.
        gap: Seconds of silence between them.
    """
    import numpy as np

    if not sounds:
        raise MediaError("no sounds to join")
    silence = np.zeros(round(gap * rate), np.float32)
    parts, begins, at = [], [], 0
    for n, each in enumerate(sounds):
        parts += [silence] if n else []
        at += len(silence) if n else 0
        begins.append(at / rate)
        parts.append(_faded(each, rate))
        at += len(each)
    return np.concatenate(parts), begins


def join_films(clips: Sequence[Clip], target: Path, form: Form | None = None) -> list[float]:
    """Write films one after another in one form, and return the second at which each begins.

    Every clip takes a whole number of pictures, and its sound exactly as long; a clip without sound is silent. Raises
    MediaError if there are no clips, or one can't be read.
    """
    if not clips:
        raise MediaError("no films to join")
    form_ = form or Form()
    counts = [max(1, round(clip.seconds * form_.per_second)) for clip in clips]
    begins = [sum(counts[:n]) / form_.per_second for n in range(len(clips))]
    exact = [Clip(c.path, c.begin, c.begin + n / form_.per_second) for c, n in zip(clips, counts, strict=True)]
    shown = chain.from_iterable(pictures(clip, form_.per_second) for clip in exact)
    samples = (
        chain.from_iterable(sound(clip, form_.rate, form_.channels) for clip in exact) if form_.channels else iter(())
    )
    write_film(target, shown, form_, samples)
    return begins


def repeat_sound(
    event: Any, count: int, rate: int, *, gap: float = 0.4, around: float = 0.3
) -> tuple[Any, list[float]]:
    """Return a mono sound repeated `count` times, and the second at which each repetition begins.

    Args:
        event: Array (frames,), without silence at its ends.
        count: Number of repetitions, 1 to 100.
        rate: Sampling rate in Hz.
        gap: Seconds of silence between the repetitions.
        around: Seconds of silence before the first and after the last one.
    """
    import numpy as np

    _check(count)
    made, begins = join_sounds([event] * count, rate, gap=gap)
    silence = np.zeros(round(around * rate), np.float32)
    return np.concatenate([silence, made, silence]), [begin + len(silence) / rate for begin in begins]


def repeat_film(
    event: Clip, count: int, target: Path, form: Form | None = None, *, gap: float = 0.4, around: float = 0.3
) -> list[float]:
    """Write a film in which an event is repeated `count` times, and return the second at which each begins.

    Between the repetitions, before and after them, the first picture of the event rests, in silence. All of this is a
    whole number of pictures, so sound and pictures stay together. The event is decoded once and must be short.
    """
    _check(count)
    form_ = form or Form()
    shown = list(pictures(event, form_.per_second))
    if len(shown) > 10 * form_.per_second:
        raise MediaError("an event to be repeated is too long", where=event.path, expected="<= 10 s")
    rest, edge = (max(1, round(s * form_.per_second)) for s in (gap, around))
    begins = [(edge + n * (len(shown) + rest)) / form_.per_second for n in range(count)]
    samples = _repeated(event, len(shown), count, (rest, edge), form_) if form_.channels else iter(())
    still = [shown[0]]
    body = chain.from_iterable((still * (rest if n else edge)) + shown for n in range(count))
    write_film(target, chain(body, still * edge), form_, samples)
    return begins


def repeat_pictures(
    shown: Sequence[Any],
    count: int,
    target: Path,
    form: Form,
    samples: Any = None,
    *,
    gap: float = 0.4,
    around: float = 0.3,
) -> list[float]:
    """Write a film of drawn pictures of an event, repeated like `repeat_film`, with a mono sound for each repetition.

    Args:
        shown: Pictures of the event at the rate of the form; the first one is that of rest.
        count: Number of repetitions, 1 to 100.
        target: The file.
        form: Size and rates; with channels 0 there is no sound.
        samples: Samples (frames,) that begin with each event; None: silence. Longer than event and gap, they are cut.
        gap: Seconds of rest between the repetitions.
        around: Seconds of rest before the first and after the last one.
    """
    import numpy as np

    _check(count)
    if not shown:
        raise MediaError("an event has no pictures")
    rest, edge = (max(1, round(s * form.per_second)) for s in (gap, around))
    length = (len(shown) + rest) * form.rate // form.per_second
    event = np.zeros((length, max(1, form.channels)), np.float32)
    if samples is not None:
        part = _faded(np.asarray(samples)[:length], form.rate)
        event[: len(part)] = part[:, None]
    still = [shown[0]]
    before = np.zeros((edge * form.rate // form.per_second, max(1, form.channels)), np.float32)
    body = chain.from_iterable([*shown, *still * rest] for _ in range(count))
    write_film(target, chain(still * edge, body, still * edge), form, chain([before], (event for _ in range(count))))
    return [(edge + n * (len(shown) + rest)) / form.per_second for n in range(count)]


def _repeated(event: Clip, frames: int, count: int, rests: tuple[int, int], form: Form) -> Iterator[Any]:
    import numpy as np

    exact = Clip(event.path, event.begin, event.begin + frames / form.per_second)
    once = _faded(np.concatenate(list(sound(exact, form.rate, form.channels))), form.rate)
    for n in range(count):
        yield np.zeros((rests[0 if n else 1] * form.rate // form.per_second, form.channels), np.float32)
        yield once


def _faded(samples: Any, rate: int) -> Any:
    """The sound with 5 ms of fade at both ends, so that joints don't click."""
    import numpy as np

    made = np.array(samples, dtype=np.float32)
    length = min(round(_FADE_S * rate), len(made) // 4)
    if length:
        slope = np.linspace(0, 1, length, dtype=np.float32).reshape(-1, *[1] * (made.ndim - 1))
        made[:length] *= slope
        made[-length:] *= slope[::-1]
    return made


def _check(count: int) -> None:
    if not 1 <= count <= MAX_REPETITIONS:
        raise MediaError("a number of repetitions is out of range", expected=f"1 to {MAX_REPETITIONS}", got=count)
