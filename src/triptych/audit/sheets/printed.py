"""The contents of a cell: a number with its margin, its difference to another row, its count, or no number."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+)"
_SIGNED = rf"[-+]?{_NUMBER}"
_DASHES = {
    "",
    "-",
    "--",
    "---",
    "–",
    "—",
    "−",
    "n/a",
    "na",
    "nan",
    "none",
    "null",
    "tbd",
    "/",
    "?",
    "✗",
    "x",
    "×",
    "...",
}
_MARKS = re.compile(r"[*∗⁎✱⋆♦†‡§¶#\u200b\u200d\ufeff\ufe0f]")
_CHANGING = "▲▼"  # symbols that say something about the number
_MINUS = str.maketrans(
    {
        "−": "-",
        "–": "-",
        "—": "-",
        "﹣": "-",
        "－": "-",
        "＋": "+",
        "．": ".",
        "，": ",",
        "％": "%",
        "\xa0": " ",
        "（": "(",
        "）": ")",
        "／": "/",
    }
)
_MARGIN = re.compile(rf"^(?P<value>{_SIGNED})\s*%?\s*(?:±|\+/-|\+-)\s*(?P<margin>{_NUMBER})\s*%?$")
_MARGIN_IN = re.compile(rf"^(?P<value>{_SIGNED})\s*%?\s*\(\s*(?:±|\+/-)\s*(?P<margin>{_NUMBER})\s*%?\s*\)$")
_WITHIN = re.compile(
    rf"^(?P<value>{_SIGNED})\s*%?\s*[\[(]\s*(?P<low>-?{_NUMBER})\s*%?\s*(?:,|;|-|to|\.\.)\s*(?P<high>-?{_NUMBER})\s*%?\s*[\])]$"
)
_COUNT_NUMBER = r"\d{1,3}(?:,\d{3})+|\d+"
_HITS_OF = rf"(?P<hits>{_COUNT_NUMBER})\s*(?:/|of|out of)\s*(?P<n>{_COUNT_NUMBER})"
_COUNT = re.compile(rf"^(?P<value>{_SIGNED})\s*%?\s*(?:[\[(,;=]\s*|(?<=[%\s])){_HITS_OF}\s*[\])]?$")
_COUNT_FIRST = re.compile(rf"^{_HITS_OF}\s*(?:[\[(,;:=]\s*|(?<=\s))(?P<value>{_NUMBER})\s*%?\s*[\])]?$")
_POINTS = r"(?:%|%?pp?t?s?|points?)?"
_CHANGE = re.compile(
    rf"^(?P<value>{_SIGNED})\s*%?(?:\s*[\[(]\s*|\s+|(?=[+↑↓▲▼]))(?:[Δδ∆]\s*[:=]?\s*)?(?P<sign>[-+↑↓▲▼])\s*(?P<change>{_NUMBER})"
    rf"\s*{_POINTS}\s*[\])]?$"
)
_CHANGE_ARROW = re.compile(rf"^(?P<value>{_SIGNED})\s*%?\s*\(\s*(?P<change>{_NUMBER})\s*%?\s*(?P<sign>[↑↓▲▼])\s*\)$")
_ARROW_FIRST = re.compile(rf"^\(?(?P<arrow>[↑↓▲▼])\s*(?P<value>{_NUMBER})\s*(?P<percent>%?)\)?$")  # ↓0.32: a difference
_DIFFERENCE = re.compile(
    rf"^(?:\((?P<sign>[-+])\s*(?P<value>{_NUMBER})\s*{_POINTS}\)|(?P<bare>[-+])\s*(?P<points>{_NUMBER})\s*(?:pp|pts?|points?))$"
)
_PLAIN = re.compile(rf"^(?P<sign>[-+]?)\s*(?P<value>{_NUMBER})\s*(?P<percent>%?)\s*(?P<arrow>[↑↓▲▼]?)$")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:[ '’]\d{3})+(?:\.\d+)?%?")  # 1 234 567 or 1'234'567
_FORMS = (_MARGIN, _MARGIN_IN, _WITHIN, _COUNT, _COUNT_FIRST, _CHANGE, _CHANGE_ARROW)


@dataclass(frozen=True, slots=True)
class Figure:
    """A printed number.

    text            the number with its sign and as many digits as are printed, without separators
    margin          the number after ±; `low`, `high`: the interval printed after it; empty if there is none
    change          the difference printed next to it (`67.2 (+1.4)`), with its sign; empty if there is none
    hits, questions the count printed next to it (`67.2 (84/125)`); 0 if there is none
    percent         it is printed with a percent sign
    signed          it is printed as a difference: with a plus sign, an arrow, or a sign in brackets
    bold, underlined  how it is marked
    """

    text: str
    margin: str = ""
    low: str = ""
    high: str = ""
    change: str = ""
    hits: int = 0
    questions: int = 0
    percent: bool = False
    signed: bool = False
    bold: bool = False
    underlined: bool = False

    @property
    def value(self) -> float:
        """Return the number."""
        return float(self.text)


def _unmarked(text: str) -> str:
    """Return a text without footnote marks: asterisks, daggers, superscript digits and letters, and symbols (♢, 🏆)."""
    plain = _MARKS.sub("", text)
    if plain.isascii():
        return plain
    return "".join(c for c in plain if c in _CHANGING or unicodedata.category(c) not in {"So", "Sk", "Lm", "No"})


def is_dash(text: str) -> bool:
    """Return whether a cell says that there is no figure."""
    return _unmarked(text).strip().lower() in _DASHES


def figure_of(text: str) -> Figure | None:
    """Return the number that a cell prints; None if it prints none, several, or a bound (`> 90`).

    Example:
        >>> figure_of("67.20 ± 1.3").margin, figure_of("1,234").text, figure_of("7B")
        ('1.3', '1234', None)
    """
    plain = re.sub(r"\s+", " ", _unmarked(text).translate(_MINUS)).strip()
    if _THOUSANDS.fullmatch(plain):
        plain = re.sub(r"[ '’]", "", plain)
    if len(plain) > 60 or not any(c.isdigit() for c in plain):
        return None
    if number_match := _PLAIN.match(plain):
        sign = "-" if number_match["sign"] == "-" else ""
        return Figure(
            sign + _digits(number_match["value"]),
            percent=bool(number_match["percent"]),
            signed=number_match["sign"] == "+",
        )
    if number_match := _ARROW_FIRST.match(plain):
        sign = "-" if number_match["arrow"] in "↓▼" else ""
        return Figure(sign + _digits(number_match["value"]), percent=bool(number_match["percent"]), signed=not sign)
    if number_match := _DIFFERENCE.match(plain):
        sign = "-" if "-" in (number_match["sign"], number_match["bare"]) else ""
        return Figure(
            sign + _digits(number_match["value"] or number_match["points"]), percent="%" in plain, signed=True
        )
    for form in _FORMS:
        if number_match := form.match(plain):
            return _figure_from_parts(number_match.groupdict(), plain)
    return None


def _figure_from_parts(parts: dict[str, str], plain: str) -> Figure | None:
    figure = Figure(_digits(parts["value"]), percent="%" in plain)
    if "margin" in parts:
        return replace(figure, margin=_digits(parts["margin"]))
    if "low" in parts:
        return replace(figure, low=_digits(parts["low"]), high=_digits(parts["high"]))
    if "hits" in parts:
        return replace(figure, hits=int(_digits(parts["hits"])), questions=int(_digits(parts["n"])))
    return replace(figure, change=("-" if parts["sign"] in "-↓▼" else "+") + _digits(parts["change"]))


def _digits(text: str) -> str:
    number = text.replace(",", "").lstrip("+")
    sign, number = ("-", number[1:]) if number.startswith("-") else ("", number)
    return sign + ("0" + number if number.startswith(".") else number)


def parts_of(text: str) -> list[str]:
    """Return the parts of a cell that prints several numbers (`1.8 / 3.6`, `1.8 | 3.6`); otherwise the text alone."""
    for mark in ("/", "|", "\n", " of "):
        parts = [part.strip() for part in text.split(mark)]
        if 1 < len(parts) <= 6 and all(is_dash(p) or figure_of(p) for p in parts) and any(map(figure_of, parts)):
            return parts
    return [text]
