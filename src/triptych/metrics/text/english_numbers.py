"""Spelled-out English numbers converted to digits, as in Whisper's English normaliser, including its oddities.

"twenty five" is 25, "one oh one" 101, "two hundred and three" 203, "twenty dollars" $20, "ten percent" 10%, "minus
three" -3, "double five" 55, "nineteen sixties" 1960s, "two point five million" 2500000; "ninth" is kept, since that
normaliser expects "nineth". The number being read is an integer, or a string of digits if it is composed of pieces
("one oh one") or has a decimal point.

Source: Radford et al. (2022), Robust Speech Recognition via Large-Scale Weak Supervision, appendix C.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction


def numbers_in_digits(text: str) -> str:
    """Return a text with its numbers in digits and its words separated by one space.

    Args:
        text: Text in lower case without symbols other than those of numbers.

    Example:
        >>> numbers_in_digits("twenty five dollars and one oh one")
        '$25 and 101'
    """
    words = _prepared(text).split()
    return _with_currency(" ".join(_Reader(words).read()))


SMALL = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_LARGE = [
    "thousand",
    "million",
    "billion",
    "trillion",
    "quadrillion",
    "quintillion",
    "sextillion",
    "septillion",
    "octillion",
    "nonillion",
    "decillion",
]

_ZEROS = {"o", "oh", "zero"}
_ONES = {name: value for value, name in enumerate(SMALL, start=1)}
_TENS = {name: 10 * value for value, name in enumerate(TENS, start=2)}
_MULTIPLIERS = {"hundred": 100, **{name: 1000**power for power, name in enumerate(_LARGE, start=1)}}
_IRREGULAR = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "twelve": "twelfth",
}
_IRREGULAR_ENDS = {"first": "st", "second": "nd", "third": "rd"}


def _ordinal(name: str) -> str:
    return _IRREGULAR.get(name, re.sub("y$", "ie", name) + "th")


def _plural(name: str) -> str:
    return {"six": "sixes"}.get(name, re.sub("y$", "ie", name) + "s")


def _with_endings(numbers: dict[str, int]) -> dict[str, tuple[int, str]]:
    """Return the plurals and ordinals of number words: word -> (value, ending)."""
    plurals = {_plural(name): (value, "s") for name, value in numbers.items()}
    ordinals = {_ordinal(name): (value, "th") for name, value in numbers.items()}
    return plurals | {word: (value, _IRREGULAR_ENDS.get(word, end)) for word, (value, end) in ordinals.items()}


_ENDED_ONES = _with_endings(_ONES) | {"zeroth": (0, "th")}
_ENDED_TENS = _with_endings(_TENS)
_ENDED_MULTIPLIERS = _with_endings(_MULTIPLIERS)
_SIGNS = {"minus": "-", "negative": "-", "plus": "+", "positive": "+"}
_CURRENCIES = {
    f"{name}{end}": sign
    for name, sign in (("pound", "£"), ("euro", "€"), ("dollar", "$"), ("cent", "¢"))
    for end in ("", "s")
}
_PREFIXES = {*_SIGNS.values(), *_CURRENCIES.values()}
_REPEATS = {"double": 2, "triple": 3}
_SPECIAL = {"and", "point", *_REPEATS}
_DIGITS = {*_ONES, *_TENS, *_ZEROS}  # what may follow a decimal point
NUMBER_WORDS = {  # all words that are part of numbers or next to them
    *_DIGITS,
    *_MULTIPLIERS,
    *_ENDED_ONES,
    *_ENDED_TENS,
    *_ENDED_MULTIPLIERS,
    *_SIGNS,
    *_CURRENCIES,
    *_SPECIAL,
    "per",
    "percent",
}
_ARABIC = re.compile(r"\d+(\.\d+)?")


class _Reader:
    """Reads words from left to right; holds the number being read and the sign that precedes the next output."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.value: int | str | None = None
        self.prefix = ""
        self.written: list[str] = []
        self.skip = False

    def read(self) -> list[str]:
        """Return all words, with numbers in digits."""
        around = ["", *self.words, ""]
        for before, word, after in zip(around, self.words, around[2:], strict=False):
            if self.skip:
                self.skip = False
            elif (arabic := self._arabic(word)) is not None:
                self._take_arabic(word, arabic)
            else:
                _RULES.get(word, _Reader._take_word)(self, before, word, after)
        self._flush()
        return self.written

    def _write(self, text: int | str) -> None:
        self.written.append(f"{self.prefix}{text}")
        self.prefix, self.value = "", None

    def _flush(self) -> None:
        if self.value is not None:
            self._write(self.value)

    def _arabic(self, word: str) -> str | None:
        """Return a number in digits without its sign; None for other words."""
        bare = word[1:] if word[0] in _PREFIXES else word
        return bare if _ARABIC.fullmatch(bare) else None

    def _take_arabic(self, word: str, bare: str) -> None:
        if isinstance(self.value, str) and self.value.endswith("."):
            self.value += word
            return
        self._flush()
        self.prefix = word[0] if word != bare else self.prefix
        number = _fraction(bare)
        self.value = number.numerator if number is not None and number.denominator == 1 else bare

    def _take_word(self, _before: str, word: str, _after: str) -> None:
        self._flush()
        self._write(word)

    def _take_zero(self, _before: str, _word: str, _after: str) -> None:
        self.value = f"{self.value or ''}0"

    def _take_one(self, before: str, word: str, _after: str) -> None:
        self.value = self._joined_value(before, _ONES[word])

    def _take_ended_one(self, before: str, word: str, _after: str) -> None:
        number, ending = _ENDED_ONES[word]
        self._write(f"{self._joined_value(before, number)}{ending}")

    def _take_ten(self, _before: str, word: str, _after: str) -> None:
        self.value = self._summed_value(_TENS[word], 100)

    def _take_ended_ten(self, _before: str, word: str, _after: str) -> None:
        number, ending = _ENDED_TENS[word]
        self._write(f"{self._summed_value(number, 100)}{ending}")

    def _joined_value(self, before: str, number: int) -> int | str:
        """Return the value followed by a number below twenty: "twenty" + 5 = 25, "one" + 5 = "15"."""
        if self.value is not None and (isinstance(self.value, str) or before in _ONES):
            digits = str(self.value)
            return digits[:-1] + str(number) if before in _TENS and number < 10 else digits + str(number)
        return self._summed_value(number, 10 if number < 10 else 100)

    def _summed_value(self, number: int, places: int) -> int | str:
        """Return the sum if the last digits of the value are 0, otherwise the concatenated digits."""
        if self.value is None:
            return number
        if isinstance(self.value, int) and self.value % places == 0:
            return self.value + number
        return f"{self.value}{number}"

    def _take_multiplier(self, _before: str, word: str, _after: str) -> None:
        multiplied = self._multiplied_value(_MULTIPLIERS[word])
        if multiplied is None:
            self._flush()
        self.value = _MULTIPLIERS[word] if multiplied is None else multiplied

    def _take_ended_multiplier(self, _before: str, word: str, _after: str) -> None:
        number, ending = _ENDED_MULTIPLIERS[word]
        multiplied = self._multiplied_value(number)
        if multiplied is None:
            self._flush()
        self._write(f"{number if multiplied is None else multiplied}{ending}")

    def _multiplied_value(self, by: int) -> int | None:
        """Return the value times a multiplier; in "two thousand three hundred", only the part below a thousand.

        None if there is no value or if the product is not an integer.
        """
        if isinstance(self.value, int):
            return self.value // 1000 * 1000 + self.value % 1000 * by
        number = None if self.value is None else _fraction(self.value)
        product = None if number is None else number * by
        return product.numerator if product is not None and product.denominator == 1 else None

    def _take_sign(self, _before: str, word: str, after: str) -> None:
        self._flush()
        if _numeric(after):
            self.prefix = _SIGNS[word]
        else:
            self._write(word)

    def _take_currency(self, _before: str, word: str, _after: str) -> None:
        if self.value is None:
            self._write(word)
        else:
            self.prefix = _CURRENCIES[word]
            self._write(self.value)

    def _take_percent(self, before: str, word: str, after: str) -> None:
        if self.value is None or (word == "per" and after != "cent"):
            self._take_word(before, word, after)
        else:
            self._write(f"{self.value}%")
            self.skip = word == "per"

    def _take_and(self, before: str, word: str, after: str) -> None:
        if not _numeric(after) or before not in _MULTIPLIERS:
            self._take_word(before, word, after)

    def _take_repeat(self, before: str, word: str, after: str) -> None:
        if after in _ONES or after in _ZEROS:
            self.value = f"{self.value or ''}{str(_ONES.get(after, 0)) * _REPEATS[word]}"
            self.skip = True
        else:
            self._take_word(before, word, after)

    def _take_point(self, before: str, word: str, after: str) -> None:
        if not _numeric(after):
            self._take_word(before, word, after)
        elif after in _DIGITS or _ARABIC.fullmatch(after):
            self.value = f"{self.value or ''}."


