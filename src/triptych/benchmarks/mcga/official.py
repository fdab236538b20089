r"""The rules of the released scorer for one reply, including its quirks. Every value is per Unit.

asr      The reply after the last `:\n`, of that the part after the last `: '`, of that the part after the last `:'`;
         its first 100 characters. Both sides are normalised, and a space is put between all characters. The spaces
         count, so an error costs about half. Errors and lengths are summed over clips.
s2tt     The part of the reply after the last `译文：` is judged.
sec      `\n\n` becomes `\n`, and the first two line ends separate persona, overall line and sentences. The transcript
         is the part of each line before its first `|` (the whole line without one), compared with the clip's text: one
         CER per clip, rounded to 0.0001 percent, and the mean of these.
sqa      Punctuation is removed, letters are lowered, words are split at whitespace. 1 if the joined reply contains the
         joined reference; otherwise token F1.
su, sr   Correct if the reply equals the target; or if the first letter A to G that is a word of its own is the target;
         or if the target occurs anywhere in it. Case is ignored, so a "b" in any word is a B, and "ABCD" is always
         correct.

Source: eval_model.py of yxduir/MCGA (2026), described in our own words. It converts with opencc-python-reimplemented,
we with OpenCC, whose tables are the same except for rare characters.
"""

from __future__ import annotations

import re

from triptych.metrics.error_rate import character_errors, error_rate, spaced_character_errors
from triptych.metrics.overlap import token_f1
from triptych.metrics.text.normalise import chinese_transcript

ASR_LIMIT = 100  # characters of a transcript that are compared
_PREFIXES = (":\n", ": '", ":'")
_ALONE = re.compile(r"\b([A-G])\b")
_MARKS = re.compile(r"[^\w\s]| ")


def transcript(reply: str) -> str:
    """Return the part of an ASR reply that counts as the transcript."""
    for prefix in _PREFIXES:
        reply = reply.rpartition(prefix)[2]
    return reply[:ASR_LIMIT]


def asr_errors(reference: str, reply: str) -> tuple[int, int]:
    """Return the statistics of a CER that counts spaces: (edits, length of the reference)."""
    return spaced_character_errors(chinese_transcript(reference), chinese_transcript(transcript(reply)))


def translation(reply: str) -> str:
    """Return the part of a translation that is judged."""
    return reply.rpartition("译文：")[2].strip()


def caption_parts(reply: str) -> tuple[str, str, str]:
    """Return persona, overall line and sentences; empty if the reply has fewer lines."""
    parts = reply.replace("\n\n", "\n").split("\n", 2)
    persona, overall, sentences = (*parts, "", "")[:3]
    return persona, overall, sentences


def caption_transcript(sentences: str) -> str:
    """Return the sentences without the description of each."""
    return "".join(line.split("|")[0].strip() for line in sentences.strip().split("\n"))


def caption_error_rate(text: str, reply: str) -> float:
    """Return the CER of a caption's transcript as a fraction, rounded as in the scorer; 1 if the clip has no text."""
    errors, length = caption_errors(text, reply)
    return round(100 * error_rate(errors, length), 4) / 100 if length else 1.0


def caption_errors(text: str, reply: str) -> tuple[int, int]:
    """Return the same as statistics: (edits, characters of the clip's text)."""
    transcript = caption_transcript(caption_parts(reply)[2])
    return character_errors(chinese_transcript(text), chinese_transcript(transcript))


def answer_f1(reference: str, reply: str) -> float:
    """Return the F1 of SQA, 0 to 1."""
    return token_f1(reference, reply)


def is_chosen(key: str, reply: str) -> bool:
    """Return whether a reply counts as choosing the target."""
    key, reply = key.strip().upper(), reply.strip().upper()
    alone = _ALONE.search(reply)
    if reply == key or (alone and alone[1] == key):
        return True
    bare = _MARKS.sub("", key)
    return bool(bare) and bare in _MARKS.sub("", reply)
