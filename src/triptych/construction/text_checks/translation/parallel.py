"""Faults of a translation that only a comparison with its source shows: lines of another place, copies, other numbers.

Lines belong together if they share numbers, names and beginnings of words (`network`, `Netzwerk`), and if their
lengths go together (Gale and Church, 1993). A dynamic programme finds the best path through neighbouring lines.
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from triptych.construction.text_checks.numerals import CHINESE_NUMBER, numbers_in, reads_number_words
from triptych.construction.text_checks.scripts import primary
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.talks.spoken import spoken_fault
from triptych.construction.text_checks.translation.clock import clock_times
from triptych.construction.text_checks.translation.facts import fact_faults, same_length
from triptych.construction.text_checks.translation.marks import letters_fault, mark_fault, marks_in_pairs, unended
from triptych.construction.text_checks.translation.names import name_faults
from triptych.construction.text_checks.translation.words import meanings_in
from triptych.construction.text_checks.wording import (
    Fault,
    common_words,
    extent,
    in_language,
    label_fault,
    simplified,
    text_fault,
    translation_fault,
)

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
# Between quotation marks, also if they are opened or closed in another line
_QUOTED = re.compile(
    r"\"[^\"]{3,400}\"|[„“«‘「『《][^”“»’」』》]{3,400}(?:[”“»’」』》]|$)|^[^„“«「『《\"]{3,400}[”“»」』》](?=\W|$)"
)
_REACH = 3  # lines by which a translation may have moved
_SWITCH = 6.0  # cost of a path that changes to another distance
_STEM = 4  # letters by which words of related languages are compared
_VARIANCE = 6.8  # of a translation's length for each letter of the source (Gale and Church)
RUN = 8  # words in a row that a translation shares with its source, for it to count as not translated


MIN_LINE_LETTERS, MIN_LINE_SHARE = 30, 0.35  # letters of a line whose translation must not be much shorter
MIN_LINE_WORDS = 6  # of a line whose language is looked at by itself
MAX_SMALL_NUMBER = 12  # a greater number of the source must be one in the translation too
UNTRANSLATED = 6  # from this many words on, a translation equal to its source counts as missing
REGRET = re.compile(r"sorry|apolog|unfortunate|unable|can ?not|can't|not able|regret", re.IGNORECASE)
MIN_SCRIPT_SHARE = 0.2  # share of a translation's letters that are of its own script: it may quote terms and names


@reads_shortened
def left_in_english(lines: Sequence[str], source: Sequence[str]) -> bool:
    """Return whether a translation equals its source word for word, and is too long to be a name or a term."""
    words = " ".join(source)
    return _letters_only(" ".join(lines)) == _letters_only(words) and len(words.split()) >= UNTRANSLATED


@reads_shortened
def lines_fault(lines: Sequence[str], source: Sequence[str], language: str) -> Fault | None:
    """Return the first fault of a translation, line by line, of an English source: an apology, words around it, markup,
    a sentence twice, another language, and what `parallel_fault` finds. What the source has, its translation may have.
    """
    for line, original in zip(lines, source, strict=True):
        fault = translation_fault(line, original) or label_fault(line) or spoken_fault(line)
        fault = fault or mark_fault(line, original, language)
        if fault and fault[0] == "not-the-text-alone" and _AGREES.match(original):
            continue
        regrets = fault is not None and fault[0] == "apology" and REGRET.search(original)
        if fault and not regrets and not any(check(original) for check in (text_fault, label_fault, spoken_fault)):
            return fault
    if len(lines) > 2 and all(map(_NUMBERED.match, lines)) and not all(map(_NUMBERED.match, source)):
        return "not-the-text-alone", f"write the lines without numbers or bullets: {lines[0][:40]!r}"
    if left_in_english(lines, source):
        return None  # said by its own name where drafts are taken
    translation, original = (" ".join(_QUOTED.sub(" ", line) for line in each) for each in (lines, source))
    if not in_language(translation, language, MIN_SCRIPT_SHARE) and in_language(original, "en"):
        return "wrong-language", f"{translation[:60]!r} is not in the language {language}"
    return (
        letters_fault(lines, source, language)
        or _line_in_another_language(lines, source, language)
        or parallel_fault(lines, source, language)
        or marks_in_pairs(lines, source)
        or unended(lines, source)
    )


_AGREES = re.compile(r"\W*(?:okay|ok|sure|certainly|of course|great)\b", re.IGNORECASE)


def _line_in_another_language(lines: Sequence[str], source: Sequence[str], language: str) -> Fault | None:
    for line, first in zip(lines, source, strict=True):
        bare, first = _QUOTED.sub(" ", line), _QUOTED.sub(" ", first)
        if (
            len(bare.split()) >= MIN_LINE_WORDS
            and not in_language(bare, language, MIN_SCRIPT_SHARE)
            and in_language(first, "en")
        ):
            if run := copied(line, first):
                return "left-in-english", f"{run[:60]!r} is not translated"
            return "wrong-language", f"{line[:60]!r} is not in the language {language}"
    return None


_NUMBERED = re.compile(r"\s*(?:[(（]?\d{1,3}\s*[.)）、:：]|[-*•·–])\s*\S")


@reads_shortened
def parallel_fault(lines: Sequence[str], source: Sequence[str], language: str, origin: str = "en") -> Fault | None:
    """Return what a comparison with the source shows to be wrong with a translation; None if nothing.

    Both have equally many lines. Titles and examples that are quoted may stay as they are.
    """
    language, origin = primary(language), primary(origin)
    if fault := _repeated(lines, source, language, origin):
        return fault
    for number, (line, original) in enumerate(zip(lines, source, strict=True), 1):
        where = f"line {number}: " if len(lines) > 2 else ""
        if extent(original) >= MIN_LINE_LETTERS and extent(line) < MIN_LINE_SHARE * extent(original):
            return "translation-too-short", f"{where}{line[:40]!r} for {original[:60]!r}"
        if run := copied(line, original, origin) or (_terms(line, original, language) if origin == "en" else ""):
            return "left-in-english", f"{where}{run[:60]!r} is not translated"
        if language == "zh" and (part := traditional(line)) and not _IDEOGRAPH.search(original):
            return "scripts-mixed", f"{where}{part[:40]!r} has traditional characters"
        stated = [_numbers(line, original, language, origin)]
        if origin == "en":
            stated += [next(faults(line, original, language), None) for faults in (name_faults, fact_faults)]
        if fault := next(filter(None, stated), None):
            return fault[0], f"{where}{fault[1]}"
    if origin == "en" and (fault := _extents(lines, source, language)):
        return fault
    if fault := shifted(lines, source, language, origin):
        return fault
    for number, (line, original) in enumerate(zip(lines, source, strict=True), 1):
        if unrelated(line, original, language, origin):
            where = f"line {number}: " if len(lines) > 2 else ""
            return "another-sentence", f"{where}{line[:40]!r} has no word of {original[:60]!r}"
    return None


# Mean extent of translations of talks for each letter of the English source; it differs by 4% between talks
_USUAL = {"de": 1.19, "it": 1.13, "zh": 0.98}
MIN_KNOWN = 300  # letters of a source from which on its own ratio is taken


def _usual_extent(lines: Sequence[str], source: Sequence[str], language: str) -> float:
    """Return how much longer a translation is than its source: its own ratio, near what is usual."""
    usual = _USUAL.get(language, 1.0)
    source_extent = sum(map(extent, source))
    if len(lines) < 4 or source_extent < MIN_KNOWN:
        return usual
    return min(1.15 * usual, max(0.85 * usual, sum(map(extent, lines)) / source_extent))


def _extents(lines: Sequence[str], source: Sequence[str], language: str) -> Fault | None:
    usual = _usual_extent(lines, source, language)
    for number, (line, original) in enumerate(zip(lines, source, strict=True), 1):
        if fault := _extent_fault(line, original, usual, language):
            return fault[0], f"{f'line {number}: ' if len(lines) > 2 else ''}{fault[1]}"
    return None


def _extent_fault(line: str, original: str, usual: float, language: str) -> Fault | None:
    """Return whether a line is so short or long that a part of its source is missing, or something was added."""
    if language not in _USUAL or (source_extent := extent(original)) < 45:
        return None
    ratio = extent(line) / (usual * source_extent)
    few, many = (0.5, 1.9) if source_extent < 80 else (0.57, 1.7) if source_extent < MIN_KNOWN else (0.78, 1.35)
    apart = sentences_in(line, language) - sentences_in(original, "en")
    if ratio < few or (apart < 0 and source_extent >= 80 and ratio < 0.5 * (1 + few)):
        return "translation-too-short", f"a part of it seems to be missing: {line[:40]!r} for {original[:60]!r}"
    if ratio > many or (apart > 0 and source_extent >= 45 and ratio > 1.4):
        return "translation-too-long", f"it seems to say more than its source: {line[:60]!r} for {original[:60]!r}"
    return None


@reads_shortened
def sentences_in(text: str, language: str) -> int:
    """Return the number of sentences of a text, by the marks at their ends."""
    ends = r"[。！？!?]+(?=.)" if language == "zh" else r"[.!?]+[\"”“»)]*\s+(?=[\"„“«(]*[A-ZÄÖÜÈÀ])"
    return len(re.findall(ends, text.strip())) + 1


@reads_shortened
def copied(line: str, original: str, origin: str = "en") -> str:
    """Return words in a row that a translation took over from its source; empty if there are few, or names.

    >>> copied("Wir sehen that the net finds the calls in noise.", "We see that the net finds the calls in noise.")
    'that the net finds the calls in noise'
    """
    a, b = (_WORD.findall(_QUOTED.sub(" ", each)) for each in (line, original))
    if min(len(a), len(b)) < 4:
        return ""
    low_a, low_b = ([word.casefold() for word in each] for each in (a, b))
    match = difflib.SequenceMatcher(None, low_a, low_b, autojunk=False).find_longest_match()
    run = a[match.a : match.a + match.size]
    plain = [word for word in run[1:] if word.islower()]  # titles and names are capitalised
    is_copied = match.size >= max(4, 0.8 * len(b)) and len(plain) >= 3
    usual = sum(word in common_words(origin) for word in plain)
    return " ".join(run) if is_copied or (match.size >= RUN and usual >= 2) else ""


def _terms(line: str, original: str, language: str) -> str:
    """Return two small words of an English line that are in its German or Chinese translation; empty if there are
    fewer. Italian has many English words of its own."""
    if language not in ("de", "zh"):
        return ""
    words = set(re.findall(r"\b[a-z]{4,}\b", original))
    bare = re.sub(r"[(（][^)）]*[)）]", " ", _QUOTED.sub(" ", line))
    same = [word for word in re.findall(r"(?<![\w-])[a-z]{4,}(?![\w-])", _space_ideographs(bare)) if word in words]
    if language == "zh" and (run := re.search(r"(?<![A-Za-z-])[a-z]{4,} [a-z]{4,}(?![A-Za-z-])", bare)):
        return run[0]
    return ", ".join(dict.fromkeys(same)) if len(set(same) - _COGNATES) > 1 else ""


_COGNATES = frozenset(
    [
        "irrelevant",
        "robust",
        "relevant",
        "effektiv",
        "parallel",
        "global",
        "lokal",
        "lokale",
        "linear",
        "binary",
        "token",
        "tokens",
        "online",
        "offline",
        "also",
        "warm",
        "wild",
        "hinter",
        "unter",
        "minus",
        "plus",
        "final",
        "normal",
        "optimal",
        "total",
        "international",
        "transparent",
        "intelligent",
        "stabil",
        "extra",
        "super",
        "open",
        "source",
        "end",
        "wort",
        "band",
        "hand",
        "fast",
        "rest",
        "kind",
        "wind",
        "gold",
        "land",
        "arm",
        "wolf",
        "name",
    ]
)


def _space_ideographs(text: str) -> str:
    """Return a text with spaces between ideographs and Latin letters."""
    return _IDEOGRAPH.sub(" ", text)


def traditional(text: str) -> str:
    """Return the first part of a text with characters that simplified Chinese doesn't have; empty if there is none. Of
    a text of fewer than six, at least two count.

    >>> traditional("湿沙仍然困难，因為它會反光。"), traditional("湿沙仍然困难。")
    ('因為它會反光', '')
    """
    if (convert := simplified()) is None:
        return ""
    text = _QUOTED.sub(" ", text)
    min_count = 1 if len(_IDEOGRAPH.findall(text)) >= 6 else 2
    for part in re.findall(r"[^，。；！？,;!?\n]+", text):
        bare = "".join(_IDEOGRAPH.findall(part))
        changed = [a for a, b in zip(bare, convert.convert(bare), strict=False) if a != b]
        if len(changed) >= min_count and not _KANA.search(part):
            return str(part).strip()
    return ""


_KANA = re.compile(r"[\u3041-\u30ff]")


def _numbers(line: str, original: str, language: str, origin: str) -> Fault | None:
    """Return whether a line has other numbers than its source: none of them in common, and one at least in each."""
    if origin == "en" and same_length(line, original, language):
        return None
    there, here = numbers_in(original, origin), numbers_in(line, language)
    if max(len(there), len(here)) <= 2 and clock_times(original, origin, ranges=True) & clock_times(line, language):
        return None  # ten to five, 4:50
    if len(there) == len(here) > 1 and len(there - here) == len(here - there) == 1:
        there, here = there - here, here - there
    if _SCALES.search(line) or _SCALES.search(original):
        return None
    if _CLOCK.search(line) or _CLOCK.search(original):  # 3 p.m., 15 Uhr
        there, here = ({number % 12 for number in each} for each in (there, here))
    alone = numbers_in(_PART_OF_NAME.sub(" ", original), origin)
    if not here and reads_number_words(language) and max(alone, default=0) > MAX_SMALL_NUMBER:
        return "numbers-differ", f"{max(alone)} in the source, no number here"
    new = numbers_in(" ".join(re.findall(r"\d[\d.,]*", _PART_OF_NAME.sub(" ", line))), language)
    if not there and reads_number_words(origin) and max(new, default=0) > MAX_SMALL_NUMBER:
        return "numbers-differ", f"no number in the source, {max(new)} here"
    if not there or not here or there & here:
        return None
    a, b = ("".join(map(str, sorted(each))) for each in (there, here))
    near = any(_same_number(*sorted((x, y))) for x in there for y in here)
    if near or a == b:  # '90s, 1990er; 20k, 20.000
        return None
    return (
        "numbers-differ",
        f"{', '.join(map(str, sorted(there)))} in the source, {', '.join(map(str, sorted(here)))} here",
    )


_PART_OF_NAME = re.compile(r"[^\W\d_][\w.-]*\d[\w.-]*|\d+[^\W\d_]\w*")  # GPT-35, 35b


def _same_number(less: int, more: int) -> bool:
    """Return whether two numbers may be one: 90 and 1990 of the nineties, 20 and 20,000 of `20k`."""
    return more in (less * 1000, less * 1_000_000) or (less < 100 and 1000 <= more < 3000 and more % 100 == less)


_CLOCK = re.compile(
    r"o'clock|\buhr\b|\b[ap]\.?m\b|[\d一二三四五六七八九十两]点|\b(?:alle|le) \w+ (?:del|di)\b", re.IGNORECASE
)
_SCALES = re.compile(
    "[万亿億萬]|百万|千分|million|billion|milion|miliard|mrd|mio|dozen|dutzend|dozzin|half|halb|mezz"
    "|半|percentile|century|jahrhundert|secolo|世纪|"
    "hundreds|thousands|quarter|viertel|third|drittel|twice|double|doppel|doppi|倍|pair|couple|both|first|second\\b",
    re.IGNORECASE,
)


def _repeated(lines: Sequence[str], source: Sequence[str], language: str, origin: str) -> Fault | None:
    """Return whether two lines that differ in the source have one translation, or nearly one; or a sentence of a line
    is in another one, too. Short ones may."""
    plain, plain_source = _Plain(lines, language), _Plain(source, origin)
    for (before, number), (one, other) in plain.pairs():
        if not plain_source.have_similar_parts(before, number):
            words = (
                f"{other.strip()[:40]!r} and {one.strip()[:40]!r}" if one.strip() != other.strip() else f"{one[:40]!r}"
            )
            where = f"lines {before + 1} and {number + 1} differ" if before != number else "sentences differ"
            return "same-translation-twice", f"{where} in the source: {words}"
    return None


MIN_TWICE = 18  # extent of a line that a translation must not have twice
_NEARLY = 92.0  # likeness, in percent, from which two lines are one: punctuation, digits for words, a small word
_APART = 80.0  # likeness, in percent, up to which lines of the source differ
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’»)]*\s+(?=\S)|(?<=[。！？!?])[”’」』）]*(?=\S)")


class _Plain:
    """The lines of a text and their sentences, in one spelling: without case and punctuation, numbers in digits."""

    def __init__(self, lines: Sequence[str], language: str) -> None:
        self._language = language
        self._parts = [
            (number, part)
            for number, line in enumerate(lines)
            for part in dict.fromkeys(
                [line, *_SENTENCE_END.split(line)] if len(_SENTENCE_END.split(line)) > 1 else [line]
            )
        ]
        self._plain = [_letters_only(part) for _, part in self._parts]
        self._numbers = [numbers_in(part, language) for _, part in self._parts]
        self._words = [_wordless(part, language) for _, part in self._parts]
        self._letters = ["".join(words) for words in self._words]

    def pairs(self) -> Iterator[tuple[tuple[int, int], tuple[str, str]]]:
        """Yield the parts that are nearly the same: the numbers of their lines, and their texts."""
        long = [n for n, bare in enumerate(self._plain) if extent(bare) >= MIN_TWICE]
        for position, one in enumerate(long):
            for other in long[position + 1 :]:
                (first, text), (second, again) = self._parts[one], self._parts[other]
                if first == second and (text in again or again in text):
                    continue  # a sentence of the line itself
                if self._nearly_equal(one, other):
                    yield (first, second), (text, again)

    def _nearly_equal(self, one: int, other: int) -> bool:
        a, b = self._plain[one], self._plain[other]
        if a == b:
            return True
        if self._numbers[one] != self._numbers[other]:
            return False
        words, others = Counter(self._words[one]), Counter(self._words[other])
        apart = (words - others) + (others - words)
        if len(words) > 4 and sum(apart.values()) <= 4 and apart.keys() <= common_words(self._language):
            return True
        if (
            len(words) > 4
            and self._parts[one][0] == self._parts[other][0]
            and sum(apart.values()) <= sum(words.values()) // 5
        ):
            return True  # in another order
        a, b = self._letters[one], self._letters[other]
        return min(len(a), len(b)) > 0.8 * max(len(a), len(b)) and fuzz.ratio(a, b, score_cutoff=_NEARLY) > 0

    def have_similar_parts(self, one: int, other: int) -> bool:
        """Return whether some parts of two lines are alike."""
        parts = [[n for n, (line, _) in enumerate(self._parts) if line == number] for number in (one, other)]
        return any(
            fuzz.ratio(self._plain[a], self._plain[b], score_cutoff=_APART) > 0 or self._nearly_equal(a, b)
            for a in parts[0]
            for b in parts[1]
            if a != b or one != other
        )


def _wordless(text: str, language: str) -> list[str]:
    """Return the words of a text, of Chinese its characters, without numbers in digits or in words."""
    if primary(language) == "zh":
        return list(_letters_only(CHINESE_NUMBER.sub("", re.sub(r"\d", "", text))))
    words = re.findall(r"[^\W\d_]+", text.casefold())
    return [word for word in words if not numbers_in(word, language)]


@reads_shortened
def shifted(lines: Sequence[str], source: Sequence[str], language: str, origin: str = "en") -> Fault | None:
    """Return the fault that lines translate other lines than those of their number."""
    if len(lines) < 4:
        return None
    scores = _Scores(lines, source, language, origin)
    straight = sum(scores.pair_score(i, i) for i in range(len(lines)))
    best, path = _best_path(scores, len(lines))
    moved = [i for i, j in enumerate(path) if j != i]
    if len(moved) < 2:
        return _exchanged(lines, scores)
    words = sum(scores.shared(i, path[i]) - scores.shared(i, i) for i in moved)
    if best - straight < _SURE + 0.02 * len(lines) or words < _SURE_WORDS:
        return None
    i = moved[0]
    return "lines-shifted", f"line {path[i] + 1} seems to translate line {i + 1} of the source: {lines[path[i]][:40]!r}"


def _exchanged(lines: Sequence[str], scores: _Scores) -> Fault | None:
    """Return the fault that two lines one after the other translate each other's source."""
    for i in range(len(lines) - 1):
        crossed, straight = (
            scores.pair_score(i, i + 1) + scores.pair_score(i + 1, i),
            scores.pair_score(i, i) + scores.pair_score(i + 1, i + 1),
        )
        words = sum(scores.shared(*pair) for pair in ((i, i + 1), (i + 1, i)))
        words -= sum(scores.shared(k, k) for k in (i, i + 1))
        if crossed - straight >= _SURE_CROSSED and words >= _SURE_WORDS:
            return "lines-shifted", f"lines {i + 1} and {i + 2} seem to be exchanged: {lines[i][:40]!r}"
    return None


