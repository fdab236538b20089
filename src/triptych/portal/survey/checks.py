"""Questions that don't count. Attention checks: choose a colour that the text names; where a survey has sound, count
tones. Practice: questions of the benchmark that are in no cell."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

from triptych.media.sound.coding import encode_wav
from triptych.portal.survey.document import Check, Medium, Question, Task

COLOURS = ("red", "blue", "green", "yellow")  # texts `check-red` … of the words
TONES = (2, 3, 4, 5)
HZ = 16_000
PREFIX = "check/"
PRACTICE = "practice/"  # before the id of an Item


def check_tasks(with_sound: bool, keep: Callable[[bytes, str], None]) -> list[Task]:
    """Return all checks: one for each colour and, if the survey has sound, for each number of tones."""
    made = [Question(check=Check("colour", number)) for number in range(len(COLOURS))]
    for answer, number in enumerate(TONES if with_sound else ()):
        data = tones(number)
        sha = hashlib.sha256(data).hexdigest()
        keep(data, sha)
        made.append(Question(media=(Medium("tones", sha, "audio/wav", "audio"),), check=Check("tones", answer)))
    return [
        Task(f"{PREFIX}{each.check.kind}/{each.check.answer}", "1", each) for each in made if each.check is not None
    ]


def drawn_checks(keys: list[str], number: int, draw: random.Random) -> list[str]:
    """Return `number` checks for a person, as far as there are so many: alternately of each kind."""
    kinds: dict[str, list[str]] = {}
    for key in sorted(keys):
        kinds.setdefault(key.removeprefix(PREFIX).partition("/")[0], []).append(key)
    groups = list(kinds.values())
    for group in groups:
        draw.shuffle(group)
    draw.shuffle(groups)
    turns = [group[n] for n in range(max(map(len, groups), default=0)) for group in groups if n < len(group)]
    return turns[:number]


def tones(number: int) -> bytes:
    """Return `number` tones of 0.25 s at 880 Hz, with pauses of 0.35 s, as WAV; 16 kHz mono."""
    import numpy as np

    time = np.arange(HZ // 4) / HZ
    soft = np.minimum(1, np.minimum(time, time[::-1]) / 0.02)
    tone = 0.3 * soft * np.sin(2 * np.pi * 880 * time)
    pause = np.zeros(int(0.35 * HZ))
    return encode_wav(np.concatenate([pause, *[part for _ in range(number) for part in (tone, pause)]])[:, None], HZ)
