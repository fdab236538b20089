"""Recordings: people's recordings are checked by their sound, by two recognisers, and by reader."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from triptych.construction.asking.prompt import Prompt
from triptych.construction.asking.questions import Ask, Result
from triptych.construction.asking.stage import ask
from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters, changed
from triptych.construction.people.reviews import person_key
from triptych.construction.people.stage import REFUSED
from triptych.construction.record import Child, Maker, Outcome, dropped, kept, pending, revised, split
from triptych.construction.stage import Stage, stage
from triptych.construction.stages._media_fields import Rate
from triptych.construction.stages._signals import CANCELS
from triptych.errors import MediaError, SpecError
from triptych.metrics.replies.thinking import split_thinking
from triptych.records.packages import need

UNITS = ("characters", "syllables")
ABOUT_READERS = ("age", "years", "major")  # besides the gender: how old the voice is, the reader's age, what they study
ASR_PROMPT = Prompt("transcribe", "Transcribe the Chinese audio into Chinese text. Reply with the transcript alone.")


_YEARS = re.compile(r"(\d{1,3})(?:\s*(?:[-–~～至到]|to)\s*(\d{1,3}))?\s*(?:岁|周岁|years?(?: old)?|y)?", re.IGNORECASE)
OLDEST = 110  # years


def age_fault(years: object) -> str:
    """Return what is wrong with a reader's age, which is a number of years or a range; empty if nothing is.

    >>> age_fault("27"), age_fault("1998")
    ('', "years: '1998'; expected the reader's age in years, such as 34, not the year of birth")
    """
    text = str(years or "").strip()
    match = _YEARS.fullmatch(text)
    if not text or (match and all(0 < int(number) <= OLDEST for number in match.groups() if number)):
        return ""
    born = ", not the year of birth" if re.fullmatch(r"(?:19|20)\d\d\s*年?", text) else ""
    return f"years: {text[:20]!r}; expected the reader's age in years, such as 34{born}"


def takes(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    """Return one record for each required gender, from the first person of that gender who returned a recording."""
    results, faults = _with_sound_ages(results)
    children: dict[str, Child] = {}
    for result in results:
        form_values = result.values
        gender, audio = str(form_values.get("gender", "")), form_values.get("audio")
        if not audio or gender in children or gender not in context.parameters.get("genders", ("man", "woman")):
            continue
        fields = {"audio": audio, "gender": gender, "speaker": result.person, "recording": f"{values['clip']}/{gender}"}
        fields |= {name: form_values[name] for name in ABOUT_READERS if form_values.get(name)}
        maker = Maker("person", result.person)
        children[gender] = Child(gender, fields, dict.fromkeys(fields, maker), (f"speaker:{result.person}",))
    wanted = tuple(context.parameters.get("genders", ("man", "woman")))
    readers = Counter(person_key(str(child.fields["speaker"])) for child in children.values())
    if twice := next(
        (child.fields["speaker"] for child in children.values() if readers[person_key(child.fields["speaker"])] > 1), ""
    ):
        return pending(
            REFUSED, f"{twice} read this clip as a man and as a woman, under names that are the same person's"
        )
    if lacking := [gender for gender in wanted if gender not in children]:
        return faults or pending("waits-for-people", f"no recording by a {lacking[0]}")
    return split([children[gender] for gender in wanted])


def take(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    """Return the first recording that was returned, by any reader."""
    results, faults = _with_sound_ages(results)
    if faults and not results:
        return faults
    result = results[0]
    fields = {n: result.values[n] for n in ("audio", "gender", *ABOUT_READERS) if result.values.get(n)}
    sources = (f"speaker:{result.person}",)
    return Outcome(fields={**fields, "speaker": result.person, "recording": values["clip"]}, sources=sources)


def _with_sound_ages(results: Sequence[Result]) -> tuple[list[Result], Outcome | None]:
    """Return the results whose ages can be used, and the outcome for the first of the others."""
    faults = [(each.person, fault) for each in results if (fault := age_fault(each.values.get("years")))]
    sound = [each for each in results if not age_fault(each.values.get("years"))]
    return sound, pending(REFUSED, ": ".join(faults[0])) if faults else None


_SILENCE_LEFT = 0.5  # seconds of a silence that is cut off
_COPIED = 0.25  # share of the pairs of a print that are in both halves of a recording, if one is a copy of the other
_CLIPPED = 0.03  # share of parts that may be cut off at the greatest level


class Recorded(Parameters, frozen=True):
    """Parameters of `recording`."""

    least_seconds: Annotated[float, Meta(ge=0, description="shortest recording, in seconds")] = 1.0
    most_seconds: Annotated[float, Meta(gt=0, description="longest recording, in seconds")] = 30.0
    least_db: Annotated[
        float, Meta(le=0, description="RMS level below which a recording counts as silent, in dB of full scale")
    ] = -50.0
    most_clipped: Annotated[float, Meta(ge=0, le=1, description="share of samples that may reach full scale")] = 0.001
    rate: Rate = 16_000
    convert: Annotated[
        bool, Meta(description="whether recordings are written as mono WAV; otherwise the files are kept unchanged")
    ] = True
    most_offset: Annotated[
        float, Meta(ge=0, le=1, description="greatest mean of the signal (DC), as a fraction of full scale")
    ] = 0.02
    least_share: Annotated[
        float, Meta(ge=0, description="a recording that takes less than this share of the expected time counts as cut")
    ] = 0.4
    most_silence: Annotated[
        float,
        Meta(
            ge=0,
            description="longest silence before and after the voice, in seconds; what is longer is cut to half a "
            "second (without `convert`, the recording is dropped)",
        ),
    ] = 2.0
    most_pause: Annotated[float, Meta(ge=0, description="longest pause within the voice, in seconds")] = 5.0
    most_gaps: Annotated[
        int, Meta(ge=0, description="times that the sound may break off in the middle of a loud part")
    ] = 2

    def __post_init__(self) -> None:
        if self.least_seconds > self.most_seconds:
            raise ValueError("`least_seconds` is greater than `most_seconds`")


@stage(
    "recording",
    version=11,
    reads=["audio", "gender?", "seconds_expected?"],
    costly=True,
    writes=["audio", "seconds", "level_db", "pitch_hz", "gender_doubtful", "sound_print", "pace"],
    parameters=Recorded,
)
def recording(values: Values, context: Context[Recorded]) -> Outcome:
    """Check a recording's length, level and clipping, and keep it as 16 kHz mono (the original stays in the store).

    `least_db`: the RMS level below which it counts as silent, in dB of full scale. `most_clipped`: the share of samples
    that may reach full scale, `most_offset` the mean (DC) of the signal. A file that ends before its headers say, or
    takes less than `least_share` of the time in which its text can be read, is cut. One whose second half is a copy of
    its first is to be made again. Noise as loud as the voice is known by its flat spectrum in the quietest parts, hum
    by its narrow one. Silence of more than `most_silence` before or
    after the voice is cut off; one of `most_pause` within it, and sound that breaks off more often than `most_gaps`,
    are faults. Of two channels in opposite phase, the left one is used. `gender_doubtful`: the pitch isn't usual for
    the stated gender, or a half has a man's pitch and the other a woman's. If `convert` is false, the file
    is kept unchanged.
    """
    import numpy as np

    from triptych.construction.stages import _voices as voices
    from triptych.media.cut_files import cut_short
    from triptych.media.levels import offset
    from triptych.media.sound import faults as sound_faults
    from triptych.media.sound.coding import decode_sound, encode_wav
    from triptych.media.sound.prints import shared, sound_print
    from triptych.media.sound.stereo import is_opposite

    wanted = context.parameters
    path = context.media.path(values["audio"])
    data = path.read_bytes()
    if cut := cut_short(data):
        return dropped("recording-cut", f"the file was cut off: {cut}")
    try:
        sound = decode_sound(data, path)
    except MediaError as error:
        return dropped("unreadable-audio", error.problem)
    clipped = float(np.mean(np.abs(sound.samples) >= 0.999))
    if is_opposite(sound.samples):
        if not wanted.convert:
            return dropped("channels-cancel", CANCELS)
        sound = sound.with_samples(sound.samples[:, :1])
    mono = sound.mono(wanted.rate)
    level = 20 * float(np.log10(max(float(np.std(mono, dtype=np.float64)) if mono.size else 0.0, 1e-9)))
    if level < wanted.least_db:
        return dropped("recording-silent", f"{level:.0f} dB")
    if clipped > wanted.most_clipped:
        return dropped("recording-clipped", f"{clipped:.2%} of the samples")
    if abs(mean := offset(mono)) > wanted.most_offset:
        return dropped("recording-offset", f"the mean of the signal is {mean:+.3f} of full scale")
    if (part := voices.shifted(mono, wanted.rate)) > wanted.most_offset:
        return dropped(
            "recording-offset", f"in most seconds the mean of the signal is {part:.3f} of full scale off zero"
        )
    before, after, pause = voices.silences(mono, wanted.rate)
    if max(before, after) > wanted.most_silence:
        if not wanted.convert:
            return dropped("recording-silence", f"{before:.1f} s of silence before the voice, {after:.1f} s after it")
        mono = mono[round((before - _SILENCE_LEFT) * wanted.rate) if before > wanted.most_silence else 0 :]
        mono = mono[: len(mono) - (round((after - _SILENCE_LEFT) * wanted.rate) if after > wanted.most_silence else 0)]
    seconds = len(mono) / wanted.rate
    if not wanted.least_seconds <= seconds <= wanted.most_seconds:
        return dropped("recording-length", f"{seconds:.1f} s")
    if pause > wanted.most_pause:
        return dropped("recording-silence", f"{pause:.1f} s of silence within the voice")
    if (flat := sound_faults.clipped(mono, wanted.rate)) > _CLIPPED:
        return dropped("recording-clipped", f"{flat:.0%} of its parts are cut off at the greatest level")
    if voices.is_noisy(mono, wanted.rate):
        return dropped("recording-noisy", "noise is as loud as the voice")
    if voices.has_hum(mono, wanted.rate) or voices.is_even(mono, wanted.rate):
        return dropped("recording-hum", "a steady tone is nearly as loud as the voice")
    gaps = max(sound_faults.dropouts(mono, wanted.rate), sound_faults.gaps(mono, wanted.rate).number)
    if gaps > wanted.most_gaps:
        return dropped("recording-gaps", f"the sound breaks off {gaps} times in the middle of a word")
    expected = values["seconds_expected"] or 0.0
    spoken = seconds - sum(min(part, _SILENCE_LEFT) if part > wanted.most_silence else part for part in (before, after))
    if spoken < wanted.least_share * expected:
        return dropped("recording-cut", f"{spoken:.1f} s for a text that takes about {expected:.0f} s")
    halves = [sound_print(half, wanted.rate) for half in np.array_split(mono, 2)]
    if all(halves) and shared(*halves) >= _COPIED:
        return pending("record-again", "the second half is a copy of the first: the text was read once")
    pitch = voices.pitch(mono, wanted.rate)
    measured: dict[str, Any] = {"seconds": round(seconds, 2), "level_db": round(level, 1)}
    measured |= {"sound_print": sound_print(mono, wanted.rate)}
    doubtful = voices.is_unusual_pitch(values["gender"], pitch) or voices.two_voices(mono, wanted.rate)
    measured |= {"gender_doubtful": doubtful}
    if expected:
        measured["pace"] = round(expected / max(spoken, 0.1), 3)
    measured |= {"pitch_hz": round(pitch)} if pitch else {}
    if not wanted.convert:
        return kept(measured)
    audio = context.media.put(encode_wav(mono.reshape(-1, 1), wanted.rate), "wav")
    reason = "silence-cut-off" if max(before, after) > wanted.most_silence else "16-khz-mono"
    return revised(reason, {"audio": audio, **measured})


class DoubleAsr(Parameters, frozen=True):
    """Parameters of `double-asr`."""

    ok: Annotated[float, Meta(ge=0, description="error rate up to which a recording is kept")] = 0.15
    reject: Annotated[float, Meta(ge=0, description="error rate above which a recording is dropped")] = 0.6
    unit: Annotated[
        Literal["characters", "syllables"],
        Meta(description="what is compared; syllables: pinyin without tones"),
    ] = "characters"

    def __post_init__(self) -> None:
        if self.ok > self.reject:
            raise ValueError("`ok` is greater than `reject`")


def double_asr(
    roles: tuple[str, ...] = ("asr_a", "asr_b"), *, ok: float = 0.15, reject: float = 0.6, unit: str = "characters"
) -> Stage:
    """Two recognisers transcribe each recording; the error rate against the text decides.

    `unit`: `characters`, or `syllables` (pinyin without tones): recognisers write classical words that they don't know
    as other characters of the same sound.

    The lower of both rates counts, since a recogniser can fail on classical words that were read well. Up to `ok` a
    recording is kept, above `reject` it is dropped, and in between it waits to be recorded again. What a person returns
    then is another recording, and is transcribed again.
    """
    asking = Ask(ASR_PROMPT, _by_error_rate, None, roles, ("audio",), {"temperature": 0}, per="recording")
    return ask(
        "double-asr",
        asking,
        version=2,
        reads=["audio", "text", "recording"],
        writes=["cer"],
        about="Two recognisers transcribe each recording; the error rate keeps, repeats or rejects it.",
        parameters=changed("double-asr", DoubleAsr(), {"ok": ok, "reject": reject, "unit": unit}),
    )


def reading_error_rate(reference: str, transcript: str, unit: str = "characters") -> float:
    """Return edits / length of the reference, over its letters and digits or, with `syllables`, over their readings.

    A fraction of 0 or more; lower is better. For an empty reference: 0 if nothing was heard, otherwise 1. Raises
    SpecError for another unit, and if pypinyin is missing.

    Example:
        >>> reading_error_rate("去日苦多。", "去热哭多")
        0.5
        >>> reading_error_rate("去日苦多。", "去日哭多", "syllables")
        0.0
    """
    from rapidfuzz.distance import Levenshtein

    if unit not in UNITS:
        raise SpecError("double-asr: unknown `unit`", got=unit, expected=" or ".join(UNITS))
    a, b = ("".join(c for c in text if c.isalnum()) for text in (reference, transcript))
    if unit == "characters":
        return Levenshtein.distance(a, b) / len(a) if a else float(bool(b))
    pinyin = need("pypinyin", "comparing syllables", "build").lazy_pinyin
    x, y = pinyin(a), pinyin(b)
    return Levenshtein.distance(x, y) / len(x) if x else float(bool(y))


@stage("one-clip-each", version=2, reads=["recording", "sound_print"], writes=[], kind="whole")
def one_clip_each(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Find recordings that were returned for two clips, also louder, quieter or in another format.

    One of them is wrong at least, so all are to be made again."""
    from triptych.media.sound.prints import twins

    prints = {values["recording"]: values["sound_print"] for values in records}
    names = sorted(prints)
    others: dict[str, set[str]] = defaultdict(set)
    for one, other in twins([prints[name] for name in names]):
        others[names[one]].add(names[other])
        others[names[other]].add(names[one])
    return [
        pending("record-again", f"the same recording as {', '.join(sorted(same)[:3])}") if same else kept()
        for same in (others[values["recording"]] for values in records)
    ]


