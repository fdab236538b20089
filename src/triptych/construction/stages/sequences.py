"""Sequences and repetitions, each verified in the finished file; what isn't found again is dropped."""

from __future__ import annotations

from typing import Any

from triptych.construction.engine.context import Context, Values
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.stages._signals import keep_sound, made_film, mono_of

_WRONG = "the order was found as {}"


@stage(
    "join-clips",
    version=1,
    reads=["clips"],
    writes=["audio", "video", "order", "begins"],
    costly=True,
    video=True,
    sound=True,
    seconds=2.0,
    gap=0.0,
    width=640,
    height=360,
    per_second=25,
    rate=16_000,
    threshold=0.2,
)
def join_clips(values: Values, context: Context) -> Outcome:
    """Join clips in their order: a silent film, and a recording of their sound.

    `clips` lists {label, video or audio, begin}; `seconds` of each are used. A clip without `audio` gives the sound of
    its video. `order` is the labels, `begins` the second at which each clip begins. The order is found again by
    comparing the film and the recording with the clips, and every joint must be a visible cut (`threshold`: the change
    of brightness); otherwise the record is dropped.
    """
    clips = values["clips"]
    if len(clips) < 2:
        return dropped("too-few-clips", str(len(clips)))
    fields: dict[str, Any] = {"order": [clip.get("label") for clip in clips]}
    if context.parameters["video"]:
        made = _joined_film(clips, context)
        if isinstance(made, Outcome):
            return made
        fields |= made
    if context.parameters["sound"]:
        made = _joined_sound(clips, context)
        if isinstance(made, Outcome):
            return made
        fields |= made
    return kept(fields)


@stage(
    "repeat-event",
    version=2,
    reads=["count", "audio?", "video?", "begin?", "end?"],
    writes=["audio", "video", "begins"],
    costly=True,
    gap=0.4,
    width=640,
    height=360,
    per_second=25,
    rate=16_000,
)
def repeat_event(values: Values, context: Context) -> Outcome:
    """Repeat an event exactly `count` times: a sound, an event of a film, or both.

    `begin` and `end` are the span of the event in its file. If there is a `video`, its own sound is repeated with it,
    and `audio` becomes that sound. An event that has several onsets by itself can't be counted; it is dropped, as is
    one whose count isn't found again in the finished file.
    """
    count = values["count"]
    if not isinstance(count, int) or not 1 <= count <= 100:
        return dropped("count-not-possible", repr(count))
    return _repeated_film(values, count, context) if values["video"] else _repeated_sound(values, count, context)


@stage("verify-count", version=1, reads=["count", "audio?", "video?"], writes=[], per_second=25, rate=16_000)
def verify_count(values: Values, context: Context) -> Outcome:
    """Count the sounds of `audio` and the movements of `video`; drop records whose `count` is another."""
    from triptych.media.scenes.checking import movements, onsets

    wanted = context.parameters
    if values["audio"]:
        found = len(onsets(mono_of(values["audio"], context, wanted["rate"]), wanted["rate"]))
        if found != values["count"]:
            return dropped("count-not-found", f"{found} sounds, not {values['count']}")
    if values["video"]:
        found = len(movements(context.media.path(values["video"]), per_second=wanted["per_second"]))
        if found != values["count"]:
            return dropped("count-not-found", f"{found} movements, not {values['count']}")
    return kept()


@stage(
    "verify-order",
    version=1,
    reads=["clips", "audio?", "video?", "begins?"],
    writes=[],
    seconds=2.0,
    rate=16_000,
)
def verify_order(values: Values, context: Context) -> Outcome:
    """Find `clips` again in a recording and a film; drop records in which they have another order, or one is missing.

    The parts of the film begin at `begins` (seconds); without them, only the recording is checked. For `clips` and
    `seconds` see `join-clips`.
    """
    from triptych.media.scenes.checking import order_of_films, order_of_sounds

    clips, rate = values["clips"], context.parameters["rate"]
    wanted = list(range(len(clips)))
    if values["audio"]:
        found = order_of_sounds(mono_of(values["audio"], context, rate), [_part(clip, context) for clip in clips])
        if found != wanted:
            return dropped("order-not-found", f"in the recording: {_WRONG.format(found)}")
    if values["video"] and values["begins"]:
        film = context.media.path(values["video"])
        if (found := order_of_films(film, _spans(clips, context), values["begins"])) != wanted:
            return dropped("order-not-found", f"in the film: {_WRONG.format(found)}")
    return kept()


@stage("muted", version=1, reads=["video"], writes=["video"], costly=True)
def muted(values: Values, context: Context) -> Outcome:
    """Remove the sound of a film; its pictures are not encoded again."""
    from triptych.media.video_changes import mute

    path = context.media.path(values["video"])
    return kept(video=context.media.put(mute(path.read_bytes(), path), "mp4"))


@stage("side-by-side", version=1, reads=["images"], writes=["image"], height=360, gap=8, quality=92)
def side_by_side(values: Values, context: Context) -> Outcome:
    """Put pictures of the store in a row, from left to right, scaled to the same height, as one JPEG."""
    import numpy as np
    from PIL import Image

    from triptych.media.picture_changes import decode_picture, encode_picture
    from triptych.media.scenes.drawing import side_by_side as row

    wanted, pictures = context.parameters, []
    for value in values["images"]:
        path = context.media.path(value)
        pictures.append(np.asarray(decode_picture(path.read_bytes(), path)[0]))
    if len(pictures) < 2:
        return dropped("too-few-pictures", str(len(pictures)))
    made = Image.fromarray(row(pictures, wanted["height"], gap=wanted["gap"]))
    return kept(image=context.media.put(encode_picture(made, "JPEG", wanted["quality"]), "jpg"))


