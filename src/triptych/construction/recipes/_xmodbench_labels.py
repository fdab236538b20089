"""Faults of labels, captions, translations and calculations in rows of the recipe `xmodbench`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from fractions import Fraction

from triptych.construction.text_checks.numerals import numbers_in
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.translation.marks import mark_fault
from triptych.construction.text_checks.translation.parallel import REGRET, parallel_fault
from triptych.construction.text_checks.wording import Fault, translation_fault

_FILE_NAME = re.compile(
    r"\.(?:wav|mp3|flac|ogg|opus|m4a|aac|mp4|avi|mkv|mov|webm|jpe?g|png|gif|bmp|tiff?|webp|txt|json|csv|npy)\s*$"
    r"|^\s*(?:\.{0,2}/|[A-Za-z]:\\|\w+://)\S+$|^\s*/?m/0\w+\s*$|^\s*[\w.]+[_-]\d{2,}\s*$"
    # ids of WordNet, ImageNet, Wikidata and COCO, and fields with a colon
    r"|^\s*\w+\.[nvasr]\.\d{1,3}\s*$|^\s*[nvQ]\d{4,}\s*$|^\s*(?:id|class|label|category|tag|wnid)[_#:=]\s?\w+\s*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*(?:(?:class|label|category|type|cluster|id|no\.?|nr\.?)\s*[_#:.-]?\s*)?\d+\s*", re.IGNORECASE)
_NO_LABEL = re.compile(
    r"\W*(?:others?|other sounds?|unknown|unlabell?ed|unspecified|unclear|misc(?:ellaneous)?|various|mixed|none|null"
    r"|nan|n/?a|undefined|no (?:label|caption|category|description)|todo|tbd|tba|test|sample|example|dummy|foo|untitled"
    r"|new (?:label|category)|(?:something|anything)(?: else)?|none of (?:these|them|those)"
    r"|sounds?|audio|image|picture|photo|video|clip|recording"
    r"|其他|其它|未知|不明|无|没有|待定|测试)\W*",
    re.IGNORECASE,
)
_MEDIUM = r"(?:image|picture|photo(?:graph)?|video|film|clip|audio|recording|footage|scene|screenshot|sound ?track)"
_CAPTION = re.compile(
    rf"^\W*(?:(?:the|an?|this|these)\s+)?(?:\w+\s+)?{_MEDIUM}s?(?:\s+(?:clip|file|recording|frame))?\s+"
    rf"(?:shows?|showing|depicts?|depicting|contains?|containing|features?|featuring|captures?|displays?|presents?"
    rf"|of|is|has|appears?|seems?)\b"
    rf"|^\W*(?:in|on)\s+(?:the|this)\s+{_MEDIUM}\b"
    r"|^\W*(?:the|this) (?:audio|recording|sound|clip|video) (?:is|contains?|features?|seems?|appears?)\b"
    r"|^\W*(?:we|i|you|one) (?:can |could )?(?:see|hear)\b|^\W*(?:it|this|that) (?:is|looks|sounds) like\b"
    r"|^\W*(?:caption|label|description|category|title)\s*[:：]"
    r"|^\W*(?:这|该|此)?(?:张|幅|段|个)?(?:图片|图像|照片|画面|图|录音|音频|视频|声音|片段)(?:中|里|上)?(?:是|显示|展示|描绘|有|包含|为|可以)"
    r"|^\W*(?:我|我们|你|您)?(?:可以)?(?:看到|听到|看见|听见)",
    re.IGNORECASE,
)
_ALTERNATIVE = re.compile(r"[。！？!?.]\s*[/／|｜]\s*\S|^[^/／]*[。！？]\s*(?:或者?|or)\s*[:：]?\s*\S")


@reads_shortened
def label_fault(text: str) -> Fault | None:
    """Return what is wrong with a label: a file's name, a number, a word that names nothing, words about the medium.

    >>> label_fault("geyser_003.wav")[0], label_fault("other")[0], label_fault("An image of a beach")[0]
    ('file-name', 'placeholder', 'not-the-text-alone')
    """
    bare = text.strip()
    if _FILE_NAME.search(bare):
        return "file-name", f"{bare[:40]!r} is the name of a file: write what it shows"
    if _NUMBER.fullmatch(bare):
        return "label-is-a-number", f"{bare[:40]!r} names nothing: write the label's text"
    if _NO_LABEL.fullmatch(bare):
        return "placeholder", f"{bare[:40]!r} names nothing that can be recognised"
    return caption_fault(bare)


@reads_shortened
def caption_fault(text: str) -> Fault | None:
    """Return the fault that a caption is about the medium: `The image shows …`."""
    about = _CAPTION.search(text)
    return ("not-the-text-alone", f"write only what it shows, without {about[0].strip()[:40]!r}") if about else None


@reads_shortened
def translated_fault(text: str, source: str, language: str) -> Fault | None:
    """Return what is wrong with the translation of an English sentence: the faults of `translation_fault`, two
    translations in one, a question in place of a statement, another number.

    >>> translated_fault("班上有20个学生。", "There are 12 students in the class.", "zh")[0]
    'numbers-differ'
    """
    fault = translation_fault(text, source)
    if fault and not (fault[0] == "apology" and REGRET.search(source)):  # somebody is sorry in the source, too
        return fault
    if not source:
        return None
    original = re.sub(r"(?<=\d)\. (?=\d)", ".", source)
    if (two := _ALTERNATIVE.search(text)) and not re.search(r"[/／|]|\bor\b", original):
        return "not-the-text-alone", f"write one translation, without {two[0].strip()[-20:]!r}"
    marks = mark_fault(text, original, language)
    if marks and (marks[0] != "fact-changed" or re.search(r"[.。!！?？…]\W*$", text)):
        return marks
    compared = parallel_fault([text], [original], language)
    return compared if compared and _SURE.match(f"{compared[0]} {compared[1]}") else None


# Of a comparison with the source: what also holds for sentences from encyclopedias and films
_SURE = re.compile(
    r"numbers-differ|scripts-mixed|another-sentence|left-in-english|negation-changed the source denies"
    r"|fact-changed (?:measure|weight|currency|weekday|month|yes or no|time of the (?:day|clock)|unit: (?!day))"
)


_TIMES = re.compile(r"\b(once|twice|thrice|half|(\w+) times) as (?:many|often)\b|\b(\w+)-?fold\b", re.IGNORECASE)
_FEW_MORE = re.compile(r"\b(\w+) (more|fewer|less) (?:repetitions? |times )?than\b", re.IGNORECASE)
_FORMULA = re.compile(
    r"(?:\(\s*repetition count\s*([+-])\s*(\d+)\s*\)|repetition count)\s*(?:([*x×/])\s*(\d+))?", re.IGNORECASE
)
_FACTORS = {"once": Fraction(1), "twice": Fraction(2), "thrice": Fraction(3), "half": Fraction(1, 2)}


@reads_shortened
def product_fault(text: str, target: str, relation: str) -> Fault | None:
    """Return the fault that the target of a calculation isn't what its relation gives for the context.

    relation: as in the column; empty: twice as many. A relation that isn't understood is not checked.

    >>> product_fault("2 times", "4 times", "has three times as many repetitions as this {context}")[0]
    'wrong-result'
    """
    few, many = (next(iter(each)) if len(each := numbers_in(words, "en")) == 1 else None for words in (text, target))
    if few is None or many is None:
        return None
    result = _related_number(few, relation or "twice as many")
    if result is None or result == many:
        return None
    return "wrong-result", f"{target!r} does not follow from {text!r}: the relation gives {float(result):g}"


def _related_number(few: int, relation: str) -> Fraction | None:
    if formula := _FORMULA.search(relation):
        sign, added, operation, factor = formula.groups()
        value = Fraction(few + (int(added) if sign == "+" else -int(added) if sign else 0))
        if not factor:
            return value if sign else None
        return value / int(factor) if operation == "/" else value * int(factor)
    if match := _TIMES.search(relation):
        word = (match[1] or "").casefold()
        if word in _FACTORS:
            return few * _FACTORS[word]
        numbers = numbers_in(match[2] or match[3], "en")
        return Fraction(few * next(iter(numbers))) if len(numbers) == 1 else None
    if match := _FEW_MORE.search(relation):
        numbers = numbers_in(match[1], "en")
        if len(numbers) == 1:
            return Fraction(few + next(iter(numbers)) * (1 if match[2].casefold() == "more" else -1))
    return None


@reads_shortened
def bare_letters(text: str) -> str:
    """Return the words of a text without accents, case and punctuation, to look for a name in it.

    >>> bare_letters("Les Misérables!")
    'les miserables'
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(re.findall(r"[^\W_]+", plain.casefold()))


@reads_shortened
def names(text: str, name: str) -> bool:
    """Return whether a text has a name in it, whatever its accents, case and punctuation.

    >>> names("In Les Miserables a man is hunted.", "Les Misérables!")
    True
    """
    bare = bare_letters(name)
    return name.casefold() in text.casefold() or bool(bare and f" {bare} " in f" {bare_letters(text)} ")


MIN_NAME = 8  # letters of a name of one word that is looked for in other texts


def other_name(text: str, label: str, names: Collection[str]) -> str:
    """Return a name of somebody else that a text has; empty if there is none.

    >>> other_name("Mira Solenne grew up by the sea.", "Ivo Brandt", ["Ivo Brandt", "Mira Solenne"])
    'Mira Solenne'
    """
    words, mine = f" {bare_letters(text)} ", bare_letters(label)
    for name in names:
        bare = bare_letters(name)
        long_enough = " " in bare or len(bare) >= MIN_NAME
        if bare and bare != mine and bare not in mine and mine not in bare and long_enough and f" {bare} " in words:
            return name
    return ""