class SamePace(Parameters, frozen=True):
    """Parameters of `same-pace`."""

    max_ratio: Annotated[
        float, Meta(gt=1, description="greatest ratio of a reader's pace in a recording to their usual one")
    ] = 1.8
    min_recordings: Annotated[int, Meta(ge=2, description="recordings by which a reader's pace is known")] = 4


@stage("same-pace", version=2, reads=["speaker", "recording", "pace?"], writes=[], kind="whole", parameters=SamePace)
def same_pace(records: Sequence[Values], context: Context[SamePace]) -> list[Outcome]:
    """Find recordings that are much too short or long for their text, by the pace at which the same person reads.

    A part of the text is missing, or something else was read too, so they are to be made again."""
    from statistics import median

    paces: dict[str, dict[str, float]] = defaultdict(dict)
    for values in records:
        if values["pace"]:
            paces[values["speaker"]][values["recording"]] = values["pace"]
    usual = {
        name: median(pace.values()) for name, pace in paces.items() if len(pace) >= context.parameters.min_recordings
    }
    outcomes = []
    for values in records:
        ratio = (values["pace"] or 0.0) / usual.get(values["speaker"], 1e9)
        text = ""
        if ratio > context.parameters.max_ratio:
            text = f"{ratio:.1f} times as fast as the reader's other recordings: a part of the text may be missing"
        elif values["pace"] and values["speaker"] in usual and 1 / ratio > context.parameters.max_ratio:
            text = f"{1 / ratio:.1f} times as slow as the reader's other recordings: the text may be in it twice"
        outcomes.append(pending("record-again", text) if text else kept())
    return outcomes


