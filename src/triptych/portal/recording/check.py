"""The check of a recording: decoded once, measured, and converted to 16 kHz mono."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from triptych.errors import MediaError
from triptych.media.sound.coding import SPEECH_HZ, decode_sound, encode_wav
from triptych.portal.recording.rules import Facts, Settings, faults

FULL_SCALE = 0.999
MAX_TAKE_SAMPLES = 48_000 * 120 * 2  # two minutes of stereo: an upload is at most half a minute
Recognise = Callable[[bytes, str], Mapping[str, float]]


def check(
    data: bytes, text: str, facts: Facts, wanted: Settings, recognise: Recognise | None = None
) -> tuple[dict[str, Any], list[str], bytes]:
    """Return measures, the reasons to record again, and the sound as 16 kHz mono WAV (empty if it can't be decoded).

    `recognise`: returns the character error rate of each recogniser, given the WAV and the text. It is asked only about
    recordings that have no other fault.
    """
    import numpy as np

    try:
        sound = decode_sound(data, max_samples=MAX_TAKE_SAMPLES)
    except MediaError as error:
        return {"problem": error.problem}, ["unreadable"], b""
    mono = sound.mono(SPEECH_HZ)
    loud = float(np.sqrt(np.mean(np.square(mono, dtype=np.float64))))
    measures: dict[str, Any] = {
        "frames": len(sound.samples),
        "rate": sound.rate,
        "seconds": round(sound.seconds, 3),
        "level_db": round(20 * float(np.log10(max(loud, 1e-9))), 1),
        "clipped": round(float(np.mean(np.abs(sound.samples) >= FULL_SCALE)), 6),
    }
    made = encode_wav(mono.reshape(-1, 1), SPEECH_HZ)
    problems = faults(measures, facts, wanted)
    if recognise and not problems:
        measures["cer"] = dict(recognise(made, text))
        problems = faults(measures, facts, wanted)
    return measures, problems, made
