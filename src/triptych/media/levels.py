"""Whether there is anything to hear in a recording, or to see in a picture."""

from __future__ import annotations

from typing import Any

QUIET_DB = -60.0  # of full scale: a recording of which no tenth of a second is louder counts as silent
EVEN = 1.5  # levels (of 256): the standard deviation of the brightest colour channel below which a picture is even
NOISE = 16.0  # levels: the greatest standard deviation of a sensor's noise on an even colour
_CELL = 8  # pixels: means of cells of this width and height show what noise doesn't
_PART = 1_600  # samples
_CLICK = 160  # samples on either side of a peak: a click of a few samples, also as a codec or a filter spreads it
_CLICK_DB = 18.0  # by which a click is louder than what a codec makes of the silence around it,
_FAINT_DB = -45.0  # which is below this level
_GRID = 16  # fields across and down a picture; each has 8 pixels on a side at least
_STILL = 3.0  # levels by which a field of a film's picture may differ from the first's while nothing moves


def loudest_db(samples: Any) -> float:
    """Return the level of the loudest part in dB of full scale, without its mean: a constant is silence.

    `samples`: one column a channel, or one channel; a part has 1,600 samples, a tenth of a second at 16 kHz.
    """
    import numpy as np

    frames = np.asarray(samples, np.float32)
    if not frames.size:
        return -240.0
    frames = frames.reshape(len(frames), -1)
    whole = len(frames) // _PART * _PART
    parts = [frames[:whole].reshape(-1, _PART, frames.shape[1])] if whole else []
    levels = [float(np.std(part, axis=1, dtype=np.float64).max()) for part in parts if part.size]
    if rest := len(frames) - whole:
        levels += [float(np.std(frames[whole:], axis=0, dtype=np.float64).max())] if rest > 1 else []
    return 20 * float(np.log10(max(max(levels, default=0.0), 1e-12)))


def is_heard(samples: Any) -> bool:
    """Return whether some part of a recording is louder than QUIET_DB, clicks of a few samples apart."""
    level = loudest_db(samples)
    if level <= QUIET_DB:
        return False
    rest = loudest_db(_without_clicks(samples))
    return rest > QUIET_DB and (rest > _FAINT_DB or level - rest < _CLICK_DB)


def _without_clicks(samples: Any) -> Any:
    """The samples without what surrounds the peak of each part (`loudest_db`), if they are few."""
    import numpy as np

    frames = np.array(samples, np.float32)
    frames = frames.reshape(len(frames), -1)
    level = np.median(frames[:: max(1, len(frames) // 100_000)], axis=0)
    loud = np.abs(frames - level).max(axis=1)
    for begin in range(0, len(frames), _PART):
        peak = begin + int(np.argmax(loud[begin : begin + _PART]))
        frames[max(0, peak - _CLICK) : peak + _CLICK] = level
    return frames


def is_blank(image: Any) -> bool:
    """Return whether a picture (of PIL, or an array of height, width and colours) shows one even colour, or the
    noise of a sensor alone."""
    import numpy as np

    pixels = np.asarray(image.convert("RGB") if hasattr(image, "convert") else image, np.float32)
    spread = float(np.std(pixels.reshape(-1, pixels.shape[-1]), axis=0).max())
    high, wide = pixels.shape[0] // _CELL, pixels.shape[1] // _CELL
    if spread < EVEN or spread > NOISE or min(high, wide) < _CELL:
        return spread < EVEN
    cells = pixels[: high * _CELL, : wide * _CELL].reshape(high, _CELL, wide, _CELL, -1).mean(axis=(1, 3))
    # noise is as strong in the mean of a cell as in its pixels, divided by the cell's side; a drawing is stronger
    return bool(np.std(cells.reshape(-1, cells.shape[-1]), axis=0).max() < max(EVEN / 3, 1.5 * spread / _CELL))


def _fields(pixels: Any) -> tuple[Any, int]:
    """The mean colour of each field of a picture, shape (rows, columns, colours), and the pixels of a field."""
    height, width = pixels.shape[:2]
    rows, columns = (max(1, min(_GRID, side // 8)) for side in (height, width))
    high, wide = height // rows, width // columns
    whole = pixels[: rows * high, : columns * wide]
    return whole.reshape(rows, high, columns, wide, -1).mean(axis=(1, 3)), high * wide


def is_still(first: Any, picture: Any) -> bool:
    """Return whether two pictures of a film, arrays of one size, show the same; the noise of a codec apart."""
    import numpy as np

    before, after = (_fields(np.asarray(each, np.float32))[0] for each in (first, picture))
    return bool(np.abs(after - before).max() < _STILL)
