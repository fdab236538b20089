"""Given media of triplets are taken in: recordings, pictures and films in one format, without metadata."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.stages._media_fields import LeastSide, Lufs, Quality, Rate, Side
from triptych.construction.stages.clips import SOUNDS
from triptych.construction.stages.triplets import FORMS, Form, store_picture, store_sound
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.errors import MediaError
from triptych.media.levels import is_audible, is_blank, is_still, offset

_FRAME_S = 0.05
_MAX_OFFSET = 0.05  # mean of a recording, as a fraction of full scale
_MIN_OF_SPAN = 0.75  # share of a span that its file must have; data sets round lengths up
_LOOKS = 10  # pictures a second that are looked at
_END_LOOKS = 4  # the same, for what is seen up to the end
_REST = 0.7  # share of a film, up to its end, in which nothing is seen or moves
_MOVING = ("emotion_classification", "order")  # subtasks of whose films something moves nearly all the time
_SPATIAL = ("arrangements", "3D_movements", "panaroma")
_SPEECH = ("recognition", "translation", "emotion_classification")
_GAPS, _MISSING = 3, 0.03  # gaps in speech, and their share of it
_OTHER_SIDE_DB = 6.0  # by which the side that a text doesn't name is louder
_MOVES = (
    r"\b(?:mov|driv|drov|go(?:es|ing)|went|walk|pass|run(?:s|ning)|ran|fl(?:y|ies|ew)|roll|head|travel|leav"
    r"|left(?= towards?)|drift|slid|rid|rod|sail|swim|swam|cross|glid|wander|rush|speed|sped|com(?:es|ing)|came)"
    r"\w*\b[^.,;:]{0,24}?"
)
_WAYS = (
    (
        re.compile(
            r"\bfrom (?:the )?left to (?:the )?right\b(?!\s*[:：])|从左[到向往至]右|由左[到向往至]右"
            r"|[向往朝]右(?:边|侧|方)?(?:驶|开|走|移|飞|跑|滑|去|行)"
            rf"|{_MOVES}\b(?:to(?:wards?)? (?:the |its |your )?right\b(?!-?hand man)|rightwards?\b)"
            r"|\b(?:disappear|vanish)\w* (?:on|to|at) the right\b",
            re.I,
        ),
        "left to right",
    ),
    (
        re.compile(
            r"\bfrom (?:the )?right to (?:the )?left\b(?!\s*[:：])|从右[到向往至]左|由右[到向往至]左"
            r"|[向往朝]左(?:边|侧|方)?(?:驶|开|走|移|飞|跑|滑|去|行)"
            rf"|{_MOVES}\b(?:to(?:wards?)? (?:the |its |your )?left\b|leftwards?\b)"
            r"|\b(?:disappear|vanish)\w* (?:on|to|at) the left\b",
            re.I,
        ),
        "right to left",
    ),
)
_SIDE = re.compile(r"\b(?:left|right)\b|[左右]", re.I)
_SIDES = {"左": "left", "右": "right"}
_RULES = ("loudest", "least_seconds", "most_seconds", "step", "moves", "subtask", "written")


class BringForms(Parameters, frozen=True):
    """Parameters of `bring-forms`."""

    rate: Rate = 24_000
    lufs: Lufs = -23.0
    side: Side = 640
    quality: Quality = 85
    most_seconds: Annotated[
        float, Meta(gt=0, description="longest recording of a subtask that states no limit, in seconds")
    ] = 60.0
    convert: Annotated[
        bool, Meta(description="whether media are encoded; otherwise those that models take stay as they are")
    ] = True
    least_side: LeastSide = 32
    most_clipped: Annotated[
        float, Meta(ge=0, le=1, description="share of a recording's parts that may be cut off at its greatest level")
    ] = 0.25
    limit_films: Annotated[bool, Meta(description="whether the limits of length hold for films too")] = True


@stage(
    "bring-forms",
    version=18,
    reads=["given", "vision_kind", *(f"{name}?" for name in _RULES)],
    writes=(*FORMS, "caption_of", "step"),
    costly=True,
    parameters=BringForms,
)
def bring_forms(values: Values, context: Context[BringForms]) -> Outcome:
    """Take the given media in: sound at one rate and loudness, pictures as JPEG, films without sound. No metadata.

    `begin` and `end` (seconds) of a given file: only this span is used. `loudest` (seconds): of a longer recording the
    loudest part is kept (of a film: of its sound). If the subtask shows pictures (`vision_kind` is `image`), a film
    gives the frame in the middle of that part, otherwise its middle frame. Sound is encoded as WAV at `rate` Hz, mono
    or stereo as it was, at `lufs` LUFS; pictures have at most `side` pixels. Silent recordings (also
    with a click), pictures of one even colour or of noise, and, with `moves`, films of one picture are refused.
    Without `convert`, recordings that models take (WAV, FLAC, MP3, Ogg), JPEG files without metadata and silent MP4
    files are taken as they are, also if they are longer than `loudest`: their loudness must be equal already, but every
    machine builds the same bytes.

    A film with a `transcript` shows it in a strip below its pictures, as people who don't hear it would read it.

    With `step` (seconds), recordings and films get a length that is a whole multiple of it, by silence and the last
    picture at their end: only then have several of them the same length, which `candidates` asks for. Without
    `convert`, lengths stay as they are, and `step` is forgotten.

    A recording must have a length from `least_seconds` to `most_seconds`, the subtask's limits, and so must a film if
    the subtask shows films and `limit_films` is set.

    Recordings that are clipped for more than `most_clipped` of their length, speech that breaks off again and again,
    and pictures and films with a side under `least_side` pixels (half as much for written words) are dropped, each with
    a reason of its own, as are recordings with the same sound in both channels where directions are asked
    for, and those that move from one side to the other against their text. Of two channels in opposite phase, one is
    used.
    """
    try:
        return _all_brought(values, context)
    except _UnfitError as fault:
        return dropped(*fault.args)


class _UnfitError(Exception):
    """A medium that can be read, but not used: reason and note."""


def _all_brought(values: Values, context: Context) -> Outcome:
    forms = values["given"]
    fields: dict[str, Any] = _bring_form(forms["own"], values, context)
    if forms.get("target"):
        fields["target"] = _bring_form(forms["target"], values, context)
    if forms.get("wrong"):
        fields["wrong"] = [_bring_form(each, values, context) for each in forms["wrong"]]
    shown = next((name for name in ("vision", "audio") if fields[name]), "")
    forgotten = {} if context.parameters.convert or values["step"] is None else {"step": None}
    return kept(fields | forgotten, caption_of="" if fields["text"] else shown)


def _bring_form(form: Mapping[str, Any], values: Values, context: Context) -> Form:
    part_spec: Form = {"text": form.get("text"), "audio": None, "vision": None, "made": []}
    middle: float | None = None
    if sound_path := form.get("audio") or form.get("video"):
        text = str(form.get("text") or "")
        part_spec["audio"], middle = _sound(sound_path, text, values, context, needed="audio" in form)
    if "image" in form:
        part_spec["vision"] = _picture(form["image"]["file"], values, context)
    elif "video" in form and values["vision_kind"] == "image":
        part_spec["vision"] = _frame(form["video"], middle, values, context)
    elif "video" in form:
        part_spec["vision"] = _film(form["video"], values, context)
    return part_spec


def _film(film: Mapping[str, Any], values: Values, context: Context) -> str:
    """A film (or the span of it) without sound, with its transcript below the pictures."""
    from triptych.media.films.changes import mute
    from triptych.media.lengths import film_seconds
    from triptych.media.scenes.films import Clip
    from triptych.media.sound.coding import sound_track

    name, path = film["file"], context.material(film["file"])
    _check_shown(film, path, values, context)
    transcript, clip = film.get("transcript", ""), _cut(film, path)
    seconds = film_seconds(path) if clip is None else clip.seconds
    if context.parameters.limit_films and seconds is not None:
        _check_length("film", seconds, name, values, context)
    step = values["step"] if context.parameters.convert else None
    if transcript or clip is not None or step:
        return _film_made(clip or Clip(path), transcript, step, context)
    data = path.read_bytes()
    as_it_is = not context.parameters.convert and path.suffix == ".mp4" and sound_track(data, path) is None
    return context.media.put(data if as_it_is else mute(data, path), "mp4")


def _check_shown(film: Mapping[str, Any], path: Path, values: Values, context: Context) -> None:
    """Raise MediaError if all pictures of a film or of its span are of one even colour or, with `moves`, the same.

    Raises _UnfitError for a film of a few pixels, and one that is black or frozen from early on up to its end.
    """
    from triptych.media.scenes.films import Clip, pictures

    clip = _cut(film, path) or Clip(path)
    first, number, blank, still = None, 0, True, bool(values["moves"])
    for picture in pictures(clip, _LOOKS):
        number += 1
        first = picture if first is None else first
        blank = blank and is_blank(picture)
        still = still and is_still(first, picture)
        if not blank and not still:
            _check_size(picture.shape[1], picture.shape[0], film["file"], values, context)
            _check_end(clip, film["file"], values)
            return
    if blank:
        raise MediaError("the film shows nothing", where=film["file"], got="pictures of one even colour")
    raise MediaError(
        "nothing moves in the film",
        where=film["file"],
        got="one picture" if number == 1 else f"{number} pictures that are the same",
        fix="give a film, or the picture in the column `image` for a subtask with pictures",
    )


def _check_end(clip: Any, name: str, values: Values) -> None:
    """Raise _UnfitError if nothing is seen or, of faces and orders, nothing moves for most of a film, up to its end."""
    from triptych.media.films.faults import look, still_from
    from triptych.media.scenes.films import pictures

    per_second = max(1, min(_END_LOOKS, int(600 / clip.seconds)))
    looks = [look(n / per_second, picture) for n, picture in enumerate(pictures(clip, per_second))]
    seen = max((n for n, each in enumerate(looks) if not each.even), default=-1) + 1
    if len(looks) >= 4 and (len(looks) - seen) >= _REST * len(looks):
        text = f"{name}: its last {1 - seen / len(looks):.0%} has one even colour; bring the whole film"
        raise _UnfitError("film-shows-nothing", text)
    if values["subtask"] not in _MOVING:
        return
    begin = still_from(looks)
    if begin and len(looks) >= 8 and len(looks) - begin >= _REST * len(looks):
        text = f"{name}: nothing moves in its last {1 - begin / len(looks):.0%}; bring the whole film"
        raise _UnfitError("film-frozen", text)


def _check_size(width: int, height: int, name: str, values: Values, context: Context) -> None:
    """Raise _UnfitError for a picture or a film in which nothing can be recognised."""
    smallest = context.parameters.least_side
    if values["written"]:
        smallest = (smallest + 1) // 2
    if min(width, height) < smallest:
        text = f"{name}: {width} x {height} pixels; bring a picture with at least {smallest} on each side"
        raise _UnfitError("picture-too-small", text)


def _film_made(clip: Any, transcript: str, step: float | None, context: Context) -> str:
    """A film or a span of it without sound, with its transcript below, in a length that is a multiple of `step`."""
    import numpy as np

    from triptych.construction.stages._signals import made_film
    from triptych.media.lengths import probed
    from triptych.media.scenes.drawing import fitted
    from triptych.media.scenes.films import Form, pictures, write_film

    probe = probed(clip.path)
    scale = min(1.0, context.parameters.side / max(probe["width"], probe["height"]))
    width, height = (max(2, round(probe[side] * scale / 2) * 2) for side in ("width", "height"))
    rate = min(25, max(1, round(probe["per_second"] or 25)))
    below = _strip(transcript, width, height, context) if transcript else np.zeros((0, width, 3), np.uint8)

    count = _number_of_frames(clip.seconds, step, rate)

    def shown() -> Iterator[Any]:
        last, made = None, 0
        for last in pictures(clip, rate):
            if made < count:
                yield np.concatenate([fitted(last, width, height), below])
                made += 1
        for _ in range(made, count):
            yield np.concatenate([fitted(last, width, height), below])

    with made_film() as made:
        write_film(made, shown(), Form(width, height + len(below), rate, channels=0))
        return context.media.add(made)


def _number_of_frames(seconds: float, step: float | None, rate: int) -> int:
    """Return the number of pictures or frames at `rate` for a length, of the next whole multiple of `step` if given.

    A length that is beyond a multiple by less than a tenth of `step` is cut to it: containers round lengths.
    """
    if not step:
        return max(1, round(seconds * rate))
    return round(max(1, math.ceil(round(seconds / step - 0.1, 3))) * step * rate)


def _cut(form: Mapping[str, Any], path: Path) -> Any:
    """The span of a file that is used, a Clip; None for the whole file. Raises MediaError if the file ends before."""
    from triptych.media.lengths import media_seconds
    from triptych.media.scenes.films import Clip

    if "begin" not in form:
        return None
    length = media_seconds(path)
    begin, end = form["begin"], form.get("end")
    if length is not None and begin >= length:
        raise MediaError(
            "the file ends before the span begins",
            where=form["file"],
            got=f"{length:.1f} s, and the span begins at {begin:g} s",
        )
    if length is not None and end is not None and length - begin < _MIN_OF_SPAN * (end - begin):
        raise _UnfitError(
            "span-beyond-file",
            f"{form['file']}: it has {length:.1f} s, and the span is {begin:g} to {end:g} s; correct `begin` and `end`",
        )
    if begin == 0 and (end is None or (length is not None and end >= length - _FRAME_S)):
        return None
    return Clip(path, begin, end if length is None or end is None else min(end, length))


def _strip(words: str, width: int, height: int, context: Context) -> Any:
    """The words in white on black, as wide as a film of this size. Raises MediaError for a character no font has."""
    import numpy as np

    from triptych.media.pictures.fonts import plain_faces
    from triptych.media.pictures.text import TextStyle, text_picture

    size = max(8, height // 12)
    look = TextStyle(size, ink=(255, 255, 255), paper=(0, 0, 0), width=max(4.0, width / size - 3))
    strip = text_picture(words, plain_faces(words), look, context.random("transcript"))
    strip.thumbnail((width, height))
    below = np.zeros((strip.height + strip.height % 2, width, 3), np.uint8)
    left = (width - strip.width) // 2
    below[: strip.height, left : left + strip.width] = np.asarray(strip)
    return below


def _sound(
    form: Mapping[str, Any], text: str, values: Values, context: Context, *, needed: bool
) -> tuple[str | None, float | None]:
    """The media value of a recording, and the middle of its loudest part in seconds; None if a film is silent."""
    import numpy as np

    loudest, name, path = values["loudest"], form["file"], context.material(form["file"])
    sound, cut = _sound_of(form, path, context, needed=needed)
    if sound is None:
        return None, None
    if not is_audible(sound.samples):
        raise MediaError("the recording is silent", where=name)
    if abs(mean := offset(sound.samples)) > _MAX_OFFSET:
        raise MediaError("the recording has a constant offset", where=name, got=f"mean {mean:+.3f} of full scale")
    sound, changed = _fit_sound(sound, text, name, values, context)
    as_it_is = (
        needed
        and not cut
        and not changed
        and not context.parameters.convert
        and path.suffix.lower().lstrip(".") in SOUNDS
    )
    middle = None
    if loudest and sound.seconds > loudest and not as_it_is:
        begin = loudest_part(sound.samples, round(loudest * sound.rate))
        sound = sound.with_samples(sound.samples[begin : begin + round(loudest * sound.rate)])
        middle = begin / sound.rate + loudest / 2
    _check_length("recording", sound.seconds, name, values, context)
    if values["step"] and context.parameters.convert:
        length = _number_of_frames(sound.seconds, values["step"], sound.rate)
        more = max(0, length - len(sound.samples))
        sound = sound.with_samples(np.pad(sound.samples[:length], ((0, more), (0, 0))))
    return (context.media.add(path) if as_it_is else store_sound(sound.samples, sound.rate, context)), middle


def _fit_sound(sound: Any, text: str, name: str, values: Values, context: Context) -> tuple[Any, bool]:
    """Return the sound, of opposite channels one, and whether it was changed. Raises _UnfitError for faults that the
    recording has in itself or against its text."""
    from triptych.media.sound import stereo
    from triptych.media.sound.faults import clipped, gaps, squared

    spatial = values["subtask"] in _SPATIAL
    changed = not spatial and stereo.is_opposite(sound.samples)
    if changed:
        sound = sound.with_samples(sound.samples[:, :1])
    mono = sound.samples[:, _loudest_channel(sound.samples)]
    share = max(clipped(mono, sound.rate), squared(mono, sound.rate) / 2)
    if share > context.parameters.most_clipped:
        note = (
            f"{name}: its loudest parts are cut off, for {share:.0%} of its length or more; record it at a lower level"
        )
        raise _UnfitError("recording-clipped", note)
    if values["subtask"] in _SPEECH and (fault := gaps(mono, sound.rate).fault(_GAPS, _MISSING)):
        raise _UnfitError(fault[0], f"{name}: {fault[1]}")
    if spatial and needs_space(text, values["subtask"]) and stereo.is_equal(sound.samples):
        note = f"{name}: all channels hold the same, so no direction is heard; bring the stereo recording"
        raise _UnfitError("channels-equal", note)
    if stated := movement_of_text(text):
        direction = stereo.movement(sound.samples, sound.rate)
        if direction and direction != stated:
            note = f"{name}: the text says {stated}, the sound moves from {direction}; are the channels exchanged?"
            raise _UnfitError("direction-differs", note)
    if values["subtask"] == "panaroma" and (stated_side := side_of_text(text)):
        level = stereo.side(sound.samples) * (1 if stated_side == "left" else -1)
        if level < -_OTHER_SIDE_DB:
            note = (
                f"{name}: the text says {stated_side}, the other side is louder by {-level:.0f} dB; are they exchanged?"
            )
            raise _UnfitError("direction-differs", note)
    return sound, changed


def _loudest_channel(samples: Any) -> int:
    """Return the number of the channel with the most energy."""
    import numpy as np

    return int(np.argmax(np.square(samples, dtype=np.float64).sum(axis=0)))


@reads_shortened
def movement_of_text(text: str) -> str:
    """Return `left to right` or `right to left` if a text says that something moves so; otherwise nothing.

    Example:
        >>> movement_of_text("A bus moving from left to right."), movement_of_text("From left to right: bell, knocks")
        ('left to right', '')
    """
    ways = {way for pattern, way in _WAYS if pattern.search(text)}
    return ways.pop() if len(ways) == 1 else ""


@reads_shortened
def side_of_text(text: str) -> str:
    """Return `left` or `right` if a text names one of them alone.

    Example:
        >>> side_of_text("a bell ringing, at the front left"), side_of_text("a bell ringing, behind")
        ('left', '')
    """
    sides = {word.casefold() for word in _SIDE.findall(text)}
    sides = {_SIDES.get(word, word) for word in sides}
    return sides.pop() if len(sides) == 1 else ""


def needs_space(text: str, subtask: str) -> bool:
    """Return whether directions must be heard for a text: of arrangements always, else if it names a side.

    What comes closer or is in front may sound the same in both channels.
    """
    return subtask == "arrangements" or bool(movement_of_text(text) or side_of_text(text))


def _sound_of(form: Mapping[str, Any], path: Path, context: Context, *, needed: bool) -> tuple[Any, bool]:
    """The sound of a file or of its span, and whether it was cut; None for a film without sound."""
    import numpy as np

    from triptych.media.scenes.films import sound as span_of
    from triptych.media.sound.coding import Sound, decode_sound, sound_track

    clip = _cut(form, path)
    if clip is None:
        data = path.read_bytes()
        return (decode_sound(data, path) if needed else sound_track(data, path)), False
    rate = context.parameters.rate
    pieces = list(span_of(clip, rate, 2))
    samples = np.concatenate(pieces) if pieces else np.zeros((0, 2), np.float32)
    return Sound(samples if (samples[:, 0] != samples[:, 1]).any() else samples[:, :1], rate), True


def _check_length(what: str, seconds: float, name: str, values: Values, context: Context) -> None:
    """Raise MediaError for a length outside the subtask's limits; films declare theirs to within a frame."""
    min_seconds, max_seconds = values["least_seconds"] or 0.1, values["most_seconds"] or context.parameters.most_seconds
    spare = 0.1 if what == "film" else 0.0
    if not min_seconds - spare <= seconds <= max_seconds + spare:
        raise MediaError(
            f"the {what} is too short or too long",
            where=name,
            got=f"{seconds:.1f} s",
            expected=f"{min_seconds:g} to {max_seconds:g} s",
        )


