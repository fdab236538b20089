"""Material of data sets: their media in the store, and their events as records."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Child, Maker, Outcome, dropped, split
from triptych.construction.stage import stage

_KINDS = ("video", "audio", "foa", "mic", "image")


class TakeMedia(Parameters, frozen=True):
    """Parameters of `take-media`."""

    needs: Annotated[
        tuple[str, ...],
        Meta(description="media without which an entry is dropped: `audio`, `video`, `image`, `foa`, `mic`"),
    ] = ("audio",)


@stage(
    "take-media",
    version=1,
    writes=[*_KINDS, "parts"],
    costly=True,
    reads=[f"{kind}_file{more}?" for kind in _KINDS for more in ("", "_sha256")] + ["parts?", "parts_sha256?"],
    parameters=TakeMedia,
)
def take_media(values: Values, context: Context[TakeMedia]) -> Outcome:
    """Copy the media of a data set's entry into the store; drop it if one that is needed is missing.

    `video_file` becomes `video`, and so on for `audio`, `foa` (first-order ambisonics), `mic` (a microphone array) and
    `image`. `parts` gets an `audio` for each `audio_file`. `needs` lists the media that must be there.
    """
    fields: dict[str, Any] = {}
    makers = {}
    for kind in _KINDS:
        if name := values[f"{kind}_file"]:
            fields[kind] = context.media.add(context.material(name))
            makers[kind] = Maker("source", name)
    if values["parts"]:
        if any(not part.get("audio_file") for part in values["parts"]):
            return dropped("part-missing")
        fields["parts"] = [
            part | {"audio": context.media.add(context.material(part["audio_file"]))} for part in values["parts"]
        ]
    if lacking := [kind for kind in context.parameters.needs if kind not in fields]:
        return dropped(f"no-{lacking[0]}", "the file is missing")
    return Outcome(fields=fields, makers=makers)


class SceneEvents(Parameters, frozen=True):
    """Parameters of `scene-events`."""

    labels: Annotated[tuple[str, ...], Meta(description="classes of the events that are used (empty: all)")] = ()
    least_seconds: Annotated[float, Meta(ge=0, description="a shorter event is left out, in seconds")] = 1.0
    most_seconds: Annotated[float, Meta(gt=0, description="a longer event is cut to this length, in seconds")] = 5.0
    apart: Annotated[bool, Meta(description="whether another event at the same time must be of another class")] = True
    steady: Annotated[
        float,
        Meta(
            ge=0, le=360, description="an event whose azimuth changes by more is left out, in degrees (0: any change)"
        ),
    ] = 20.0

    def __post_init__(self) -> None:
        if self.least_seconds > self.most_seconds:
            raise ValueError("`least_seconds` is greater than `most_seconds`")


@stage(
    "scene-events",
    version=1,
    reads=["events"],
    writes=["event", "begin", "end", "label", "azimuth", "elevation", "distance"],
    parameters=SceneEvents,
)
def scene_events(values: Values, context: Context[SceneEvents]) -> Outcome:
    """Each event of a recorded scene becomes a record with its span, direction and distance.

    `labels`: only events of these classes (empty: all). Events shorter than `least_seconds` are left out, longer ones
    are cut to `most_seconds`. With `apart`, another event at the same time must not be of the same class. An event
    whose azimuth changes by more than `steady` degrees within the span is left out, since it has no one direction (0:
    any change). `azimuth` and `elevation` are those in the middle of the span.
    """
    wanted, children = context.parameters, []
    for number, event in enumerate(values["events"]):
        end = min(event["end"], round(event["begin"] + wanted.most_seconds, 3))
        if wanted.labels and event["label"] not in wanted.labels:
            continue
        if end - event["begin"] < wanted.least_seconds or "azimuth" not in event:
            continue
        if wanted.apart and any(_events_overlap(event, other, end) for other in values["events"] if other is not event):
            continue
        share = (end - event["begin"]) / (event["end"] - event["begin"])
        count = max(1, round(len(event["azimuth"]) * share))
        if wanted.steady and _range(event["azimuth"][:count]) > wanted.steady:
            continue
        middle = count // 2
        fields = {"event": event, "begin": event["begin"], "end": end, "label": event["label"]}
        fields |= {name: event[name][middle] for name in ("azimuth", "elevation", "distance")}
        children.append(Child(f"{number:04}", fields))
    return split(children) if children else dropped("no-event", "no event fits")


def _events_overlap(event: dict[str, Any], other: dict[str, Any], end: float) -> bool:
    """Whether two events of a class overlap."""
    return bool(other["label"] == event["label"] and other["begin"] < end and event["begin"] < other["end"])


def _range(azimuths: list[float]) -> float:
    """How far azimuths are apart, across ±180 too."""
    return max((abs((a - azimuths[0] + 180) % 360 - 180) for a in azimuths), default=0.0)