_RULES: dict[str, Callable[[_Reader, str, str, str], None]] = {
    **dict.fromkeys(_ZEROS, _Reader._take_zero),
    **dict.fromkeys(_ONES, _Reader._take_one),
    **dict.fromkeys(_ENDED_ONES, _Reader._take_ended_one),
    **dict.fromkeys(_TENS, _Reader._take_ten),
    **dict.fromkeys(_ENDED_TENS, _Reader._take_ended_ten),
    **dict.fromkeys(_MULTIPLIERS, _Reader._take_multiplier),
    **dict.fromkeys(_ENDED_MULTIPLIERS, _Reader._take_ended_multiplier),
    **dict.fromkeys(_SIGNS, _Reader._take_sign),
    **dict.fromkeys(_CURRENCIES, _Reader._take_currency),
    **dict.fromkeys(("per", "percent"), _Reader._take_percent),
    **dict.fromkeys(_REPEATS, _Reader._take_repeat),
    "and": _Reader._take_and,
    "point": _Reader._take_point,
}


def _numeric(word: str) -> bool:
    return word in NUMBER_WORDS or bool(_ARABIC.fullmatch(word))


def _fraction(digits: str) -> Fraction | None:
    try:
        return Fraction(digits)
    except ValueError:  # "1.2.3", or more digits than Python converts
        return None


