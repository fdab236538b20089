"""Whether there is anything to hear in a recording, or to see in a picture."""

from __future__ import annotations

from typing import Any

QUIET_DB = -60.0  # of full scale: a recording of which no tenth of a second is louder counts as silent
EVEN = 1.5  # levels (of 256): the standard deviation of the brightest colour channel below which a picture is even
NOISE = 16.0  # levels: the greatest standard deviation of a sensor's noise on an even colour
_UNLIKE = 0.3  # greatest correlation of neighbouring pixels of a picture of noise
_STEADY_DB = 3.0  # by which the loud tenths of a second of a steady sound are above the faint ones
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
    frames_used = len(frames) // _PART * _PART
    parts = [frames[:frames_used].reshape(-1, _PART, frames.shape[1])] if frames_used else []
    levels = [float(np.std(part, axis=1, dtype=np.float64).max()) for part in parts if part.size]
    if rest := len(frames) - frames_used:
        levels += [float(np.std(frames[frames_used:], axis=0, dtype=np.float64).max())] if rest > 1 else []
    return 20 * float(np.log10(max(max(levels, default=0.0), 1e-12)))


def offset(samples: Any) -> float:
    """Return the constant part (DC) of a recording: the mean of the channel in which it is greatest, of full scale.

    `samples`: shape (frames,) or (frames, channels). 0 if there are none.

    >>> offset([0.3, 0.1, 0.2])
    0.2
    """
    import numpy as np

    frames = np.asarray(samples)
    if not frames.size:
        return 0.0
    means = frames.reshape(len(frames), -1).mean(axis=0, dtype=np.float64)
    return round(float(means[np.abs(means).argmax()]), 6)


def is_audible(samples: Any) -> bool:
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


