"""A reply as a string of signs, one per token: what `statements` searches with its patterns.

Signs are those of `words.SIGNS`, and: L a label, l a label in lower case, ° the end of a label that brackets or
asterisks enclose, @ a place that the reply marks as the answer (a tag, a box), w any other word, c another character of
a dense script, d a number, # a heading, newline, ¶ an empty line, and punctuation as it is.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from triptych.metrics.replies.lazy_pattern import lazy_pattern
from triptych.metrics.replies.markup import ANSWER, BOLD, ENCLOSED, FIRST_MARK
from triptych.metrics.replies.words import (
    CORRECTION,
    DENSE,
    WORD_PATTERN,
    PhrasesByNext,
    by_next_word,
    corrections,
    phrases,
)

_TOKEN = lazy_pattern(
    rf"(?P<dense>[{DENSE}])|(?P<line>\ ?\n\s*)|(?P<mark>[{ANSWER}{ENCLOSED}{BOLD}]|[\ue000-\ue8ff])"
    r"|(?P<short>(?:[A-Za-z]\.){2,}(?![A-Za-z]{2}))"
    rf"|(?P<number>\d+(?:[.,]\d+)*(?!\w))|(?P<word>{WORD_PATTERN}(?:['\-\u200c]{WORD_PATTERN})*)|(?P<other>[^\s])"
)
_PUNCTUATION = {
    **dict.fromkeys(".。｡।…", "."),
    **dict.fromkeys("!！", "!"),
    **dict.fromkeys("?？؟", "?"),
    **dict.fromkeys(",，،", ","),
    **dict.fromkeys(";；؛", ";"),
    **dict.fromkeys(":：|", ":"),
    **dict.fromkeys("&+", "&"),
    **dict.fromkeys("([", "("),
    **dict.fromkeys(")]", ")"),
    "、": "、",
    "/": "/",
    "#": "#",
    "≠": "X",
    **dict.fromkeys("~—–→⇒➜➔−-―⟶>", "-"),
    **dict.fromkeys("✗✘❌×✖", "W"),
    **dict.fromkeys("✓✔✅☑", "G"),
}
_ELIDED = lazy_pattern(r"^(?:l|d|qu|dell|all|nell|un|sull|dall|quell|s|j|n|c)'(?=.)")
_JOINED = lazy_pattern(r"L°?[&|]$")
_SUFFIX = frozenset(("s", "is", "dir", "dır", "tir", "tır", "dur", "dür"))
_STARTS = frozenset((*".!?;:,、\n¶(-bK", CORRECTION))  # signs behind which a correction can begin


@dataclass(frozen=True, slots=True)
class Signs:
    """`text`: the signs. `labels`: position in it -> index of the label. `words`: positions of option texts.

    `small`: nothing is in upper case.
    """

    text: str
    labels: Mapping[int, int]
    words: frozenset[int]
    small: bool


def signs(text: str, labels: Sequence[str]) -> Signs:
    """Return the signs of a plain text.

    Example:
        >>> sorted(signs("The answer is B.", "ABCD").labels.values())
        [1]
    """
    tokens = [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(text)]
    return _Reader(tokens, {label: n for n, label in enumerate(labels)}).read()


class _Reader:
    def __init__(self, tokens: Sequence[tuple[str, str]], labels: Mapping[str, int]) -> None:
        self._kinds, self._words = [kind for kind, _ in tokens], [word for _, word in tokens]
        folded = {word: word.casefold() for _, word in tokens}
        self._folded = [folded[word] for word in self._words]
        self._labels, self._lower = labels, {label.lower(): n for label, n in labels.items() if label != label.lower()}
        self._phrases, self._corrections = by_next_word(phrases), by_next_word(corrections)
        self._signs: list[str] = []
        self._label_at: dict[int, int] = {}
        self._texts: list[int] = []

    def read(self) -> Signs:
        out, folded, size = self._signs, self._folded, len(self._words)
        kinds = dict(zip(self._words, self._kinds, strict=True))
        signs_by_word = {word: self._own_sign(kind, word) for word, kind in kinds.items()}
        at = 0
        while at < size:
            sign, not_before, not_behind = signs_by_word[self._words[at]]
            if (
                sign is None
                or (not_before and at + 1 < size and folded[at + 1] in not_before)
                or (not_behind and (not out or out[-1] in not_behind))
            ):
                at += self._append_sign(at)
                continue
            if sign:
                out.append(sign)
            at += 1
        return Signs("".join(out), self._label_at, frozenset(self._texts), self._words == folded)

    def _own_sign(self, kind: str, word: str) -> tuple[str | None, Container[str], Container[str]]:
        """Return the sign of a token as long as what is around it doesn't matter; None if it always does.

        It does before the words, and at the beginning or behind the signs, that are returned with it. Most tokens of
        a long reply need no more than this.
        """
        folded = word.casefold()
        if kind == "line":
            return _line(word), (), ()
        if kind in ("mark", "number") or word == "=" or folded == "no" or word.isdecimal():
            return None, (), ()
        if word == ",":
            return _PUNCTUATION[word], _that_words(), ()
        if word.partition("'")[0] in self._labels or word in self._lower:
            return None, (), ()
        alone, longer = self._phrases.get(folded, (None, {}))
        return alone or self._other_sign(kind, word), longer, _STARTS if folded in self._corrections else ()

    def _append_sign(self, at: int) -> int:
        """Append the sign of the token `at`; return how many tokens it covers."""
        kind, word, out = self._kinds[at], self._words[at], self._signs
        if kind == "line":
            out.append(_line(word))
            return 1
        if kind == "mark":
            self._mark(word)
            return 1
        if (label := self._label(at)) is not None and not (label[0] == "l" and self._begins_phrase(at)):
            out.append(label[0])
            self._label_at[len(out) - 1] = label[1]
            return 1
        if covered := self._correction(at):
            return covered
        if phrase := self._phrase(at, self._phrases):
            out.append("w" if word.casefold() == "no" and phrase[0] == 1 and self._is_noun(at + 1) else phrase[1])
            return phrase[0]
        if sign := self._sign_of_token(at):
            out.append(sign)
        return 1

    def _correction(self, at: int) -> int:
        """Append the sign of a correction that begins here, if one does; return how many tokens it covers."""
        out = self._signs
        if out and out[-1] not in _STARTS:
            return 0
        if not (long := self._phrase(at, self._corrections)):
            return 0
        other = self._phrase(at, self._phrases)
        if other and other[0] >= long[0] and other[1] in "TP":
            out += [CORRECTION, other[1]]  # "其实是": a correction, and what introduces the letter
            return other[0]
        plain_no = other is not None and other[0] >= long[0] and other[1] == "X"
        if plain_no and not (self._set_off(at + long[0]) and out[-1:] not in ([":"], ["-"], ["("])):
            return 0  # it corrects only if it is set off ("No, …")
        out.append(CORRECTION)
        return long[0]

    def _set_off(self, at: int) -> bool:
        """Return whether punctuation or nothing is at `at`."""
        return at >= len(self._words) or self._kinds[at] == "line" or self._words[at] in _PUNCTUATION

    def _is_noun(self, at: int) -> bool:
        return (
            at < len(self._words)
            and self._kinds[at] == "word"
            and (self._phrase(at, self._phrases) or (1, "O"))[1] == "O"
        )

    def _phrase(self, at: int, table: PhrasesByNext) -> tuple[int, str] | None:
        """Return how many tokens the longest phrase at a place has, and its sign; None if none begins there."""
        if (entry := table.get(self._folded[at])) is None:
            return None
        alone, longer = entry
        following = self._folded[at + 1] if longer and at + 1 < len(self._folded) else None
        for rest, sign in longer.get(following, ()) if following is not None else ():
            end = at + 1 + len(rest)
            if tuple(self._folded[at + 1 : end]) == rest and self._labels.keys().isdisjoint(self._words[at + 1 : end]):
                return len(rest) + 1, sign
        return None if alone is None else (1, alone)

    def _begins_phrase(self, at: int) -> bool:
        """Return whether a phrase of several words begins here ("a mistake")."""
        return (self._phrase(at, self._phrases) or (1,))[0] > 1

    def _mark(self, word: str) -> None:
        if word == ANSWER:
            self._signs.append("@")
        elif word in (ENCLOSED, BOLD):
            if self._signs and self._signs[-1] in "lL":
                self._texts += [len(self._signs) - 1] * (word == BOLD)
                self._signs[-1] = "L"
                self._signs.append("°")
        else:
            self._label_at[len(self._signs)] = ord(word) - FIRST_MARK
            self._texts.append(len(self._signs))
            self._signs += ["L", "°"]

    def _label(self, at: int) -> tuple[str, int] | None:
        kind, word = self._kinds[at], self._words[at]
        if kind not in ("word", "number", "dense"):
            return None
        base, _, suffix = word.partition("'")
        if suffix in _SUFFIX and base in self._labels:
            word = base
        if word in self._labels and self._words[at + 1 : at + 2] in (["="], ["≈"]):
            return "w", self._labels[word]  # a variable
        if word in self._labels:
            return self._article(at, word), self._labels[word]
        if word in self._lower:
            return "l", self._lower[word]
        return None

    def _article(self, at: int, word: str) -> str:
        """Return the sign of a label in upper case: `w` for an article or a name ("A dog", "C major")."""
        if at + 1 >= len(self._words) or self._words[at + 1] in (ENCLOSED, BOLD) or self._kinds[at + 1] != "word":
            return "L"
        if self._words[at + 1] in self._labels or self._words[at + 1] in self._lower:
            return "L"
        if _JOINED.search("".join(self._signs[-3:])):
            return "L"  # "A and C fit"
        if self._words[at + 1][0] > "\u024f":
            return "L"  # not a Latin word
        sign = (self._phrase(at + 1, self._phrases) or (0, "w"))[1]
        if self._signs[-1:] in (["N"], ["O"]) and sign in "GWOU":
            return "L"  # "answer A fits"
        free = "=X|&rbzhiDRSQUKkn" if word in "AEIOaeio" else "=X|&rbzhiDRSQUKknGWNFTvOqPye"
        return "L" if sign in free else "w"

    def _sign_of_token(self, at: int) -> str:
        kind, word = self._kinds[at], self._words[at]
        if word == "=":
            return ":" if self._signs and self._signs[-1] in "NFO" else "w"
        if word == "," and at + 1 < len(self._words) and (self._phrase(at + 1, self._phrases) or (0, ""))[1] == "u":
            return ""  # "…, dass": the clause goes on
        return self._other_sign(kind, word)

    def _other_sign(self, kind: str, word: str) -> str:
        if kind == "number":
            return "d"
        if kind == "dense":
            return "c"
        if kind == "word":
            return self._elided(word.casefold())
        return _PUNCTUATION.get(word, "") if kind == "other" else "w"

    def _elided(self, word: str) -> str:
        bare = _ELIDED.sub("", word)
        if word.endswith("n't"):
            return "X"
        if word.endswith("'s"):
            bare = word[:-2]
        alone = self._phrases.get(bare.strip("'"), (None,))[0] if bare != word else None
        return alone or "w"


@cache
def _that_words() -> frozenset[str]:
    """Return the words that phrases such as "dass" begin with."""
    return frozenset(first for first, rests in phrases().items() if any(sign == "u" for _, sign in rests))


def _line(word: str) -> str:
    return "¶" if word.count("\n") > 1 else "\n"
