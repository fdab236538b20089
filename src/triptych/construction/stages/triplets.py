"""Triplets: text, audio and vision of one thing. What is missing is made; `given_forms` takes in what is given.

A *form* is a table with `text`, `audio`, `vision` (media values) and `made`: the modalities that were made. A record's
own form is in its fields `text`, `audio`, `vision`; `target` is the form that is asked for if it differs (a
translation), and `wrong` are forms of wrong answers that belong to this record alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.stages._media_fields import Lufs, Quality, Rate, Side
from triptych.errors import MediaError

Form = dict[str, Any]
_MISSING = {
    "text": "it has no text; write one, or set caption = true",
    "audio": "it has no recording; give one: the name of a thing is never spoken in place of its sound",
    "vision": "it has no picture or film; give one: the name of a thing is never drawn in place of its picture",
}
FORMS = ("text", "audio", "vision", "made", "target", "wrong")


def own_form(values: Mapping[str, Any]) -> Form:
    """The form of the record itself."""
    return {name: values[name] for name in ("text", "audio", "vision")} | {"made": list(values["made"] or ())}


def changed(values: Mapping[str, Any], change: Callable[[Form, bool], Form]) -> dict[str, Any]:
    """The fields that `change(form, is_own)` changes in any form; `is_own` is false for the target and wrong forms."""
    before = own_form(values)
    fields = {name: value for name, value in change(dict(before), True).items() if value != before[name]}
    if values["target"] and (target := change(dict(values["target"]), False)) != values["target"]:
        fields["target"] = target
    if values["wrong"] and (wrong := [change(dict(form), False) for form in values["wrong"]]) != values["wrong"]:
        fields["wrong"] = wrong
    return fields


def store_sound(samples: Any, rate: int, context: Context) -> str:
    """Keep samples of one or two channels as WAV at the stage's rate and loudness; returns the media value."""
    from triptych.media.sound.coding import Sound, encode_wav
    from triptych.media.sound.loudness import at_loudness

    wanted = context.parameters
    sound = Sound(samples[:, :2] if samples.shape[1] <= 2 else samples.mean(axis=1, keepdims=True), rate)
    levelled, _ = at_loudness(sound.resample(wanted.rate).samples, wanted.rate, wanted.lufs)
    return context.media.put(encode_wav(levelled, wanted.rate), "wav")


def store_picture(image: Any, context: Context) -> str:
    """Keep a picture as JPEG with at most `side` pixels and without metadata; returns the media value."""
    from triptych.media.pictures.changes import encode_picture

    image.thumbnail((context.parameters.side, context.parameters.side))
    image.info.clear()
    return context.media.put(encode_picture(image, "JPEG", context.parameters.quality), "jpg")


class Speak(Parameters, frozen=True):
    """Parameters of `speak`."""

    model: Annotated[str, Meta(min_length=1, description="`espeak-ng`, or `openai/NAME`")] = "espeak-ng"
    base_url: Annotated[str, Meta(description="address of the endpoint of `openai/NAME`")] = ""
    key_env: Annotated[str, Meta(min_length=1, description="environment variable with the endpoint's key")] = (
        "OPENAI_API_KEY"
    )
    voices: Annotated[
        dict[str, list[str]], Meta(description="voices of each language; one is drawn for each record")
    ] = field(default_factory=lambda: {"en": ["en-us", "en-gb"], "zh": ["cmn"]})
    rate: Rate = 24_000
    lufs: Lufs = -23.0


@stage(
    "speak",
    version=3,
    reads=[*(f"{name}?" for name in FORMS), "language?", "target_language?", "respeak?", "written?"],
    writes=(*FORMS, "respeak"),
    costly=True,
    parameters=Speak,
)
def speak(values: Values, context: Context[Speak]) -> Outcome:
    """Speak the texts of forms without audio: by the program espeak-ng, or an endpoint with OpenAI's speech API.

    `model`: `espeak-ng` or `openai/NAME`, with `base_url` and `key_env`. `voices` of each language: one is drawn for
    the record; its target and wrong forms share one, so that the voice doesn't give the target away. If one of these
    has to be spoken, all are, whatever the table has for them. With `respeak`, the next voice speaks what was spoken.
    `written` False: the recording must be of the thing itself, and its name isn't spoken instead.
    """
    from triptych.models.speech import Speaker

    if values["written"] is False:
        return kept()

    wanted = context.parameters
    speaker = Speaker(wanted.model, wanted.base_url, wanted.key_env)
    options = [values["target"] or {}, *values["wrong"]] if values["wrong"] else []
    together = any(form and not form.get("audio") for form in options)

    def spoken(form: Form, is_own: bool) -> Form:
        again = values["respeak"] and "audio" in (form["made"] or ())
        if not form["text"] or (form["audio"] and not again and not (together and not is_own)):
            return form
        language = (not is_own and values["target_language"]) or values["language"] or "en"
        voices = wanted.voices.get(language)
        if not voices:
            raise MediaError(
                "no voice for this language",
                got=language,
                expected=", ".join(wanted.voices),
                fix=f'add it to `voices` of [stages.speak]: {language} = ["NAME"]',
            )
        drawn = context.random("voice", values.id, is_own).randrange(len(voices))
        voice = voices[(drawn + bool(values["respeak"])) % len(voices)]
        return {**form, "audio": _speak(speaker, form["text"], voice, context), "made": _with_made(form, "audio")}

    return kept(changed(values, spoken) | ({"respeak": False} if values["respeak"] else {}))


