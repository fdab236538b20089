"""Clips of long recordings and films, and pairs of clips that belong together."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Child, Maker, Outcome, dropped, kept, split
from triptych.construction.stage import stage
from triptych.construction.stages._media_fields import Rate
from triptych.construction.stages._signals import CANCELS
from triptych.media.cut_files import file_cut_short
from triptych.media.levels import QUIET_DB, has_events, is_audible, offset
from triptych.media.sound.faults import clipped, gaps
from triptych.media.sound.prints import SHARED, sound_print, twins

_GAPS = 4  # gaps from which their share of the sound counts


class Clips(Parameters, frozen=True):
    """Parameters of `clips`."""

    how: Annotated[
        Literal["random", "fixed", "shots", "whole"],
        Meta(
            description="`random`: one clip drawn in each `every` seconds; `fixed`: pieces of `longest` seconds; "
            "`shots`: shots of the picture, joined; `whole`: the recording as it is"
        ),
    ] = "random"
    shortest: Annotated[float, Meta(gt=0, description="shortest clip, in seconds")] = 20.0
    longest: Annotated[float, Meta(gt=0, description="longest clip, in seconds")] = 40.0
    every: Annotated[
        float, Meta(gt=0, description="`random`: one clip is drawn in each piece of this length, in seconds")
    ] = 120.0
    most: Annotated[int, Meta(ge=0, description="greatest number of clips of a film, drawn by the seed (0: all)")] = 0
    video: Annotated[bool, Meta(description="whether the pictures are cut too, as a small silent video")] = False
    rate: Rate = 16_000
    most_clipped: Annotated[
        float, Meta(ge=0, le=1, description="share of a clip's parts that may be cut off at its greatest level")
    ] = 0.03
    most_offset: Annotated[
        float, Meta(ge=0, le=1, description="greatest mean of the signal (DC), as a fraction of full scale")
    ] = 0.02
    most_missing: Annotated[
        float,
        Meta(ge=0, le=1, description="share of the sound that may be missing in gaps within loud parts (dropouts)"),
    ] = 0.03
    most_blank: Annotated[
        float, Meta(gt=0, le=1, description="share of a clip's pictures that may have one even colour")
    ] = 0.8
    most_silence: Annotated[
        float, Meta(ge=0, description="`whole`: longest silence before or after what is heard, in seconds")
    ] = 5.0

    def __post_init__(self) -> None:
        if self.how in ("random", "shots") and self.shortest > self.longest:
            raise ValueError("`shortest` is greater than `longest`")


@stage(
    "clips",
    version=16,
    reads=["film", "film_sha256"],
    writes=["audio", "video", "begin", "end", "clip", "sound_print", "sound_fault"],
    costly=True,
    parameters=Clips,
)
def clips(values: Values, context: Context[Clips]) -> Outcome:
    """Cut clips out of a recording or film: 16 kHz mono sound, the time span, and with `video` a small silent video.

    `how`: `random` draws one clip of `shortest` to `longest` seconds in each `every` seconds; `fixed` cuts pieces of
    `longest` seconds; `shots` joins shots of the picture; `whole` uses each recording of at most `longest` seconds as
    one clip, and keeps its file unchanged. `most`: greatest number of clips, drawn by the seed (0: all).
    A file that can't be decoded is dropped as `unreadable-media`, one that ends before its headers say as
    `recording-cut`. What is wrong with the sound of a clip is in `sound_fault`, for `clip-sound`; if all clips are
    silent, the file is dropped as `silent`. A file whose two channels cancel out is dropped as `channels-cancel`.
    """
    from triptych.media.films.faults import film_fault
    from triptych.media.lengths import media_seconds
    from triptych.media.segments import cut_sound, cut_video
    from triptych.media.sound.coding import encode_wav
    from triptych.media.sound.stereo import cancels_out

    wanted, path = context.parameters, context.material(values["film"])
    if cut := file_cut_short(path):
        return dropped("recording-cut", f"{values['film']}: {cut}; bring the whole file")
    seconds = media_seconds(path)
    if not seconds:
        return dropped("unreadable-media", f"{values['film']} holds nothing that can be decoded")
    if cancels_out(path, wanted.rate):
        return dropped("channels-cancel", CANCELS)
    if wanted.how == "whole":
        return _as_one_clip(values, path, seconds, context)
    spans = _spans(values, context, seconds)
    if wanted.most and len(spans) > wanted.most:
        spans = sorted(context.random("clips", values.id).sample(spans, wanted.most))
    if not spans:
        return dropped("too-short", f"{seconds:.1f} s")
    children, silent = [], 0
    for (begin, end), samples in zip(spans, cut_sound(path, spans, wanted.rate), strict=True):
        at = f"seconds={begin:g}-{end:g}"
        suffix = f"{round(begin * 1000):08}"
        all_fields: dict[str, Any] = {"begin": begin, "end": end, "clip": f"{values.id}/{suffix}"}
        if fault := _sound_fault(samples, wanted):
            silent += fault[0] == "silent"
            children.append(Child(suffix, all_fields | {"sound_fault": list(fault)}))
            continue
        fields: dict[str, Any] = {"audio": context.media.put(encode_wav(samples, wanted.rate), "wav")}
        if wanted.video:
            fields["video"] = context.media.put(cut_video(path, (begin, end)), "mp4")
            shown = film_fault(context.media.path(fields["video"]), frozen=False, blank=wanted.most_blank)
            if shown:
                children.append(Child(suffix, all_fields | {"sound_fault": list(shown)}))
                continue
        makers = {name: Maker("source", values["film"], at) for name in fields}
        fields["sound_print"] = sound_print(samples[:, 0], wanted.rate)
        children.append(Child(suffix, fields | all_fields, makers))
    if silent == len(children):
        return dropped("silent", f"no clip is louder than {QUIET_DB:g} dB")
    return split(children)


def _sound_fault(samples: Any, wanted: Clips, *, complete: bool = False) -> tuple[str, str] | None:
    """Return what is wrong with the sound of a clip; None if nothing is. `complete`: people made it as it is."""
    from triptych.construction.stages import _voices as voices

    mono = samples[:, 0]
    if not is_audible(samples):
        return "silent", f"no part is louder than {QUIET_DB:g} dB"
    if (share := clipped(mono, wanted.rate)) > wanted.most_clipped:
        return "recording-clipped", f"{share:.0%} of its parts are cut off at the greatest level"
    if fault := gaps(mono, wanted.rate).fault(_GAPS, wanted.most_missing):
        return fault
    if abs(mean := offset(mono)) > wanted.most_offset:
        return "recording-offset", f"the mean of the signal is {mean:+.3f} of full scale"
    if (part := voices.shifted(mono, wanted.rate)) > wanted.most_offset:
        return "recording-offset", f"in most seconds the mean of the signal is {part:.3f} of full scale off zero"
    if voices.is_even(mono, wanted.rate) and not has_events(mono, wanted.rate):
        return "recording-even", "it holds one even noise or tone, in which nothing happens"
    before, after, _ = voices.silences(mono, wanted.rate)
    if complete and max(before, after) > wanted.most_silence:
        return "recording-silence", f"{before:.1f} s of silence before, {after:.1f} s after"
    return None


@stage("clip-sound", version=1, reads=["sound_fault?"], writes=[])
def clip_sound(values: Values, context: Context) -> Outcome:
    """Drop clips that are silent, clipped, black, of one even noise, with gaps, an offset or a long silence."""
    return dropped(*values["sound_fault"]) if values["sound_fault"] else kept()


class OneSoundEach(Parameters, frozen=True):
    """Parameters of `one-sound-each`."""

    min_share: Annotated[
        float, Meta(gt=0, le=1, description="share of the spectral peaks from which two recordings are the same")
    ] = SHARED


@stage("one-sound-each", version=1, kind="whole", reads=["sound_print?"], writes=[], parameters=OneSoundEach)
def one_sound_each(records: Sequence[Values], context: Context[OneSoundEach]) -> list[Outcome]:
    """Drop a recording that is another one again: in another format, louder or quieter, or with more silence."""
    first = dict[int, int]()
    for one, other in twins([values["sound_print"] or "" for values in records], context.parameters.min_share):
        if one not in first:
            first.setdefault(other, one)
    return [
        dropped("same-recording", f"of {records[first[number]].id}") if number in first else kept()
        for number in range(len(records))
    ]


SOUNDS = ("wav", "ogg", "flac", "mp3")  # formats that can be sent to models
# Fields of the second clip of a pair, under names that end in `_other`
_OF_THE_OTHER = ("clip", "audio", "begin", "end", "transcript", "audio_description", "video_description")


class Pairs(Parameters, frozen=True):
    """Parameters of `pairs`."""

    within_seconds: Annotated[
        float, Meta(ge=0, description="greatest time between the clips of a pair, in seconds")
    ] = 600.0
    most_per_film: Annotated[
        int, Meta(ge=-1, description="greatest number of pairs of a film (0: no limit; -1: none)")
    ] = 0
    alone: Annotated[tuple[str, ...], Meta(description="tasks that each clip gets by itself")] = ("main", "open")


@stage(
    "pairs",
    version=4,
    kind="whole",
    reads=[
        "film",
        "begin",
        "end",
        "clip",
        "transcript",
        "audio_description",
        "video_description?",
        "audio",
        "speakers?",
        "story?",
    ],
    writes=[
        "task",
        "clip_other",
        "audio_other",
        "transcript_other",
        "audio_description_other",
        "video_description_other",
        "begin_other",
        "end_other",
        "pair",
    ],
    parameters=Pairs,
)
def pairs(records: Sequence[Values], context: Context[Pairs]) -> list[Outcome]:
    """Split each clip into a record for every task about it `alone`, and one for its pair with a later clip.

    Two clips of a film are proposed as a pair if they are at most `within_seconds` apart and, if `speakers` is known
    for both, share a speaker. Recordings with the same `story` count as one film, in the order of their names,
    regardless of the time between them; names that differ only in case, width and spaces are one story. A pair is a
    proposal: people confirm it in a later stage. `most_per_film`: greatest number of pairs (0: no limit; -1: none).
    """
    by_film: dict[tuple[str, str], list[Values]] = defaultdict(list)
    for values in records:
        story = _plain_name(values["story"] or "")
        by_film[("story", story) if story else ("film", values["film"])].append(values)
    other: dict[str, Values] = {}
    for clips_of_film in by_film.values():
        ordered = sorted(clips_of_film, key=lambda values: (values["film"], values["begin"], values.id))
        proposed = 0
        for number, first in enumerate(ordered):
            second = next((v for v in ordered[number + 1 :] if _belong(first, v, context)), None)
            limit = context.parameters.most_per_film
            if second is not None and (not limit or proposed < limit):
                other[first.id] = second
                proposed += 1
    outcomes = []
    for values in records:
        children = [Child(task, {"task": task}) for task in context.parameters.alone]
        if values.id in other:
            second = other[values.id]
            fields = {f"{n}_other": second[n] for n in _OF_THE_OTHER}
            children.append(Child("multi", {"task": "multi", "pair": [values["clip"], second["clip"]], **fields}))
        outcomes.append(split(children))
    return outcomes


def _plain_name(name: str) -> str:
    """Return a name without what people write differently by accident: case, width, spaces."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def _as_one_clip(values: Values, path: Path, seconds: float, context: Context) -> Outcome:
    """Return a whole recording as one clip."""
    from triptych.media.segments import cut_sound
    from triptych.media.sound.coding import encode_wav

    if not 0 < seconds <= context.parameters.longest:
        return dropped("clip-length", f"{seconds:.1f} s")
    samples = next(cut_sound(path, [(0.0, seconds)], context.parameters.rate))
    if fault := _sound_fault(samples, context.parameters, complete=True):
        return dropped(*fault)
    maker = Maker("source", values["film"], f"seconds=0-{seconds:g}")
    if path.suffix.lower().lstrip(".") in SOUNDS:
        audio = context.media.add(path)
    else:  # a film, or sound in a format that models don't take
        audio = context.media.put(encode_wav(samples, context.parameters.rate), "wav")
    fields = {"audio": audio, "begin": 0.0, "end": round(seconds, 3), "clip": values.id}
    fields["sound_print"] = sound_print(samples[:, 0], context.parameters.rate)
    return Outcome(fields=fields, makers={"audio": maker})


def _spans(values: Values, context: Context, seconds: float) -> list[tuple[float, float]]:
    from triptych.media.segments import at_shots, clips_of, shot_changes

    wanted = context.parameters
    short, long = wanted.shortest, wanted.longest
    if wanted.how == "random":
        draw = context.random("clips", values.id, values["film_sha256"])
        return clips_of(seconds, shortest=short, longest=long, every=max(wanted.every, long), draw=draw)
    if wanted.how == "fixed":
        return clips_of(seconds, shortest=long, longest=long, every=long, draw=context.random())
    return at_shots(shot_changes(context.material(values["film"])), seconds, shortest=short, longest=long)


def _belong(a: Values, b: Values, context: Context) -> bool:
    if a["film"] == b["film"] and b["begin"] - a["end"] > context.parameters.within_seconds:
        return False
    if a["speakers"] is None or b["speakers"] is None:
        return True
    return bool(set(a["speakers"]) & set(b["speakers"]))
