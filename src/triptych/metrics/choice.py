"""Reading a choice out of a reply: one letter, one option's text, or several. Nothing is ever guessed: a reply that
names no option, or names two where one is asked for, is None, and its Score is `unparsed`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from triptych.metrics.thinking import split_thinking

LETTERS = ("A", "B", "C", "D")


def read_letter(reply: str, labels: Sequence[str] = LETTERS) -> str | None:
    r"""The one letter that a reply chooses, or None where it chooses none, or several.

    A letter counts where it is the whole reply ("b", "(B)", "**B**", "Option B"), its first line or its last, where
    it heads the reply ("B. a dog"), or where a verdict names it ("The answer is B", "Answer: B", "选B", `\boxed{B}`,
    `{"answer": "B"}`, `<answer>B</answer>`). Full-width letters count; what a model thinks aloud before `</think>`
    doesn't. The article in "A dog" is no letter, "ABCD" is none, "A or B" is two, and letters that contradict
    each other are None.
    """
    grammar = _grammar(tuple(label.upper() for label in labels))
    text = _plain(reply, grammar)
    if whole := grammar.whole.fullmatch(text):
        return whole[1].upper()
    chosen = set(grammar.verdicts_in(text)) | grammar.head_of(text)
    if not chosen:
        chosen = grammar.alone_in(text)
    return chosen.pop() if len(chosen) == 1 else None


def read_option(reply: str, options: Sequence[str]) -> int | None:
    """Which option's text stands in the reply, alone: its index, or None for none, several, or a doubled option.

    Compared without regard to case, width, white space and punctuation; an option that lies inside a longer one
    counts only where it stands outside it. An option that the reply denies ("not X", "不是X", "X is wrong") makes it
    None.
    """
    found = read_options(reply, options)
    return found[0] if found is not None and len(found) == 1 else None


def read_options(reply: str, options: Sequence[str]) -> tuple[int, ...] | None:
    """All options whose text stands in the reply, in the options' order; None for none, or where one is denied.

    Compared as in `read_option`. Two options that are the same text can't be told apart: None when they stand there.
    """
    haystack = f" {_tokens(after_thinking(reply))} "
    needles = {index: f" {_tokens(option)} " for index, option in enumerate(options) if _may_stand(option, haystack)}
    found: list[int] = []
    for index, needle in sorted(needles.items(), key=lambda pair: -len(pair[1])):
        if not needle.strip() or needle not in haystack:
            continue
        if list(needles.values()).count(needle) > 1:
            return None
        haystack = re.sub(f"(?<= ){re.escape(needle.strip())}(?= )", _STANDS, haystack)  # and so no shorter one in it
        found.append(index)
    between = haystack.split(_STANDS)  # what is said around the options; what they say themselves denies nothing
    if any(map(_DENIED.search, between[:-1])) or any(map(_DENIED_AFTER.match, between[1:])):
        return None
    return tuple(sorted(found)) or None


# Tokens are set off by blanks. A Chinese character is one, and so is what sets answers apart; a line end is white
# space, since models break lines inside an option.
_TOKEN = re.compile(
    r"[;|✗✘×❌]|[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
_STANDS = "\x00"  # where an option stood
_UNTRUE = r"(?:错 误|不 (?:正 确|合 理|成 立|准 确|符 合))"
_DENIED = re.compile(
    r" (?:not|isn t|不 (?:可 能 |应 该 |应 |会 |能 )?(?:是|选|属 于)|并 非|而 非|没 有|除 了|排 除(?: 了)?"
    rf"|{_UNTRUE}(?: 的)?(?: 选 项)?(?: 是| 有| 包 括)?) (?:an? |the )?$"
)
_DENIED_AFTER = re.compile(
    r" (?:is not\b|isn t\b|(?:is )?(?:wrong|incorrect|false)\b|[✗✘×❌]"
    rf"|(?:选 项 )?(?:是 )?(?:{_UNTRUE}|错|不 对)(?!\S)|不 是 (?:正 确 )?答 案)"
)


def _may_stand(option: str, haystack: str) -> bool:
    """False where the option begins with an ideograph, a token whatever stands around it, that the text hasn't.

    Most options don't stand in a reply, and this tells so at a small part of the price of their tokens.
    """
    first = option[:1]
    return not "\u4e00" <= first <= "\u9fff" or first in haystack


def _tokens(text: str) -> str:
    return " ".join(_TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()))


def after_thinking(reply: str) -> str:
    """What was said, without the model's thoughts; nothing where the thoughts never end."""
    return split_thinking(reply)[0]


def _plain(reply: str, grammar: _Grammar) -> str:
    """The reply without mark-up; a letter set in brackets or quotes becomes that letter and a full stop."""
    text = unicodedata.normalize("NFKC", after_thinking(reply))
    text = re.sub(r"<\|[^|]*\|>|</s>|[\u200b\u2060\ufeff]|\*|`|\$|__|^#+|</answer>|\\text|\\mathrm|\\\(|\\\)", "", text)
    text = re.sub(r"\\boxed|<answer>", "answer: ", text)
    return grammar.enclosed.sub(lambda m: f"{m[1].upper()}.", text).strip()


