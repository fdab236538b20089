"""Names that a translation lost or exchanged: of speakers, of models and data sets, and of places."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from rapidfuzz.distance import Levenshtein

from triptych.construction.scripts import in_latin, primary

Fault = tuple[str, str]
_NAME = r"[A-Z][\w'’-]+"
_INTRODUCED = re.compile(rf"\b(?:[Mm]y name is|I am|I['’]m|[Tt]his is) ({_NAME}) ({_NAME})")
# A name in capitals, or with one inside or a digit behind: BERT, DrBERT, GPT2, WordNet
_TERM = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z0-9]*[A-Z][A-Za-z0-9]*[A-Z0-9])[A-Za-z][A-Za-z0-9]+(?![A-Za-z0-9])")
_LOCATION = re.compile(rf"(?<=[a-z,] )(?:in|at|from|near) ({_NAME})(?! ?[A-Z(\[])(?=[\s.,;:!?]|$)")
_LATIN = re.compile(r"[A-Z][A-Za-z\u00c0-\u024f'’-]{2,}")
# Abbreviations that other languages have of their own, or write out
_TRANSLATED = frozenset(
    [
        "ai",
        "ki",
        "ia",
        "phd",
        "tv",
        "us",
        "usa",
        "uk",
        "eu",
        "un",
        "qr",
        "nlp",
        "llm",
        "llms",
        "mt",
        "asr",
        "qa",
        "ml",
        "dna",
        "rna",
        "hiv",
        "cv",
        "it",
        "pc",
        "pcs",
        "ceo",
        "faq",
        "gpu",
        "cpu",
        "nato",
        "who",
        "un",
        "sql",
        "iq",
        "id",
        "ids",
        "ok",
        "hr",
        "pr",
        "rl",
        "gdp",
        "vat",
        "inaudible",
        "unintelligible",
    ]
)
# Places and languages whose names differ between languages, by their ends, and some by name
_EXONYM = re.compile(
    r"(?:an|ans|ish|ese|ian|ic|ch|any|ia|ium|land|lands|ina|aly|ain|ance|rica|rope|key|key|zil|pt|ypt"
    r"|co|many|way|den|nce|el|oon|ork)$"
    r"|^(?:Asia|Japan|Korea|Cuba|Rome|Munich|Cologne|Vienna|Geneva|Zurich|Milan|Turin|Venice|Naples"
    r"|Prague|Warsaw|Moscow|Beijing"
    r"|Athens|Brussels|Lisbon|Copenhagen|Edinburgh|Hague|Nuremberg|London|Paris|Seoul|Tokyo|Singapore"
    r"|Iran|Iraq|Peru|Chile"
    r"|Azerbaijan|Greek|Dutch|Hindi|Urdu|Thai|Danish|Section|Table|Figure|Chapter|Wikipedia|English"
    r"|Earth|God|Internet|Web"
    r"|January|February|March|April|May|June|July|August|September|October|November|December|\w+day)$"
)


def name_faults(line: str, original: str, language: str) -> Iterator[Fault]:
    """Yield the names of an English line that its translation lost or exchanged.

    >>> list(name_faults("Unten sehen wir GPT.", "Below we see BERT.", "de"))
    [('name-changed', "BERT in the source, GPT here: 'Unten sehen wir GPT.'")]
    """
    language = primary(language)
    if language != "zh" and not in_latin(line):
        return  # names may be in other letters
    here, there = _folded(line), _folded(original)
    yield from _introduced(line, original, language)
    yield from _short(line, original, language)
    missing = [name for name in _TERM.findall(original) if _stem(name) not in here and _folded(name) not in _TRANSLATED]
    new = [name for name in _TERM.findall(line) if _stem(name) not in there and _folded(name) not in _TRANSLATED]
    if missing and new:
        yield "name-changed", f"{missing[0]} in the source, {new[0]} here: {line[:60]!r}"
    elif missing and len(missing[0].rstrip("s")) > 3 and not missing[0][0].islower():
        yield "name-lost", f"{missing[0]} is not in {line[:60]!r}"
    if language == "zh":
        words = [_folded(word) for word in re.findall(r"[A-Za-z\u00c0-\u024f'’-]+", original)]
        unknown = [n for n in _LATIN.findall(line) if not _near(_folded(n), words) and _folded(n) not in _TRANSLATED]
        if unknown and not new:
            yield "name-changed", f"{unknown[0]} is not in the source: {line[:60]!r}"
    elif language in ("de", "it"):
        for name in _LOCATION.findall(original):
            if not _EXONYM.search(name) and not _near(_folded(name), re.findall(r"[\w'’-]+", here)):
                yield "name-lost", f"{name} is not in {line[:60]!r}"


def _short(line: str, original: str, language: str) -> Iterator[Fault]:
    """Yield whether a short text, such as an answer, lost all of its names."""
    words = original.split()
    if not 1 < len(words) <= MAX_SHORT:
        return
    names = [
        name for word in words[1:] if _NAMED.match(name := word.strip(".,;:!?()\"'“”«»„")) and not _EXONYM.search(name)
    ]
    here = re.findall(r"[\w'’-]+", _folded(line)) if language != "zh" else [_folded(n) for n in _LATIN.findall(line)]
    if language == "zh" and not here:
        return  # in other characters
    if names and not any(_near(_folded(name), here) for name in names):
        yield "name-lost", f"{' '.join(names)} is not in {line[:60]!r}"


_NAMED = re.compile(
    r"[A-Z][a-z]{3,}$(?<!University)(?<!Department)(?<!Institute)(?<!School)(?<!Professor)(?<!College)(?<!Hospital)(?<!Models)(?<!Language)"
)
MAX_SHORT = 5  # words of a text all of whose names are looked for

_CALLED = re.compile(r"[·・]|我是|我叫|我名|名叫|名字|本人|叫做|来自|这里是|我的名|大家好，我|我，")


def _introduced(line: str, original: str, language: str) -> Iterator[Fault]:
    """Yield whether a speaker's introduction lost a part of the name; in Chinese it may be in other characters."""
    if (match := _INTRODUCED.search(original)) is None:
        return
    if language == "zh":
        if not _CALLED.search(line) and not any(_stem(part) in _folded(line) for part in match.groups()):
            yield "name-lost", f"{match[1]} {match[2]} is not in {line[:40]!r}, nor another name"
        return
    words = re.findall(r"[\w'’-]+", _folded(line))
    parts = [part for part in match.groups() if len(part) > 2]
    if missing := [part for part in parts if not _near(_folded(part), words)]:
        yield "name-lost", f"{' '.join(missing)} is not in {line[:40]!r}"


def _near(name: str, words: list[str]) -> bool:
    """Return whether a name is among words, also with an ending (`Annas`, `Anna-Maria`) or as the start of one."""
    bare = re.sub(r"['’]s$", "", name)
    return any(
        word.startswith(bare[: max(4, len(bare) - 1)])
        or bare in word
        or (len(word) > 3 and word in bare)
        or Levenshtein.normalized_similarity(bare, word) >= MIN_LIKENESS
        for word in words
    )


MIN_LIKENESS = 0.8  # of two spellings of one name


def _stem(name: str) -> str:
    folded = _folded(name)
    return folded.rstrip("s") if len(folded) > 3 else folded


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()
