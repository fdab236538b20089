"""Rules of recording, without a database: who reads which slot, pinyin above characters, which recordings are good."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

_IDEOGRAPH = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
ANYBODY = "1"
CLOCK_SHARE = 0.02  # sound cards' clocks differ from the computer's by far less
CLOCK_S = 0.35  # the time between the clock's reading and the first or last block
MIN_RATE = 16_000  # samples a second; a telephone's headset may deliver 8,000


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a queue of recordings.

    slots          one reader for each: genders, or `1` for anybody
    least_seconds  shortest and longest recording
    least_db       RMS level, in dB of full scale, below which it counts as silent
    most_clipped   share of samples that may reach full scale
    most_cer       highest character error rate of the better recogniser, if recognisers are configured
    """

    slots: tuple[str, ...] = ("man", "woman")
    least_seconds: float = 1.0
    most_seconds: float = 30.0
    least_db: float = -50.0
    most_clipped: float = 0.001
    most_cer: float = 0.15


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Counts that the browser made while it recorded. `lost`: blocks of sound that never arrived."""

    frames: int
    rate: int
    blocks: int
    lost: int
    milliseconds: int
    worked: int = 0


def slot_of(slots: Sequence[str], gender: str) -> str | None:
    """Return the slot that a person fills; None if the queue has none for their gender.

    >>> slot_of(["man", "woman"], "woman"), slot_of(["1"], "other"), slot_of(["man", "woman"], "other")
    ('woman', '1', None)
    """
    return gender if gender in slots else ANYBODY if ANYBODY in slots else None


def ruby(text: str, pinyin: str | Sequence[str] | None) -> list[list[tuple[str, str]]]:
    """Return the lines of a text as pairs of a character and its pinyin (empty for punctuation).

    `pinyin` has a syllable for each character, or for each ideograph; if it fits neither, no pinyin is shown rather
    than one above a wrong character.

    >>> ruby("床前", "chuáng qián")
    [[('床', 'chuáng'), ('前', 'qián')]]
    """
    syllables = (pinyin.split() if isinstance(pinyin, str) else list(pinyin or ()))[: len(text)]
    ideographs = [number for number, character in enumerate(text) if _IDEOGRAPH.match(character)]
    if len(syllables) == len(text):
        above = {ideograph: syllables[ideograph] for ideograph in ideographs}
    elif len(syllables) == len(ideographs):
        above = dict(zip(ideographs, syllables, strict=True))
    else:
        above = {}
    lines: list[list[tuple[str, str]]] = [[]]
    for index, character in enumerate(text):
        if character == "\n":
            lines.append([])
        else:
            lines[-1].append((character, above.get(index, "")))
    return [line for line in lines if line]


def faults(measures: Mapping[str, Any], facts: Facts, wanted: Settings) -> list[str]:
    """Return why a recording must be made again, as names of reasons; empty for a good one.

    `measures`: `frames` and `rate` of the file, `seconds`, `level_db`, `clipped`, and `cer` if it was recognised.
    """
    problems = []
    if has_lost_frames(measures, facts):
        problems.append("frames-missing")
    if measures["rate"] < MIN_RATE:
        problems.append("low-rate")
    if measures["seconds"] < wanted.least_seconds:
        problems.append("too-short")
    if measures["seconds"] > wanted.most_seconds + 1:  # half a second goes on after the stop
        problems.append("too-long")
    if measures["level_db"] < wanted.least_db:
        problems.append("silent")
    if measures["clipped"] > wanted.most_clipped:
        problems.append("clipped")
    rates = measures.get("cer", {}).values()
    if rates and min(rates) > wanted.most_cer:
        problems.append("misread")
    return problems


def has_lost_frames(measures: Mapping[str, Any], facts: Facts) -> bool:
    """Return True if sound is missing: blocks that never arrived, a file cut short, or less sound than time went by."""
    if facts.lost or measures["frames"] != facts.frames or measures["rate"] != facts.rate:
        return True
    clock = facts.milliseconds / 1000
    return abs(clock - float(measures["seconds"])) > CLOCK_S + CLOCK_SHARE * clock
