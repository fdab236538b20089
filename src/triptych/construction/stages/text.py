"""Text: cleaning, one script, pinyin, and clips short enough to be read aloud in a given time."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Child, Maker, Outcome, dropped, kept, revised, split
from triptych.construction.stage import stage
from triptych.construction.text_checks.classical.editions import cut_end, gap, without_heading, without_notes
from triptych.construction.text_checks.classical.words import shared_words
from triptych.construction.text_checks.options.choices import comparable_text
from triptych.construction.text_checks.wording import MARKUP, REPLACED, clean
from triptych.errors import SpecError
from triptych.metrics.text.misread import misread

# ASCII punctuation used instead of Chinese between ideographs, and its full-width forms
_MARKS = {",": "，", ";": "；", ":": "：", "?": "？", "!": "！", "(": "（", ")": "）", ".": "。"}
_IDEOGRAPH = r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_NEAR_IDEOGRAPH = re.compile(rf"(?<={_IDEOGRAPH})[,;:?!().](?!\d)|[(](?={_IDEOGRAPH})")
_SPACE_BETWEEN = re.compile(rf"(?<={_IDEOGRAPH}|[，。；：？！、])[ \t]+(?={_IDEOGRAPH})")
_BETWEEN_SYLLABLES = re.compile(r"[\s，。！？；：、,.!?;:·…—“”‘’「」『』《》〈〉（）()\[\]-]+")
_TONE = re.compile("[\u0300\u0301\u0304\u030c1-5]")
_FEW_SYLLABLES = 4  # fewer may all be unstressed
_END = re.compile(r"[。！？；…!?;]+[”’」』）)\"']*|\n+")


class CleanText(Parameters, frozen=True):
    """Parameters of `clean-text`."""

    chinese_marks: Annotated[
        bool, Meta(description="whether ASCII punctuation next to an ideograph becomes Chinese punctuation")
    ] = True
    remove: Annotated[
        tuple[str, ...], Meta(description="regular expressions whose matches are removed first, such as page numbers")
    ] = ()
    least: Annotated[int, Meta(ge=0, description="a text with fewer letters of any script is dropped")] = 1


@stage(
    "clean-text",
    version=6,
    reads=["text", "title?", "author?", "dynasty?"],
    writes=["text"],
    parameters=CleanText,
)
def clean_text(values: Values, context: Context[CleanText]) -> Outcome:
    """Normalise a text: composed Unicode (NFC), no control or invisible characters, single spaces, Chinese punctuation.

    Entities (`&amp;`) are resolved; numbers of notes (`[1]`, `①`), readings (`（xiá）`) and glosses (`（恐：担心）`) in
    brackets, and the work's own title and author before or after the text are removed. A text with U+FFFD, in
    a wrong encoding, with markup or marks of lost characters (□), or that stops within a sentence, is dropped.
    `remove`: regular expressions whose matches are removed first (editors' notes, page numbers). With `chinese_marks`
    an ASCII comma or full stop next to an ideograph becomes Chinese punctuation, and spaces between ideographs are
    removed. A text with fewer than `least` letters of any script is dropped.
    """
    if REPLACED in values["text"]:
        at = values["text"].index(REPLACED)
        return dropped("damaged-text", f"U+FFFD at character {at + 1}: bytes could not be decoded; correct the source")
    if wrong := misread(values["text"]):
        return dropped("damaged-text", f"{wrong.signs!r}: it was read in another encoding; correct the source")
    text = unicodedata.normalize("NFC", values["text"])
    for pattern in context.parameters.remove:
        text = _compiled(pattern).sub("", text)
    text = without_heading(text, {name: values[name] for name in ("title", "author", "dynasty")})
    text = without_notes(clean(text))
    if gap_mark := gap(text):
        return dropped("missing-characters", f"{gap_mark!r}: a character is lost or wasn't read; complete the text")
    if cut := cut_end(text):
        return dropped("text-cut-off", f"it ends in {cut!r} without a mark: complete it, or add its last mark")
    if markup_match := MARKUP.search(text):
        return dropped("markup-in-text", repr(markup_match[0][:60]))
    if context.parameters.chinese_marks:
        text = _SPACE_BETWEEN.sub("", _NEAR_IDEOGRAPH.sub(lambda mark: _MARKS[mark[0]], text))
    text = re.sub(r"\n\s*\n+", "\n\n", re.sub(r"[ \t\u3000]+", " ", text))
    text = "\n".join(line.strip() for line in text.split("\n")).strip()
    if sum(c.isalnum() for c in text) < context.parameters.least:
        return dropped("empty", "no text is left after cleaning")
    return kept(text=text) if text == values["text"] else revised("cleaned", {"text": text})


class Script(Parameters, frozen=True):
    """Parameters of `script`."""

    to: Annotated[str, Meta(min_length=1, description="configuration of OpenCC, such as `t2s` or `s2t`")] = "t2s"
    keep_other: Annotated[bool, Meta(description="whether the traditional form is kept too")] = False


@stage(
    "script",
    version=1,
    reads=["text"],
    writes=["text", "text_traditional"],
    parameters=Script,
)
def script(values: Values, context: Context[Script]) -> Outcome:
    """Convert a Chinese text to one script by OpenCC: `to` is a configuration such as `t2s` or `s2t`.

    With `keep_other` the traditional form is also kept (`text_traditional`).
    """
    try:
        converted = _opencc(context.parameters.to).convert(values["text"])
    except FileNotFoundError:
        raise SpecError("OpenCC has no such configuration", got=context.parameters.to, expected="t2s, s2t …") from None
    fields = {"text": converted}
    if context.parameters.keep_other:
        fields["text_traditional"] = _opencc("s2t").convert(converted)
    return kept(fields) if converted == values["text"] else revised("script", fields)


class ClipText(Parameters, frozen=True):
    """Parameters of `clip-text`."""

    characters_per_second: Annotated[
        float,
        Meta(gt=0, description="ideographs that are read aloud in a second; a word of another script counts as two"),
    ] = 3.0
    least_seconds: Annotated[
        float, Meta(ge=0, description="a shorter clip is joined to the one before it, or left out, in seconds")
    ] = 3.5
    most_seconds: Annotated[float, Meta(gt=0, description="longest clip, in seconds")] = 30.0

    def __post_init__(self) -> None:
        if self.least_seconds > self.most_seconds:
            raise ValueError("`least_seconds` is greater than `most_seconds`")


@stage(
    "clip-text",
    version=3,
    reads=["text", "pinyin?"],
    writes=["text", "pinyin", "position", "seconds_expected"],
    parameters=ClipText,
)
def clip_text(values: Values, context: Context[ClipText]) -> Outcome:
    """Split a text at sentence ends into clips that can be read aloud in time; each keeps its span in the text.

    Sentences are added to a clip until another would exceed `most_seconds` at `characters_per_second` (ideographs and
    words; punctuation is not read). A longer sentence is split at commas; if that doesn't help, the whole text is
    dropped, since a cut inside a phrase would change it. A clip shorter than `least_seconds` is joined to the one
    before it if both fit, and left out otherwise. Given pinyin is cut with the text: one syllable for each ideograph.
    """
    wanted = context.parameters
    rate, longest = wanted.characters_per_second, wanted.most_seconds
    pieces = list(_pieces(values["text"], longest * rate))
    if any(_read(values["text"][a:b]) > longest * rate for a, b in pieces):
        return dropped("sentence-too-long", f"a sentence takes more than {longest:g} s to read")
    spans = _join_pieces(values["text"], pieces, wanted.least_seconds * rate, longest * rate)
    readings = None if values["pinyin"] is None else given_readings(values["pinyin"])
    if readings is not None and len(readings) != (count := len(re.findall(_IDEOGRAPH, values["text"]))):
        return dropped("pinyin-length", f"{len(readings)} syllables for {count} characters")
    children = []
    for number, (begin, end) in enumerate(spans):
        text = values["text"][begin:end].strip()
        fields: dict[str, Any] = {"text": text, "position": number, "seconds_expected": round(_read(text) / rate, 1)}
        if readings is not None:
            first = len(re.findall(_IDEOGRAPH, values["text"][:begin]))
            readings_left = iter(readings[first:])
            fields["pinyin"] = [next(readings_left) if re.match(_IDEOGRAPH, c) else c for c in text]
        makers = {"text": Maker("source", values.id, f"chars={begin}-{end}")}
        children.append(Child(f"{number:03}", fields, makers))
    return split(children) if children else dropped("too-short", f"under {wanted.least_seconds:g} s to read")


def given_readings(readings: str | Sequence[str]) -> list[str]:
    """Return the syllables of given pinyin, without punctuation.

    >>> given_readings("guān guān jū jiū，zài hé zhī zhōu。")
    ['guān', 'guān', 'jū', 'jiū', 'zài', 'hé', 'zhī', 'zhōu']
    """
    parts = _BETWEEN_SYLLABLES.split(readings) if isinstance(readings, str) else list(readings)
    bare = (re.sub(r"^[\W_]+|[\W_]+$", "", unicodedata.normalize("NFC", part)) for part in parts)
    return [part for part in bare if part]


class Pinyin(Parameters, frozen=True):
    """Parameters of `pinyin`."""

    words: Annotated[
        dict[str, str],
        Meta(description='readings that take precedence over the dictionary, such as `"还魂" = "huán hún"`'),
    ] = field(default_factory=dict)
    differing: Annotated[
        Literal["flag", "drop"],
        Meta(description="if given pinyin differs from the dictionary's: list the positions, or drop the record"),
    ] = "flag"


@stage(
    "pinyin",
    version=3,
    reads=["text", "pinyin?"],
    writes=["pinyin", "pinyin_differs"],
    parameters=Pinyin,
)
def pinyin(values: Values, context: Context[Pinyin]) -> Outcome:
    """Write pinyin with tone marks, one syllable per character; if pinyin is given, list where both differ.

    `words`: readings that take precedence over the dictionary: {"还魂": "huán hún"}. `differing`: `flag` keeps the
    given pinyin and lists the positions (`pinyin_differs`), `drop` drops the record. A given pinyin of another length,
    with a syllable that no dictionary gives its character, or without tones, drops the record and names the place;
    `words` adds readings.
    """
    readings = _pinyin_of(values["text"], context.parameters.words)
    if values["pinyin"] is None:
        return kept(pinyin=readings, pinyin_differs=[])
    syllables = values["pinyin"]
    syllables = given_readings(syllables) if isinstance(syllables, str) else list(syllables)
    ideographs = [index for index, c in enumerate(values["text"]) if re.match(_IDEOGRAPH, c)]
    if (
        len(syllables) == len(ideographs) != len(readings)
    ):  # readings of ideographs only: punctuation is added between them
        spread = list(values["text"])
        for position, reading in zip(ideographs, syllables, strict=True):
            spread[position] = reading
        syllables = spread
    if len(syllables) != len(readings):
        return dropped("pinyin-length", f"{len(syllables)} syllables for {len(readings)} characters")
    toneless = [number for number in ideographs if not _TONE.search(unicodedata.normalize("NFD", syllables[number]))]
    if len(ideographs) >= _FEW_SYLLABLES and 2 * len(toneless) > len(ideographs):
        text = f"{len(toneless)} of {len(ideographs)} syllables have no tone mark"
        return dropped("pinyin-without-tones", f"{text}: write {readings[ideographs[0]]}, or leave the pinyin out")
    differs = [index for index in ideographs if unicodedata.normalize("NFC", syllables[index]) != readings[index]]
    if wrong := [differ for differ in differs if not _is_reading(values["text"][differ], syllables[differ])]:
        position = wrong[0]
        character = f"character {position + 1}, {values['text'][position]}"
        text = f"{character}: {syllables[position]}, expected {readings[position]}"
        return dropped("pinyin-wrong", f"{text}; correct it, or add the word to `words` of [stages.pinyin]")
    if differs and context.parameters.differing == "drop":
        return dropped("pinyin-differs", f"at {len(differs)} characters")
    return kept(pinyin=syllables, pinyin_differs=differs)


class OneTranslationEach(Parameters, frozen=True):
    """Parameters of `one-translation-each`."""

    least: Annotated[int, Meta(ge=0, description="translations with fewer letters may be the same")] = 12


@stage(
    "one-translation-each",
    version=2,
    kind="whole",
    reads=["text", "answer"],
    writes=[],
    parameters=OneTranslationEach,
)
def one_translation_each(records: Sequence[Values], context: Context[OneTranslationEach]) -> list[Outcome]:
    """Drop translations that different texts share, except for the text to which one belongs.

    It belongs to the text of which it has a third of the concrete words at least, and twice as many as of
    each other one; else all lose it. Those with fewer than `least` letters may be the same.
    """
    of: dict[str, dict[str, str]] = defaultdict(dict)
    for values in records:
        of[comparable_text(values["answer"])][comparable_text(values["text"])] = values["text"]
    outcomes = []
    for values in records:
        texts = of[key := comparable_text(values["answer"])]
        if (
            len(key) < context.parameters.least
            or len(texts) < 2
            or (owner := _owner(texts, values["answer"])) == comparable_text(values["text"])
        ):
            outcomes.append(kept())
        else:
            note = f"{len(texts)} texts have it"
            note += f"; it translates {texts[owner].strip()[:20]!r}" if owner else ""
            outcomes.append(dropped("same-translation-twice", note))
    return outcomes


def _owner(texts: Mapping[str, str], translation: str) -> str:
    """Return the key of the text to which a translation belongs; empty if it may belong to several, or to none."""
    shares: list[tuple[float, str]] = []
    for key, text in texts.items():
        number, shared = shared_words(text, translation)
        shares.append((shared / max(number, 3), key))
    (first, owner), (second, _) = sorted(shares, reverse=True)[:2]
    return owner if first >= 1 / 3 and first >= 2 * second else ""


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise SpecError("a parameter holds a faulty regular expression", got=pattern, fix=str(error)) from None


def _read(text: str) -> int:
    """Return the length of the text read aloud: ideographs, and two for each word of other scripts."""
    ideographs = len(re.findall(_IDEOGRAPH, text))
    return ideographs + 2 * len(re.findall(r"[^\W_]+", re.sub(_IDEOGRAPH, " ", text)))


def _pieces(text: str, max_length: float) -> Iterator[tuple[int, int]]:
    """Yield sentences as spans; a sentence that is too long is divided into clauses."""
    for begin, end in _ended(text, _END):
        if _read(text[begin:end]) <= max_length:
            yield begin, end
        else:
            yield from ((begin + a, begin + b) for a, b in _ended(text[begin:end], re.compile(r"[，,、：:]")))


def _ended(text: str, mark: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    begin = 0
    for match in mark.finditer(text):
        yield begin, match.end()
        begin = match.end()
    if text[begin:].strip():
        yield begin, len(text)


def _join_pieces(
    text: str, pieces: list[tuple[int, int]], min_length: float, max_length: float
) -> list[tuple[int, int]]:
    """Join neighbouring pieces while they fit; then join short ones to the clip before, or leave them out."""
    spans: list[tuple[int, int]] = []
    for begin, end in pieces:
        if spans and _read(text[spans[-1][0] : end]) <= max_length and _read(text[slice(*spans[-1])]) < max_length / 2:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((begin, end))
    if (
        len(spans) > 1
        and _read(text[slice(*spans[-1])]) < min_length
        and _read(text[spans[-2][0] : spans[-1][1]]) <= max_length
    ):
        spans[-2:] = [(spans[-2][0], spans[-1][1])]
    return [span for span in spans if _read(text[slice(*span)]) >= min_length]


def _pinyin_of(text: str, words: dict[str, str]) -> list[str]:
    """Return one reading per character; punctuation is kept as it is."""
    if not find_spec("pypinyin"):
        raise SpecError("the package pypinyin is not installed", fix="pip install 'triptych[build]'")
    made = import_module("pypinyin")
    readings: list[str] = []
    for part in _known_words(text, words):
        if part in words:
            readings += words[part].split()
        else:
            readings += [r[0] for r in made.pinyin(part, style=made.Style.TONE, errors=lambda rest: list(rest))]
    return readings


def _is_reading(character: str, syllable: str) -> bool:
    """Return whether a dictionary has the syllable, with any tone, as a reading of the character: tones change."""
    made = import_module("pypinyin")
    readings = {
        reading
        for style in (made.Style.NORMAL,)
        for each in made.pinyin(character, style=style, heteronym=True)
        for reading in each
    }
    return bare_syllable(syllable) in {bare_syllable(each) for each in readings}


def bare_syllable(syllable: str) -> str:
    """Return a syllable without its tone.

    >>> bare_syllable("lǜ"), bare_syllable("yuè"), bare_syllable("nv3")
    ('lv', 'yue', 'nv')
    """
    plain = unicodedata.normalize("NFD", syllable.casefold()).replace("u\u0308", "v")
    return re.sub(r"[^a-z]", "", plain)


def _known_words(text: str, words: dict[str, str]) -> list[str]:
    if not words:
        return [text]
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return [part for part in re.split(f"({pattern})", text) if part]


@lru_cache(maxsize=4)
def _opencc(configuration: str) -> Any:
    return import_module("opencc").OpenCC(configuration)
