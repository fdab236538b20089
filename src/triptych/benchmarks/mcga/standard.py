"""What the field would do today, for one reply."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.metrics.choice import read_letter
from triptych.metrics.error_rate import character_errors
from triptych.metrics.normalise import chinese_transcript
from triptych.metrics.overlap import character_f1


def asr_errors(reference: str, reply: str) -> tuple[int, int]:
    """CER's statistics: the same normaliser; no blanks, no prefixes, nothing cut."""
    return character_errors(chinese_transcript(reference), chinese_transcript(reply))


def answer_f1(reference: str, reply: str) -> float:
    """F1 over characters, normalised as transcripts are: no reward for a reply that names everything."""
    return character_f1(chinese_transcript(reference), chinese_transcript(reply))


def chosen(reply: str, labels: Sequence[str]) -> str | None:
    """The one letter that the reply chooses; None for none or several."""
    return read_letter(reply, labels)