def is_steady(samples: Any, rate: int) -> bool:
    """Return whether a recording of at least two seconds is steady throughout: noise, a hum, a tone; speech and music
    rise and fall.

    `samples`: of one channel. The level of each tenth of a second is compared, also without low frequencies: of speech
    the loud tenths are more than ten times as strong as the faint ones.
    """
    import numpy as np

    mono = np.asarray(samples, np.float32).reshape(-1)
    width = max(1, rate // 10)
    count = len(mono) // width
    if count < 20:
        return False
    for part, max_db in ((mono, 2 * _STEADY_DB), (np.diff(mono, prepend=mono[:1]), _STEADY_DB)):
        power = np.mean(np.square(part[: count * width].reshape(count, width), dtype=np.float64), axis=1)
        low, high = np.percentile(10 * np.log10(power + 1e-12), [5, 95])
        if high - low > max_db:
            return False
    return True


def has_events(samples: Any, rate: int) -> bool:
    """Return whether something rare and loud happens in a recording: thunder in rain, a bark in wind. Clicks are too
    short, and noise that swells too slow.

    `samples`: of one channel. An event is 8 dB louder than the three seconds around it, for 0.15 to 1.4 seconds.

    >>> import numpy as np
    >>> rain = np.random.default_rng(1).normal(0, 0.02, 160_000)
    >>> thunder = rain + 0.2 * np.sin(np.arange(160_000) / 20) * (abs(np.arange(160_000) - 80_000) < 4_000)
    >>> has_events(thunder, 16_000), has_events(rain, 16_000)
    (True, False)
    """
    import numpy as np

    mono = np.asarray(samples, np.float32).reshape(-1)
    width = max(1, rate // 20)
    count = len(mono) // width
    if count < 2 * _AROUND:
        return False
    power = np.mean(np.square(mono[: count * width].reshape(count, width), dtype=np.float64), axis=1)
    level = 10 * np.log10(power + 1e-12)
    padded = np.pad(level, _AROUND, mode="reflect")
    usual = np.median(np.lib.stride_tricks.sliding_window_view(padded, 2 * _AROUND + 1), axis=1)
    loud = np.concatenate([[False], level > usual + _EVENT_DB, [False]])
    edges = np.flatnonzero(loud[1:] != loud[:-1])
    lengths = edges[1::2] - edges[::2]
    return bool(np.any((lengths >= _EVENT[0]) & (lengths <= _EVENT[1])))


_AROUND = 30  # twentieths of a second before and after, to which the level of one is compared
_EVENT_DB = 8.0
_EVENT = 3, 28  # twentieths of a second that an event lasts


def has_steady_spectrum(samples: Any, rate: int) -> bool:
    """Return whether a recording of at least two seconds has no pauses, and a spectrum of one shape throughout,
    whatever its level: noise or a hum that swells. The spectrum of speech changes with each sound.

    `samples`: of one channel. The shares of 18 bands in the loud tenths of a second are compared: in 80% of these, the
    share of a band differs by 2 dB in noise, and by more than 8 dB in speech.

    >>> import numpy as np
    >>> noise, swell = np.random.default_rng(1).normal(0, 0.1, 64_000), 1.2 + np.sin(np.arange(64_000) / 6_000)
    >>> is_steady(noise * swell, 16_000), has_steady_spectrum(noise * swell, 16_000)
    (False, True)
    """
    import numpy as np

    mono = np.asarray(samples, np.float32).reshape(-1)
    if len(mono) < 2 * rate:
        return False
    frames = np.lib.stride_tricks.sliding_window_view(mono, _WINDOW)[:: _WINDOW // 2]
    edges = np.searchsorted(np.fft.rfftfreq(_WINDOW, 1 / rate), np.geomspace(120, 0.475 * rate, 19))
    window, powers = np.hanning(_WINDOW).astype(np.float32), []
    for begin in range(0, len(frames), _FRAMES):
        spectrum = np.square(np.abs(np.fft.rfft(frames[begin : begin + _FRAMES] * window, axis=1)))
        powers.append(np.add.reduceat(spectrum, edges[:-1], axis=1) + 1e-15)
    bands = np.concatenate(powers)
    bands = bands[: len(bands) // 4 * 4].reshape(-1, 4, bands.shape[1]).mean(axis=1)
    level = 10 * np.log10(bands.sum(axis=1))
    loud = level > np.percentile(level, 95) - _LOUD_DB
    if np.mean(level > np.percentile(level, 95) - _PAUSE_DB) < _NO_PAUSES:
        return False
    bands = bands[loud]
    shares = 10 * np.log10(bands / bands.sum(axis=1, keepdims=True))
    low, high = np.percentile(shares, [10, 90], axis=0)
    mean = bands.mean(axis=0)
    used = mean > mean.max() / 10 ** (_LOUD_DB / 10)
    return bool(np.median((high - low)[used]) < _ONE_SHAPE_DB)


_WINDOW = 1_024  # samples of a spectrum
_FRAMES = 4_096  # spectra at a time
_LOUD_DB = 25.0  # below the loudest: tenths of a second and bands that are compared
_PAUSE_DB = 32.0  # below the loudest: pauses
_NO_PAUSES = 0.97  # share of tenths of a second without a pause
_ONE_SHAPE_DB = 6.0  # spread of a band's share: noise has 2 to 4 dB, speech 6 dB above noise 8 dB, a talk 18 to 25 dB


def is_blank(image: Any) -> bool:
    """Return whether a picture (of PIL, or an array of height, width and colours) shows one even colour, or noise
    alone, that of a sensor or stronger."""
    import numpy as np

    pixels = np.asarray(image.convert("RGB") if hasattr(image, "convert") else image, np.float32)
    spread = float(np.std(pixels.reshape(-1, pixels.shape[-1]), axis=0).max())
    high, wide = pixels.shape[0] // _CELL, pixels.shape[1] // _CELL
    if spread < EVEN or min(high, wide) < _CELL:
        return spread < EVEN
    if spread > NOISE:
        return _is_noise(pixels)
    cells = pixels[: high * _CELL, : wide * _CELL].reshape(high, _CELL, wide, _CELL, -1).mean(axis=(1, 3))
    # noise is as strong in the mean of a cell as in its pixels, divided by the cell's side; a drawing is stronger
    return bool(np.std(cells.reshape(-1, cells.shape[-1]), axis=0).max() < max(EVEN / 3, 1.5 * spread / _CELL))


def _is_noise(pixels: Any) -> bool:
    """Return whether neighbours have nothing in common, in the picture and in its means of 2 x 2 and of 4 x 4 pixels.

    Of drawings, pages and photographs, neighbours are alike; of dithered ones, their means are.
    """
    import numpy as np

    pixels = np.asarray(pixels, np.float32)
    colours = [pixels[..., n] for n in range(pixels.shape[2]) if float(np.std(pixels[..., n])) > EVEN]
    # each colour by itself: in the mean of all, red and blue are equal
    for colour in colours:
        for side in (1, 2, 4):
            high, wide = colour.shape[0] // side, colour.shape[1] // side
            cells = colour[: high * side, : wide * side].reshape(high, side, wide, side).mean(axis=(1, 3))
            for a, b in ((cells[:, 1:], cells[:, :-1]), (cells[1:], cells[:-1])):
                if abs(float(np.corrcoef(a.ravel(), b.ravel())[0, 1])) > _UNLIKE:
                    return False
    return True


def mean_colours(pixels: Any) -> Any:
    """Return the mean colour of each field of a picture, shape (rows, columns, colours)."""
    import numpy as np

    pixels = np.asarray(pixels, np.float32)
    height, width = pixels.shape[:2]
    rows, columns = (max(1, min(_GRID, side // 8)) for side in (height, width))
    high, wide = height // rows, width // columns
    cropped = pixels[: rows * high, : columns * wide]
    return cropped.reshape(rows, high, columns, wide, -1).mean(axis=(1, 3))


def is_still(first: Any, picture: Any) -> bool:
    """Return whether two pictures of a film, arrays of one size, show the same; the noise of a codec apart."""
    return is_same(mean_colours(first), mean_colours(picture))


def is_same(colours: Any, others: Any) -> bool:
    """Return whether two pictures of a film show the same, by their `mean_colours`."""
    import numpy as np

    return colours.shape == others.shape and bool(np.abs(colours - others).max() < _STILL)
