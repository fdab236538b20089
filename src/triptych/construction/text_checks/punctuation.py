"""Marks that don't belong together: brackets and quotation marks without their other half, and two marks in place of
one."""

from __future__ import annotations

import re

from triptych.construction.text_checks.shortened import reads_shortened

_OPENING = {
    "“": "”",
    "「": "」",
    "『": "』",
    "《": "》",
    "〈": "〉",
    "（": "）",
    "(": ")",
    "【": "】",
    "[": "]",
    "〔": "〕",
}
_CLOSING = {closing: opening for opening, closing in _OPENING.items()} | {")": "(", "）": "（"}
_GERMAN = str.maketrans({"„": "“", "“": "”"})  # in German the mark that opens elsewhere closes
_SAME = str.maketrans({"（": "(", "）": ")"})  # half and full width close each other
_LIST_NUMBER = re.compile(
    r"(?:^|(?<=[\s，。；;,、？?！!“「『‘])|(?<=[^\d\s][：:]))\s*(?:\d{1,2}|[a-zA-Z]|[一二三四五六七八九十]{1,2}|[ivx]{1,4}"
    r")[)）]"
)
_EMOTICON = re.compile(r"[:;=]-?[)(]|\^_\^")
_STRAIGHT = re.compile(r'(?<!\d)"|(?<=\d)"(?=[，。,.!?！？]|\s*$)')
_DOUBLED = re.compile(
    r"[，、；：。][，、；：。]|[？！?!][，、；：。](?!\d)|(?<!,),,(?!,)|(?<![.\d])\.\.(?!\.)|[;,]\s?[.,;]|[，、；：]"
    r"[？！]"
)
_DOTS = re.compile(r"。{3,}|…+|\.{3,}|。。。+")
_FORMULA = re.compile(r"[\[(（]\s*[-+]?\d[\d.,\s]*[,，]\s*[-+]?[\d∞][\d.,\s]*[\])）]")  # an interval: [0, 1)


@reads_shortened
def pair_fault(text: str, *, part: bool = False) -> tuple[str, str] | None:
    """Return the fault that a bracket or quotation mark of a text lacks its other half; None if all have theirs.

    part: whether the text may be cut out of a longer one, as a page is: one mark may then be open at its end, and one
    may be closed at its beginning.

    >>> pair_fault("因为女子说“外面下大雨了")[0], pair_fault("他说：“走吧（现在）。”")
    ('marks-unpaired', None)
    >>> pair_fault("曰：“叟！不远千里而来", part=True), pair_fault("曰：“叟！曰：“王", part=True)[0]
    (None, 'marks-unpaired')
    """
    bare = _EMOTICON.sub("", _LIST_NUMBER.sub("", _FORMULA.sub("", text))).translate(_SAME)
    if "„" in bare:
        bare = bare.translate(_GERMAN)
    open_marks: list[str] = []
    spare = 1 if part else 0  # closing marks without an opening one
    for index, mark in enumerate(bare):
        if mark in _OPENING:
            if mark in "“「『《〈" and open_marks[-1:] == [mark] and "\n" not in bare[:index][-2:]:
                return "marks-unpaired", f"{mark!r} is opened twice and not closed between: {bare[index:][:20]!r}"
            open_marks.append(mark)
        elif mark in _CLOSING:
            if open_marks and _OPENING[open_marks[-1]] == mark:
                open_marks.pop()
            elif open_marks or not spare:
                return "marks-unpaired", f"{mark!r} closes what isn't open: {bare[: index + 1][-20:]!r}"
            else:
                spare -= 1
    if len(open_marks) > (1 if part else 0):
        return "marks-unpaired", f"{open_marks[-1]!r} is opened and not closed"
    if len(_STRAIGHT.findall(bare)) % 2:
        return "marks-unpaired", "'\"' is opened and not closed"
    return None


@reads_shortened
def doubled_fault(text: str) -> tuple[str, str] | None:
    """Return the fault that two marks follow each other where one belongs; None if there is none.

    >>> doubled_fault("王曰，。叟不远千里")[0], doubled_fault("他说：“走！”……她走了。")
    ('marks-doubled', None)
    """
    if match := _DOUBLED.search(_DOTS.sub("", text)):
        return "marks-doubled", f"{match[0]!r}: write one mark"
    return None
