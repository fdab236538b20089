"""What editions and web pages add to a classical text, and what they leave out of it.

Readings and glosses in brackets, numbers of notes and headings are removed; gaps and cut ends are named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from triptych.construction.text_checks.options.choices import comparable_text
from triptych.construction.text_checks.shortened import reads_shortened

_IDEOGRAPH = r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_OPEN, _CLOSE = r"[(（\[［【〔]\s*", r"\s*[)）\]］】〕]"
_LATIN = "A-Za-z\u00c0-\u024f\u1e00-\u1eff\u0300-\u036f"
# A reading: pinyin with or without tones and `音`, zhuyin
_SYLLABLE = rf"(?:又?[音读讀念作]+\s*[:：]?\s*)?[{_LATIN}]{{1,7}}\d?"
_READING = rf"{_SYLLABLE}(?:[\s,，、/'’-]+{_SYLLABLE}){{0,5}}|[\u3105-\u312f\u02ca\u02c7\u02cb\u02d9\s]+"
# A gloss: a word and what it means, another form of a character, a variant of the text
_GLOSS = (
    rf"(?:(?:{_IDEOGRAPH}){{1,6}}\s*[:：]|(?:同|通|通假|即|指|谓|注|按|案|一作|一本作|又作|或作|亦作|原作|今作|音"
    r"|读作|读如)\s*[:：]?"
    rf"(?=[“「‘『\"']|{_IDEOGRAPH}))[^()（）\[\]［］【】〔〕]{{1,60}}"
)
_NOTE_IN_BRACKETS = re.compile(rf"(?<={_IDEOGRAPH}|[，。！？；：、”’」』])\s*{_OPEN}(?:{_READING}|{_GLOSS}){_CLOSE}")
_CIRCLED = "\u2460-\u2473\u24ea-\u24ff\u2776-\u277f\u3251-\u325f\u32b1-\u32bf\u2474-\u2487"
_NOTE_NUMBER = re.compile(
    rf"(?<={_IDEOGRAPH}|[”’」』》])[{_CIRCLED}\u00b9\u00b2\u00b3\u2070-\u2079]+"
    rf"|(?<=[，。！？；：、])[{_CIRCLED}\u00b9\u00b2\u00b3\u2070-\u2079]+(?=\s*(?:\n|$))"
    rf"|{_OPEN}注\s*[\d一二三四五六七八九十]{{0,3}}{_CLOSE}"
)
# What editions and recognisers write in place of a character that is lost or that they can't read
_GAP = re.compile(
    rf"[□▢■▇█〓☐⬜◻◼⬛▯]|(?<={_IDEOGRAPH})[○◯●](?={_IDEOGRAPH}|[，。！？；：、]|$)"
    rf"|{_OPEN}(?:无法[识辨]别|无法辨认|字?迹?(?:模糊|漫漶)(?:不清)?|原?[缺阙佚]\s*(?:字|文)?"
    rf"|缺[一二三四五六七八九十\d]+字|此处[缺阙].{{0,4}}|\?+|？+|UNK|illegible){_CLOSE}"
    rf"|(?<={_IDEOGRAPH})\?{{1,6}}(?={_IDEOGRAPH})"
)
_STOP = re.compile(r"[。！？!?；;…][”’」』）)\"'》]*")
_PART = re.compile(r"[，。！？；：、,!?;:…\n\s]+")


# A page number between two parts of a text: `－12－`, `·12·`, `（第12页）`
_DASH = "[-\u2010-\u2015\u2212\uff0d\u30fb\u00b7~～]"
_PAGE_NUMBER = re.compile(
    rf"(?<!\s)\s*+(?:{_DASH}{{1,2}}\s*(?:\d{{1,4}}|[０-９]{{1,4}})\s*{_DASH}{{1,2}}|{_OPEN}(?:第\s*)?[\d０-９]{{1,4}}\s*页{_CLOSE}"
    rf"|第\s*\d{{1,4}}\s*页(?:\s*共\s*\d{{1,4}}\s*页)?"
    r"|[Pp](?:age|\.)\s*\d{1,4}(?![\dA-Za-z]))\s*"
)


# A page that the text itself names: `翻到第12页`, `第12页写着`, `the list on page 12 of`
_BEFORE_PAGE = re.compile(
    r"(?:[到在见至看从翻自于读以及和与的是如用把了撕剩缺共有]|[A-Za-z],?|[书本册卷集籍报刊》][，]?)$"
)
_AFTER_PAGE = re.compile(
    r"(?:的|[上下里中]?(?:有[^，。]|写[着道了]|记[着载述了]|[刊登印]?载|印[着有了]|画[着了]|[说是为][：“]|左|右)|[上下里中]的|起|至|到|开始|以[前后]|of\b)"
)


def _unless_named(match: re.Match[str]) -> str:
    """Keep a page that a sentence is about."""
    if not match[0].strip().startswith(("第", "P", "p")):
        return ""
    named = _BEFORE_PAGE.search(match.string[max(0, match.start() - 3) : match.start()])
    return match[0] if named or _AFTER_PAGE.match(match.string, match.end()) else ""


def without_notes(text: str) -> str:
    """Return a text without readings, glosses and numbers of notes.

    >>> without_notes("他翻到第12页，看见一幅画。"), without_notes("春眠不觉晓，第12页处处闻啼鸟。")
    ('他翻到第12页，看见一幅画。', '春眠不觉晓，处处闻啼鸟。')

    >>> without_notes("石径斜（xiá），江枫①渔火"), without_notes("意恐迟迟归（恐：担心）。")
    ('石径斜，江枫渔火', '意恐迟迟归。')
    >>> without_notes("床前明月光，－12－疑是地上霜。")
    '床前明月光，疑是地上霜。'
    """
    return _NOTE_NUMBER.sub("", _NOTE_IN_BRACKETS.sub(_unless_a_name, _PAGE_NUMBER.sub(_unless_named, text)))


def _unless_a_name(match: re.Match[str]) -> str:
    """Keep capital letters in brackets, which are abbreviations and not readings."""
    letters = re.sub(r"[\W\d_]", "", match[0])
    return match[0] if letters.isascii() and letters.isupper() else ""


@reads_shortened
def gap(text: str) -> str:
    """Return the mark of a lost or unread character with its neighbours; empty if there is none.

    >>> gap("齐鲁青□□。造化钟神秀"), gap("二〇年前旧草堂")
    ('鲁青□□。造', '')
    """
    match = _GAP.search(text)
    return text[max(0, match.start() - 2) : match.end() + 3].strip() if match else ""


@reads_shortened
def cut_end(text: str) -> str:
    """Return the last words of a text that stops within a sentence; empty if it doesn't.

    The others of its sentences end in marks. A last line of verse that is as long as the others is complete, and so may
    be prose that lacks only its last mark, as many anthologies print it; it is cut off if it ends in a comma or a colon
    or within a quotation.

    >>> cut_end("床前明月光，疑是地上霜。举头望明月，低头"), cut_end("床前明月光，疑是地上霜。举头望明月，低头思故乡")
    ('低头', '')
    """
    bare = text.strip()
    ends = list(_STOP.finditer(bare))
    if not ends or ends[-1].end() >= len(bare) or not re.match(rf"{_IDEOGRAPH}|[，、：,:]", bare[-1]):
        return ""
    parts = [part for part in _PART.split(bare[: ends[-1].start()]) if part]
    last = [part for part in _PART.split(bare[ends[-1].end() :]) if part]
    if not last:
        return ""
    lengths = {len(part) for part in parts}
    verse = len(parts) > 1 and len(lengths) <= (2 if len(parts) > 5 else 1)
    if bare[-1] not in "，、：,:" and (not verse or len(last[-1]) in lengths):
        tail = bare[ends[-1].end() :]
        quoted = any(tail.count(marks[0]) > tail.count(marks[1]) for marks in ("“”", "「」", "『』", "《》"))
        return last[-1] if quoted else ""
    return last[-1] + (bare[-1] if bare[-1] in "，、：,:" else "")


def without_heading(text: str, about: Mapping[str, Any]) -> str:
    """Return a text without its title and author at its beginning or end, as the cells of its row have them.

    >>> without_heading("早发白帝城　李白　朝辞白帝彩云间。", {"title": "《早发白帝城》", "author": "李白"})
    '朝辞白帝彩云间。'
    >>> without_heading("长相思，在长安。", {"title": "《长相思》", "author": "李白"})
    '长相思，在长安。'
    """
    title, author, dynasty = (re.escape(_strip_marks(about.get(name))) for name in ("title", "author", "dynasty"))
    if not title or _strip_marks(about.get("title")) not in _strip_marks(text):
        return text
    space, between = r"[\s\u3000]", r"[\s\u3000·•・:：—\-/|]"
    dynasty, author = dynasty or "x^", author or "x^"
    writer = rf"(?:{_OPEN}{dynasty}代?{_CLOSE}|{dynasty}代?)?{between}*{author}(?:{between}*[著作撰])?"
    titled = rf"(?:[《〈【「『]{title}[》〉】」』]|{title})"
    first = re.match(
        rf"{space}*(?:{titled}{between}*{writer}{between}*"
        rf"|[《〈【]{title}[》〉】]{between}*|{title}(?:{space}*\n{space}*|[\s\u3000]{{1,}})"
        rf"|{writer}{between}*{titled}{between}*)(?={_IDEOGRAPH}|[“「『‘])",
        text,
    )
    rest = text[first.end() :] if first else text
    last = re.search(rf"[\s\u3000]*(?:——?|--|[（(])\s*(?:{writer})?{between}*[《〈]{title}[》〉]\s*[)）]?\s*$", rest)
    rest = rest[: last.start()] if last else rest
    return rest if comparable_text(rest) else text


def _strip_marks(cell: object) -> str:
    return re.sub(r"[《》〈〉【】「」『』\s]", "", str(cell or ""))
