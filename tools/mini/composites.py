"""Sounds with their films that are composed of others: arrangements, passing cars, turned rooms, orders and counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PIL import Image

from tools.mini import encode, pictures, rooms, sounds

if TYPE_CHECKING:
    from tools.mini.sounds import Wave

EVENTS = {"bell": sounds.doorbell, "knocks": sounds.knocks, "whistle": sounds.whistle}
Film = list[Image.Image]


def arranged(names: Sequence[str]) -> Wave:
    """Return three sounds at once: the first on the left, the second in the middle, the third on the right."""
    import numpy as np

    parts = [sounds.panned(EVENTS[name](), place / 2) for place, name in enumerate(names)]
    stereo = np.zeros((max(len(part) for part in parts), 2), np.float32)
    for part in parts:
        stereo[: len(part)] += part
    return stereo


def passing(x: Sequence[float], near: Sequence[float]) -> tuple[Wave, Film]:
    """Return a car that moves from one place to another (0: left edge, 1: right) and from one nearness to another."""
    import numpy as np

    wave = sounds.engine(2.5)
    loud = np.geomspace(*near, len(wave)).astype(np.float32) / 1.6
    stereo = sounds.panned(wave * loud, np.linspace(*x, len(wave)).astype(np.float32))
    steps = zip(np.linspace(*x, 20), np.geomspace(*near, 20), strict=True)
    return stereo, [pictures.car(float(place), float(size)) for place, size in steps]


def scene(event: str, azimuth: float) -> tuple[Wave, Film, str]:
    """Return a sound from a direction through headphones, the panorama with a red box around it, and the direction."""
    import numpy as np

    from triptych.construction.stages.scene_forms import sector
    from triptych.media.scenes.drawing import with_box
    from triptych.media.scenes.panorama import pixel_of
    from triptych.media.spatial.head import spherical_head
    from triptych.media.spatial.hrtf import foa_to_binaural

    field = rooms.field(rooms.repeated(EVENTS[event]()), azimuth)
    heard = foa_to_binaural(field, sounds.RATE, spherical_head().resample(sounds.RATE))
    heard = heard * (0.5 / np.abs(heard).max())
    picture = np.asarray(rooms.panorama(event, azimuth))
    x, y = pixel_of(azimuth, 0, picture.shape[1], picture.shape[0])
    half = rooms.ICON / 2 + 4
    shown = Image.fromarray(with_box(picture, (x - half, y - half, x + half, y + half)))
    return heard.astype(np.float32), [shown] * encode.VIDEO_FPS * 2, sector(azimuth)


def ordered(names: Sequence[str]) -> tuple[Wave, Film]:
    """Return events one after another, each for a second: its sound, and its picture tilting from side to side."""
    heard: list[Any] = []
    film: Film = []
    for name in names:
        wave = EVENTS[name]()[: sounds.RATE]
        heard += [wave, sounds.silence(1.15 - len(wave) / sounds.RATE)]
        still = pictures.icon(name, 128)
        film += [still.rotate(8 * (step % 3 - 1), fillcolor=pictures.PAPER) for step in range(encode.VIDEO_FPS)]
    return sounds.joined(*heard), film


def counted(times: int) -> tuple[Wave, Film]:
    """Return this many beeps, and as many flashes of a lamp."""
    beeps = sounds.repeated(sounds.tone(880, 880, 0.2), times, 0.5)
    return beeps, [pictures.flash(False)] + [pictures.flash(i % 4 < 2) for i in range(4 * times)]