def _prepared(text: str) -> str:
    """Replace "and a half" after a number by "point five"; separate digits and letters, except in "1960s" and "3rd"."""
    *heads, last = re.split(r"\band\s+a\s+half\b", text)
    pieces = []
    for head in heads:
        if head.strip():  # without text before it, "and a half" is dropped
            number = head.split()[-1] in _DIGITS | _MULTIPLIERS.keys()
            pieces += [head, "point five" if number else "and a half"]
    text = " ".join([*pieces, last] if last.strip() else pieces)
    text = re.sub(r"([a-z])([0-9])", r"\1 \2", text)
    text = re.sub(r"([0-9])([a-z])", r"\1 \2", text)
    return re.sub(r"([0-9])\s+(st|nd|rd|th|s)\b", r"\1\2", text)


def _with_currency(text: str) -> str:
    """Replace "$2 and ¢7" by "$2.07", "$0.5" by "¢5", and a single 1 by "one"."""
    text = re.sub(r"([€£$])([0-9]+) (?:and )?¢([0-9]{1,2})\b", lambda m: f"{m[1]}{m[2]}.{int(m[3]):02d}", text)
    text = re.sub(r"[€£$]0.([0-9]{1,2})\b", lambda m: f"¢{int(m[1])}", text)
    return re.sub(r"\b1(s?)\b", r"one\1", text)
