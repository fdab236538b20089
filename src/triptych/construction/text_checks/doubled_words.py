"""Words that a text has twice in a row by mistake, in languages of which the sound repetitions are known."""

from __future__ import annotations

import re

from triptych.construction.text_checks.shortened import reads_shortened

_CHINESE_WORDS = (
    "为什么|为何|什么|怎么样?|怎样|如何|哪里|哪儿|哪个|哪些|哪种|多少|是否|因为|所以|但是|可以|应该|已经|正在|他们|她们|我们|你们|这个|那个|男子|女子|男人|女人"
    "|男生|女生|男孩|女孩|说话人|说话者|对话|音频|录音|答案|问题|选项|图像|图片|图中|作品|作者|诗人|词人|為什麼|什麼|怎麼|哪裡|因為|應該|已經|使用|模型"
)
# Function words that are said twice only where two words meet: 现在在, 为了了解, 问题是是否, 目的的方法
_CHINESE = re.compile(
    rf"({_CHINESE_WORDS})\1|(?<![目标靶似有中])的的(?!确|士)|(?<![现正存实好所])在在(?![场座编职线校])|(?<!不)是是(?![非否])"
    rf"|(?<![不明目])了了(?![然之解结却断])|(?<![平温谐缓调共柔总求])和和(?![平谐睦气美解蔼])|把把(?![手关脉])|被被(?![子套])"
    rf"|(?<!兮)与与|从从(?!前)|(?<!之)之之"
)
_ANY = re.compile(r"\b([^\W\d_]{2,})\s+\1\b", re.IGNORECASE)
# Words that speakers repeat to stress them
_STRESSED = {
    "de": "wir ja nein so man sehr ciao",
    "it": "molto ciao poco via sempre piano pian quasi così appena mano subito",
}
# German pronouns and articles that meet: `für die die Daten fehlen`, `ob sie sie kennt`, `Wenn ihr ihr helft`
_MEETING = frozenset(["der", "die", "das", "dem", "den", "sie", "ihr", "uns", "was", "wer"])
_CONJUNCTION = r"(?:dass|ob|wenn|weil|falls|bevor|obwohl|während|da|damit|als|wie|bis)\s+"
_PREPOSITION = (
    r"(?:mit|in|bei|von|aus|für|auf|an|zu|nach|über|unter|um|durch|ohne|gegen|seit|vor|hinter|neben|zwischen|wegen)\s+"
)
_BEGINS_A_CLAUSE = re.compile(
    rf"[,;:(–—]\s*(?:und\s+|oder\s+)?(?:{_CONJUNCTION}|{_PREPOSITION})?$|(?:^|[.!?]\s)\W*{_CONJUNCTION}$|\bdass\s+$",
    re.IGNORECASE,
)


@reads_shortened
def doubled_word(text: str, language: str) -> str:
    """Return the first word that a Chinese, German or Italian text has twice in a row by mistake, with its repetition;
    empty if there is none, and for other languages, of which many repeat words (`nous nous`, `anak anak`).

    >>> doubled_word("Das ist die die Lampe.", "de"), doubled_word("Aufgaben, für die die Daten fehlen.", "de")
    ('die die', '')
    >>> doubled_word("这是的的方法", "zh"), doubled_word("他现在在哪里？", "zh")
    ('的的', '')
    """
    if language == "zh":
        match = _CHINESE.search(text)
        return match[0] if match else ""
    if language not in _STRESSED:
        return ""
    return next((match[0] for match in _ANY.finditer(text) if not _sound(match, text, language)), "")


def _sound(match: re.Match[str], text: str, language: str) -> bool:
    word = match[1].casefold()
    if language == "de" and word in _MEETING:
        return bool(_BEGINS_A_CLAUSE.search(text[: match.start()]))
    return word in _STRESSED[language].split()
