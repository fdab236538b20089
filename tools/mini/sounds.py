"""Sounds made of numbers: mono float32 at 24 kHz, peak about 0.5, the same on every call (noise is seeded)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Wave = NDArray[np.float32]

RATE = 24_000


def silence(seconds: float) -> Wave:
    """Nothing, for so many seconds."""
    import numpy as np

    return np.zeros(int(seconds * RATE), np.float32)


def tone(start_hz: float, end_hz: float, seconds: float) -> Wave:
    """A sine that glides from one frequency to the other, with soft ends."""
    import numpy as np

    hertz = np.geomspace(start_hz, end_hz, int(seconds * RATE))
    wave = 0.5 * np.sin(2 * np.pi * np.cumsum(hertz) / RATE)
    return _soft_ends(wave.astype(np.float32))


def noise(seconds: float, low_hz: float, high_hz: float, seed: int = 1) -> Wave:
    """Noise in a band of frequencies."""
    import numpy as np

    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(int(seconds * RATE)))
    hertz = np.fft.rfftfreq(int(seconds * RATE), 1 / RATE)
    spectrum[(hertz < low_hz) | (hertz > high_hz)] = 0
    return _peak(np.fft.irfft(spectrum, int(seconds * RATE)))


def struck(partials: Sequence[float], seconds: float, decay: float) -> Wave:
    """Something struck: partials in hertz that die away (`decay`: per second, higher is drier)."""
    import numpy as np

    t = np.arange(int(seconds * RATE)) / RATE
    parts = [np.sin(2 * np.pi * hz * t) * np.exp(-decay * t * (1 + i / 3)) for i, hz in enumerate(partials)]
    return _peak(np.sum(parts, axis=0))


def repeated(wave: Wave, times: int, every: float) -> Wave:
    """The same sound so many times, one start every so many seconds."""
    import numpy as np

    step = int(every * RATE)
    out = np.zeros(step * (times - 1) + max(step, len(wave)), np.float32)
    for start in range(0, step * times, step):
        out[start : start + len(wave)] += wave
    return out


def joined(*waves: Wave) -> Wave:
    """One after the other."""
    import numpy as np

    return np.concatenate(waves)


def mixed(wave: Wave, under: Wave, level: float) -> Wave:
    """`wave` with `under` looped below it at a level of 0 to 1."""
    import numpy as np

    return (wave + level * np.resize(under, len(wave))).astype(np.float32)


def panned(wave: Wave, position: Wave | float) -> Wave:
    """Stereo of shape (samples, 2): position 0 is left, 1 is right, constant power between."""
    import numpy as np

    angle = np.clip(np.broadcast_to(position, wave.shape), 0, 1) * np.pi / 2
    return np.stack([wave * np.cos(angle), wave * np.sin(angle)], axis=1).astype(np.float32)


def doorbell() -> Wave:
    """Ding, dong."""
    ding, dong = struck([660, 1320, 1980], 0.7, 5), struck([523, 1046, 1569], 1.1, 4)
    return joined(ding, dong)


def knocks() -> Wave:
    """Three knocks on wood."""
    return repeated(struck([180, 270, 410, 95], 0.15, 35), 3, 0.28)


def footsteps() -> Wave:
    """Five quick steps."""
    import numpy as np

    step = noise(0.12, 80, 900, seed=3) * np.exp(-np.linspace(0, 7, int(0.12 * RATE))).astype(np.float32)
    return repeated(step, 5, 0.32)


def engine(seconds: float = 2.0) -> Wave:
    """A motor that idles: a low buzz with a rumble."""
    import numpy as np

    t = np.arange(int(seconds * RATE)) / RATE
    buzz = np.sum([np.sin(2 * np.pi * 45 * k * t + k) / k for k in range(1, 14)], axis=0)
    return _peak(buzz * (1 + 0.3 * np.sin(2 * np.pi * 11 * t)) + 0.6 * noise(seconds, 40, 400, seed=5))


def horn() -> Wave:
    """A car horn, twice."""
    blast = _peak(tone(420, 420, 0.35) + tone(526, 526, 0.35) + 0.5 * tone(840, 840, 0.35))
    return repeated(blast, 2, 0.5)


def train_horn() -> Wave:
    """One long chord."""
    return _peak(tone(311, 311, 1.3) + tone(370, 370, 1.3) + tone(466, 466, 1.3) + noise(1.3, 200, 900) * 0.2)


def alarm() -> Wave:
    """A smoke alarm: three high beeps, twice."""
    beeps = joined(repeated(tone(3100, 3100, 0.18), 3, 0.3), silence(0.25))
    return joined(beeps, beeps)


def siren() -> Wave:
    """Up and down and up again."""
    return joined(*[tone(600, 1300, 0.6), tone(1300, 600, 0.6)] * 2)


def rain(seconds: float = 2.5) -> Wave:
    """A steady hiss with drops in it."""
    import numpy as np

    rng = np.random.default_rng(7)
    drops = np.zeros(int(seconds * RATE), np.float32)
    for at in rng.integers(0, len(drops) - 400, int(60 * seconds)):
        drops[at : at + 400] += rng.uniform(0.1, 0.5) * np.hanning(400) * rng.standard_normal(400)
    return _peak(0.5 * noise(seconds, 900, 9000, seed=8) + 0.6 * drops)


def thunder() -> Wave:
    """A roll that dies away."""
    import numpy as np

    roll = noise(1.8, 25, 220, seed=9)
    return (roll * np.exp(-np.linspace(0, 4, len(roll)))).astype(np.float32)


def glass() -> Wave:
    """A pane breaks: a crack, then splinters."""
    import numpy as np

    rng = np.random.default_rng(11)
    out = np.zeros(int(0.9 * RATE), np.float32)
    for _ in range(26):
        chip = struck(list(rng.uniform(2500, 8500, 3)), 0.25, 22) * np.float32(rng.uniform(0.2, 1))
        at = int(rng.exponential(0.12) * RATE) % (len(out) - len(chip))
        out[at : at + len(chip)] += chip
    return _peak(out)


def crash() -> Wave:
    """A collision: brakes, then metal."""
    import numpy as np

    brakes = tone(1500, 1100, 0.5) * np.float32(0.5)
    bang = noise(0.8, 60, 5000, seed=13) * np.exp(-np.linspace(0, 6, int(0.8 * RATE))).astype(np.float32)
    return joined(brakes, _peak(bang + struck([140, 333, 707], 0.8, 6)))


def school_bell() -> Wave:
    """An electric bell: a clapper twenty times a second."""
    import numpy as np

    t = np.arange(int(1.4 * RATE)) / RATE
    ring = np.sin(2 * np.pi * 1850 * t) + 0.6 * np.sin(2 * np.pi * 2790 * t)
    return _soft_ends(_peak(ring * (0.35 + 0.65 * np.exp(-((t * 20) % 1) * 4))))


def phone() -> Wave:
    """A telephone rings twice."""
    import numpy as np

    t = np.arange(int(0.8 * RATE)) / RATE
    ring = (np.sin(2 * np.pi * 440 * t) + np.sin(2 * np.pi * 480 * t)) * (np.sin(2 * np.pi * 20 * t) > -0.3)
    return repeated(_peak(ring), 2, 1.1)


def clock() -> Wave:
    """Six ticks."""
    return repeated(struck([2100, 3300], 0.06, 90), 6, 0.4)


def applause() -> Wave:
    """Many hands, for a second and a half; it swells and dies away."""
    import numpy as np

    rng = np.random.default_rng(17)
    out = np.zeros(int(1.5 * RATE), np.float32)
    clap = noise(0.03, 700, 4500, seed=18) * np.exp(-np.linspace(0, 6, int(0.03 * RATE))).astype(np.float32)
    for at in rng.integers(0, len(out) - len(clap), 160):
        out[at : at + len(clap)] += rng.uniform(0.2, 1) * clap
    return _peak(out * np.hanning(len(out)))


def dog() -> Wave:
    """Three barks, made of a buzz that falls in pitch."""
    import numpy as np

    t = np.arange(int(0.22 * RATE)) / RATE
    phase = 2 * np.pi * np.cumsum(520 - 900 * t) / RATE
    bark = np.sum([np.sin(k * phase) / k**0.5 for k in range(1, 9)], axis=0) * np.hanning(len(t))
    return repeated(_peak(bark + 0.4 * noise(0.22, 400, 3000, seed=19) * np.hanning(len(t))), 3, 0.4)


def monitor() -> Wave:
    """A hospital monitor: four soft beeps."""
    return repeated(tone(980, 980, 0.12), 4, 0.7)


def chime() -> Wave:
    """The four notes before an announcement."""
    return joined(*[struck([hz, 2 * hz], 0.4, 5) for hz in (523, 659, 784, 1046)])


def traffic(seconds: float = 2.5) -> Wave:
    """A street: low noise, a motor, a horn in the distance."""
    import numpy as np

    street = 0.7 * noise(seconds, 50, 700, seed=21) + 0.5 * engine(seconds)
    street[: len(horn())] += np.float32(0.3) * horn()[: len(street)]
    return _peak(street)


def whistle() -> Wave:
    """A whistle with a trill."""
    import numpy as np

    t = np.arange(int(0.7 * RATE)) / RATE
    return _soft_ends(_peak(np.sin(2 * np.pi * 2300 * t + 6 * np.sin(2 * np.pi * 25 * t))))


EFFECTS: dict[str, Callable[[], Wave]] = {
    f.__name__: f
    for f in (
        doorbell,
        knocks,
        footsteps,
        engine,
        horn,
        train_horn,
        alarm,
        siren,
        rain,
        thunder,
        glass,
        crash,
        school_bell,
        phone,
        clock,
        applause,
        dog,
        monitor,
        chime,
        traffic,
        whistle,
    )
}


def _peak(wave: NDArray[np.floating], top: float = 0.5) -> Wave:
    import numpy as np

    return (wave * (top / max(1e-9, float(np.abs(wave).max())))).astype(np.float32)


def _soft_ends(wave: Wave, seconds: float = 0.015) -> Wave:
    import numpy as np

    n = int(seconds * RATE)
    gain = np.ones(len(wave), np.float32)
    gain[:n], gain[-n:] = np.linspace(0, 1, n), np.linspace(1, 0, n)
    return wave * gain
