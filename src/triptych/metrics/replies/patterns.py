"""The forms of statements, as patterns over the signs of a reply (see `signs`).

Every pattern is bounded, so that the time grows with the length of the reply.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from triptych.metrics.replies.lazy_pattern import lazy_pattern

# How firmly: mentioned; thought or alone; stated; as "Answer: …"; as the final answer, in a box or a tag
MENTIONED, THOUGHT, STATED, MARKED, FINAL = range(5)


@dataclass(frozen=True, slots=True)
class Form:
    """A form of statement. `labels` in its pattern: what it asserts, or denies; `not`: what it denies besides.

    `needs`: what each match has, so that a text without it isn't searched.
    """

    name: str
    rank: int
    pattern: re.Pattern[str]
    denied: bool = False
    needs: str = ""


_ONE = r"L°?"
_ENDS = r".,;:!?\n¶)(rbziq\-"
_END = rf"(?=O?[=v]{{0,2}}(?:[{_ENDS}UQDR]|$))"
_OR = r"[|&l/、][T|&/]?"
_LIST = rf"(?:(?:[,.(、/]?[|&l][T|&]?|[,、/])v?[Oe]{{0,2}}{_ONE})"
# Labels as an object ("the answer is A or B") and as a subject ("A and B are wrong")
_LAST = rf"(?:[,.(]?{_OR}|,)v?[Oe]{{0,2}}{_ONE}(?=O?[=v]{{0,2}}(?:[{_ENDS}&|/、]|$))"
_OBJECT = rf"(?P<labels>(?:L°|L(?!w))(?:{_LIST}{{0,12}}{_LAST})?)"
_SUBJECT = rf"(?P<labels>(?>{_ONE}(?:{_LIST}{{0,12}}(?:[,.(]?{_OR})v?[Oe]{{0,2}}{_ONE}|(?:,{_ONE}){{2,12}})?))"
_FEW = r"[evTO=:l(|zu]{0,5}"  # words between what introduces a label and the label
_GAP = r"[^.?!;,\n¶L@KkWXhiNFb]"
_WIDE = r"[^.?!;\n¶L@KkWXhibNFT]"
_LINE = r"(?<![^\n¶])"


def _asserted(name: str, rank: int, *pieces: str, needs: str = "") -> Form:
    return Form(name, rank, lazy_pattern("".join(pieces)), needs=needs)


def _denied(name: str, *pieces: str, needs: str = "") -> Form:
    return Form(name, STATED, lazy_pattern("".join(pieces)), denied=True, needs=needs)


FORMS = (
    # \boxed{B}, <answer>B</answer>
    _asserted("marked", FINAL, rf"@[#\n¶]?{_GAP}{{0,6}}?{_OBJECT}", needs="@"),
    # the answer is B; the answer, I think, is B; answer B; ### Answer ⏎ B; Option: B
    _asserted("answer", STATED, rf"[NF]{_GAP}{{0,24}}?[=:\-TPv]{_FEW}{_OBJECT}"),
    _asserted("answer", STATED, rf"[NF]{_WIDE}{{0,24}}?={_FEW}{_OBJECT}{_END}"),
    _asserted("answer", STATED, rf"[NF][eOv°=]{{0,3}}{_OBJECT}{_END}"),
    _asserted(
        "heading",
        MARKED,
        r"(?<![^\n¶#:.])[\-#]*[evGT]{0,4}[NF][^.?!;,\n¶L@XWhi]{0,12}[=:\-.]?[\n¶]+",
        r"[\-#eOT(]*",
        _OBJECT,
    ),
    _asserted("answer", MARKED, rf"(?<![^\n¶,:])O:{_OBJECT}{_END}", needs="O:L"),
    # "… the breathing is quick. #### D", as in GSM8K
    _asserted("marked", MARKED, r"(?<=[.!?)])##{1,3}(?P<labels>L°?)(?=[.!\n¶]|$)", needs="##"),
    # B. dog, where "dog" is the text of B; B. dog: correct
    _asserted("pair", STATED, r"(?<![^\n¶@])[\-#eO=]*(?P<labels>L°?[.):,\-、]?L°)", needs="L°"),
    _asserted(
        "item",
        STATED,
        _LINE,
        r"[\-#eO]*(?P<labels>L)°?[.):,\-][^\n¶LXW]{0,30}?[\-:(,.]=?[ev]{0,2}[Gy][^\n¶XWL]{0,3}",
        r"(?=[.!)\n¶]|$)",
    ),
    # B rather than A; best is B; I choose B; B is correct; B fits best; so B
    _asserted("rather", STATED, r"(?<![^.!?\n¶:,])[eOTv]{0,3}(?P<labels>L)°?O?,?R[evOlc=]{0,3}(?P<not>L)", needs="R"),
    _asserted("option", STATED, rf"G{_GAP}{{0,15}}?[=:]{_FEW}{_OBJECT}"),
    _asserted("choose", STATED, rf"P[evO=:wcl(Tnuz]{{0,3}}?{_OBJECT}"),
    _asserted(
        "is right",
        STATED,
        _SUBJECT,
        r"O?(?:[:,\-).]?[=Tvenl]{0,4}|[=T][^.?!;,\n¶LXWbri]{0,6}?)",
        r"[GNFQU](?!°|[=:vT]{1,3}[evO]{0,3}L)",
    ),
    _asserted("fits", STATED, rf"{_SUBJECT}O?[^.?!;,:\n¶LXWbrihGzR]{{0,8}}?[GQU]"),
    _asserted("so", STATED, rf"z[,:]?{_FEW}{_OBJECT}{_END}"),
    # I think B; I'd say the dog is B; the best match for it is B
    _asserted("thought", THOUGHT, rf"[TGn][:,]?{_FEW}{_OBJECT}{_END}"),
    _asserted("thought", THOUGHT, rf"T{_GAP}{{1,20}}?={_FEW}{_OBJECT}{_END}"),
    _asserted("thought", THOUGHT, rf"[GN][^.?!;\n¶LXb@Wh]{{0,40}}?={_FEW}{_OBJECT}{_END}"),
    # not A, but B; AではなくB
    _asserted("instead", STATED, r"X[evO=NPTG]{0,4}(?P<not>L°?)O?[,;.\n]?[Sb=T]{1,2},?[evO=TNPl]{0,4}", _OBJECT),
    _asserted("not but", STATED, rf"(?P<not>L°?)O?=?D,?[evOlS]{{0,3}}{_OBJECT}"),
    # not B; the wrong answer is B; B is wrong
    _denied("denied", rf"(?:X|WO?)[evO=PTNlGc]{{0,6}}?{_SUBJECT}"),
    _denied("denied", rf"(?<![^.!;\n¶])[\-#e]*WO?:e?{_SUBJECT}(?=[.!;\n¶]|$)", needs="W"),  # Incorrect: A
    _denied("denied answer", rf"W[evOc]{{0,2}}[NO]{_GAP}{{0,8}}?[=:T][evO=]{{0,3}}{_OBJECT}"),
    _denied(
        "is wrong",
        _SUBJECT,
        r"O?(?:[:\-(]|[).](?=W)|,(?=W(?:[.,;\n¶)]|$)))?[^.?!;,:\n¶LGNbriz(\-]{0,8}?",
        r"(?:[WD]|X(?![evO=]*L))",
    ),
    # B on a line, B as a sentence, B before everything else, …, which is B; … (B)
    _asserted(
        "line",
        THOUGHT,
        _LINE,
        r"[\-eOTznvG=:#b,]{0,4}(?P<labels>[Ll])°?O?[=v]{0,2}[GU]?v?[.)!:;,]*",
        r"(?:[\-(,]?[^\n¶L]{0,8}d[).]*|\([^\n¶L]{0,14}\))?[.!)]*(?=[\n¶]|$)",
    ),
    _asserted(
        "sentence",
        THOUGHT,
        r"(?:(?<=[.?!:;,、kK])|(?<=[,;.]b)|(?<=[^L°\n¶]-))[eOTznv=]{0,3}",
        r"(?P<labels>L)°?O?=?[GU]?[.!]*(?=[.!;\n¶]|$)",
    ),
    _asserted("head", STATED, rf"^[\-#eO=]*{_SUBJECT}(?:(?<=°)|(?=[.):,;、\-r(]))"),
    _asserted("which is", THOUGHT, rf",r=[evO]{{0,3}}{_OBJECT}(?=[.!\n¶]|$)", needs=",r="),
    _asserted("end", THOUGHT, r"(?<![^.?!\n¶])[^.?!\n¶LXhi|]{0,40}(?P<labels>L)°[.!]*[\n¶]*$", needs="L°"),
    _asserted("lower", FINAL, r"@e?(?P<labels>l)°?(?=[.)\n¶]|$)"),
    _asserted("lower", STATED, rf"[NFPTQ](?:{_GAP}{{0,12}}?[=:\-T])?e?(?P<labels>l)°?(?=[.)\n¶,;!]|$)"),
    _asserted("lower head", STATED, r"^[\-#(]*(?P<labels>l)[.):]"),
    _asserted("mention", MENTIONED, r"(?P<labels>L)°?"),
)
