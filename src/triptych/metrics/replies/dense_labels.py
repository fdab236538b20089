"""Options whose labels are Korean syllables or Thai letters (`가`, `ก`), read as Latin letters.

Such a letter is a syllable of most sentences, too (`닫는다` ends in the label `다`). It is a label only at the
beginning of a line with punctuation or nothing after it, in brackets, before `번`, or directly after words that
introduce an answer with the end of the clause after it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from triptych.metrics.replies.lazy_pattern import lazy_pattern

_ONE = lazy_pattern("[\uac00-\ud7af\u0e01-\u0e2e]")
_LEADS = (  # to an answer; a negation between them and the label keeps the label unread
    r"정답은|정답|답은|답|선택지|보기|คำตอบคือ|คำตอบที่ถูกต้องคือ|ตอบข้อ|ตอบ|เลือกข้อ|เลือก|ข้อ"
)
_ENDS = r"입니다|이다|예요|이에요|번|ครับ|ค่ะ"
_LATIN = "BCDFGHJKLMNPQRSTVWYZ"
_LONE = lazy_pattern(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])")
_OPEN, _CLOSE = r"[(（「『【*\"'“]", r"[)）」』】*\"'”]"
_STOP = r"(?=\s*(?:[.,:;!。，：；！、)）]|\n|$))"


def latin(reply: str, labels: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return a reply and its labels, with Latin letters that the reply doesn't use in place of such labels.

    Example:
        >>> latin("정답은 다입니다.", "가나다라")
        ('정답은  D 입니다.', 'BCDF')
        >>> latin("남자가 문을 닫는다.", "가나다라")
        ('남자가 문을 닫는다.', 'BCDF')
    """
    if not labels or not all(len(label) == 1 and _ONE.match(label) for label in labels):
        return reply, labels
    used = {letter.upper() for letter in _LONE.findall(reply)}
    free = "".join(letter for letter in _LATIN if letter not in used)[: len(labels)]
    if len(free) < len(labels):
        return reply, labels
    letters = dict(zip(labels, free, strict=True))
    one = f"(?P<label>[{''.join(map(re.escape, labels))}])"
    patterns = (
        rf"(?:^|(?<=\n))(?P<before>[ \t#>\-]*{_OPEN}{{0,3}}){one}(?={_CLOSE}{{0,3}}{_STOP})",
        rf"(?P<before>(?:{_LEADS})[ \t]*[:：]?[ \t]*{_OPEN}{{0,3}}){one}(?={_CLOSE}{{0,3}}(?:{_ENDS})?{_STOP})",
        rf"(?P<before>[(（]){one}(?=[)）])",
        rf"(?P<before>(?:^|(?<=\s))){one}(?=번|[이가]\s*(?:정답|맞)|[을를]\s*(?:선택|고르))",
    )
    for pattern in patterns:
        reply = re.sub(pattern, lambda match: f"{match['before']} {letters[match['label']]} ", reply)
    return reply, free