_SURE_CROSSED = 8.0  # by which two exchanged lines must fit better
_SURE = 12.0  # by which the path through other lines must be better
_SURE_WORDS = 4.0  # of which what lines share


class _Scores:
    """How well a line of the source and a line of the translation go together, as log-likelihoods."""

    def __init__(self, lines: Sequence[str], source: Sequence[str], language: str, origin: str) -> None:
        self._target = [_anchors(line, language) for line in lines]
        self._source = [_anchors(line, origin) for line in source]
        counts = Counter(each for anchors in (*self._target, *self._source) for each in anchors)
        self._weights = {each: math.log(2 * len(lines) / count) for each, count in counts.items()}
        self._long = [max(1, extent(line)) for line in lines], [max(1, extent(line)) for line in source]
        self._ratio = sum(self._long[0]) / sum(self._long[1])

    def shared(self, i: int, j: int) -> float:
        """Return the weight of what line `i` of the source and line `j` of the translation share."""
        if not 0 <= j < len(self._target):
            return 0.0
        return sum(self._weights[each] for each in self._source[i] & self._target[j])

    def pair_score(self, i: int, j: int) -> float:
        """Return the score of the pair."""
        if not 0 <= j < len(self._target):
            return -3.0
        here, there = self._long[0][j], self._long[1][i] * self._ratio
        apart = (here - there) / math.sqrt(_VARIANCE * max(here, there))
        return self.shared(i, j) - min(6.0, 0.5 * apart * apart)