_THING = r"image|picture|photo|video|audio|clip|recording|text"  # what an option can be
# A verdict, up to the letter that it names. `.format` fills in what may stand right before a letter.
_VERDICTS = (
    rf"(?:answer|(?:correct|right|best)\s+(?:option|choice|letter|one|{_THING}))(?:\s+\w+){{0,5}}?\s+"
    r"(?:is|would\s+be|must\s+be|should\s+be)",
    r"(?:answer|choice|option|letter)[\"']?\s*[:=]",
    r"(?:choose|pick|select|go\s+with|going\s+with)",
    r"\bsay(?:\s+that)?(?:\s+it(?:'s|\s+is|\s+would\s+be))?",
    r"\bit(?:'s|\s+is|\s+must\s+be|\s+would\s+be)(?:\s+(?:most\s+likely|likely|probably|definitely))?",
    r"\b(?:that|this)\s+would\s+be",
    r"\b(?:definitely|probably|(?:most\s+)?likely|guess(?:\s+is|\s+would\s+be)?)",
    r"\b(?:match(?:es)?|best\s+fits?|i'd\s+say)(?:\s+[\w\"'“”,-]+){0,15}?\s+(?:is|would\s+be)",
    r"(?:答案|选项)[\"']?\s*(?:应该|应当|应)?\s*[是为选:=]+",
    r"选择?",
    r"(?:应该|应当|认为|觉得|符合的?|匹配的?|正确的?|合适的?|对应的?)是",
)
_DENIAL = re.compile(
    r"(?:\bnot\b|n't\b|\bnever\b|\bcannot\b)(?:\s+\w+){0,5}\s*$|[不未别非]\s*(?:能|应该|应|会|要)?\s*$", re.I
)
_REASON = r"because|since|as|for|due|given|based|which|where|and|or|but|is|with"


class _Grammar:
    """The patterns for one set of labels. Letters are matched in upper case, but where nothing else can be meant."""

    def __init__(self, labels: tuple[str, ...]) -> None:
        upper = "|".join(re.escape(label) for label in labels)
        either = f"{upper}|{upper.lower()}"
        self.enclosed = re.compile(rf"""[(\[{{"'“‘「『【]{{1,2}}\s*({either})\s*[)\]}}"'”’」』】]{{1,2}}\.?""")
        self.whole = re.compile(
            rf"(?:(?i:option|choice|letter)|选项|我?选择?)?\s*({either})\s*(?:选项|项)?[.):,;。、!]*"
        )
        head = rf"(?:(?i:option|choice)\s+|选项\s*)?({upper})(?:[.):,。、—]|\s+[-–—]\s|\s+because\b|\s*$)"
        self._head = re.compile(rf"^\s*{head}", re.M)
        self._marked = re.compile(rf"(?<![A-Za-z0-9])({upper})[.):。](?![A-Za-z0-9])")
        # What follows a letter ends the phrase or the line, or gives a reason; in "C major" or "A dog" it is no choice.
        end = rf"(?![A-Za-z0-9'])(?![^\S\n]+(?!(?i:{_REASON})\b)[A-Za-z])"
        before = rf"\s*[:：]?\s*[\"'“‘「『(\[{{]*(?:(?i:option|choice|letter|{_THING}(?:\s+clip)?)\s+|选项\s*)?"
        self._verdicts = tuple(re.compile(rf"(?i:{v}){before}({upper}){end}") for v in _VERDICTS)
        self._verdicts += (
            re.compile(rf"(?i:answer|choice|option|letter)[\"']?\s*[:=]\s*[\"']?({either}){end}"),
            re.compile(rf"(?<![A-Za-z0-9])({upper})[.]?\s+(?i:is\s+(?:the\s+)?(?:correct|right|best|answer))\b"),
            re.compile(rf"(?<![A-Za-z0-9])({upper})[.]?\s*(?:选项|项)?(?:才?是)(?:最)?(?:正确|对的|答案)"),
            re.compile(rf"(?<![A-Za-z0-9])({upper})[.]?\s+(?i:best\s+(?:match|fit|describe|represent|correspond))"),
            re.compile(rf"(?<![A-Za-z0-9])({upper})[.]?\s*(?:选项|项)?是?最(?:符合|合适|匹配|恰当|贴切|接近)"),
            re.compile(rf"(?i:\b(?:so|hence|thus|therefore))[,:]?\s+({upper})[.!]?[^\S\n]*(?=\n|$)"),
        )
        link = r"(?:[.]?\s*(?:,|/|、|&|和|或者?|及|与|(?i:or|and|,\s*or|,\s*and)\b)\s*)(?:(?i:option)\s+|选项)?"
        self._another = re.compile(rf"{link}({upper})(?![A-Za-z0-9'])(?!\s+(?!(?:and|or)\b)[a-z])")
        self._below = re.compile(rf"[.):,。、]*[^\S\n]*\n\s*({upper})[.):,。、]*[^\S\n]*(?=\n|$)")  # alone on its line

    def verdicts_in(self, text: str) -> Iterator[str]:
        """Every letter that a verdict names; of "A or B" both."""
        for pattern in self._verdicts:
            for match in pattern.finditer(text):
                if not _DENIAL.search(text, max(0, match.start() - 40), match.start()):
                    yield match[1].upper()
                    yield from self._more(text, match.end(1))

    def head_of(self, text: str) -> set[str]:
        """The letter that heads the reply, and others marked beside it; none where the options are just repeated."""
        first = self._head.match(text)
        if not first or len({m[1] for m in self._head.finditer(text)}) > 1:
            return set()
        line = text[first.start() :].lstrip().partition("\n")[0]
        return {first[1], *self._more(text, first.end(1)), *(m[1] for m in self._marked.finditer(line))}

    def alone_in(self, text: str) -> set[str]:
        """The letter that is the first or the last line; with all others that have lines of their own, so that a list
        of letters chooses none."""
        lines = [self.whole.fullmatch(line.strip()) for line in text.split("\n")]
        return {line[1].upper() for line in lines if line} if lines[0] or lines[-1] else set()

    def _more(self, text: str, position: int) -> Iterator[str]:
        while match := self._another.match(text, position) or self._below.match(text, position):
            yield match[1]
            position = match.end(1)


@lru_cache(maxsize=32)
def _grammar(labels: tuple[str, ...]) -> _Grammar:
    return _Grammar(labels)