@stage("same-reader", version=1, reads=["work", "gender", "speaker"], writes=[], kind="whole")
def same_reader(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Require that the same man and the same woman read all clips of a work; the reader of most clips is kept."""
    readers: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for values in records:
        readers[values["work"], values["gender"]][values["speaker"]] += 1
    outcomes = []
    for values in records:
        counts = readers[values["work"], values["gender"]]
        first = min(counts, key=lambda name: (-counts[name], name))
        text = f"{values['speaker']} read a clip of a work that {first} reads"
        outcomes.append(kept() if values["speaker"] == first else dropped("another-reader", text))
    return outcomes


def _by_error_rate(replies: Mapping[str, Any], values: Values, context: Context[DoubleAsr]) -> Outcome:
    """Keep, repeat or reject a recording by the lower error rate of two transcripts; see `double_asr`."""
    transcripts = {role: split_thinking(reply)[0] for role, reply in replies.items() if reply is not None}
    if not transcripts:
        return dropped("not-recognised", "no recogniser wrote anything")
    unit = context.parameters.unit
    rates = {role: round(reading_error_rate(values["text"], reply, unit), 4) for role, reply in transcripts.items()}
    lowest = min(rates.values())
    text = ", ".join(f"{role} {rate:.2f}" for role, rate in rates.items())
    if lowest > context.parameters.reject:
        return dropped("misread", text)
    if lowest > context.parameters.ok:
        return pending("record-again", text)
    return kept(cer=rates)


double_asr_default: Stage = double_asr()
