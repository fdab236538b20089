"""Parsing of judges' replies: scores in the order of the prompt, or one label. None: the reply can't be parsed.

Nothing is guessed: an ambiguous reply is not parsed, and the judge is asked once more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from triptych.metrics.choice import after_thinking

if TYPE_CHECKING:
    from triptych.judges.rubric import Rubric

_NUMBER = r"[0-9]{1,4}(?:\.[0-9]{1,6})?"
_PAIR_LINE = re.compile(rf"({_NUMBER})(?:[ \t]*,[ \t]*|[ \t]+)({_NUMBER})")
_BRACKET = re.compile(rf"[\[【]\s*({_NUMBER})\s*[/／]\s*({_NUMBER})\s*[\]】]")
_ASCII_BRACKET, _INTEGER = re.compile(r"\[([0-9]+(?:\.[0-9]*)?)/[0-9]+\]"), re.compile(r"([0-9]+)")
_NAMED = re.compile(r"\W*(?:verdict|answer|结论|裁决|类别)\W+(\w+)\W*", re.IGNORECASE)


class ReadVerdict(NamedTuple):
    """Marks in the order in which the prompt asks for them; for a verdict in words also the word."""

    values: tuple[float, ...]
    label: str = ""


def read_verdict(words: str, rubric: Rubric) -> ReadVerdict | None:
    """Return the verdict in a judge's reply without its reasoning, by the rubric's parser; None if there is none, or if
    a score is outside the scale.
    """
    reading = _READERS[rubric.parser](after_thinking(words), rubric)
    if reading is None or not all(rubric.scale[0] <= value <= rubric.scale[1] for value in reading.values):
        return None
    return reading


def _pair(words: str, rubric: Rubric) -> ReadVerdict | None:
    """Parse the only line that contains just two numbers: `9 5`."""
    lines = [pair_match for line in words.splitlines() if (pair_match := _PAIR_LINE.fullmatch(line.strip()))]
    return ReadVerdict((float(lines[0][1]), float(lines[0][2]))) if len(lines) == 1 else None


def _bracketed(words: str, rubric: Rubric) -> ReadVerdict | None:
    """Parse the last `[x/y]`, where y is the highest score of the scale."""
    matches = _BRACKET.findall(words)
    if not matches or float(matches[-1][1]) != rubric.scale[1]:
        return None
    return ReadVerdict((float(matches[-1][0]),))


def _first_bracketed(words: str, rubric: Rubric) -> ReadVerdict | None:
    """Parse the first `[x/y]` for any y, otherwise the first integer, as MCGA's released scorer does."""
    number_match = _ASCII_BRACKET.search(words) or _INTEGER.search(words)
    return ReadVerdict((float(number_match[1]),)) if number_match else None


def _first_digit(words: str, rubric: Rubric) -> ReadVerdict | None:
    """Parse the first digit anywhere, as MCGA's released scorer does: of `4.5` it is 4, of `10` it is 1."""
    digit_match = re.search(r"[0-9]", words)
    return ReadVerdict((float(digit_match[0]),)) if digit_match else None


def _label(words: str, rubric: Rubric) -> ReadVerdict | None:
    """Parse the whole reply as a label, or lines `VERDICT: LABEL` that agree."""
    marks = {label.lower(): (label, mark) for label, mark in rubric.labels.items()}
    labels = {name_match[1].lower() for line in words.splitlines() if (name_match := _NAMED.fullmatch(line))}
    if not labels:
        labels = {words.strip(" \t\r\n.。*`\"'").lower()}
    if len(labels) != 1 or (one := labels.pop()) not in marks:
        return None
    label, mark = marks[one]
    return ReadVerdict((mark,), label)


_READERS: Mapping[str, Callable[[str, Rubric], ReadVerdict | None]] = {
    "pair": _pair,
    "bracketed": _bracketed,
    "first_bracketed": _first_bracketed,
    "first_digit": _first_digit,
    "label": _label,
}
