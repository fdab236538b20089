"""Synthetic voices as WAV files, for tests in which people read aloud: espeak-ng, or a made-up sound without it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import soundfile
import soxr

RATE = 48_000
VOICES = {"man": "cmn", "woman": "cmn+f3"}


def speak(text: str, gender: str, path: Path) -> Path:
    """Write a file with the text, read in Mandarin by a man's or a woman's voice, 48 kHz mono."""
    if shutil.which("espeak-ng"):
        subprocess.run(["espeak-ng", "-v", VOICES[gender], "-w", str(path), text], check=True, capture_output=True)
        samples, rate = soundfile.read(path, dtype="float32")
        made = soxr.resample(samples, rate, RATE)
    else:
        time = np.arange(RATE * max(2, len(text) // 4)) / RATE
        made = 0.3 * np.sin(2 * np.pi * (120 if gender == "man" else 210) * time) * np.abs(np.sin(2 * np.pi * 2 * time))
    soundfile.write(path, 0.8 * made / max(float(np.abs(made).max()), 1e-6), RATE, subtype="PCM_16")
    return path