def _speak(speaker: Any, text: str, voice: str, context: Context) -> str:
    from triptych.media.sound.coding import decode_sound
    from triptych.media.sound.loudness import sounding_range

    sound = decode_sound(speaker.speak(text, voice), text)
    mono = sound.mono(context.parameters.rate)
    begin, end = sounding_range(mono, context.parameters.rate)
    if end - begin < context.parameters.rate // 20:
        raise MediaError("the speaker said nothing", got=text[:80])
    return store_sound(mono[begin:end].reshape(-1, 1), context.parameters.rate, context)


def _with_made(form: Mapping[str, Any], modality: str) -> list[str]:
    return sorted({*(form["made"] or ()), modality})


class DrawText(Parameters, frozen=True):
    """Parameters of `draw-text`."""

    fonts: Annotated[
        tuple[str, ...],
        Meta(description="files of fonts, relative to the configuration (empty: Triptych's and this machine's)"),
    ] = ()
    kinds: Annotated[
        tuple[Literal["printed", "handwritten", "columns"], ...], Meta(description="looks that are drawn from")
    ] = ("printed", "handwritten")
    least_size: Annotated[int, Meta(ge=6, le=400, description="smallest letters, in pixels")] = 26
    most_size: Annotated[int, Meta(ge=6, le=400, description="largest letters, in pixels")] = 40
    tilt: Annotated[float, Meta(ge=0, le=1, description="strength of the perspective")] = 0.05
    noise: Annotated[float, Meta(ge=0, le=255, description="standard deviation of the noise, of 255")] = 8.0
    side: Side = 640
    quality: Quality = 85

    def __post_init__(self) -> None:
        if self.least_size > self.most_size:
            raise ValueError("`least_size` is greater than `most_size`")


@stage(
    "draw-text",
    version=4,
    reads=[*(f"{name}?" for name in FORMS), "vision_kind", "redraw?", "written?"],
    writes=(*FORMS, "redraw"),
    costly=True,
    parameters=DrawText,
)
def draw_text(values: Values, context: Context[DrawText]) -> Outcome:
    """Draw the texts of forms without a picture: fonts, sizes, ink, paper, noise and perspective drawn by the seed.

    `fonts` names files, relative to the configuration (empty: the font that ships with Triptych, and those of this
    machine); `kinds`: `printed`, `handwritten` (letters vary in height, angle and size) and `columns` (from right to
    left). A character that no font has drops the record; it is never drawn as a box. The target and the wrong forms of
    a record share one look. `written` False: the picture must be a photograph, and isn't drawn. With `redraw`, made
    pictures are drawn once more, plainly: printed, without noise and perspective.
    """
    from triptych.media.pictures.fonts import faces

    if values["vision_kind"] != "image" or values["written"] is False:
        return kept()
    wanted = context.parameters
    among = faces([context.base / name for name in wanted.fonts])
    options = [values["target"] or {}, *values["wrong"]] if values["wrong"] else []
    together = any(form and not form.get("vision") for form in options)

    def drawn(form: Form, is_own: bool) -> Form:
        again = values["redraw"] and "vision" in (form["made"] or ())
        if not form["text"] or (form["vision"] and not again and not (together and not is_own)):
            return form
        return {
            **form,
            "vision": _drawn(form["text"], is_own, values, among, context),
            "made": _with_made(form, "vision"),
        }

    try:
        return kept(changed(values, drawn) | ({"redraw": False} if values["redraw"] else {}))
    except MediaError as error:
        return dropped("cannot-be-drawn", str(error).replace("\n", " "))


def _drawn(text: str, is_own: bool, values: Values, among: Any, context: Context) -> str:
    from triptych.media.pictures.text import TextStyle, drawn_look, text_picture

    wanted = context.parameters
    shared = context.random("look", values.id, is_own)
    look = drawn_look(
        shared,
        kinds=wanted.kinds,
        sizes=(wanted.least_size, wanted.most_size),
        tilt=wanted.tilt,
        noise=wanted.noise,
    )
    if values["redraw"]:
        look = TextStyle(wanted.most_size)
    return store_picture(text_picture(text, among, look, shared), context)


def missing_modalities(values: Mapping[str, Any]) -> list[str]:
    """The modalities that some form of a record lacks."""
    forms = [own_form(values), *([values["target"]] if values["target"] else []), *(values["wrong"] or [])]
    return [name for name in ("text", "audio", "vision") if any(not form[name] for form in forms)]


@stage(
    "whole-triplets",
    version=2,
    reads=[f"{name}?" for name in FORMS],
    writes=[],
)
def whole_triplets(values: Values, context: Context) -> Outcome:
    """Drop a record if a form still lacks its text, audio or vision."""
    missing = missing_modalities(values)
    return dropped(f"no-{missing[0]}", _MISSING[missing[0]]) if missing else kept()
