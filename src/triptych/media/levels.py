"""Whether there is anything to hear in a recording, or to see in a picture."""

from __future__ import annotations

from typing import Any

QUIET_DB = -60.0  # of full scale: a recording of which no tenth of a second is louder counts as silent
EVEN = 1.5  # levels (of 256): the standard deviation of the brightest colour channel below which a picture is even
NOISE = 16.0  # levels: the greatest standard deviation of a sensor's noise on an even colour
_CELL = 8  # pixels: means of cells of this width and height show what noise doesn't
_PART = 1_600  # samples


def loudest_db(samples: Any) -> float:
    """Return the level of the loudest part in dB of full scale, without its mean: a constant is silence.

    `samples`: one column a channel, or one channel; a part has 1,600 samples, a tenth of a second at 16 kHz.
    """
    import numpy as np

    frames = np.asarray(samples, np.float32)
    frames = frames.reshape(len(frames), -1)
    whole = len(frames) // _PART * _PART
    parts = [frames[:whole].reshape(-1, _PART, frames.shape[1])] if whole else []
    levels = [float(np.std(part, axis=1, dtype=np.float64).max()) for part in parts if part.size]
    if rest := len(frames) - whole:
        levels += [float(np.std(frames[whole:], axis=0, dtype=np.float64).max())] if rest > 1 else []
    return 20 * float(np.log10(max(max(levels, default=0.0), 1e-12)))


def is_heard(samples: Any) -> bool:
    """Return whether some part of a recording is louder than QUIET_DB."""
    return loudest_db(samples) > QUIET_DB


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
