"""Invented singers: a voice computed from harmonics and formants, a drawn portrait, a biography."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from tools.mini.pictures import latin_font
from tools.mini.sounds import RATE

if TYPE_CHECKING:
    from tools.mini.sounds import Wave

CONSENT = "an invented singer: no person is shown or heard"
VOWELS = {"a": (800, 1150, 2900), "o": (450, 800, 2830), "e": (400, 1700, 2600), "i": (320, 2100, 2960)}
RANGES = {"bass": 98.0, "tenor": 196.0, "alto": 262.0, "soprano": 523.0}  # Hz of the lowest note
SONGS = ((0, 4, 7, 4, 0), (7, 5, 4, 2, 0), (0, 2, 4, 7, 9), (0, 5, 4, 7, 5))
SKINS, HAIR = ("#f2d3b3", "#c98e5f", "#8d5a34", "#e3b98f"), ("#2b1b10", "#8a5a2b", "#d9b25f", "#9c9c9c")


@dataclass(frozen=True, slots=True)
class Singer:
    """An invented singer: the name, one of RANGES, whether songs are slow, where the singer comes from."""

    name: str
    range: str
    slow: bool
    town: str

    @property
    def voice(self) -> str:
        """What the portrait and the biography say of the voice."""
        return f"{self.range}, {'slow' if self.slow else 'fast'} songs"


SINGERS = (
    Singer("Bruno Halvard", "bass", True, "Oskerby"),
    Singer("Mira Solenne", "soprano", False, "Port Veld"),
    Singer("Teo Marlin", "tenor", True, "Lower Quay"),
    Singer("Alma Quist", "alto", False, "Fernhollow"),
    Singer("Gregor Stam", "bass", False, "Tarn"),
    Singer("Lia Fontein", "soprano", True, "Aldermere"),
    Singer("Nico Brandel", "tenor", False, "Saltby"),
    Singer("Ruth Okker", "alto", True, "Windle"),
)
BIOGRAPHIES = (
    "{name} is a singer from {town}: {voice}.",
    "Born in {town}, {name} first sang in a choir and is known today for this: {voice}.",
    "{name} left {town} at the age of nineteen with a guitar. Critics praise the voice ({voice}).",
    "Every summer {name} gives a free concert in {town}. The voice: {voice}.",
)


def song(singer: Singer, number: int) -> Wave:
    """Return a short song without words: five notes, each on a vowel, slow or fast."""
    vowels = random.Random(f"{singer.name} {number}").choices(sorted(VOWELS), k=5)
    return sung(RANGES[singer.range], SONGS[number % len(SONGS)], vowels, 0.6 if singer.slow else 0.22)


def sung(hertz: float, notes: Sequence[int], vowels: Sequence[str], seconds: float) -> Wave:
    """Return notes (semitones above `hertz`) of `seconds` each, sung on vowels: harmonics under three formants."""
    import numpy as np

    t = np.arange(int(seconds * RATE)) / RATE
    parts = []
    for step, vowel in zip(notes, vowels, strict=True):
        base = hertz * 2 ** (step / 12)
        phase = 2 * np.pi * np.cumsum(base * (1 + 0.01 * np.sin(2 * np.pi * 5 * t))) / RATE
        tone = np.zeros(len(t))
        for k in range(1, int(4000 / base) + 1):
            near = sum(np.exp(-(((k * base - f) / 160) ** 2)) / (n + 1) for n, f in enumerate(VOWELS[vowel]))
            tone += (0.08 + near) / k**0.5 * np.sin(k * phase)
        parts.append(tone / np.abs(tone).max() * np.minimum(np.minimum(t, t[-1] - t) / 0.04, 1))
    return np.asarray(0.5 * np.concatenate(parts), np.float32)


def portrait(singer: Singer, number: int = 0) -> Image.Image:
    """Return a poster: a head with hair and a microphone, the name and the voice below."""
    draw = random.Random(singer.name)
    ground = ("#33415c", "#5c3d46", "#2f4f4f", "#4a4063")[number % 4]
    picture = Image.new("RGB", (256, 256), ground)
    pen, skin, hair = ImageDraw.Draw(picture), draw.choice(SKINS), draw.choice(HAIR)
    long = singer.range in ("alto", "soprano")
    if long:
        pen.rounded_rectangle((74, 30, 182, 160), 40, fill=hair)
    pen.ellipse((88, 40, 168, 140), fill=skin)
    pen.pieslice((82, 26, 174, 128), 180, 360, fill=hair)
    for x in (110, 146):
        pen.ellipse((x - 5, 82, x + 5, 92), fill="black")
    pen.ellipse((116, 104, 140, 128), fill="#7a1f1f")
    pen.line((186, 170, 152, 132), fill="#222222", width=8)
    pen.ellipse((138, 118, 162, 142), fill="#9aa4ad")
    pen.polygon([(60, 186), (100, 140), (156, 140), (196, 186)], fill=draw.choice(("#a21caf", "#0f766e", "#b45309")))
    pen.rectangle((0, 184, 256, 256), fill="#111111")
    lines = "\n".join([singer.name, *textwrap.wrap(singer.voice, 22)])
    pen.multiline_text((128, 220), lines, "white", latin_font(22), anchor="mm", align="center", spacing=8)
    return picture


def biography(singer: Singer, number: int = 0) -> str:
    """Return one of four biographies of a singer, in one or two sentences."""
    text = BIOGRAPHIES[number % len(BIOGRAPHIES)]
    return text.format(name=singer.name, town=singer.town, voice=singer.voice)
