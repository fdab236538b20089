"""Marks that a translator or a program left in a translation: remarks, alternatives, open brackets, words twice.

A mark counts if the source has none of its kind.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from triptych.construction.text_checks.doubled_words import doubled_word
from triptych.construction.text_checks.scripts import is_ended, is_question, primary
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.wording import EMOJI, common_words

Fault = tuple[str, str]
_IDEOGRAPH = r"\u3400-\u9fff\uf900-\ufaff"

_REMARK = re.compile(
    r"[\[(（【{<]\s*(?:sic|\?+|？+|!+|…|x{2,}|todo|tbd|fixme|n\.?\s?b\.?\b|note\b|nota\b|hinweis\b"
    r"|anm|achtung\b|wörtl|wtl\.|sinngem|eigentlich|bzw\.?\b"
    r"|oder\b|besser\b|auch:|siehe\b|s\. ?o\.|prüfen|bitte\b|unklar|unsicher|fachbegriff|lett\."
    r"|letteral|oppure|ovvero|meglio\b|vedi\b|da (?:verificare|controllare|rivedere)"
    r"|termine\b|non chiaro|incerto|or:|or\s+\w+\s*[\])]|lit\.|literal|correct(?:ed)?\b|check\b"
    r"|unclear|unsure|translat|alternativ|see\b"
    r"|richtig|korrekt|falsch|correct|esatt|giust|sbagliat|正确|错误?[）)]|正解|或|直译|意译|待|此处"
    r"|存疑|不确定|注|译|原文|字面|完[）)]|疑)[^\])）】}>]{0,80}[\])）】}>]"
    r"|[\[(（【{][^\[\](){}（）【】]{0,60}(?:\?\?|prüfen|überprüfen|verificare|controllare"
    r"|nachschlagen|wörtlich|letteralmente|übersetz|tradu[zc]|待核实|待确认|有误"
    r"|翻译)[^\[\](){}（）【】]{0,40}[\])）】}]"
    r"|\?{2,}|？{2,}|<-+|-+>(?!>)|={2,}>?|\bTODO\b|\bFIXME\b|\bX{3,}\b|_{3,}|#{2,}|\*{2,}|@@|\{[^{}\n]{1,60}\}|~~",
    re.IGNORECASE,
)
_SQUARE = re.compile(r"\[[^\]\n]{1,60}\]|【[^】\n]{1,60}】")
_ALTERNATIVES = re.compile(
    rf"(?<![\w/])(?!(?:und|and|e|ja|yes|sì|sie|lui|lei|ihr|ihm|ihn|suo|sua|er|she|he|s|w|m|f|die|der|das|einer"
    rf"|eine)/)([^\W\d_]{{3,}})/([^\W\d_]{{3,}})(?![\w/])|[{_IDEOGRAPH}]{{2,}}/[{_IDEOGRAPH}]{{2,}}"
)
_PREFACE = re.compile(
    r"^\W*(?:(?:hier(?: ist| sind| kommt)?|nachfolgend|anbei|im folgenden|gerne?|natürlich"
    r"|selbstverständlich|klar)\b[^.:\n]{0,40}\b(?:übersetz\w*|fassung|übertragung|version"
    r"|text)\b[^.:\n]{0,30}[:.]"
    r"|ecco (?:la|il|qui)[^.:\n]{0,30}\b(?:traduzione|versione|testo)\b[^.:\n]{0,30}[:.]"
    r"|(?:di seguito|qui)\b[^.:\n]{0,30}\btraduzione\b[^.:\n]{0,20}[:.]"
    r"|(?:gerne|natürlich|certamente|certo|volentieri)!\s|(?:here"
    r"|below)\b[^.:\n]{0,40}\b(?:translation|version)\b[^.:\n]{0,30}[:.]|(?:sure|certainly|of course"
    r"|great)[!,.]\s"
    r"|(?:以下|下面|这)(?:就?是)?[^。：:\n]{0,12}(?:翻译|译文|中文版?)[^。：:\n]{0,6}[：:]|(?:翻译"
    r"|译文|中文翻译|中文)(?:如下|结果)?[：:]|好的[，！。]|当然[，！。]"
    r"|(?:deutsch|german|italiano?|italian|english|chinesisch|chinese|cinese|inglese|englisch|de|it"
    r"|zh|en|ted\.?|ital\.?|dt\.?)\s?[:：]\s"
    r"|(?:zeile|line|riga|satz|sentence|frase|第?\d{1,3}[行句])\s?\d{0,3}\s?[:：.)]\s?)",
    re.IGNORECASE,
)
# Which version of a text it is: `Versione rivista (v2) –`, `修订版：`
_EDITION = re.compile(
    r"^\W*(?:(?:prima|seconda|neue?|nuova|revised|final|letzte|ultima|überarbeitete?|korrigierte?|corretta|endgültige?|second|new)\s+)?"
    r"(?:versione|fassung|version|entwurf|bozza|draft|stesura|revisione?|endfassung|rohfassung|reinschrift)"
    r"(?:\s+(?:rivista|corretta|definitiva|finale|riveduta|provvisoria))*[\s(]*(?:v(?:er)?\.?\s?\d[\d.]*|\d[\d.]*)?[)\]）】]?\s*[–—:：|]\s"
    r"|^\W*(?:修订|修改|校对|审校|终|初|定|最终|新)(?:版|稿)[^。：:\n]{0,8}[：:—–|]|[(（\[【](?:修订|修改|校对|终|初|定)(?:版|稿)[^)）\]】]{0,8}[)）\]】]"
    r"|^\W*v\d[\d.]*\s*[–—:：|]\s",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:^|[.!?。！？)\s])\s*+(?:(?:hinweis|anmerkung|bemerkung|note|nota(?: bene)?|n\.\s?b\."
    r"|avvertenza|ps|p\.\s?s\.|注意|备注|说明|提示|注)\s?[:：]"
    r"|lassen sie mich wissen|(?:gib|geben sie) mir bescheid|ich hoffe, (?:das|dies) hilft"
    r"|fammi sapere se|mi faccia sapere|spero che (?:sia|questo)|let me know if you|i hope this helps"
    r"|hope this helps"
    r"|如果(?:您|你)?(?:需要|还需|有)[^。]{0,12}(?:修改|调整|帮助|告诉我)|希望(?:这|对)[^。]{0,6}(?:帮助|有用)"
    r"|(?:\W?(?:ende|fine|end)(?: der übersetzung| della traduzione| of (?:the )?translation)\W?)\s*$"
    r"|(?:übersetzt|translated|tradotto|übersetzung) (?:mit|von|durch|by|with|con"
    r"|da)\b[^.]{0,30}\b(?:deepl|google|chatgpt|gpt|systran|bing|deepl\.com)"
    r"|(?:通过|由|使用)?\s?(?:deepl|谷歌|百度|有道|chatgpt)\S{0,20}翻译"
    r"|[（(]\s*(?:完|全文完|以上)\s*[）)]|©|\(c\) 20\d\d|copyright \d|all rights reserved|alle rechte vorbehalten)",
    re.IGNORECASE,
)
_OKAY = re.compile(r"\W*(?:okay|ok|sure|great|certainly|of course|good|note)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+|www\.\S+|\b[\w.-]+@[\w-]+\.\w{2,}")
# Marks that models write for a piece of text that is unknown to them, and pieces of words
UNKNOWN = re.compile(
    r"[\u2047\u25a1\u25a0\u25af\u25fb\u2581]|<unk>|\[UNK\]|</?s>|<pad>|@@(?=\s)|<\|[a-z_]{2,20}\|>", re.IGNORECASE
)
_LOST_LETTER = re.compile(r"[^\W\d_]\?[^\W\d_]")
_TWICE = re.compile(r"\b([^\W\d_]{2,})\s+\1\b", re.IGNORECASE)
_TWICE_ZH = re.compile(rf"([{_IDEOGRAPH}]{{3,8}})\1")
_BULLET = re.compile(r"\s*(?:[-*•·–]\s+|[(（]?\d{1,3}[.)）、]\s*(?=\D))\S")
_SPACED = re.compile(rf"(?:[{_IDEOGRAPH}]\s){{5}}")
_SPELLED = re.compile(r"(?:\b[^\W\d_]\s){5}")
_KANA = re.compile(r"[\u3041-\u309f\u30a1-\u30fa]")
_PAIRS = (
    ("(", ")"),
    ("（", "）"),
    ("[", "]"),
    ("【", "】"),
    ("«", "»"),
    ("《", "》"),
    ("「", "」"),
    ("『", "』"),
    ("{", "}"),
)
# Words of one of the languages that none of the others has
_ONLY = {
    "en": "the and with which because their between through although while does have been would should could",
    "de": "und nicht auch werden durch zwischen weil sind eine einen einem eines oder aber wenn für über noch sich",
    "it": "che della delle degli dello nella nelle sono perché anche questo questa quello più dal dalla gli",
}


@reads_shortened
def mark_fault(line: str, original: str, language: str) -> Fault | None:
    """Return the first mark of a translated line that its English source doesn't have; None if there is none.

    >>> mark_fault("Ein leises Zischen/Pfeifen.", "A soft hiss.", "de")
    ('not-the-text-alone', "write one translation, without 'Zischen/Pfeifen'")
    """
    return next(_marks(line, original, language), None)


def _marks(line: str, original: str, language: str) -> Iterator[Fault]:
    language, alone = primary(language), "not-the-text-alone"
    for pattern, words in (
        (_PREFACE, "write only the translation, without"),
        (_AFTER, "write only the translation, without"),
        (_REMARK, "write only the translation, without"),
        (_SQUARE, "write only the translation, without"),
        (_ADDRESS, "the source has no"),
    ):
        if (match := pattern.search(line)) and not pattern.search(original) and not _OKAY.match(original):
            yield alone, f"{words} {match[0].strip()[:40]!r}"
    if (match := _EDITION.search(line)) and not re.search(
        r"version|draft|revis|edit|final|new", original, re.IGNORECASE
    ):
        yield alone, f"write only the translation, without {match[0].strip()[:40]!r}"
    if language in ("de", "it") and "(" not in original and (gloss := _gloss(line, original)):
        yield alone, f"write only the translation, without {gloss[:40]!r}"
    if (match := _ALTERNATIVES.search(line)) and "/" not in original:
        yield alone, f"write one translation, without {match[0][:40]!r}"
    if (match := EMOJI.search(line)) and not EMOJI.search(original):
        yield "emoji", f"it holds {match[0]!r}"
    if (match := UNKNOWN.search(line)) and not UNKNOWN.search(original):
        yield "damaged-characters", f"a piece of text became {match[0]!r}: {line[:40]!r}"
    if (match := _LOST_LETTER.search(_ADDRESS.sub(" ", line))) and not _LOST_LETTER.search(original):
        yield "damaged-characters", f"a letter became a question mark: {match[0]!r}"
    if _BULLET.match(line) and not _BULLET.match(original):
        yield alone, f"write the line without a number or bullet: {line[:20]!r}"
    match = _TWICE_ZH.search(line) if language == "zh" else None
    if (twice := match[0] if match else doubled_word(line, language)) and not _TWICE.search(original):
        yield "repeats-itself", f"a word is in it twice: {twice[:40]!r}"
    if _SPACED.search(line) or (_SPELLED.search(line) and not _SPELLED.search(original)):
        yield "characters-spaced", f"there are spaces between its characters: {line[:40]!r}"
    letters = [c for c in line if c.upper() != c.lower()]  # scripts without capitals have none
    if len(letters) > 20 and line.upper() == line and original.upper() != original:
        yield "in-capitals", f"it is in capitals: {line[:40]!r}"
    if language == "zh" and (match := _KANA.search(line)) and not _KANA.search(original):
        yield "wrong-language", f"it has a Japanese character: {match[0]!r} in {line[:40]!r}"
    yield from _ends(line, original)
    if word := _foreign_word(line, original, language):
        yield "wrong-language", f"{word!r} is not in the language {language}: {line[:60]!r}"


def _gloss(line: str, original: str) -> str:
    """Return small words of the source that a translation repeats in brackets; empty if there are none."""
    words = set(re.findall(r"[a-z]+", original))
    for match in re.findall(r"\([a-z][a-z -]*\)", line):
        if set(re.findall(r"[a-z]+", match)) <= words:
            return str(match)
    return ""


def _ends(line: str, original: str) -> Iterator[Fault]:
    """Yield whether a line is a question and its source is none, or the other way round."""
    if not _is_ended(original) or _QUESTIONING.search(original):
        return
    asks, original_asks = is_question(line), bool(is_question(original))
    if asks is not None and asks != original_asks and not re.search(r"[?？]", original if asks else line):
        yield "fact-changed", f"{'a question' if asks else 'no question'}, not as in the source: {line[-40:]!r}"


_QUESTIONING = re.compile(r"question|wonder|\bask|whether|\bright[?.]", re.IGNORECASE)


def _is_ended(line: str) -> bool:
    """Return whether a line ends in the mark of a sentence, or in one after which the next line goes on."""
    return is_ended(line) or bool(re.search(r"[:：;；][\"'”’»“）)\]】」』]*\s*$", line))


@reads_shortened
def unended(lines: Sequence[str], source: Sequence[str]) -> Fault | None:
    """Return the fault that lines of a translation lack the mark at their end that those of the source have: a long
    text alone, or several lines, a tenth of all."""
    ended = [(line, first) for line, first in zip(lines, source, strict=True) if _is_ended(first)]
    without = [line for line, first in ended if not _is_ended(line) and len(first) > 30]
    if len(without) > (0 if len(lines) < 3 else max(1, len(lines) // 10)):
        return "translation-cut-off", f"it has no mark at its end: {without[0][-40:]!r}"
    return None


def _foreign_word(line: str, original: str, language: str) -> str:
    """Return a small word of another language in a line; empty if there is none. What is quoted, and what the source
    has too, may be in any language, as may words between capitalised ones."""
    if language not in _SMALL and language != "zh":
        return ""
    bare = re.sub(r"[\"„“”«»‘’‚「」『』《》(（][^\"„“”«»「」『』《》)）]{0,200}[\"“”«»’「」『』《》)）]", " ", line)
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", bare)
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        if not word.islower() or (before[:1].isupper() and after[:1].isupper()):
            continue
        for other, small in _SMALL.items():
            if other == language or word not in small or word in common_words(language):
                continue
            pairs = (rf"\b{re.escape(before)}\W+{word}\b", rf"\b{word}\W+{re.escape(after)}\b")
            if any(re.search(pair, original, re.IGNORECASE) for pair in pairs if other == "en"):
                continue  # of a title or a term of the source
            if other != "en" and re.search(rf"\b{word}\b", original, re.IGNORECASE):
                continue
            return str(word)
    return ""


_SMALL = {language: frozenset(words.split()) for language, words in _ONLY.items()}


@reads_shortened
def marks_in_pairs(lines: Sequence[str], source: Sequence[str]) -> Fault | None:
    """Return the fault that a bracket or quotation mark of a translation is opened and not closed, or the other way
    round, while those of the source are.

    >>> marks_in_pairs(["Ein (leises Zischen."], ["A soft hiss."])
    ('mark-open', "'(' is opened and not closed, or the other way round: 'Ein (leises Zischen.'")
    """
    text, original = (unicodedata.normalize("NFC", "\n".join(each)) for each in (lines, source))
    for first, last in _PAIRS:
        if text.count(first) != text.count(last) and original.count(first) == original.count(last):
            where = next((line for line in lines if line.count(first) != line.count(last)), text)
            if first in "(（" and re.search(r"(?<![(\w])\w{1,2}\)|[:;]-?\)", text):
                continue  # 1) and a), faces
            if first in "(（" and sum(map(text.count, "(（")) == sum(map(text.count, ")）")):
                continue  # opened by one form, closed by another one
            return "mark-open", f"{first!r} is opened and not closed, or the other way round: {where[:60]!r}"
    if text.count('"') % 2 and not original.count('"') % 2:
        where = next((line for line in lines if line.count('"') % 2), text)
        return "mark-open", f"a quotation mark is opened and not closed: {where[:60]!r}"
    low = text.count("„") > sum(map(text.count, '“”"‟'))
    high = "„" not in text and text.count("“") > text.count("”")
    if (low or high) and original.count("“") == original.count("”"):
        return "mark-open", "a quotation mark is opened and not closed"
    return None


_DETACHED = re.compile(r"\w [,.;!?](?=\s|$)")
_APART = re.compile(rf"(?<=[{_IDEOGRAPH}，。])[ \u3000](?=[{_IDEOGRAPH}，。])")
# Words that German and Italian have with an umlaut or accent alone
_BARE = {
    "de": re.compile(
        r"\b(?:fuer|dafuer|ueber\w*|koenn\w*|moecht\w*|wuerd\w*|waehr\w*|muess\w*|natuerlich|groess\w*"
        r"|spaet\w*)\b",
        re.IGNORECASE,
    ),
    "it": re.compile(
        r"\b(?:perche|piu|cosi|citta|puo|gia|cioe|finche|poiche|perche'|piu'|cosi'|puo'|qualita"
        r"|possibilita)\b",
        re.IGNORECASE,
    ),
}
_LETTERS = {"de": ("äöüßÄÖÜ", 400), "it": ("àèéìòùÀÈÉÌÒÙ", 700)}


@reads_shortened
def letters_fault(lines: Sequence[str], source: Sequence[str], language: str) -> Fault | None:
    """Return what is wrong with the letters and spaces of a whole translation: umlauts or accents lost, everything in
    lower case, punctuation or words set apart.

    >>> letters_fault(["Wir danken fuer die Fragen ueber Lampen."], ["Thank you for the questions."], "de")[0]
    'letters-lost'
    """
    text = "\n".join(lines)
    language = primary(language)
    special, min_letters = _LETTERS.get(language, ("", 0))
    if special and not any(c in text for c in special):
        bare = _BARE[language].findall(text)
        if len(bare) > 1 or sum(c.isalpha() for c in text) >= min_letters:
            return "letters-lost", f"it has none of the letters {special[:5]}: {', '.join(bare[:2]) or text[:40]!r}"
    if fault := spacing_fault(text, "\n".join(source)):
        return fault
    starts = [line.lstrip("\"„“«'(")[:1] for line in lines]
    if language != "zh" and len(lines) > 2 and sum(map(_is_lower, starts)) > 0.5 * len(lines):
        began = [line.lstrip("\"“'(")[:1] for line in source]
        if sum(c.islower() for c in began) <= 0.5 * len(source):
            return "in-lower-case", f"its lines begin in lower case: {lines[0][:40]!r}"
    return None


def _is_lower(letter: str) -> bool:
    """Return whether a letter is in lower case in a script in which sentences begin with capitals; Georgian doesn't."""
    return letter.islower() and not "\u10d0" <= letter <= "\u10ff"


