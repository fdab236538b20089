"""Scenes as forms: the same scene turned by four angles; of a street, the vehicle in the red box and its movement."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from math import asin, degrees, radians, sin
from typing import Annotated, Any

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.stages._media_fields import Lufs, Rate
from triptych.construction.stages.triplets import FORMS, store_sound

_MADE = ["audio", "text", "vision"]
# Counter-clockwise from the front, 45 degrees each
SECTORS = (
    "in front",
    "at the front left",
    "on the left",
    "at the back left",
    "behind",
    "at the back right",
    "on the right",
    "at the front right",
)

VEHICLES = ("car", "bus", "motorbike", "truck")
OPPOSITES = {
    "moving from left to right": "moving from right to left",
    "moving from right to left": "moving from left to right",
    "coming closer": "going away",
    "going away": "coming closer",
}


class SceneForms(Parameters, frozen=True):
    """Parameters of `scene-forms`."""

    least_apart: Annotated[
        float,
        Meta(
            ge=0,
            le=180,
            description="least difference between two turns by their angle to the median plane, in degrees",
        ),
    ] = 10.0


@stage(
    "scene-forms",
    version=1,
    reads=["turned", "label"],
    writes=[*FORMS, "category"],
    parameters=SceneForms,
)
def scene_forms(values: Values, context: Context[SceneForms]) -> Outcome:
    """Make forms of a turned scene (`turn-scene`): one of its turns is correct, the others are wrong.

    The correct turn is drawn by the seed. The text names the event (`label`) and its direction in eight sectors. Two
    directions with nearly the same angle to the median plane (front and back) sound alike through a spherical head; if
    two turns are less than `least_apart` degrees apart by this angle, the record is dropped. Set it to 0 if the sound
    is ambisonics, or if the measured responses of a head distinguish front and back.
    """
    turned = list(values["turned"])
    if any(name not in each for each in turned for name in ("audio", "video", "azimuth")):
        return dropped("scene-incomplete", "sound, panorama and azimuth are needed")
    angles = [lateral(each["azimuth"]) for each in turned]
    if min(abs(a - b) for a, b in itertools.combinations(angles, 2)) < context.parameters.least_apart:
        return dropped("directions-alike", ", ".join(f"{each['azimuth']:g}" for each in turned))
    forms = [_form(values["label"], each) for each in turned]
    form = forms.pop(context.random("turn", values.id).randrange(len(forms)))
    return kept(form | {"target": None, "wrong": forms, "category": values["label"]})


def _form(label: str, turned: Mapping[str, Any]) -> dict[str, Any]:
    text = f"{label}, {sector(turned['azimuth'])}"
    return {"text": text, "audio": turned["audio"], "vision": turned["video"], "made": list(_MADE)}


def lateral(azimuth: float) -> float:
    """Return the angle between a direction and the median plane in degrees, positive to the left.

    Example:
        >>> round(lateral(30.0)), round(lateral(150.0)), round(lateral(-90.0))
        (30, 30, -90)
    """
    return degrees(asin(max(-1.0, min(1.0, sin(radians(azimuth))))))


def sector(azimuth: float) -> str:
    """Return the direction of an azimuth in words, one of eight sectors.

    Example:
        >>> sector(25.0), sector(-100.0)
        ('at the front left', 'on the right')
    """
    return SECTORS[round(azimuth / 45.0) % 8]


class MovementForms(Parameters, frozen=True):
    """Parameters of `movement-forms`."""

    least_boxes: Annotated[int, Meta(ge=1, description="least number of boxes of the vehicle")] = 3
    least_visibility: Annotated[float, Meta(ge=0, le=1, description="a box with a lower visibility is not used")] = 0.5
    across: Annotated[
        float,
        Meta(gt=0, description="a vehicle moves to a side if its centre moves by this multiple of its mean width"),
    ] = 1.0
    nearer: Annotated[
        float, Meta(gt=1, description="a vehicle comes closer or goes away if its area changes by this factor")
    ] = 1.5
    rate: Rate = 24_000
    lufs: Lufs = -23.0


@stage(
    "movement-forms",
    version=2,
    reads=["audio", "video", "tracks", "offscreen?", "begin?", "end?"],
    writes=[*FORMS, "category", "group", "ranked"],
    costly=True,
    parameters=MovementForms,
)
def movement_forms(values: Values, context: Context[MovementForms]) -> Outcome:
    """Make a form of a street scene: its sound, its film with the box (`track-box`), the vehicle and its movement.

    The vehicle is the one of most boxes, as in `track-box`. It moves to a side if its centre moves by at least `across`
    times its mean width; otherwise it comes closer or goes away if its area changes by the factor `nearer`. A vehicle
    that does neither is dropped, as is one with fewer than `least_boxes` boxes of at least `least_visibility`, and a
    clip with sounds from outside the picture (`offscreen`). A clip without tracks is a street without vehicles.
    `category` is the movement, `group` the vehicle, and `ranked` lists the distractors that come first: the vehicle in
    the opposite direction, and other vehicles in this direction and the opposite one. The sound of the span `begin` to
    `end` becomes WAV at `rate` Hz and `lufs` LUFS.
    """
    import numpy as np

    from triptych.media.sound.coding import decode_sound

    wanted = context.parameters
    if values["offscreen"]:
        return dropped("source-not-visible", "a sound comes from outside the picture")
    path = context.media.path(values["audio"])
    sound = decode_sound(path.read_bytes(), path)
    begin, end = (None if values[name] is None else round(values[name] * sound.rate) for name in ("begin", "end"))
    samples = sound.samples[begin or 0 : end]
    if end is not None and (more := end - (begin or 0) - len(samples)) > 0:
        samples = np.pad(samples, ((0, more), (0, 0)))
    form = {"audio": store_sound(samples, sound.rate, context), "vision": values["video"], "made": ["text"]}
    form |= {"target": None, "wrong": None}
    if not values["tracks"]:
        return kept(
            form | {"text": "No vehicle is in the street.", "category": "none", "group": "none", "ranked": None}
        )
    track = max(values["tracks"], key=lambda t: len(t["boxes"]))
    boxes = sorted(b for b in track["boxes"] if b[5] >= wanted.least_visibility)
    if len(boxes) < wanted.least_boxes:
        return dropped("not-visible", f"{len(boxes)} boxes of a vehicle")
    movement = movement_of(boxes, wanted.across, wanted.nearer)
    if not movement:
        return dropped("no-movement", track["label"])
    ranked = _ranked(track["label"], movement, context.random("vehicles", values.id).sample(VEHICLES, len(VEHICLES)))
    text = f"A {track['label']} {movement}."
    return kept(form | {"text": text, "category": movement, "group": track["label"], "ranked": ranked})


def _ranked(vehicle: str, movement: str, vehicles: Sequence[str]) -> list[str]:
    """The distractors that come first, as `VEHICLE, MOVEMENT`.

    Each of the first three shares a feature with the target or with its opposite: no candidate is the odd one.
    """
    opposite = OPPOSITES[movement]
    others = [other for other in vehicles if other != vehicle]
    return [f"{vehicle}, {opposite}", *(f"{other}, {way}" for other in others for way in (movement, opposite))]


def movement_of(boxes: Sequence[Sequence[float]], across: float, nearer: float) -> str:
    """Return how boxes [seconds, x, y, width, height, …] move from the first to the last; empty if they don't.

    Example:
        >>> movement_of([[0, 0, 0, 10, 5], [1, 40, 0, 10, 5]], 1.0, 1.5)
        'moving from left to right'
    """
    first, last = boxes[0], boxes[-1]
    step = (last[1] + last[3] / 2 - first[1] - first[3] / 2) / max(1e-9, (first[3] + last[3]) / 2)
    if abs(step) >= across:
        return "moving from left to right" if step > 0 else "moving from right to left"
    growth = (last[3] * last[4]) / max(1e-9, first[3] * first[4])
    if growth >= nearer:
        return "coming closer"
    return "going away" if growth <= 1 / nearer else ""
