"""One recording or picture in several rows: at another level, in another format, mirrored; and noise for a sound."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.stages.pictures import CELLS, brightness_cells
from triptych.construction.stages.triplets import FORMS
from triptych.construction.text_checks.wording import plain_meaning
from triptych.media.levels import has_events, has_steady_spectrum, is_steady
from triptych.media.pictures.copies import grey, parts_of_others
from triptych.media.sound.prints import RATE, sound_print, twins

_SAME_PICTURE = 0.98  # correlation of the brightness cells of two pictures
_SAME_SOUND = 0.93  # correlation of two recordings, the best of all delays
_SAME_COUNT = 0.97  # the same where only a number may differ: 6 and 7 beeps correlate by 0.93
_SAME_SIDE_DB = 0.7  # by which channels of a copy may differ in level: a part of a degree
_FINER = 4  # delays in a sample: copies are later by a part of one
_PARTS = 48  # parts of a recording whose levels are compared first
_SAME_LEVELS = 0.98  # correlation of these levels
_FLAT = 0.4  # spectral flatness of noise; of a tone it is near 0
_BLOCK = 512  # rows that are compared at once
# Instruments whose sound is noise
_NOISY = re.compile(
    r"cymbal|maraca|shaker|snare|drum|rattle|rain ?stick|tambourine|washboard|cabasa|guiro|gong|hi-?hat"
)


class OneMediumEach(Parameters, frozen=True):
    """Parameters of `one-medium-each`."""

    exact: Annotated[
        tuple[str, ...], Meta(description="subtasks whose text says exactly what the recording holds")
    ] = ()
    placed: Annotated[
        tuple[str, ...],
        Meta(description="subtasks whose recordings may differ in directions alone: the channels are compared, too"),
    ] = ()
    toned: Annotated[
        tuple[str, ...],
        Meta(description="subtasks with instruments or voices: a recording of noise alone is refused"),
    ] = ()


@stage(
    "one-medium-each",
    version=4,
    kind="whole",
    reads=["subtask", "vision_kind", *(f"{name}?" for name in FORMS)],
    writes=["alike"],
    parameters=OneMediumEach,
)
def one_medium_each(records: Sequence[Values], context: Context[OneMediumEach]) -> list[Outcome]:
    """Find recordings and pictures that are in several rows of a subtask.

    A copy of a recording may be quieter or in another format, one of a picture mirrored, or a part of it.

    Such rows get the same entry in `alike`, and `candidates` puts no two of them into one question. In a subtask of
    `exact`, a row with the recording of an earlier row and another text is dropped as `other-text-of-one-file`. In one
    of `toned`, a recording of noise alone is dropped as `noise-alone`, unless the text names a cymbal, a shaker or a
    similar instrument. Media that the build has spoken or drawn aren't compared. In a `placed` subtask, two recordings
    are the same only if their channels are the same, too.
    """
    wanted = context.parameters
    outcomes: list[Outcome | None] = [None] * len(records)
    alike: dict[int, set[str]] = defaultdict(set)
    subtasks: dict[str, list[int]] = defaultdict(list)
    for number, values in enumerate(records):
        subtasks[values["subtask"]].append(number)
    for subtask, numbers in subtasks.items():
        sounds = [_path(records[number], "audio", context) for number in numbers]
        if subtask in wanted.toned:
            for number, path in zip(numbers, sounds, strict=True):
                if path and not _NOISY.search(str(records[number]["text"]).casefold()) and _is_noise(path):
                    outcomes[number] = dropped("noise-alone", "the recording holds even noise, no instrument or voice")
        min_share = _SAME_COUNT if subtask in wanted.exact else _SAME_SOUND
        for one, other in same_sounds(sounds, min_share):
            if subtask in wanted.placed and not _same_direction(sounds[one], sounds[other]):
                continue
            first, later = numbers[one], numbers[other]
            differ = plain_meaning(str(records[first]["text"])) != plain_meaning(str(records[later]["text"]))
            if subtask in wanted.exact and differ and outcomes[first] is None:
                outcomes[later] = outcomes[later] or dropped(
                    "other-text-of-one-file", f"its recording has another text in {records[first].id}"
                )
            _join(alike, first, later, f"sound {records[first].id}")
        if subtask not in wanted.exact and records[numbers[0]]["vision_kind"] == "image":
            pictures = [_path(records[number], "vision", context) for number in numbers]
            cut = parts_of_others([None if path is None else _grey(path) for path in pictures])
            for one, other in sorted({*same_pictures(pictures), *cut}):
                _join(alike, numbers[one], numbers[other], f"picture {records[numbers[one]].id}")
    return [
        outcome or (kept(alike=sorted(alike[number])) if number in alike else kept())
        for number, outcome in enumerate(outcomes)
    ]


def _join(alike: dict[int, set[str]], one: int, other: int, name: str) -> None:
    alike[one].add(name)
    alike[other].add(name)


def _path(values: Mapping[str, Any], name: str, context: Context) -> Path | None:
    made = name in (values["made"] or ())
    return None if made or not values[name] else context.media.path(values[name])


def same_sounds(paths: Sequence[Path | None], min_share: float = _SAME_SOUND) -> list[tuple[int, int]]:
    """Return the pairs of recordings that are the same, at any level and in any format, by their positions.

    Prints and the courses of their levels propose pairs; the correlation of the samples decides.
    """
    present = [number for number, path in enumerate(paths) if path is not None]
    rows_by_file: dict[Path, list[int]] = defaultdict(list)
    for number in present:
        rows_by_file[paths[number]].append(number)  # type: ignore[index]
    files = list(rows_by_file)
    proposed = {
        *twins([_print(path) for path in files]),
        *_similar_pairs([_levels(path) for path in files], _SAME_LEVELS),
    }
    return [
        (min(pair), max(pair))
        for one, other in sorted(proposed)
        if _correlation(_sounding_samples(files[one]), _sounding_samples(files[other])) >= min_share
        for pair in product(rows_by_file[files[one]], rows_by_file[files[other]])
    ]


def same_pictures(paths: Sequence[Path | None]) -> list[tuple[int, int]]:
    """Return the pairs of pictures that are the same, mirrored or not, by their positions."""
    vectors = [None if path is None else _brightness_vector(path) for path in paths]
    mirrored = [None if each is None else each.reshape(CELLS, CELLS)[:, ::-1].reshape(-1) for each in vectors]
    pairs_found = {
        *_similar_pairs(vectors, _SAME_PICTURE),
        *_similar_pairs(vectors, _SAME_PICTURE, mirrored),
    }
    return sorted(pairs_found)


def _similar_pairs(
    vectors: Sequence[Any], min_share: float, others: Sequence[Any] | None = None
) -> Iterator[tuple[int, int]]:
    """The pairs of standardised vectors whose correlation is at least `min_share`; None has none."""
    import numpy as np

    there = [number for number, vector in enumerate(vectors) if vector is not None]
    if len(there) < 2:
        return
    rows = np.stack([vectors[number] for number in there])
    columns = rows if others is None else np.stack([others[number] for number in there])
    for begin in range(0, len(there), _BLOCK):
        for a, b in np.argwhere(rows[begin : begin + _BLOCK] @ columns.T >= min_share):
            if begin + a < b:
                yield there[begin + int(a)], there[int(b)]


def _unit(values: Any) -> Any:
    """The values with mean 0 and length 1; None if they don't differ."""
    import numpy as np

    centred = np.asarray(values, np.float32).reshape(-1)
    centred = centred - centred.mean()
    length = float(np.linalg.norm(centred))
    return centred / length if length > 1e-6 else None


