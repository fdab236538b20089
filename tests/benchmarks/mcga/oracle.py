"""The released scorer written again from its description, with the libraries that it stands on, a whole set at a time.

It shares no code with Triptych: OpenCC, whisper-normalizer and jiwer do the work.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from statistics import fmean

import jiwer
import pytest
from opencc import OpenCC

WIDE = {chr(0xFF01 + n): chr(0x21 + n) for n in range(94) if chr(0x21 + n).isalnum()}
SIMPLIFIED = OpenCC("t2s")
NORMALISED = pytest.importorskip(
    "whisper_normalizer.basic", reason="whisper-normalizer is not installed"
).BasicTextNormalizer()


def characters(text: str) -> str:
    """Simplified, half-width, normalised, no white space."""
    text = "".join(WIDE.get(c, c) for c in SIMPLIFIED.convert(text))
    return "".join(NORMALISED(text).split())


def heard(reply: str) -> str:
    """What is left of an ASR reply."""
    for mark in (":\n", ": '", ":'"):
        if mark in reply:
            reply = reply[reply.rindex(mark) + len(mark) :]
    return reply[:100]


def asr(references: Sequence[str], replies: Sequence[str]) -> float:
    """CER in per cent over a set, blanks between characters counted."""
    expected, got = ([" ".join(characters(text)) for text in texts] for texts in (references, map(heard, replies)))
    return 100 * float(jiwer.cer(expected, got))


def true_cer(references: Sequence[str], replies: Sequence[str]) -> float:
    """CER in per cent over a set."""
    return 100 * float(jiwer.cer([characters(r) for r in references], [characters(r) for r in replies]))


def caption_cer(references: Sequence[str], replies: Sequence[str]) -> float:
    """The mean of the captions' CERs, each rounded."""
    values = []
    for reference, reply in zip(references, replies, strict=True):
        third = [*reply.replace("\n\n", "\n").split("\n", 2), "", ""][2]
        said = "".join(line[: line.index("|")].strip() if "|" in line else line.strip() for line in third.split("\n"))
        values.append(round(100 * float(jiwer.cer(characters(reference), characters(said))), 4))
    return fmean(values)


def sqa(references: Sequence[str], replies: Sequence[str]) -> float:
    """Mean F1 x 100."""
    return 100 * fmean(map(_f1, references, replies))


def _f1(reference: str, reply: str) -> float:
    bag, other = (re.sub(r"[^\w\s]", "", text.lower()).split() for text in (reference, reply))
    if not bag or not other:
        return float(bag == other)
    if "".join(bag) in "".join(other):
        return 1.0
    both = sum(min(n, Counter(other)[word]) for word, n in Counter(bag).items())
    return 2 * both / (len(bag) + len(other))


def choice(keys: Sequence[str], replies: Sequence[str]) -> float:
    """Accuracy in per cent."""
    return 100 * fmean(map(_right, keys, replies))


def _right(key: str, reply: str) -> bool:
    reply = reply.strip().upper()
    letters = re.findall(r"\b[A-G]\b", reply)
    kept = "".join(c for c in reply if re.match(r"\w", c))
    return reply == key or letters[:1] == [key] or key in kept
