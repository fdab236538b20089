"""Recorded scenes: turned by an angle, seen in a view of their panorama, and objects marked by a box."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.stages._media_fields import FramesPerSecond, Height, Lufs, Sha256, Sofa, Width
from triptych.construction.stages._signals import head_of, keep_sound, made_film
from triptych.errors import MediaError


class TurnScene(Parameters, frozen=True):
    """Parameters of `turn-scene`."""

    yaws: Annotated[
        tuple[float, ...], Meta(description="turns of the scene in degrees; positive: events move to the left")
    ] = (0.0, 90.0, 180.0, -90.0)
    output: Annotated[Literal["stereo", "binaural", "foa"], Meta(description="sound that is written")] = "binaural"
    sofa: Sofa = ""
    sha256: Sha256 = ""
    lufs: Lufs = -23.0
    field: Annotated[float, Meta(gt=0, lt=180, description="horizontal field of view, in degrees")] = 100.0
    width: Width = 640
    height: Height = 360
    per_second: FramesPerSecond = 10
    look: Annotated[
        Literal["front", "event", "panorama"],
        Meta(description="view of the panorama: to the front, to the event before the turn, or the whole"),
    ] = "front"
    box_metres: Annotated[
        float, Meta(ge=0, description="size of the red box that marks the event, in metres (0: no box)")
    ] = 0.0


@stage(
    "turn-scene",
    version=2,
    writes=["turned"],
    costly=True,
    reads=["foa?", "mic?", "video?", "begin?", "end?", "azimuth?", "elevation?", "distance?"],
    parameters=TurnScene,
)
def turn_scene(values: Values, context: Context[TurnScene]) -> Outcome:
    """Turn a recorded scene by each of `yaws` degrees (positive: events move to the left), sound and picture alike.

    The sound is `foa` (first-order ambisonics: W, Y, Z, X), or `mic` (a tetrahedral array, which is encoded first). It
    becomes `output`: stereo, binaural (`sofa` names a SOFA file relative to the configuration and `sha256` its hash;
    without, a spherical head) or foa, at `lufs`. Of the panorama `video`, a silent view is written with the horizontal
    `field` of view: to the front, or (`look` "event") to the event before the turn; or (`look` "panorama") the whole
    panorama, turned. With `box_metres`, a red box of this size marks the event at `azimuth`, `elevation` and `distance`
    where it is in view. `turned` lists {yaw, audio, video, azimuth}.
    """
    from triptych.media.scenes.turning import Turn

    wanted = context.parameters
    made: list[dict[str, Any]] = [{"yaw": yaw} for yaw in wanted.yaws]
    if values["foa"] or values["mic"]:
        foa, rate = _field(values, context)
        render = _renderer(context, rate)
        for each in made:
            each["audio"] = keep_sound(render(Turn(each["yaw"]).turn_sound(foa)), rate, context)
    for each in made:
        if values["azimuth"] is not None:
            each["azimuth"] = Turn(each["yaw"]).azimuth(values["azimuth"])
        if values["video"]:
            each["video"] = _view(values, each["yaw"], context)
    if "audio" not in made[0] and "video" not in made[0]:
        return dropped("no-scene", "neither sound nor video")
    return kept(turned=made)


class TrackBox(Parameters, frozen=True):
    """Parameters of `track-box`."""

    width: Width = 640
    height: Height = 360
    per_second: FramesPerSecond = 10
    least_visibility: Annotated[float, Meta(ge=0, le=1, description="a box with a lower visibility is not used")] = 0.5
    most_gap: Annotated[
        float, Meta(ge=0, description="greatest time between two boxes that are joined, in seconds")
    ] = 1.0
    unmarked: Annotated[bool, Meta(description="whether a film without any track is written without a box")] = False


@stage(
    "track-box",
    version=2,
    reads=["video", "tracks", "track?", "begin?", "end?"],
    writes=["video"],
    costly=True,
    parameters=TrackBox,
)
def track_box(values: Values, context: Context[TrackBox]) -> Outcome:
    """Mark one object of a film by a red box that follows it, and write the film without sound.

    `tracks` lists {track, boxes}, each box [seconds, x, y, width, height, visibility] in pixels of the film. `track`
    chooses one (None: that of most boxes). Boxes with less than `least_visibility` don't count; between two boxes at
    most `most_gap` seconds apart, the box moves steadily, and in longer gaps there is none. With `unmarked`, a film
    without any track is written without a box; otherwise it is dropped.
    """
    from triptych.media.lengths import probed
    from triptych.media.scenes.drawing import with_box
    from triptych.media.scenes.films import changed_film

    wanted, path = context.parameters, context.media.path(values["video"])
    chosen = [t for t in values["tracks"] if values["track"] in (None, t["track"])]
    boxes = [
        b
        for b in max(chosen, key=lambda t: len(t["boxes"]), default={"boxes": []})["boxes"]
        if b[5] >= wanted.least_visibility
    ]
    if not boxes and (values["tracks"] or not wanted.unmarked):
        return dropped("not-visible", "no box of the object")
    size, first = probed(path), values["begin"] or 0.0

    def marked(picture: Any, seconds: float) -> Any:
        box = box_at(boxes, first + seconds, wanted.most_gap) if boxes else None
        return picture if box is None else with_box(picture, box, thickness=max(2, size["height"] // 120))

    with made_film() as made:
        changed_film(_clip(values, path), made, _form(wanted), marked)
        return kept(video=context.media.add(made))


def box_at(boxes: list[list[float]], seconds: float, most_gap: float) -> tuple[float, float, float, float] | None:
    """Return (left, top, right, bottom) of an object at a time, between the boxes before and after; None in a gap."""
    before = max((b for b in boxes if b[0] <= seconds + 1e-6), key=lambda b: b[0], default=None)
    after = min((b for b in boxes if b[0] > seconds), key=lambda b: b[0], default=None)
    if before is None or (after is None and seconds - before[0] > most_gap):
        return None
    if after is None:
        after = before
    elif after[0] - before[0] > most_gap:
        return None
    share = (seconds - before[0]) / (after[0] - before[0]) if after[0] > before[0] else 0.0
    x, y, w, h = (a + (b - a) * share for a, b in zip(before[1:5], after[1:5], strict=True))
    return x, y, x + w, y + h


def _view(values: Values, yaw: float, context: Context) -> str:
    """A silent view of the panorama turned by `yaw`, or the whole of it."""
    from triptych.media.scenes.films import changed_film

    wanted, path = context.parameters, context.media.path(values["video"])
    seen = (_whole_panorama if wanted.look == "panorama" else _camera)(values, yaw, wanted)
    with made_film() as film:
        changed_film(_clip(values, path), film, _form(wanted), lambda picture, _: seen(picture))
        return context.media.add(film)


def _camera(values: Values, yaw: float, wanted: TurnScene) -> Callable[[Any], Any]:
    """A perspective view of a panorama: for a scene turned to the left, the camera turns to the right."""
    from triptych.media.scenes.drawing import box_of_direction, with_box
    from triptych.media.scenes.panorama import View

    azimuth = values["azimuth"]
    ahead = azimuth if wanted.look == "event" and azimuth is not None else 0.0
    view = View(ahead - yaw, 0.0, wanted.field, wanted.width, wanted.height)
    box, degrees = None, _degrees(values, wanted)
    if degrees:
        box = box_of_direction(view, azimuth, values["elevation"] or 0.0, degrees)

    def render_view(picture: Any) -> Any:
        made = view.crop(picture)
        return made if box is None else with_box(made, box)

    return render_view


def _whole_panorama(values: Values, yaw: float, wanted: TurnScene) -> Callable[[Any], Any]:
    """The whole panorama, turned; a box across the edge is drawn at both edges."""
    from triptych.media.scenes.drawing import with_box
    from triptych.media.scenes.panorama import pixel_of
    from triptych.media.scenes.turning import Turn

    turn, degrees = Turn(yaw), _degrees(values, wanted)

    def render_panorama(picture: Any) -> Any:
        made = turn.panorama(picture)
        if not degrees:
            return made
        height, width = made.shape[:2]
        x, y = pixel_of(turn.azimuth(values["azimuth"]), values["elevation"] or 0.0, width, height)
        half = degrees / 360 * width / 2
        for at in (x - width, x, x + width):
            made = with_box(made, (at - half, y - half, at + half, y + half))
        return made

    return render_panorama


def _degrees(values: Values, wanted: TurnScene) -> float:
    """The size of the box around an event, in degrees; 0 without a box."""
    from triptych.media.scenes.drawing import degrees_across

    if not wanted.box_metres or values["azimuth"] is None:
        return 0.0
    return degrees_across(wanted.box_metres, values["distance"])


def _field(values: Values, context: Context) -> tuple[Any, int]:
    """The sound field of the span as first-order ambisonics, and its rate."""
    from triptych.media.sound.coding import decode_sound
    from triptych.media.spatial.microphones import to_foa

    path = context.media.path(values["foa"] or values["mic"])
    sound = decode_sound(path.read_bytes(), path)
    if sound.channels != 4:
        raise MediaError("the sound of a scene must have four channels", where=path, got=sound.channels)
    end = None if values["end"] is None else round(values["end"] * sound.rate)
    samples = sound.samples[round((values["begin"] or 0.0) * sound.rate) : end]
    return (samples if values["foa"] else to_foa(samples, sound.rate)), sound.rate


def _renderer(context: Context, rate: int) -> Callable[[Any], Any]:
    """A function from a sound field to samples of the output, at one loudness."""
    from triptych.media.sound.loudness import at_loudness
    from triptych.media.spatial.ambisonics import to_stereo
    from triptych.media.spatial.hrtf import foa_to_binaural

    wanted = context.parameters
    output = wanted.output
    hrtf = head_of(context).resample(rate) if output == "binaural" else None

    def render(foa: Any) -> Any:
        made = foa if output == "foa" else to_stereo(foa) if hrtf is None else foa_to_binaural(foa, rate, hrtf)
        return at_loudness(made, rate, wanted.lufs)[0]

    return render


def _clip(values: Values, path: Path) -> Any:
    from triptych.media.scenes.films import Clip

    return Clip(path, values["begin"] or 0.0, values["end"])


def _form(wanted: Any) -> Any:
    from triptych.media.scenes.films import Form

    return Form(wanted.width, wanted.height, wanted.per_second, channels=0)
