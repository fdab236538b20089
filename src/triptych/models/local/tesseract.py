"""The program Tesseract, called once per picture and alternative: rows, and columns of Chinese."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from itertools import groupby
from typing import Any

from triptych.errors import ProviderError, SpecError

PROGRAM = "tesseract"
# Alternatives are separated by `|`; the one that Tesseract is surest of is taken
USUAL = "chi_sim,chi_tra,eng|chi_tra_vert"
FIX = "apt install tesseract-ocr tesseract-ocr-chi-tra tesseract-ocr-chi-tra-vert tesseract-ocr-chi-sim"
TIMEOUT_S = 120.0
_BETWEEN = re.compile(r"(?<=[\u2e80-\u9fff\uff00-\uffef])\s+(?=[\u2e80-\u9fff\uff00-\uffef])")


def installed() -> bool:
    """Return whether the program is on PATH."""
    return shutil.which(PROGRAM) is not None


@cache
def version() -> str:
    """Return the program and its version, such as `tesseract 5.3.0`."""
    done = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).partition("\n")[0].strip()


def load(languages: str, threads: int) -> Callable[[Any], str]:
    """Return a function that reads RGB pixels, lines in reading order.

    Args:
        languages: Codes of Tesseract's data, joined by commas; `|` separates alternatives, such as rows and columns
            (`chi_tra|chi_tra_vert`). Of the usual alternatives, those without data are left out.
        threads: Number of threads.

    Raises:
        SpecError: If the data of a language are not installed.
    """
    there = _installed_languages()
    choices = [one.split(",") for one in languages.split("|")]
    if languages == USUAL:
        choices = [codes for one in choices if (codes := [code for code in one if code in there])]
    missing = sorted({code for one in choices for code in one} - there)
    if missing or not choices:
        raise SpecError(
            f"tesseract has no data for {', '.join(missing) or languages}", expected=", ".join(sorted(there)), fix=FIX
        )

    def read(pixels: Any) -> str:
        from PIL import Image

        buffer = io.BytesIO()
        Image.fromarray(pixels).save(buffer, "PNG", compress_level=1)
        results = [_recognised(buffer.getvalue(), "+".join(one), threads) for one in choices]
        return max(results, key=lambda one: one[1])[0]

    return read


def as_text(table: str) -> tuple[str, float]:
    """Return (text, mean confidence of its characters, 0 to 100) of Tesseract's table of words."""
    rows = [line.split("\t", 11) for line in table.splitlines()[1:]]
    words = [(tuple(row[1:5]), float(row[10]), row[11].strip()) for row in rows if len(row) == 12 and row[0] == "5"]
    words = [word for word in words if word[2]]
    letters = sum(len(text) for _, _, text in words)
    sure = sum(confidence * len(text) for _, confidence, text in words) / letters if letters else 0.0
    lines = [" ".join(text for _, _, text in line) for _, line in groupby(words, key=lambda word: word[0])]
    return "\n".join(_BETWEEN.sub("", line) for line in lines), sure


def _recognised(picture: bytes, languages: str, threads: int) -> tuple[str, float]:
    command = [PROGRAM, "stdin", "stdout", "-l", languages, "--psm", "3", "tsv"]
    limited = {**os.environ, "OMP_THREAD_LIMIT": str(threads)}
    try:
        done = subprocess.run(command, input=picture, capture_output=True, timeout=TIMEOUT_S, check=False, env=limited)
    except subprocess.TimeoutExpired:
        raise ProviderError(f"tesseract took over {TIMEOUT_S:g} s", kind="timeout") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ProviderError(f"tesseract failed ({lines[-1] if lines else done.returncode})", kind="internal")
    return as_text(done.stdout.decode("utf-8", "replace"))


def _installed_languages() -> set[str]:
    if not installed():
        raise SpecError("the program tesseract is not installed", fix=FIX)
    done = subprocess.run([PROGRAM, "--list-langs"], capture_output=True, text=True, check=False)
    return {line.strip() for line in done.stdout.splitlines()[1:] if line.strip()}
