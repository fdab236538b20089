"""Options whose form shows which is correct: the correct ones have something that all wrong ones lack, or the reverse.

A form is what could be changed without another meaning: brackets, quotation marks, marks of titles, a clause of reason,
a list, hedging words, politeness, words that allow no exception, digits, articles.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from triptych.construction.text_checks.shortened import reads_shortened

MIN_WRONG = 2  # wrong options, of which a form says anything
MAX_EXTENT = 14  # ideographs (or three letters each) of the mean option: sentences differ in form by what they say
_HEDGED = (
    r"可能|也许|大概|或许|似乎|好像|恐怕|大约|估计|说不定|看起来|貌似|應該是|应该是|很有可能|多半"
    r"|\b(?:probably|perhaps|maybe|possibly|presumably|apparently|seems?|might|may be|likely)\b"
)
_NUMBER = r"(?:[\d０-９]+(?:[.,:：][\d]+)*|[零〇一二三四五六七八九十百千万亿两廿卅半壹贰叁肆伍陆柒捌玖拾]+)"


def _pattern(text: str) -> Callable[[str], bool]:
    compiled = re.compile(text, re.IGNORECASE)
    return lambda option: bool(compiled.search(option))


# Form: what it is called, and whether an option has it
_FORMS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("words in brackets", _pattern(r"\S\s*[（(\[［【〔][^）)\]］】〕]{1,60}[）)\]］】〕]")),
    ("quotation marks", _pattern(r"^\s*[“「『«„\"‘]|[”」』»\"]\W?\s*$|(?<=[\u3400-\u9fff])’$")),
    ("the marks of a title", _pattern(r"[《》〈〉]")),
    ("a clause of reason", _pattern(r"^\W{0,2}(?:因为|由于|因為|由於|是因为|because\b|since\b|due to\b|owing to\b)")),
    ("a clause of purpose", _pattern(r"^\W{0,2}(?:为了|是为了|為了|in order to\b|so that\b|so as to\b)")),
    ("a list", _pattern(r"^[^，,。的]{1,12}[、；;/／|][^，,。的]{1,12}$")),
    ("a word that hedges", _pattern(rf"^\W{{0,2}}(?:{_HEDGED})|(?:吧|{_HEDGED})\W*$")),
    ("a polite word", _pattern(r"^\W{0,2}(?:请|請|麻烦|劳驾|谢谢|please\b)|(?:谢谢|please|thanks?)\W*$")),
    (
        "a word that allows no exception",
        _pattern(
            r"(?<!不)一定(?!程度|的)|绝对|绝不|从不|从来|永远|必定|必须|毫无|只能|根本|\b(?:always|never|absolutely|must|none|nothing)\b"
        ),
    ),
    ("an exclamation mark", _pattern(r"[！!]")),
    ("a dash", _pattern(r"——|\s[–—-]\s")),
    ("an ellipsis", _pattern(r"…|\.{3}|。{3}")),
    ("a colon", _pattern(r"(?<!\d)[：:](?!\d)")),
    ("two spaces together", _pattern(r"\S\s{2,}\S")),
)
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")
_HALF_WIDTH = re.compile(r"(?<=[\u3400-\u9fff])[,;:?!()](?!\w*[A-Za-z])")
_FULL_WIDTH = re.compile(r"[，；：？！（）]")
_ARTICLE = re.compile(r"\s*(?:[Aa]n?|[Tt]he)\s(?=[a-z])")
_DIGIT = re.compile(r"[0-9０-９]")
_NUMERAL = re.compile(r"[零〇一二三四五六七八九十百千万亿两]")
_BARE_NUMBER = re.compile(rf"\s*{_NUMBER}\s*")
_NUMBERED = re.compile(_NUMBER)


@reads_shortened
def form_fault(options: Sequence[str], right: Sequence[int]) -> str:
    """Return what the correct options alone have, or all wrong ones and no correct one, as a sentence for their maker;
    empty if their forms show nothing.

    >>> form_fault(["可能是医院", "学校食堂", "中心小学"], [0])
    'the correct option alone has a word that hedges: write all options in one form'
    >>> form_fault(["他病了", "因为下雨了", "因为他累了"], [0])
    "each wrong option has a clause of reason, and the correct one hasn't: write all options in one form"
    >>> form_fault(["可能是医院", "可能是学校", "银行"], [0])
    ''
    """
    correct = set(right)
    if len(options) - len(correct) < MIN_WRONG or not correct or _extent(options) > MAX_EXTENT:
        return ""
    for name, has in _FORMS:
        if fault := _fault(name, [has(option) for option in options], correct):
            return fault
    return _fault_of_writing([unicodedata.normalize("NFC", option) for option in options], correct)


def _extent(options: Sequence[str]) -> float:
    """Return the length of the mean option in ideographs; three other letters count as one."""
    letters = [c for option in options for c in option if c.isalnum()]
    return sum(1.0 if _IDEOGRAPH.match(c) else 1 / 3 for c in letters) / len(options)


def _fault(name: str, have: Sequence[bool], correct: set[int]) -> str:
    having = {index for index, has in enumerate(have) if has}
    one = len(correct) == 1
    end = "write all options in one form"
    if having == correct:
        return f"the correct {'option alone has' if one else 'options alone have'} {name}: {end}"
    if having == set(range(len(have))) - correct:
        lacking = "one hasn't" if one else "ones haven't"
        return f"each wrong option has {name}, and the correct {lacking}: {end}"
    return ""


def _fault_of_writing(options: Sequence[str], correct: set[int]) -> str:
    """Return the fault of how numbers, words and marks are written, if all options have them."""
    if all(map(_NUMBERED.search, options)):
        digits = [bool(_DIGIT.search(option)) for option in options]
        written = all(has or _NUMERAL.search(option) for has, option in zip(digits, options, strict=True))
        if written and (fault := _fault("a number in digits", digits, correct)):
            return fault
        bare = [bool(_BARE_NUMBER.fullmatch(option)) for option in options]
        if fault := _fault("a number without its unit", bare, correct):
            return fault
    if not any(map(_IDEOGRAPH.search, options)):
        if any(option.strip()[:1].isupper() and not _ARTICLE.match(option) for option in options):
            return ""  # names have none
        return _fault("an article", [bool(_ARTICLE.match(option)) for option in options], correct)
    if all(_HALF_WIDTH.search(option) or _FULL_WIDTH.search(option) for option in options):
        half = [bool(_HALF_WIDTH.search(option)) for option in options]
        return _fault("marks of half width", half, correct)
    return ""
