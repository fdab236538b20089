"""Counts and orders, found again in a finished signal: onsets of sounds, movements in pictures, places of clips."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from triptych.errors import MediaError
from triptych.media.lengths import probed
from triptych.media.scenes.drawing import fitted
from triptych.media.scenes.films import Clip, pictures
from triptych.media.segments import shot_changes
from triptych.records.packages import need

_HOP_S, _BEFORE_S = 0.005, 0.06
_CELLS = (32, 18)


def onsets(
    samples: Any, rate: int, *, rise_db: float = 12.0, below_db: float = 30.0, least_gap: float = 0.12
) -> list[float]:
    """Return the seconds at which sounds begin in a mono recording.

    A sound begins where the level rises by `rise_db` within 60 ms to no more than `below_db` below the loudest level.
    Rises less than `least_gap` seconds after the last one above that limit belong to the same sound. Silence has no
    onsets.

    Args:
        samples: Array (frames,).
        rate: Sampling rate in Hz.
        rise_db: Rise of the level (RMS over 10 ms) in dB.
        below_db: How much quieter than the loudest sound another one may be, in dB.
        least_gap: Seconds; sounds that follow each other faster are one.
    """
    import numpy as np

    level = _levels(np.asarray(samples, dtype=np.float64), rate)
    if not len(level) or level.max() <= -90.0:
        return []
    level = np.maximum(level, level.max() - below_db - rise_db)
    back = round(_BEFORE_S / _HOP_S)
    padded = np.concatenate([np.full(back, level.min()), level])
    lowest = np.lib.stride_tricks.sliding_window_view(padded, back + 1).min(axis=1)
    rising = (level - lowest >= rise_db) & (level >= level.max() - below_db)
    onset_times: list[float] = []
    last = -np.inf
    for index in np.nonzero(rising)[0]:
        at = float(index * _HOP_S)
        if at - last >= least_gap:
            onset_times.append(round(at, 4))
        last = at
    return onset_times


def is_single(event: Any, rate: int) -> bool:
    """Return whether a sound has exactly one onset if silence is around it; otherwise it can't be counted."""
    import numpy as np

    silence = np.zeros(rate // 4, np.float32)
    return len(onsets(np.concatenate([silence, np.asarray(event, np.float32), silence]), rate)) == 1


def movements(film: Path, *, per_second: int = 25, min_movement: float = 0.06) -> list[tuple[float, float]]:
    """Return the spans in seconds in which a film differs from its first picture, which is that of rest.

    The film is looked at on 32 x 18 cells; a span begins when the brightness or a colour of any cell differs by more
    than `min_movement` (0 to 1) and by a quarter of the greatest difference in the film, and ends when it is below half
    of that. Returns an empty list if nothing moves.
    """
    import numpy as np

    clip = Clip(film)
    rest, differences = None, []
    for picture in pictures(clip, per_second):
        cells = _cells(picture)
        rest = cells if rest is None else rest
        differences.append(float(np.abs(cells - rest).max()))
    limit = max(min_movement, max(differences, default=0.0) / 4)
    spans: list[tuple[float, float]] = []
    begin: int | None = None
    for n, difference in enumerate([*differences, 0.0]):
        if begin is None and difference > limit:
            begin = n
        elif begin is not None and difference < limit / 2:
            spans.append((begin / per_second, n / per_second))
            begin = None
    return spans


def places_of_sounds(samples: Any, sounds: Sequence[Any], *, min_share: float = 0.5) -> list[int | None]:
    """Return the sample at which each sound occurs in a recording; None if it doesn't.

    It is the place of the greatest correlation among those where the normalised correlation is at least `min_share`: in
    the tail of a sound that decays, the latter may be as great as at its beginning. All are mono at one rate.
    """
    import numpy as np

    correlate = need("scipy.signal", "the check of an order of sounds", "build").correlate
    mono = np.asarray(samples, dtype=np.float64)
    energy = np.concatenate([[0.0], np.cumsum(mono**2)])
    places: list[int | None] = []
    for each in sounds:
        all_samples = np.asarray(each, dtype=np.float64)
        norm = float(np.sqrt(np.sum(all_samples**2)))
        if not norm or len(all_samples) > len(mono):
            places.append(None)
            continue
        here = np.sqrt(np.maximum(energy[len(all_samples) :] - energy[: -len(all_samples)], 1e-12))
        alike = correlate(mono, all_samples, mode="valid", method="fft") / norm
        alike[alike < min_share * np.maximum(here, 0.05 * here.max())] = 0.0
        best = int(np.argmax(alike))
        places.append(best if alike[best] > 0 else None)
    return places


def order_of_sounds(samples: Any, sounds: Sequence[Any]) -> list[int] | None:
    """Return the numbers of the sounds in the order in which they occur; None if one is missing or two coincide."""
    places = places_of_sounds(samples, sounds)
    positions_found = [position for position in places if position is not None]
    if len(positions_found) < len(places) or len(set(positions_found)) < len(positions_found):
        return None
    return sorted(range(len(positions_found)), key=lambda n: positions_found[n])


def order_of_films(
    film: Path, clips: Sequence[Clip], begins: Sequence[float], *, per_second: int = 5
) -> list[int] | None:
    """Return the number of the clip that each part of a joined film shows; None if two parts show the same.

    Each part is compared with each clip, picture by picture on 32 x 18 cells; the most similar clip counts. `begins`
    lists the seconds at which the parts begin.
    """
    import numpy as np

    size = probed(film)
    film_cells = [_cells(picture) for picture in pictures(Clip(film), per_second)]
    wanted = [[_cells(fitted(p, size["width"], size["height"])) for p in pictures(c, per_second)] for c in clips]
    order = []
    for n, begin in enumerate(begins):
        first = round(begin * per_second) + 1  # the first picture of a part may still be of the one before
        last = round(begins[n + 1] * per_second) - 1 if n + 1 < len(begins) else len(film_cells)
        part = film_cells[first : max(first + 1, last)]
        if not part:
            return None
        distances = [
            float(np.mean([np.abs(a - b).mean() for a, b in zip(part, clip[1:] or clip, strict=False)]))
            for clip in wanted
        ]
        order.append(int(np.argmin(distances)))
    return order if len(set(order)) == len(order) else None


def cuts_missing(film: Path, begins: Sequence[float], *, within: float = 0.08, threshold: float = 0.2) -> list[float]:
    """Return those of the expected cuts (all `begins` but the first) that can't be seen in the film."""
    seen = shot_changes(film, threshold=threshold, least_s=0.0)
    return [begin for begin in begins[1:] if not any(abs(cut - begin) <= within for cut in seen)]


def _cells(picture: Any) -> Any:
    import numpy as np
    from PIL import Image

    small = Image.fromarray(picture).resize(_CELLS, Image.Resampling.BOX)
    return np.asarray(small, dtype=np.float32) / 255


def _levels(samples: Any, rate: int) -> Any:
    """Level over 10 ms, every 5 ms, in dB of full scale."""
    import numpy as np

    if samples.ndim != 1:
        raise MediaError("onsets are looked for in mono sound", got=samples.shape)
    hop = max(1, round(_HOP_S * rate))
    power = np.square(np.pad(samples, (0, 2 * hop)))
    total = np.concatenate([[0.0], np.cumsum(power)])
    starts = np.arange(0, len(samples), hop)
    return 10 * np.log10((total[starts + 2 * hop] - total[starts]) / (2 * hop) + 1e-12)
