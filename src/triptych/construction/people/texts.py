"""Texts that people edit: checked as those of makers are, and against the text that was shown."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from triptych.construction.text_checks.absent_references import reference_fault, sentence_fault
from triptych.construction.text_checks.makers.chatter import chatter_fault
from triptych.construction.text_checks.punctuation import doubled_fault, pair_fault
from triptych.construction.text_checks.wording import (
    Fault,
    answer_fault,
    in_language,
    simplified,
    text_fault,
    translation_fault,
    wording_fault,
)

# A remark to the authors in place of a text, or a reference to another cell
_REMARK = re.compile(
    r"(?:这|此|本|该)(?:一)?(?:道|个|条)?(?:试)?(?:题|题目|问题|选项|答案|译文|翻译|句子)(?:目)?[^。？?]{0,6}"
    r"(?:太|不对|不好|不妥|有误|有问题|错了|请|建议|需要?改|应该?改|重复)"
    r"|^\W*(?:请|建议)(?:换|改|删|重写|重新|修改|核对|检查|补充|确认)"
    r"|^\W*(?:同上|同前|见上|见下|如上|略|无|不变|不改|没有问题|没问题|好|可以|正确|错误|删除?|问题同上)\W*$"
    r"|\bthis (?:question|option|answer|translation|sentence|text|item|row) (?:is too|is not|isn't|is wrong|is unclear"
    r"|should be|needs|must be|has to)\b"
    r"|^\W*please (?:rewrite|rephrase|replace|change|fix|delete|remove|check|correct|revise)\b"
    r"|^\W*(?:see (?:above|below|why|comment)|same(?: as above)?|as above|ditto|unchanged|no change|delete(?: this)?"
    r"|remove(?: this)?|fix me|wrong|correct|ok(?:ay)?|fine|n/?a|none|to be (?:changed|fixed))\W*$",
    re.IGNORECASE,
)
_QUESTION_MARK = re.compile(r"[?？؟]")
_REQUEST = re.compile(
    r"[哪谁几吗呢何孰]|什么|怎|多少|是否|是不是|有没有|请.{0,12}?(?:选|写|描述|说明|回答|指出|判断|解释|概括|分析|翻译|简述|列|找|识别|填|比较|给)"
    r"|^\W*(?:describe|explain|name|list|choose|select|give|identify|state|write|compare|translate|complete|say|tell)\b",
    re.IGNORECASE,
)
_SCRIPTS = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "CYRILLIC", "GREEK", "ARABIC", "HEBREW", "DEVANAGARI", "THAI")
_ACRONYM = re.compile(r"[A-Z0-9][A-Z0-9.&+\-/]{0,7}")
MAX_LENGTH = 20_000  # characters of an edited text


def remark_in(text: str, shown: str = "") -> str:
    """Return the remark to the authors in a text, unless the text shown has one as well; empty if there is none.

    >>> remark_in("This option is too easy."), remark_in("This option market is volatile.")
    ('This option is too', '')
    """
    remark = _REMARK.search(text)
    return remark[0].strip() if remark and not _REMARK.search(shown) else ""


def edit_fault(name: str, value: Any, shows: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with an edited text, or with the entries of an edited list that are new."""
    listed = isinstance(value, list | tuple)
    before = [str(each).strip() for each in shows.get(name) or ()] if listed else []
    for number, text in enumerate(map(str, value) if listed else [str(value)], 1):
        label = f"{name}, line {number}" if listed else name
        if not text.strip():
            yield f"{label}: it is empty"
        elif text.strip() not in before and (fault := _fault(name, text.strip(), shows, checks)):
            yield f"{label}: {fault[0]}: {fault[1]}"


def _fault(name: str, text: str, shows: Mapping[str, Any], checks: Mapping[str, Any]) -> Fault | None:
    shown = shows.get(name)
    shown = " ".join(map(str, shown)) if isinstance(shown, list | tuple) else str(shown or "")
    if len(text) > MAX_LENGTH:
        return "too-long", f"{len(text):,} characters; expected at most {MAX_LENGTH:,}"
    if (fault := text_fault(text)) and (not shown or text_fault(shown) is None):
        return fault
    if remark := remark_in(text, shown):
        return "remark-in-text", f"{remark[:40]!r} is about the text; write remarks into `why`"
    if name == "answer" and (
        fault := wording_fault("", (), text) or answer_fault(str(shows.get("question") or ""), text)
    ):
        return fault
    if name == "question" and _QUESTION_MARK.search(shown) and not _QUESTION_MARK.search(text) and not _asks(text):
        return "question-not-asked", "the question shown has a question mark; this text asks nothing"
    banned = (checks.get("words") or {}).get(name, ())
    if word := next((each for each in banned if each in text and each not in shown), None):
        return "screened-word", f"{word!r} must not be named"
    if name in ("question", "options", "answer") and (fault := chatter_fault(text)) and not chatter_fault(shown):
        return fault
    if name == "question" and (fault := _fault_of_question(text, shown, checks)):
        return fault
    language = (checks.get("languages") or {}).get(name)
    if fault := language_fault(text, language, shown):
        return fault
    source = shows.get((checks.get("sources") or {}).get(name, ""))
    if isinstance(source, str) and (fault := translation_fault(text, source)):
        return fault
    return None


