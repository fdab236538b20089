r"""The released scorer, quirk by quirk, for one reply. Every value is per Unit.

asr      Of the reply, what follows the last `:\n`, of that what follows the last `: '`, of that what follows the last
         `:'`; its first 100 characters. Both sides normalised, a blank put between all characters, and the blanks
         counted: an error costs about half. Errors and lengths are summed over clips.
s2tt     What follows the last `译文：` is judged.
sec      `\n\n` becomes `\n`, and the first two line ends part persona, overall line and sentences. Their transcript is
         what stands before each line's first `|` (the whole line without one), held against the clip's text: a CER a
         clip, rounded to 0.0001 per cent, and the mean of these.
sqa      Punctuation out, lower case, split at white space; 1 where the joined reference stands in the joined reply;
         else token F1.
su, sr   Right if the reply equals the key; or if the first letter A to G that stands alone in it is the key; or if the
         key stands anywhere in it. Case never counts, so that a "b" in any word is a B, and "ABCD" is always right.

Source: eval_model.py of yxduir/MCGA (2026), told in our own words. It converts by opencc-python-reimplemented; here
by OpenCC, whose tables are the same but for rare characters.
"""

from __future__ import annotations

import re

from triptych.metrics.error_rate import character_errors, error_rate, spaced_character_errors
from triptych.metrics.normalise import chinese_transcript
from triptych.metrics.overlap import token_f1

ASR_LIMIT = 100  # characters of a transcript that are looked at
_PREFIXES = (":\n", ": '", ":'")
_ALONE = re.compile(r"\b([A-G])\b")
_MARKS = re.compile(r"[^\w\s]| ")


def transcript(reply: str) -> str:
    """What of an ASR reply counts as the transcript."""
    for prefix in _PREFIXES:
        reply = reply.rpartition(prefix)[2]
    return reply[:ASR_LIMIT]


def asr_errors(reference: str, reply: str) -> tuple[int, int]:
    """CER's statistics with the blanks counted: (edits, length of the reference)."""
    return spaced_character_errors(chinese_transcript(reference), chinese_transcript(transcript(reply)))


def translation(reply: str) -> str:
    """What of a translation is judged."""
    return reply.rpartition("译文：")[2].strip()


def caption_parts(reply: str) -> tuple[str, str, str]:
    """Persona, overall line, sentences; empty where the reply has fewer lines."""
    parts = reply.replace("\n\n", "\n").split("\n", 2)
    persona, overall, sentences = (*parts, "", "")[:3]
    return persona, overall, sentences


def caption_transcript(sentences: str) -> str:
    """The sentences without what is said of each."""
    return "".join(line.split("|")[0].strip() for line in sentences.strip().split("\n"))


def caption_error_rate(text: str, reply: str) -> float:
    """The CER of a caption's transcript, as a share: rounded as the scorer does; 1 where the clip has no text."""
    errors, length = caption_errors(text, reply)
    return round(100 * error_rate(errors, length), 4) / 100 if length else 1.0


def caption_errors(text: str, reply: str) -> tuple[int, int]:
    """The same as statistics: (edits, characters of the clip's text)."""
    heard = caption_transcript(caption_parts(reply)[2])
    return character_errors(chinese_transcript(text), chinese_transcript(heard))


def answer_f1(reference: str, reply: str) -> float:
    """SQA's F1, 0 to 1."""
    return token_f1(reference, reply)


def is_chosen(key: str, reply: str) -> bool:
    """Whether a reply counts as choosing the key."""
    key, reply = key.strip().upper(), reply.strip().upper()
    alone = _ALONE.search(reply)
    if reply == key or (alone and alone[1] == key):
        return True
    bare = _MARKS.sub("", key)
    return bool(bare) and bare in _MARKS.sub("", reply)
