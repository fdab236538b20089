"""Faults of the transcript of a talk: what isn't the words that were spoken."""

from __future__ import annotations

import re
from collections import Counter

from triptych.construction.wording import INVISIBLE, NOTE, REPLACED, Fault, misread, transcript_fault

# A tag of a web page or of subtitles; a talk may be about others: `<mask>`
_TAG = re.compile(
    r"</?(?:i|b|u|em|strong|br|p|div|span|font|sub|sup|a|c|v|h[1-6])(?:[\s.][^<>]{0,80})?/?>|&(?:nbsp|amp|quot|lt|gt|#\d+);",
    re.IGNORECASE,
)
_CLOCK = r"(?:\d{1,2}:)?\d{1,3}:[0-5]\d(?:[.,]\d{1,3})?"
_STAMP = re.compile(
    rf"[\[(<]\s*{_CLOCK}(?:\s*(?:-->|[-–])\s*{_CLOCK})?\s*[\])>]|{_CLOCK}\s*-->|^WEBVTT\b", re.MULTILINE
)
_STAMP_FIRST = re.compile(rf"^\s*{_CLOCK}(?=\s)")
_NUMBER_ALONE = re.compile(r"^\s*\d{1,4}\s*$")
_SPEAKER = re.compile(
    r"^\s*[\[(<]?\s*(?:speaker|spk|sprecher(?:in)?|parlante|relatore|relatrice|moderator(?:in|e)?|host|interviewer|presenter|narrator|"
    r"audience|chair|发言人|演讲者|主持人|讲者|说话人|观众)[\s_-]*(?:\d{1,2}|[A-D])?\s*[\])>]?\s*[:：]"
    r"|^\s*[\[(<]\s*(?:speaker|spk)[\s_-]*\d{1,2}\s*[\])>]",
    re.IGNORECASE,
)
_NAMED = re.compile(r"^\s*((?:[A-Z][\w'’.-]*\s?){1,4}|[A-Z]{1,2})\s*[:：]\s+\S")
_BULLET = re.compile(r"\s*[-*•#]+\s+\S")
_SOUNDS = (
    r"inaudible|unintelligible|indistinct|applause|clapping|laughter|laughs?|laughing|chuckl\w+|music|noise|"
    r"silence|pause|coughs?|coughing|"
    r"sighs?|crosstalk|background\s\w+|no (?:speech|audio)|foreign language|blank_audio|unverständlich|applaus|beifall|"
    r"gelächter|"
    r"lachen|lacht|musik|geräusch\w*|stille|hust\w+|incomprensibile|inudibile|applausi|risate|ride|musica|rumore|silenzio|"
    r"听不清|掌声|鼓掌|笑声|笑|音乐|噪音|静音|咳嗽|沉默"
)
_SOUND = re.compile(rf"[\[(（【<*]\s*(?:{_SOUNDS})(?:[\s,:：][^\])）】>*]{{0,40}})?\s*[\])）】>*]|[♪♫]", re.IGNORECASE)


def spoken_fault(text: str) -> Fault | None:
    """Return what doesn't belong into the transcript of a talk, or into its translation; None if nothing does.

    >>> spoken_fault("[00:01:05] Hello.")[0], spoken_fault("It is 2:1, as [1] says.")[0], spoken_fault("We mask.")
    ('time-stamps', 'note-number', None)
    """
    if REPLACED in text:
        return "damaged-characters", "it holds U+FFFD, which stands for bytes that could not be decoded"
    if wrong := misread(text):
        return "damaged-characters", f"it was read in another encoding than it was written in: {wrong!r}"
    if found := INVISIBLE.search(text):
        return "invisible-characters", f"it holds U+{ord(found[0]):04X}, which nobody sees"
    lines = [line for line in text.split("\n") if line.strip()]
    stamped = [line for line in lines if _STAMP_FIRST.match(line) or _NUMBER_ALONE.match(line)]
    if found := _STAMP.search(text):
        return "time-stamps", f"write the words alone, without {found[0].strip()!r}"
    if len(stamped) > max(2, len(lines) // 2):
        return "time-stamps", f"write the words alone, without {stamped[0].strip()[:20]!r}"
    if label := _label(lines):
        return "speaker-labels", f"write the words alone, without {label!r}"
    if found := _SOUND.search(text):
        return "sound-described", f"write the words alone, without {found[0]!r}"
    if len(lines) > 2 and sum(map(bool, map(_BULLET.match, lines))) > 0.6 * len(lines):
        return "markup", f"write the lines without bullets: {lines[0][:40]!r}"
    if found := _TAG.search(text):
        return "markup", repr(found[0][:40])
    if found := NOTE.search(text):
        return "note-number", repr(found[0])
    return transcript_fault(text)


def _label(lines: list[str]) -> str:
    """Return the label of a speaker before a line, or names before most lines; empty if there is none."""
    for line in lines:
        if found := _SPEAKER.match(line):
            return found[0].strip()
    named = Counter(found[1].strip() for line in lines if (found := _NAMED.match(line)))
    if len(lines) > 2 and sum(named.values()) > 0.6 * len(lines) and max(named.values(), default=0) > 1:
        return f"{named.most_common(1)[0][0]}:"
    return ""


MIN_RATE = 1.0  # words for each second of speech
MAX_RATE = 5.0  # words for each second of a talk, pauses included; talks have 1.5 to 3.5


def rate_fault(text: str, seconds: float, speech_share: float = 1.0) -> Fault | None:
    """Return whether a transcript has too few or too many words for the length of its talk.

    `speech_share`: the part of the talk in which there is speech.

    >>> rate_fault("Hello and welcome. " * 100, 30)
    ('rate-of-speech', '300 words in 30 s, of which 100% are speech; 30 to 150 are expected')
    """
    words, least, most = len(text.split()), MIN_RATE * seconds * speech_share, MAX_RATE * seconds
    if seconds <= 0 or least <= words <= most:
        return None
    note = f"{words} words in {seconds:g} s, of which {speech_share:.0%} are speech"
    return "rate-of-speech", f"{note}; {least:.0f} to {most:.0f} are expected"