@reads_shortened
def spacing_fault(text: str, original: str = "") -> Fault | None:
    """Return the fault that a program set punctuation or Chinese words apart by spaces.

    >>> spacing_fault("Hello , I am here . Thanks .")[0]
    'words-apart'
    """
    detached, apart = _DETACHED.findall(text), _APART.findall(text)
    if len(detached) > max(1, len(_DETACHED.findall(original))):
        return "words-apart", f"there are spaces before its punctuation: {detached[0]!r}"
    if len(apart) > max(2, len(text) // 25):
        return "words-apart", f"there are spaces between its words: {text[:30]!r}"
    return None


_HALF_WIDTH = {",": "，", ";": "；", ":": "：", "?": "？", "!": "！", ".": "。", "(": "（", ")": "）"}
_HALF = re.compile(
    rf"(?<=[{_IDEOGRAPH}”’」』》）])\s?([,;:?!])\s?(?=[{_IDEOGRAPH}“‘「『《（]|$)"
    rf"|(?<=[{_IDEOGRAPH}”」』》）])(\.)\s?(?=$|[{_IDEOGRAPH}])"
)
_HALF_BRACKETS = re.compile(rf"\(([^()]*[{_IDEOGRAPH}][^()]*)\)")


def full_width(text: str) -> str:
    """Return a Chinese text whose half-width punctuation after characters is in full width.

    >>> full_width("漏点会发出声音,并传播.")
    '漏点会发出声音，并传播。'
    """
    made = _HALF.sub(lambda match: _HALF_WIDTH[match[1] or match[2]], text)
    return _HALF_BRACKETS.sub(r"（\1）", made)
