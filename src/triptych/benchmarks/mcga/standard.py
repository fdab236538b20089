"""The rules of protocol standard, for one reply."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.metrics.choice import read_letter
from triptych.metrics.error_rate import character_errors
from triptych.metrics.overlap import character_f1
from triptych.metrics.text.normalise import chinese_transcript


def asr_errors(reference: str, reply: str) -> tuple[int, int]:
    """Return CER's statistics with the same normaliser, without extra spaces, prefixes or truncation."""
    return character_errors(chinese_transcript(reference), chinese_transcript(reply))


def answer_f1(reference: str, reply: str) -> float:
    """Return F1 over characters, normalised like transcripts, so that a reply that lists everything isn't rewarded."""
    return character_f1(chinese_transcript(reference), chinese_transcript(reply))


def chosen_letter(reply: str, labels: Sequence[str], texts: Sequence[str | None] = ()) -> str | None:
    """Return the one letter that the reply chooses; None for none or several."""
    return read_letter(reply, labels, texts)