def _fault_of_question(text: str, shown: str, checks: Mapping[str, Any]) -> Fault | None:
    """Return the fault that an edited question refers to what isn't there, or has a mark or word too many; None if the
    question shown has it too."""
    sees = {name: value for name, value in (checks.get("sees") or {}).items() if name in ("sound", "pictures")}
    made: tuple[Callable[[str], Fault | None], ...] = (
        lambda question: reference_fault(question, **sees),
        partial(sentence_fault, one=False),
        pair_fault,
        doubled_fault,
    )
    for check in made:
        if (fault := check(text)) and not check(shown):
            return fault
    return None


def _asks(text: str) -> bool:
    return bool(_REQUEST.search(text))


def language_fault(text: str, language: str | None, shown: str) -> Fault | None:
    """Return the fault of a text in another language than its field has, or in another script than the text shown.

    >>> language_fault("a dog", "zh", "一只狗")[0], language_fault("一隻貓在屋頂上", "zh", "一只狗")[0]
    ('wrong-language', 'wrong-script')
    """
    script, other = script_of(shown), script_of(text)
    short = all(_ACRONYM.fullmatch(word) for word in text.split())
    if language and not short and not in_language(text, language):
        return "wrong-language", f"{text[:40]!r} is not in the language {language}"
    if language in (None, "en") and (word := _function_word(text, shown)):
        return "wrong-language", f"{text[:40]!r} is not in the language of the text shown: {word!r}"
    if not short and script and other and script != other and not (language and in_language(text, language)):
        return "wrong-script", f"{text[:40]!r} is in another script than the text shown"
    if language == "zh" and (convert := simplified()) is not None and shown:
        changed = [sum(a != b for a, b in zip(each, convert.convert(each), strict=False)) for each in (shown, text)]
        if not changed[0] and changed[1] > 1:
            return "wrong-script", f"{text[:40]!r} is in traditional characters, the text shown in simplified ones"
    if language == "en" and re.search(r"[\u3400-\u9fff]", text) and not re.search(r"[\u3400-\u9fff]", shown):
        return "wrong-language", f"{text[:40]!r} has Chinese characters, the text shown has none"
    return None


# Small words of French, German, Italian, Spanish, Portuguese and Dutch that no English text has in lower case
_SMALL_WORDS = """
les des du aux une dans qui el los las unos del il lo gli della delle nella dei der das dem den ein eine einen einem und
ist im zum zur uma dos een het
"""
_FOREIGN = frozenset(_SMALL_WORDS.split())
_ENGLISH = frozenset(("the", "an", "of", "and", "on", "at", "to", "with", "from", "by", "for", "is", "are"))
_ARTICLES = frozenset(("le", "la", "un", "di", "os"))  # at the beginning of a text


def _function_word(text: str, shown: str) -> str:
    """Return a small word of another language in the edit of an English text; empty if there is none.

    Capitalised words are names. If the text shown has such a word itself, nothing is said.

    >>> _function_word("les vagues de la mer", "waves at the sea"), _function_word("a café in Los Angeles", "a café")
    ('les', '')
    """
    words, before = re.findall(r"[^\W\d_]+", text), set(re.findall(r"[^\W\d_]+", shown.casefold()))
    if before & (_FOREIGN | _ARTICLES) or not before or _ENGLISH.intersection(words):
        return ""
    if script_of(shown) != "LATIN":
        return ""
    foreign_words = [word for word in words if word in _FOREIGN] or [word for word in words[:1] if word in _ARTICLES]
    return foreign_words[0] if foreign_words else ""


def script_of(text: str) -> str:
    """Return the script of most letters of a text, as Unicode names it (`LATIN`, `CJK`); empty without letters.

    >>> script_of("关关雎鸠"), script_of("in 3 days"), script_of("42")
    ('CJK', 'LATIN', '')
    """
    counts = Counter(unicodedata.name(c, "").split(" ")[0] for c in text if c.isalpha())
    counts["CJK"] += counts.pop("HIRAGANA", 0) + counts.pop("KATAKANA", 0)
    (script, number) = counts.most_common(1)[0] if counts else ("", 0)
    return script if number * 2 > sum(counts.values()) else ""
