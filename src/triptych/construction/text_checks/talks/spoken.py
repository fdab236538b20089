"""Faults of the transcript of a talk: what isn't the words that were spoken."""

from __future__ import annotations

import re
from collections import Counter

from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.wording import INVISIBLE, NOTE, REPLACED, Fault, transcript_fault
from triptych.metrics.text.misread import misread

# A tag of a web page or of subtitles; a talk may be about others: `<mask>`
_TAG = re.compile(
    r"</?(?:i|b|u|em|strong|br|p|div|span|font|sub|sup|a|c|v|h[1-6])(?:[\s.][^<>]{0,80})?/?>|&(?:nbsp"
    r"|amp|quot|lt|gt|#\d+);",
    re.IGNORECASE,
)
_CLOCK = r"(?:\d{1,2}:)?\d{1,3}:[0-5]\d(?:[.,]\d{1,3})?"
_STAMP = re.compile(
    rf"[\[(<]\s*{_CLOCK}(?:\s*(?:-->|[-–])\s*{_CLOCK})?\s*[\])>]|{_CLOCK}\s*-->|^WEBVTT\b", re.MULTILINE
)
_STAMP_FIRST = re.compile(rf"^\s*{_CLOCK}(?=\s)")
_NUMBER_ALONE = re.compile(r"^\s*\d{1,4}\s*$")
_SPEAKER = re.compile(
    r"^\s*[\[(<]?\s*(?:speaker|spk|sprecher(?:in)?|parlante|relatore|relatrice|moderator(?:in|e)?"
    r"|host|interviewer|presenter|narrator|"
    r"audience|chair|发言人|演讲者|主持人|讲者|说话人|观众)[\s_-]*(?:\d{1,2}|[A-D])?\s*[\])>]?\s*[:：]"
    r"|^\s*[\[(<]\s*(?:speaker|spk)[\s_-]*\d{1,2}\s*[\])>]",
    re.IGNORECASE,
)
_NAMED = re.compile(r"^\s*((?:[A-Z][\w'’.-]*+\s?){1,4}|[A-Z]{1,2})\s*[:：]\s+\S")
_BULLET = re.compile(r"\s*[-*•#]+\s+\S")
_SOUNDS = (
    r"inaudible|unintelligible|indistinct|applause|clapping|laughter|laughs?|laughing|chuckl\w+|music|noise|"
    r"silence|pause|coughs?|coughing|"
    r"sighs?|crosstalk|background\s\w+|no (?:speech|audio)|foreign language|blank_audio"
    r"|unverständlich|applaus|beifall|"
    r"gelächter|"
    r"lachen|lacht|musik|geräusch\w*|stille|hust\w+|incomprensibile|inudibile|applausi|risate|ride"
    r"|musica|rumore|silenzio|"
    r"听不清|掌声|鼓掌|笑声|笑|音乐|噪音|静音|咳嗽|沉默"
)
_SOUND = re.compile(rf"[\[(（【<*]\s*(?:{_SOUNDS})(?:[\s,:：][^\])）】>*]{{0,40}})?\s*[\])）】>*]|[♪♫]", re.IGNORECASE)