@lru_cache(maxsize=4_096)
def _brightness_vector(path: Path) -> Any:
    from triptych.media.pictures.changes import decode_picture

    image, _ = decode_picture(path.read_bytes(), path)
    return _unit(brightness_cells(image))


@lru_cache(maxsize=64)
def _sounding_samples(path: Path) -> Any:
    """The sounding part of a recording, at the rate of prints."""
    from triptych.media.sound.coding import decode_sound
    from triptych.media.sound.loudness import sounding_range

    mono = decode_sound(path.read_bytes(), path).mono(RATE)
    begin, end = sounding_range(mono, RATE)
    return mono[begin:end] if end > begin else mono


@lru_cache(maxsize=65_536)
def _print(path: Path) -> str:
    return sound_print(_sounding_samples(path), RATE)


@lru_cache(maxsize=65_536)
def _levels(path: Path) -> Any:
    import numpy as np

    parts = np.array_split(np.square(_sounding_samples(path), dtype=np.float64), _PARTS)
    return _unit([float(np.sqrt(part.mean())) if part.size else 0.0 for part in parts])


def _same_direction(one: Path | None, other: Path | None) -> bool:
    """Whether two recordings, the same as a whole, have the same sound in each channel, and at the same level."""
    import numpy as np

    if one is None or other is None:
        return False
    first, second = _channels(one), _channels(other)
    if first.shape[1] != second.shape[1]:
        return False
    levels = [10 * np.log10(np.square(each).mean(axis=0) + 1e-12) for each in (first, second)]
    apart = np.abs((levels[0] - levels[0].mean()) - (levels[1] - levels[1].mean()))
    if float(apart.max()) > _SAME_SIDE_DB:
        return False
    loud = [n for n in range(first.shape[1]) if levels[0][n] > levels[0].max() - 30]
    return all(_correlation(first[:, n], second[:, n]) >= _SAME_COUNT for n in loud)


@lru_cache(maxsize=16)
def _channels(path: Path) -> Any:
    """The samples of each channel at the rate of prints."""
    from triptych.media.sound.coding import decode_sound

    return decode_sound(path.read_bytes(), path).resample(RATE).samples


@lru_cache(maxsize=4_096)
def _grey(path: Path) -> Any:
    from triptych.media.pictures.changes import decode_picture

    return grey(decode_picture(path.read_bytes(), path)[0])


def _correlation(one: Any, other: Any) -> float:
    """The greatest correlation of two recordings over all delays, of all their samples."""
    import numpy as np

    size = 1 << (len(one) + len(other)).bit_length()
    energy = float(np.linalg.norm(one)) * float(np.linalg.norm(other))
    if not energy:
        return 0.0
    product = np.fft.rfft(one, size) * np.conj(np.fft.rfft(other, size))
    return _FINER * float(np.abs(np.fft.irfft(product, _FINER * size)).max()) / energy


def _is_noise(path: Path) -> bool:
    """Return whether a recording is noise alone: steady or swelling, and as strong at all frequencies."""
    import numpy as np

    mono = _sounding_samples(path)
    if has_events(mono, RATE) or not (is_steady(mono, RATE) or has_steady_spectrum(mono, RATE)):
        return False
    frames = np.lib.stride_tricks.sliding_window_view(mono, 1_024)[::512]
    power = np.square(np.abs(np.fft.rfft(frames * np.hanning(1_024), axis=1))).mean(axis=0)[16:480] + 1e-15
    return float(np.exp(np.log(power).mean()) / power.mean()) >= _FLAT
