"""The raw material: sounds computed, pictures drawn, a table of triplets and one of parts. `said` has the words."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tools.mini import instruments, nature, pictures, rooms, sounds
from tools.six import said
from tools.six.workshop import Material, Row, moved, write_table

if TYPE_CHECKING:
    from PIL.Image import Image

    from tools.mini.sounds import Wave

ICONS = ("bell", "rain", "engine", "knocks", "whistle")
NAMES = {
    "bell": "a bell ringing",
    "rain": "rain falling",
    "engine": "a car engine running",
    "knocks": "somebody knocking on a door",
    "whistle": "somebody whistling",
}


def write_material(root: Path) -> Path:
    """Write `triplets.csv`, `parts.csv`, `six.toml` and `media/` into a folder; returns the configuration."""
    shop = Material(root)
    rows = [row for make in MAKERS for row in make(shop)]
    write_table(root / "triplets.csv", rows)
    write_table(root / "parts.csv", shop.parts)
    (root / "six.toml").write_text(CONFIG, encoding="utf-8")
    return root / "six.toml"


CONFIG = """triplets = ["triplets.csv"]
parts = ["parts.csv"]
common = { licence = "cc0-1.0" }
name = "Six directions"
licence = "cc0-1.0"
lite = 20

[stages.draw-text]
kinds = ["printed", "handwritten"]
"""


EFFECTS: dict[str, Callable[[], Wave]] = {
    "bell": sounds.doorbell,
    "rain": sounds.rain,
    "engine": sounds.engine,
    "knocks": sounds.knocks,
    "whistle": sounds.whistle,
}


def general(shop: Material) -> Iterator[Row]:
    """Things heard and drawn, at several pitches and sizes; coloured shapes, named and drawn."""
    for name, (n, pitch) in itertools.product(ICONS, enumerate((0.8, 0.9, 1.0, 1.15))):
        yield {
            "id": f"general-{name}-{n}",
            "subtask": "general",
            "text": NAMES[name],
            "category": name,
            "audio": shop.sound(f"general-{name}-{n}", moved(EFFECTS[name](), pitch)),
            "image": shop.picture(f"general-{name}-{n}", pictures.icon(name, 140 + 40 * n)),
        }
    for colour, kind in itertools.product(pictures.COLOURS, ("circle", "square", "triangle", "star")):
        yield {
            "id": f"general-{colour}-{kind}",
            "subtask": "general",
            "text": f"a {colour} {kind}",
            "category": f"{colour} {kind}",
            "language": "en",
            "image": shop.picture(f"shape-{colour}-{kind}", pictures.shape(colour, kind)),
        }


def natures(shop: Material) -> Iterator[Row]:
    """Landscapes, and what is heard in them."""
    for (n, (text, (heard, seen))), seed in itertools.product(enumerate(nature.SCENES.items()), range(8)):
        name = f"nature-{n}-{seed}"
        yield {
            "id": name,
            "subtask": "natures",
            "text": text,
            "category": text,
            "audio": shop.sound(name, heard(seed)),
            "image": shop.picture(name, seen(seed)),
        }


def soloists(shop: Material) -> Iterator[Row]:
    """One instrument, several melodies."""
    for name, (n, melody) in itertools.product(instruments.TONES, enumerate(instruments.MELODIES)):
        id = f"solo-{name.replace(' ', '-')}-{n}"
        yield {
            "id": id,
            "subtask": "instruments",
            "text": name,
            "category": name,
            "audio": shop.sound(id, instruments.played(name, melody)),
            "image": shop.picture(id, instruments.drawn([name], n)),
        }


def ensembles(shop: Material) -> Iterator[Row]:
    """Two or three instruments at once."""
    names = list(instruments.TONES)
    chosen = [*itertools.combinations(names, 2)][::2] + [*itertools.combinations(names, 3)][::5]
    for (number, who), n in itertools.product(enumerate(chosen), range(3)):
        id, text = f"ensemble-{number:02}-{n}", " and ".join(who)
        yield {
            "id": id,
            "subtask": "instruments_comp",
            "text": text,
            "category": text,
            "audio": shop.sound(id, instruments.together(who, n)),
            "image": shop.picture(id, instruments.drawn(who, 10 * number + n)),
        }


def scenes(shop: Material) -> Iterator[Row]:
    """Something sounds in a room all around; the recipe turns the room."""
    events = {name: EFFECTS[name] for name in ("bell", "knocks", "whistle")}
    for (name, make), (n, azimuth) in itertools.product(events.items(), enumerate(range(-157, 180, 30))):
        id = f"scene-{name}-{n:02}"
        picture = rooms.panorama(name, azimuth, n)
        yield {
            "id": id,
            "subtask": "panaroma",
            "text": NAMES[name],
            "azimuth": azimuth,
            "foa": shop.sound(id, rooms.field(rooms.repeated(make()), azimuth, n)),
            "video": shop.video(id, [picture] * 16),
        }


def finegrained(shop: Material) -> Iterator[Row]:
    """Tones that rise, fall or stay, from several pitches, and their curves."""
    curves = {
        "a high steady tone": (4, 4),
        "a low steady tone": (1, 1),
        "a rising tone": (1, 4),
        "a falling tone": (4, 1),
    }
    for (text, (start, end)), n in itertools.product(curves.items(), range(9)):
        low = 180 * 1.06**n
        wave = sounds.tone(low * start, low * end, 1.2 + 0.1 * n)
        drawn = pictures.pitch_curve(0.15 + 0.85 * (start - 1) / 3, 0.15 + 0.85 * (end - 1) / 3)
        drawn = drawn.resize((192 + 12 * n, 144 + 9 * n))
        name = f"tone-{text.split()[1]}-{n}"
        yield {
            "id": name,
            "subtask": "finegrained",
            "text": text,
            "category": text,
            "group": "Musical instruments",
            "audio": shop.sound(name, wave),
            "image": shop.picture(name, drawn),
        }


def arrangements(shop: Material) -> Iterator[Row]:
    """Three things from left to right; the recipe composes the orders."""
    for name in ICONS:
        wave = EFFECTS[name]()[: 2 * sounds.RATE]
        frames = [_wide(pictures.icon(name, 160).rotate(4 * (k % 3 - 1), fillcolor=pictures.PAPER)) for k in range(16)]
        shop.parts.append(
            {
                "id": name,
                "text": name,
                "audio": shop.sound(f"part-{name}", wave),
                "image": shop.picture(f"part-{name}", pictures.icon(name, 160)),
                "video": shop.video(f"part-{name}", frames),
            }
        )
    for order in itertools.permutations(ICONS, 3):
        yield {"id": f"arrangement-{'-'.join(order)}", "subtask": "arrangements", "parts": "|".join(order)}


def _wide(icon: Image) -> Image:
    """The picture of a thing in the middle of a frame of the films."""
    from PIL import Image

    frame = Image.new("RGB", (284, 160), pictures.PAPER)
    frame.paste(icon, (62, 0))
    return frame


def order(shop: Material) -> Iterator[Row]:
    """Three to five events one after another."""
    draw = random.Random("order")
    orders = [*itertools.permutations(ICONS, 3), *itertools.permutations(ICONS, 4)]
    for chosen in sorted(draw.sample(orders, 40)):
        yield {"id": f"order-{'-'.join(chosen)}", "subtask": "order", "parts": "|".join(chosen)}


def movements(shop: Material) -> Iterator[Row]:
    """A car that passes, comes or goes; stereo and video."""
    import numpy as np

    paths = {
        "A car moving from left to right.": ((0.05, 0.95), (1.0, 1.0)),
        "A car moving from right to left.": ((0.95, 0.05), (1.0, 1.0)),
        "A car coming closer.": ((0.5, 0.5), (0.25, 1.6)),
        "A car going away.": ((0.5, 0.5), (1.6, 0.25)),
    }
    for (number, (text, (x, near))), n in itertools.product(enumerate(paths.items()), range(8)):
        seconds = 2.0 + 0.2 * n
        wave = moved(sounds.engine(seconds * (0.8 + 0.05 * n)), 0.8 + 0.05 * n)
        loud = np.geomspace(*near, len(wave)).astype(np.float32) / 1.6
        stereo = sounds.panned(wave * loud, np.linspace(*x, len(wave)).astype(np.float32))
        steps = round(seconds * 8)
        frames = [
            pictures.car(float(p), float(s))
            for p, s in zip(np.linspace(*x, steps), np.geomspace(*near, steps), strict=True)
        ]
        name = f"movement-{number}-{n}"
        yield {
            "id": name,
            "subtask": "3D_movements",
            "text": text,
            "category": text,
            "group": "car",
            "audio": shop.sound(name, stereo),
            "video": shop.video(name, frames),
        }


EVENTS = {
    "beep": ("#ffe45c", lambda: sounds.tone(880, 880, 0.2)),
    "knock": ("#ff7043", lambda: sounds.struck([180, 270, 410, 95], 0.15, 35)),
    "ping": ("#4dd0e1", lambda: sounds.struck([1320, 1980], 0.3, 14)),
    "drum": ("#aed581", lambda: sounds.struck([55, 80], 0.18, 18)),
}


def counted(shop: Material) -> Iterator[Row]:
    """Events that the recipe repeats: counts, twice the count, sums."""
    from PIL import Image, ImageDraw

    for name, (colour, make) in EVENTS.items():
        frames = []
        for on in (False, True, True, False):
            picture = Image.new("RGB", (160, 90), "#101010")
            ImageDraw.Draw(picture).ellipse((45, 10, 115, 80), fill=colour if on else "#2a2a2a")
            frames.append(picture)
        shop.parts.append(
            {
                "id": name,
                "text": name,
                "audio": shop.sound(f"event-{name}", make()),
                "video": shop.video(f"event-{name}", frames),
            }
        )
    for name in EVENTS:
        for count in range(2, 10):
            yield {"id": f"count-{name}-{count}", "subtask": "count", "parts": name, "count": count}
        for count in range(1, 5):
            yield {
                "id": f"double-{name}-{count}",
                "subtask": "calculation",
                "parts": name,
                "count": count,
                "compose": "double",
            }
        for a, b in ((1, 2), (2, 1), (2, 3), (3, 2), (4, 1), (1, 4)):
            yield {
                "id": f"sum-{name}-{a}-{b}",
                "subtask": "calculation",
                "parts": name,
                "count": f"{a}+{b}",
                "compose": "sum",
            }


MAKERS = (
    general,
    natures,
    soloists,
    ensembles,
    finegrained,
    arrangements,
    scenes,
    movements,
    order,
    counted,
    said.recognition,
    said.translation,
    said.emotions,
    said.genres,
    said.stories,
    said.singing,
)
