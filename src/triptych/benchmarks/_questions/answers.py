"""Read an answer in each way in which it can be read; which way a column is read is decided over all its rows.

letter   the letter of an option ("B", "(b)", "B.")
text     the text of an option ("a dog"), also after its letter ("B. a dog")
index0   the option's place, from 0
index1   the option's place, from 1
letters  letters of several options ("A, C", "AC", ["A", "C"])
texts    texts of several options, as a list
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from triptych.benchmarks._questions.cells import parse_cell, words
from triptych.benchmarks._questions.options import LETTERS, SEQUENCES, narrow
from triptych.metrics.time_spans import read_span

OptionIndices = tuple[int, ...]
SEVERAL = ("letters", "texts")
ANSWER_FORMS = ("letter", "text", "index0", "index1", *SEVERAL)
ANSWER_FORM_TEXTS = {
    "letter": "the letter of an option",
    "text": "the text of an option",
    "index0": "the place of an option, counted from 0",
    "index1": "the place of an option, counted from 1",
    "letters": "the letters of several options",
    "texts": "the texts of several options",
}
_LETTER = re.compile(r"[(\[]?\s*([A-Za-z])\s*[)\].:：、．]*")
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # of writing, which no reader sees
_DECIMAL_COMMA = re.compile(r"[+-]?(?:0,\d+|\d{1,3}(?:\.\d{3})+,\d+|\d+,(?:\d{1,2}|\d{4,}))")
_LETTERS = re.compile(r"[A-Z](?:\s*(?:[,;、/|&+和与及]|\band\b)?\s*[A-Z])*")
_SQUAD = {"text", "answer_start"}
_CIRCLED = str.maketrans(SEQUENCES[0], LETTERS[: len(SEQUENCES[0])])
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")


def readings(cell: Any, options: Sequence[Any]) -> dict[str, OptionIndices]:
    """Return the options that an answer names, in every way in which it names some.

    Example:
        >>> readings("B", ["a dog", "a cat"]), readings(1, ["a dog", "a cat"])
        ({'letter': (1,), 'letters': (1,)}, {'index0': (1,), 'index1': (0,)})
        >>> readings("A", ["B", "A"])
        {'letter': (0,), 'text': (1,), 'letters': (0,), 'texts': (1,)}
    """
    cell = parse_cell(cell)
    indices_by_reading: dict[str, OptionIndices] = {}
    if isinstance(cell, list):
        indices_by_reading |= _of_all(cell, options)
        if len(cell) != 1:
            return indices_by_reading
        cell = cell[0]
    if not isinstance(cell, str | int | float):
        return indices_by_reading
    text = words(cell)  # of a truth value, `True` or `False`, which can be the text of an option
    single = {
        "letter": _letter(text, len(options)) or _labelled(text, options),
        "text": _text(text, options),
        **_indices(text, len(options)),
    }
    indices_by_reading = {way: indices for way, indices in single.items() if indices} | indices_by_reading
    if letters := _letters(text, len(options)):
        indices_by_reading.setdefault("letters", letters)
    if "text" in indices_by_reading:
        indices_by_reading.setdefault("texts", indices_by_reading["text"])
    return indices_by_reading


def references_in(cell: Any) -> Any:
    """Return the texts of answers in the form of SQuAD, as a list; any other cell unchanged.

    Example:
        >>> references_in({"text": ["the cello", "cello"], "answer_start": [0, 4]}), references_in("a cello")
        (['the cello', 'cello'], 'a cello')
    """
    parsed = parse_cell(cell)
    spans = [parsed] if isinstance(parsed, dict) else parsed
    if (
        not isinstance(spans, list)
        or not spans
        or not all(isinstance(one, dict) and set(one) == _SQUAD for one in spans)
    ):
        return cell
    texts = [text for one in spans for text in (one["text"] if isinstance(one["text"], list) else [one["text"]])]
    return list(dict.fromkeys(text for text in texts if isinstance(text, str)))


def named_twice(cell: Any, options: Sequence[Any]) -> str:
    """Return the option that a list of answers names twice, by its letter; empty if there is none.

    Example:
        >>> named_twice(["A", "A"], ["a dog", "a cat"]), named_twice("B, B", ["a dog", "a cat"])
        ('A', 'B')
    """
    cell = parse_cell(cell)
    text = narrow(cell.translate(_CIRCLED)) if isinstance(cell, str) else ""
    answers = cell if isinstance(cell, list) else re.findall("[A-Z]", text) if _LETTERS.fullmatch(text) else []
    positions: set[int] = set()
    for one in (words(answer) for answer in answers if isinstance(answer, str | int | float)):
        for position in _letter(one, len(options)) or _text(one, options):
            if position in positions:
                return LETTERS[position]
            positions.add(position)
    return ""


def _of_all(cells: Sequence[Any], options: Sequence[Any]) -> dict[str, OptionIndices]:
    """Return the readings of a list of answers."""
    answers = [words(one) for one in cells if isinstance(one, str | int | float)]
    indices_by_reading: dict[str, OptionIndices] = {}
    for way, each in (
        ("letters", [_letter(one, len(options)) for one in answers]),
        ("texts", [_text(one, options) for one in answers]),
    ):
        places = [position for indices in each for position in indices]
        if answers and len(answers) == len(cells) and all(each) and len(set(places)) == len(places):
            indices_by_reading[way] = tuple(sorted(places))
    return indices_by_reading


def _labelled(reply: str, options: Sequence[Any]) -> OptionIndices:
    """Return the option that an answer names by its letter and its text, as `C. gamma` does."""
    places = _text(reply, options)
    mark = re.match(r"[(\[]?([A-Z])\s*[)\].:、]+\s*(?=\S)", narrow(reply))
    return places if mark and places and LETTERS.find(mark[1]) == places[0] else ()


def _letter(text: str, count: int) -> OptionIndices:
    for sequence in SEQUENCES:
        if len(text) == 1 and text in sequence:
            return (sequence.index(text),) if sequence.index(text) < count else ()
    text = narrow(text)
    mark = _LETTER.fullmatch(text)
    index = LETTERS.find(mark[1].upper()) if mark else -1
    return (index,) if 0 <= index < count else ()


def _letters(text: str, count: int) -> OptionIndices:
    text = narrow(text.translate(_CIRCLED))
    if not _LETTERS.fullmatch(text):
        return ()
    places = [LETTERS.find(letter) for letter in re.findall(r"[A-Z]", text)]
    return tuple(sorted(places)) if len(set(places)) == len(places) and max(places) < count else ()


def _text(reply: str, options: Sequence[Any]) -> OptionIndices:
    """Return the one option whose text this is, apart from case and whitespace; its letter may precede it."""
    texts, answer = [_folded(one) if isinstance(one, str) else "" for one in options], _folded(reply)
    if (places := [n for n, text in enumerate(texts) if text == answer]) or len(reply) < 3:
        return tuple(places) if len(places) == 1 else ()
    mark = re.match(r"[(\[]?([A-Z])\s*[)\].:：、．]+\s*(?=\S)", reply)
    index = LETTERS.find(mark[1]) if mark else -1
    fits = mark and index < len(texts) and texts[index] == _folded(reply[mark.end() :])
    return (index,) if fits else ()


def _indices(reply: str, count: int) -> dict[str, OptionIndices]:
    if not re.fullmatch(r"\d{1,3}", reply):
        return {}
    places = {"index0": int(reply), "index1": int(reply) - 1}
    return {way: (position,) for way, position in places.items() if 0 <= position < count}


def _folded(text: str) -> str:
    """Return a text for comparison: composed, without case, marks of direction and differences of whitespace."""
    composed = text if text.isascii() else unicodedata.normalize("NFC", _DIRECTIONS.sub("", text))
    return " ".join(composed.split()).casefold()


def span_of(cell: Any) -> tuple[float, float] | None:
    """Return the span of time that an answer is, in seconds: a pair of numbers, or clock times; None otherwise.

    Example:
        >>> span_of([3, 4.5]), span_of("00:12-00:15"), span_of("[3.5, 7]"), span_of("12-15")
        ((3.0, 4.5), (12.0, 15.0), (3.5, 7.0), None)
    """
    cell = parse_cell(cell)
    if isinstance(cell, list) and len(cell) == 1:
        cell = parse_cell(cell[0])
    if isinstance(cell, dict):
        cell = [cell.get("start"), cell.get("end")]
    if isinstance(cell, list) and len(cell) == 2 and all(type(one) in (int, float) for one in cell):
        return (float(cell[0]), float(cell[1])) if 0 <= cell[0] <= cell[1] else None
    return read_span(cell) if isinstance(cell, str) and ":" in cell and len(cell) < 60 else None


def second_of(cell: Any) -> float | None:
    """Return a time in seconds: a number, `30s`, `03:28`, `1:02:03.5`; None if it is something else.

    Example:
        >>> second_of(3), second_of("30s"), second_of("03:28"), second_of("1:00:00.5"), second_of("soon")
        (3.0, 30.0, 208.0, 3600.5, None)
    """
    if isinstance(cell, bool) or not isinstance(cell, int | float | str):
        return None
    if not isinstance(cell, str):  # as they are: small ones are written 1e-05
        return float(cell) if abs(cell) < 1e9 else None
    clock = r"(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,7}(?:\.\d+)?)(?: ?s(?:ec(?:onds?)?)?)?"
    clock_match = re.fullmatch(clock, cell.strip())
    return (
        3600 * int(clock_match[1] or 0) + 60 * int(clock_match[2] or 0) + float(clock_match[3]) if clock_match else None
    )


def scale_of(text: str) -> tuple[float, float] | None:
    """Return the lowest and the highest rating of a scale; None if the text states none.

    Example:
        >>> scale_of("1-5"), scale_of("-2 to 2"), scale_of("five")
        ((1.0, 5.0), (-2.0, 2.0), None)
    """
    scale_match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*(?:-|–|to|…)\s*(-?\d+(?:\.\d+)?)\s*", text)
    low, high = (float(scale_match[1]), float(scale_match[2])) if scale_match else (0.0, 0.0)
    return (low, high) if low < high else None


def has_decimal_comma(text: str) -> bool:
    """Return whether a text can only be a number if its comma is a decimal one.

    Example:
        >>> has_decimal_comma("3,5"), has_decimal_comma("1.234,56"), has_decimal_comma("1,234")
        (True, True, False)
    """
    return bool(_DECIMAL_COMMA.fullmatch(text.strip()))


def number_of(text: str) -> Decimal | None:
    """Return the number that a text is, also with a decimal comma; None if it is something else.

    Example:
        >>> number_of("1,200"), number_of("3,5"), number_of("3.0") == number_of("3"), number_of("three")
        (Decimal('1200'), Decimal('3.5'), True, None)
    """
    if has_decimal_comma(text):
        return Decimal(text.strip().replace(".", "").replace(",", "."))
    if not _NUMBER.fullmatch(text.strip()):
        return None
    try:
        return Decimal(text.strip().replace(",", ""))
    except InvalidOperation:
        return None