def loudest_part(samples: Any, length: int) -> int:
    """Return where the `length` frames with the most energy begin, summed over the channels of (frames, channels)."""
    import numpy as np

    power = np.concatenate([[0.0], np.cumsum(np.square(samples, dtype=np.float64).sum(axis=1))])
    return int(np.argmax(power[length:] - power[:-length])) if 0 < length < len(samples) else 0


def _picture(name: str, values: Values, context: Context) -> str:
    from triptych.media.pictures.changes import decode_picture, is_plain_jpeg

    path = context.material(name)
    data = path.read_bytes()
    image, _ = decode_picture(data, path)
    _check_size(image.width, image.height, name, values, context)
    as_it_is = not context.parameters.convert and is_plain_jpeg(data)
    if as_it_is:
        return context.media.put(data, "jpg")
    return _photograph(image, name, context)


def _frame(film: Mapping[str, Any], second: float | None, values: Values, context: Context) -> str:
    """A frame of a film (or of the span of it): at a time, or in the middle."""
    from PIL import Image

    from triptych.media.films.stills import stills

    name, path = film["file"], context.material(film["file"])
    if clip := _cut(film, path):
        from triptych.media.scenes.films import Clip, pictures

        at = clip.begin + (clip.seconds / 2 if second is None else min(second, clip.seconds))
        shown = next(pictures(Clip(path, max(clip.begin, at - _FRAME_S), at), 1))
        _check_size(shown.shape[1], shown.shape[0], name, values, context)
        return _photograph(Image.fromarray(shown), name, context)
    frames = stills(path.read_bytes(), 1 if second is None else 24, path)
    if not frames:
        raise MediaError("the film has no pictures", where=name)
    _check_size(frames[0].shape[1], frames[0].shape[0], name, values, context)
    index = 0
    if second is not None:
        from triptych.media.lengths import media_seconds

        index = min(len(frames) - 1, int(len(frames) * second / (media_seconds(path) or second * 2)))
    return _photograph(Image.fromarray(frames[index]), name, context)


def _photograph(image: Any, name: str, context: Context) -> str:
    """Keep a picture. Raises MediaError if it has one even colour."""
    if is_blank(image):
        raise MediaError("the picture has one even colour", where=name)
    return store_picture(image, context)