def _joined_film(clips: list[dict[str, Any]], context: Context) -> dict[str, Any] | Outcome:
    from triptych.media.scenes.checking import cuts_missing, order_of_films
    from triptych.media.scenes.sequences import join_films

    wanted = context.parameters
    if any(not clip.get("video") for clip in clips):
        return dropped("no-video", "a clip has no video")
    spans = _spans(clips, context)
    with made_film() as path:
        begins = join_films(spans, path, _form(wanted, channels=0))
        if missing := cuts_missing(path, begins, threshold=wanted["threshold"]):
            return dropped("cut-not-seen", f"at {missing[0]:g} s")
        if (found := order_of_films(path, spans, begins)) != list(range(len(clips))):
            return dropped("order-not-found", _WRONG.format(found))
        return {"video": context.media.add(path), "begins": begins}


def _joined_sound(clips: list[dict[str, Any]], context: Context) -> dict[str, Any] | Outcome:
    from triptych.media.scenes.checking import order_of_sounds
    from triptych.media.scenes.sequences import join_sounds

    wanted, rate = context.parameters, context.parameters["rate"]
    sounds = [_part(clip, context) for clip in clips]
    for clip, part in zip(clips, sounds, strict=True):
        if len(part) < wanted["seconds"] * rate / 2 or not abs(part).max() > 1e-4:
            return dropped("silent", f"{clip.get('label')} has no sound in this span")
    made, begins = join_sounds(sounds, rate, gap=wanted["gap"])
    value = keep_sound(made, rate, context)
    if (found := order_of_sounds(mono_of(value, context, rate), sounds)) != list(range(len(clips))):
        return dropped("order-not-found", _WRONG.format(found))
    return {"audio": value, "begins": begins}


def _part(clip: dict[str, Any], context: Context) -> Any:
    """The sound of a clip: mono samples of its span."""
    rate = context.parameters["rate"]
    first = round((clip.get("begin") or 0.0) * rate)
    last = first + round(context.parameters["seconds"] * rate)
    return mono_of(clip.get("audio") or clip["video"], context, rate)[first:last]


def _spans(clips: list[dict[str, Any]], context: Context) -> list[Any]:
    """The spans of the clips' films."""
    from triptych.media.scenes.films import Clip

    begins = [clip.get("begin") or 0.0 for clip in clips]
    paths = [context.media.path(clip["video"]) for clip in clips]
    seconds = context.parameters["seconds"]
    return [Clip(path, begin, begin + seconds) for path, begin in zip(paths, begins, strict=True)]


def _repeated_sound(values: Values, count: int, context: Context) -> Outcome:
    from triptych.media.loudness import sounding
    from triptych.media.scenes.checking import is_single, onsets
    from triptych.media.scenes.sequences import repeat_sound

    wanted, rate = context.parameters, context.parameters["rate"]
    if not values["audio"]:
        return dropped("no-event", "neither audio nor video")
    end = None if values["end"] is None else round(values["end"] * rate)
    event = mono_of(values["audio"], context, rate)[round((values["begin"] or 0.0) * rate) : end]
    begin, last = sounding(event, rate, below_db=40.0, margin_s=0.0)
    event = event[begin:last]
    if not len(event) or not is_single(event, rate):
        return dropped("event-not-single", "the event has no onset or several")
    made, begins = repeat_sound(event, count, rate, gap=wanted["gap"])
    value = keep_sound(made, rate, context)
    found = onsets(mono_of(value, context, rate), rate)
    if len(found) != count:
        return dropped("count-not-found", f"{len(found)} sounds, not {count}")
    return kept(audio=value, begins=begins)


def _repeated_film(values: Values, count: int, context: Context) -> Outcome:
    import numpy as np

    from triptych.media.scenes.checking import movements, onsets
    from triptych.media.scenes.films import Clip, sound
    from triptych.media.scenes.sequences import repeat_film

    wanted = context.parameters
    event = Clip(context.media.path(values["video"]), values["begin"] or 0.0, values["end"])
    with made_film() as path:
        begins = repeat_film(event, count, path, _form(wanted, channels=1), gap=wanted["gap"])
        seen = len(movements(path, per_second=wanted["per_second"]))
        heard = np.concatenate(list(sound(Clip(path), wanted["rate"])))[:, 0]
        audible = bool(np.abs(heard).max() > 1e-3)
        counted = len(onsets(heard, wanted["rate"])) if audible else count
        if seen != count or counted != count:
            return dropped("count-not-found", f"{seen} movements and {counted} sounds, not {count}")
        fields: dict[str, Any] = {"video": context.media.add(path), "begins": begins}
        if audible:
            fields["audio"] = keep_sound(heard, wanted["rate"], context)
        return kept(fields)


def _form(wanted: Any, channels: int) -> Any:
    from triptych.media.scenes.films import Form

    return Form(wanted["width"], wanted["height"], wanted["per_second"], wanted["rate"], channels)