def _best_path(scores: _Scores, count: int) -> tuple[float, list[int]]:
    """Return the best score, and for each line of the source the line of the translation on the best path."""
    offsets = range(-_REACH, _REACH + 1)
    values = {k: scores.pair_score(0, k) - _SWITCH * (k != 0) for k in offsets}
    steps: list[dict[int, int]] = []
    for i in range(1, count):
        before = max(values, key=lambda k: values[k])
        chosen = {k: k if values[k] >= values[before] - _SWITCH else before for k in offsets}
        values = {k: values[chosen[k]] - _SWITCH * (chosen[k] != k) + scores.pair_score(i, i + k) for k in offsets}
        steps.append(chosen)
    last = max(values, key=lambda k: (values[k], -abs(k)))
    path = [last]
    for chosen in reversed(steps):
        path.append(chosen[path[-1]])
    path.reverse()
    return values[last], [min(max(0, i + k), count - 1) for i, k in enumerate(path)]


def _anchors(line: str, language: str) -> frozenset[str]:
    """Return what a line shares with its translation: numbers, and the beginnings of its words."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", line) if not unicodedata.combining(c)).casefold()
    words = {word[:_STEM] for word in re.findall(r"[a-z]+", plain) if len(word) >= _STEM}
    names = set(re.findall(r"[a-z]{2,3}", plain)) if language == "zh" else set()
    meanings = {f"@{number}" for number in meanings_in(line, language)}
    return frozenset(words | names | meanings | {f"#{number}" for number in numbers_in(line, language)})


@reads_shortened
def unrelated(line: str, original: str, language: str, origin: str = "en") -> bool:
    """Return whether a line and its source have words of the common list each, and none of them, no name, no number and
    no beginning of a word in common: they are about different things.

    >>> unrelated("蜜蜂在冬天睡觉。", "The train stops at the old bridge.", "zh")
    True
    """
    there, here = meanings_in(original, origin), meanings_in(line, language)
    if there & here or min(len(there), len(here)) < 2:
        return False
    return not _anchors(line, language) & _anchors(original, origin)


def _letters_only(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