@reads_shortened
def spoken_fault(text: str) -> Fault | None:
    """Return what doesn't belong into the transcript of a talk, or into its translation; None if nothing does.

    >>> spoken_fault("[00:01:05] Hello.")[0], spoken_fault("It is 2:1, as [1] says.")[0], spoken_fault("We mask.")
    ('time-stamps', 'note-number', None)
    """
    if REPLACED in text:
        return "damaged-characters", "it holds U+FFFD, which stands for bytes that could not be decoded"
    if wrong := misread(text):
        return "damaged-characters", f"it was read in another encoding than it was written in: {wrong.signs!r}"
    if match := INVISIBLE.search(text):
        return "invisible-characters", f"it holds U+{ord(match[0]):04X}, which nobody sees"
    lines = [line for line in text.split("\n") if line.strip()]
    stamped = [line for line in lines if _STAMP_FIRST.match(line) or _NUMBER_ALONE.match(line)]
    if match := _STAMP.search(text):
        return "time-stamps", f"write the words alone, without {match[0].strip()!r}"
    if len(stamped) > max(2, len(lines) // 2):
        return "time-stamps", f"write the words alone, without {stamped[0].strip()[:20]!r}"
    if label := _label(lines):
        return "speaker-labels", f"write the words alone, without {label!r}"
    if match := _SOUND.search(text):
        return "sound-described", f"write the words alone, without {match[0]!r}"
    if len(lines) > 2 and sum(map(bool, map(_BULLET.match, lines))) > 0.6 * len(lines):
        return "markup", f"write the lines without bullets: {lines[0][:40]!r}"
    if match := _TAG.search(text):
        return "markup", repr(match[0][:40])
    if match := NOTE.search(text):
        return "note-number", repr(match[0])
    return transcript_fault(text)


def _label(lines: list[str]) -> str:
    """Return the label of a speaker before a line, or names before most lines; empty if there is none."""
    for line in lines:
        if match := _SPEAKER.match(line):
            return match[0].strip()
    named = Counter(match[1].strip() for line in lines if (match := _NAMED.match(line)))
    if len(lines) > 2 and sum(named.values()) > 0.6 * len(lines) and max(named.values(), default=0) > 1:
        return f"{named.most_common(1)[0][0]}:"
    return ""


_FRAGMENT = re.compile(r"\b[A-Za-z]{1,12}- (?!and\b|or\b|to\b|versus\b|but\b)[a-z]\w*")
_TWICE = re.compile(r"\b([A-Za-z']{2,})\s+\1\b|\b([A-Za-z']+ [A-Za-z']+) \2\b", re.IGNORECASE)
_MAY_BE_TWICE = frozenset(
    [
        "that that",
        "had had",
        "very very",
        "many many",
        "really really",
        "is is",
        "much much",
        "no no",
        "bye bye",
        "long long",
        "far far",
    ]
)
# Who made subtitles, as recognisers write it over silence
_CREDITS = re.compile(
    r"amara\.org|\b(?:subtitles?|captions?|captioned|subtitled|transcribed|transcript|transcription|translation) by\b"
    r"|\buntertitel(?:ung)?\b.{0,12}\b(?:von|der|des|im auftrag|durch)\b"
    r"|\bsottotitol\w+ .{0,12}\b(?:di|da|a cura|dalla|revisione)\b"
    r"|字幕(?:由|by|志愿者|制作|提供|组)|\bplease (?:like and )?subscribe\b|\bsubscribe to (?:my|our"
    r"|the) channel|请不吝点赞|点赞.{0,4}订阅",
    re.IGNORECASE,
)
_SHORT = 12  # words of a line that holds only that


@reads_shortened
def written_fault(text: str) -> Fault | None:
    """Return what is wrong with how a transcript is written: in capitals, without punctuation, with false starts, words
    twice, or with who made the subtitles; None if nothing is.

    >>> written_fault("We repla- we replaced the bulbs.")[0], written_fault("Short- and long-term plans.")
    ('false-starts', None)
    """
    lines = [line for line in text.split("\n") if line.strip()]
    letters = [c for c in text if c.isalpha()]
    words = text.split()
    if len(letters) > 40 and sum(c.isupper() for c in letters) > 0.8 * len(letters):
        return "in-capitals", f"it is in capitals: {text[:40]!r}"
    if len(words) >= 25 and len(words) > 45 * len(re.findall(r"[.?!…]", text)):
        return "no-punctuation", f"it has hardly any marks at the ends of sentences: {text[:40]!r}"
    if len(words) >= 25 and not any(c.isupper() for c in letters):
        return "in-lower-case", f"it has no capitals: {text[:40]!r}"
    if credit := next((line for line in lines if _CREDITS.search(line) and len(line.split()) <= _SHORT), None):
        return "not-heard", f"recognisers write this where nobody speaks: {credit[:60]!r}"
    if fragment := _FRAGMENT.search(text):
        return "false-starts", f"leave out what was broken off: {fragment[0][:40]!r}"
    if twice := next((m for m in _TWICE.finditer(text) if m[0].casefold() not in _MAY_BE_TWICE), None):
        return "repeats-itself", f"leave out what was repeated: {twice[0][:40]!r}"
    return None


MIN_RATE = 1.4  # words for each second of speech
MAX_RATE = 5.0  # words for each second of a talk, pauses included; talks have 1.5 to 3.5


@reads_shortened
def rate_fault(text: str, seconds: float, speech_share: float = 1.0) -> Fault | None:
    """Return whether a transcript has too few or too many words for the length of its talk.

    `speech_share`: the part of the talk in which there is speech.

    >>> rate_fault("Hello and welcome. " * 100, 30)
    ('rate-of-speech', '300 words in 30 s, of which 100% are speech; 30 to 150 are expected')
    """
    words, min_words, max_words = len(text.split()), MIN_RATE * seconds * speech_share, MAX_RATE * seconds
    if seconds <= 0 or min_words <= words <= max_words:
        return None
    note = f"{words} words in {seconds:g} s, of which {speech_share:.0%} are speech"
    return "rate-of-speech", f"{note}; {min_words:.0f} to {max_words:.0f} are expected"
