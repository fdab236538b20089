"""Measuring how much of a recording a processor encodes: it drops the end of long ones without an error or a warning.

Whether the end of a recording reaches the model is tried out with noise: if another end gives exactly the same inputs,
it was dropped. This needs no knowledge of the processor, and holds for all recordings up to the length that was tried.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

STEP_S = 30.0  # lengths are tried in multiples of this
TAIL_S = 1.0  # seconds at the end that are exchanged
WITHIN_S = 0.1  # precision of a limit

Encode = Callable[[Any], Any]  # samples -> what the processor makes of them (a mapping of arrays)


class Limit:
    """The number of seconds that a processor encodes of a recording, as far as it was tried.

    encode  the processor, for one recording
    rate    sampling rate in Hz
    """

    def __init__(self, encode: Encode, rate: int) -> None:
        self._encode, self._rate = encode, rate
        self._tried_s, self._most_s = 0.0, float("inf")

    def seconds(self, limit: float) -> float:
        """Return how many of the given seconds are encoded."""
        if limit > self._tried_s and self._most_s == float("inf"):
            self._try(limit)
        return min(limit, self._most_s)

    def _try(self, limit: float) -> None:
        """Find the limit, or that there is none up to the next multiple of STEP_S."""
        import numpy as np

        length = STEP_S * max(1, -int(-limit // STEP_S))
        noise = np.random.default_rng(0).normal(0, 0.1, int(length * self._rate)).astype(np.float32)
        encoded = self._encode(noise)
        if not self._ignores_sound_after(encoded, noise, length - TAIL_S):
            self._tried_s = length
            return
        low, high = 0.0, length - TAIL_S  # the sound after `high` makes no difference
        while high - low > WITHIN_S:
            middle = (low + high) / 2
            low, high = (low, middle) if self._ignores_sound_after(encoded, noise, middle) else (middle, high)
        self._most_s = round(high, 1)

    def _ignores_sound_after(self, complete: Any, noise: Any, after: float) -> bool:
        """Return whether the inputs stay the same if the sound after some seconds is replaced by other noise."""
        import numpy as np

        other = noise.copy()
        at = int(after * self._rate)
        other[at:] = np.random.default_rng(1).normal(0, 0.1, len(noise) - at)
        return _equal(complete, self._encode(other))


def _equal(one: Any, other: Any) -> bool:
    """Return whether two sets of inputs are exactly equal."""
    import numpy as np

    if set(one) != set(other):
        return False
    pairs = ((np.asarray(one[name]), np.asarray(other[name])) for name in one)
    return all(a.shape == b.shape and bool(np.array_equal(a, b)) for a, b in pairs)
