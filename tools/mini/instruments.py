"""Six instruments: how they sound (harmonics and envelopes), how they are drawn, and several together."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from tools.mini.sounds import RATE

if TYPE_CHECKING:
    from tools.mini.sounds import Wave

PAPER = "#fbf7ee"
SIDE = 160
MELODIES = ((0, 4, 7, 12), (12, 7, 4, 0), (0, 2, 4, 5), (7, 5, 4, 2), (0, 7, 5, 12))


@dataclass(frozen=True, slots=True)
class Tone:
    """How an instrument sounds: lowest note in Hz, strength of each harmonic, attack, decay, vibrato and breath.

    attack   seconds until full strength; decay: per second, 0 for a tone that is held
    vibrato  share by which the pitch moves; breath: strength of the noise
    """

    hertz: float
    harmonics: Sequence[float]
    attack: float = 0.03
    decay: float = 0.0
    vibrato: float = 0.0
    breath: float = 0.0


TONES = {
    "violin": Tone(392, [1 / k for k in range(1, 13)], 0.08, vibrato=0.012),
    "double bass": Tone(55, [1, 0.8, 0.5, 0.3, 0.2, 0.1], 0.005, decay=4.0),
    "flute": Tone(587, [1, 0.15, 0.05], 0.06, vibrato=0.006, breath=0.08),
    "clarinet": Tone(220, [1, 0, 0.7, 0, 0.45, 0, 0.3, 0, 0.15], 0.04),
    "trumpet": Tone(294, [0.5, 0.8, 1, 0.9, 0.8, 0.6, 0.5, 0.35, 0.2], 0.02),
    "tuba": Tone(73, [1, 0.9, 0.5, 0.25, 0.1], 0.06),
}


def played(name: str, melody: Sequence[int], seconds: float = 2.0) -> Wave:
    """Return notes (semitones above the instrument's lowest) of equal length, peak 0.5."""
    import numpy as np

    own, length = TONES[name], int(seconds / len(melody) * RATE)
    rng = np.random.default_rng(len(name))
    t = np.arange(length) / RATE
    notes = []
    for step in melody:
        hertz = own.hertz * 2 ** (step / 12) * (1 + own.vibrato * np.sin(2 * np.pi * 5.5 * t))
        phase = 2 * np.pi * np.cumsum(hertz) / RATE
        tone = np.sum([strength * np.sin(k * phase) for k, strength in enumerate(own.harmonics, 1)], axis=0)
        tone = tone / sum(own.harmonics) + own.breath * rng.standard_normal(length)
        rise = np.minimum(t / own.attack, 1) * np.minimum((t[-1] - t) / 0.02, 1)
        notes.append(tone * rise * np.exp(-own.decay * t))
    wave = np.concatenate(notes)
    return (wave * (0.5 / np.abs(wave).max())).astype(np.float32)


def together(names: Sequence[str], melody: int) -> Wave:
    """Return several instruments playing at once, each its own melody, with equal energy."""
    import numpy as np

    parts = [played(name, MELODIES[(melody + n) % len(MELODIES)]) for n, name in enumerate(names)]
    mix = np.sum([part / np.sqrt(np.mean(part**2)) for part in parts], axis=0)
    return (mix * (0.5 / np.abs(mix).max())).astype(np.float32)


def drawn(names: Sequence[str], seed: int = 0) -> Image.Image:
    """Return instruments next to each other, on a ground and in an order that depend on the seed."""
    draw = random.Random(seed)
    order = draw.sample(list(names), len(names))
    paper = draw.choice((PAPER, "#e8eef5", "#f5ece4", "#eaf3e6"))
    picture = Image.new("RGB", (SIDE * len(order), SIDE), paper)
    for place, name in enumerate(order):
        own = Image.new("RGB", (SIDE, SIDE), paper)
        DRAWINGS[name](ImageDraw.Draw(own))
        own = own.rotate(draw.uniform(-6, 6), resample=Image.Resampling.BILINEAR, fillcolor=paper)
        picture.paste(own, (SIDE * place, 0))
    return picture


def _strings(pen: ImageDraw.ImageDraw, top: int, half: int, body: str) -> None:
    """A body with a waist, a neck and strings: larger for lower instruments."""
    pen.rectangle((76, 8, 84, 150), fill="#2a1a10")
    low = 150
    pen.ellipse((80 - half, low - 2 * half, 80 + half, low), fill=body)
    pen.ellipse((80 - half * 0.8, top, 80 + half * 0.8, top + 1.6 * half), fill=body)
    pen.rectangle((80 - half * 0.5, top + half, 80 + half * 0.5, low - half), fill=body)
    pen.rectangle((77, 8, 83, low - half), fill="#2a1a10")
    for x in (78, 80, 82):
        pen.line((x, 8, x, low - half // 2), fill="#dddddd")


def _violin(pen: ImageDraw.ImageDraw) -> None:
    _strings(pen, 78, 22, "#a5521f")
    pen.line((122, 20, 140, 146), fill="#5b3a1e", width=3)  # the bow


def _bass(pen: ImageDraw.ImageDraw) -> None:
    _strings(pen, 44, 38, "#6b3413")
    pen.rectangle((78, 148, 82, 158), fill="#333333")


def _flute(pen: ImageDraw.ImageDraw) -> None:
    pen.line((12, 100, 148, 60), fill="#b8c0c8", width=9)
    for n in range(6):
        x = 62 + 13 * n
        pen.ellipse((x - 5, 80 - 4 * n, x + 5, 90 - 4 * n), fill="#7c8791")
    pen.ellipse((24, 88, 36, 98), fill="#5a636b")


def _clarinet(pen: ImageDraw.ImageDraw) -> None:
    pen.line((54, 12, 100, 128), fill="#161616", width=11)
    pen.polygon([(92, 122), (108, 116), (124, 148), (96, 156)], fill="#161616")
    pen.line((48, 2, 54, 14), fill="#c9a86a", width=6)
    for n in range(6):
        x, y = 60 + 6.5 * n, 34 + 16 * n
        pen.ellipse((x - 4, y - 4, x + 8, y + 8), fill="#cfd4d8")


def _trumpet(pen: ImageDraw.ImageDraw) -> None:
    pen.line((10, 76, 116, 76), fill="#d4a017", width=8)
    pen.polygon([(112, 70), (150, 48), (150, 104), (112, 82)], fill="#d4a017")
    pen.rounded_rectangle((44, 76, 104, 108), 14, outline="#d4a017", width=7)
    for x in (58, 72, 86):
        pen.rectangle((x, 54, x + 8, 110), fill="#b8860b")
    pen.ellipse((4, 70, 14, 82), fill="#b8860b")


def _tuba(pen: ImageDraw.ImageDraw) -> None:
    pen.rounded_rectangle((46, 60, 116, 152), 26, outline="#c9981a", width=13)
    pen.line((110, 62, 110, 120), fill="#c9981a", width=15)
    pen.polygon([(102, 64), (118, 64), (150, 8), (70, 8)], fill="#c9981a")
    for x in (60, 72, 84):
        pen.rectangle((x, 80, x + 7, 124), fill="#8f6b0e")
    pen.line((46, 96, 26, 76), fill="#c9981a", width=7)


DRAWINGS: dict[str, Callable[[ImageDraw.ImageDraw], None]] = {
    "violin": _violin,
    "double bass": _bass,
    "flute": _flute,
    "clarinet": _clarinet,
    "trumpet": _trumpet,
    "tuba": _tuba,
}
