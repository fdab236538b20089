"""How the answers of a column are read, decided over all its rows; what stays ambiguous is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import msgspec

from triptych.benchmarks._questions.answers import (
    ANSWER_FORM_TEXTS,
    ANSWER_FORMS,
    OptionIndices,
    has_decimal_comma,
    number_of,
    readings,
    scale_of,
    span_of,
)
from triptych.benchmarks._questions.cells import flat, is_empty, words
from triptych.benchmarks._questions.mapping import AnswerForm, Columns, Open, ambiguous, answer_columns
from triptych.benchmarks._questions.options import LETTERS, SEQUENCES
from triptych.benchmarks._questions.rows import Row, columns_of
from triptych.errors import SpecError
from triptych.store.spooled import Again

Optioned = tuple[Row, list[Any]]  # a row with its options; none: an open question


# Letters by which options are called in different scripts. А, В, С of Cyrillic and Α, Β of Greek are not A, B, C.
_LABELS = tuple(
    frozenset(script)
    for script in (
        LETTERS[:8],
        *SEQUENCES,
        "АБВГДЕЖЗ",
        "ΑΒΓΔΕΖ",
        "가나다라마바",
        "ㄱㄴㄷㄹㅁㅂ",
        "أبجده",
        "אבגדהו",
        "कखगघङच",
        "กขคงจฉ",
    )
)


def decide_answer_forms(columns: Columns, rows: Sequence[Optioned], stated: Mapping[str, str]) -> Columns:
    """Return the mapping with the ways in which answers are read. Raises SpecError, with the readings, if two fit."""
    if columns.rubric and "rubric" not in stated and all(options for _, options in rows):
        columns = msgspec.structs.replace(columns, rubric="")  # it is about replies to questions that have options
    if columns.rubric and not columns.open_is:
        columns = msgspec.structs.replace(columns, open_is="judged")
    if not columns.answer:
        return columns
    column = columns.answer
    closed = Again(lambda: (one for one in rows if one[1] and not is_empty(one[0].cells.get(column))))
    way = columns.answer_is or cast("AnswerForm", _best_form(column, closed))
    columns = msgspec.structs.replace(columns, answer_is=way)
    if not columns.open_is:
        cells = Again(lambda: (row.cells.get(column) for row, options in rows if not options))
        answers = Again(lambda: (one for one in cells if not is_empty(one)))
        columns = msgspec.structs.replace(columns, open_is=cast("Open", _open(columns, answers)))
        if columns.open_is in ("number", "rating"):
            _check_commas(columns, answers)
    if columns.open_is == "rating":
        _check_scale(columns)
    if "answer" not in stated:
        _check_others(columns, rows)
    if columns.open_is == "text" and "open_is" not in stated and _are_none(closed):
        _check_letters(columns.answer, rows)
    return columns


def _are_none(iterable: Iterable[object]) -> bool:
    return next(iter(iterable), None) is None


def _open(columns: Columns, answers: Iterable[Any]) -> str:
    """Return what the answers of open questions are: spans, ratings (by the column's name), numbers or text."""
    if _are_none(answers):
        return ""
    if all(span_of(one) is not None for one in answers):
        return "span"
    if all(not isinstance(one, bool) and number_of(words(one)) is not None for one in answers):
        return "rating" if columns.scale or flat(columns.answer) in _RATINGS else "number"
    return "text"


def _check_commas(columns: Columns, answers: Iterable[Any]) -> None:
    """Raise SpecError, with both readings, if an answer has a decimal comma: it could be a list."""
    comma = next((one for one in answers if isinstance(one, str) and has_decimal_comma(one)), None)
    if comma is not None:
        raise SpecError(
            f"the answers in {columns.answer!r} can be read in two ways",
            got=f"{comma.strip()!r}: a number with a decimal comma, or several numbers",
            fix=f"write a decimal point; or --map open_is={columns.open_is} if all commas in these answers are decimal "
            "ones, --map open_is=text if they separate",
        )


_RATINGS = ("rating", "mos")


def _check_scale(columns: Columns) -> None:
    """Raise SpecError unless the scale of ratings is stated."""
    if scale_of(columns.scale) is None:
        raise SpecError(
            f"the answers in {columns.answer!r} are ratings, but their scale is not stated",
            got=columns.scale or None,
            expected="the lowest and the highest rating, as 1-5",
            fix="--map scale=1-5, or --map open_is=number if they are counts",
        )


def _best_form(column: str, rows: Iterable[Optioned]) -> str:
    """Return the way that reads every answer, or most of them if none does."""
    count: Counter[str] = Counter()
    total = 0
    for total, (row, options) in enumerate(rows, 1):  # noqa: B007
        count.update(readings(row.cells[column], options).keys())
    if not total:
        return ""
    fit = [way for way in ANSWER_FORMS if count[way] == total]
    for single, several in (("letter", "letters"), ("text", "texts")):
        if single in fit and several in fit:
            fit.remove(several)
    for row, options in rows if len(fit) > 1 else ():
        reading = readings(row.cells[column], options)
        other = next((way for way in fit[1:] if reading[way] != reading[fit[0]]), None)
        if other:
            raise _two_readings(column, row, options, {way: reading[way] for way in (fit[0], other)})
    best = fit[0] if fit else max(ANSWER_FORMS, key=lambda way: count[way])
    _check_lone_letters(column, rows)
    return best if count[best] else "letter"


def _check_lone_letters(column: str, rows: Iterable[Optioned]) -> None:
    """Raise SpecError if an option's text is the letter of another option, which the answer could mean."""
    for row, options in rows:
        two_readings = readings(row.cells[column], options)
        if "letter" in two_readings and two_readings.get("text", two_readings["letter"]) != two_readings["letter"]:
            raise _two_readings(column, row, options, {way: two_readings[way] for way in ("letter", "text")})


def _two_readings(
    column: str, row: Row, options: Sequence[Any], indices_by_reading: Mapping[str, OptionIndices]
) -> SpecError:
    readings = []
    for way, indices in indices_by_reading.items():
        named = ", ".join(f"{LETTERS[n]} ({str(options[n])[:40]!r})" for n in indices)
        readings.append(f"read as {ANSWER_FORM_TEXTS[way]}, it is {named}")
    text = "; ".join(readings)
    ways = " or ".join(f"--map answer_is={way}" for way in indices_by_reading)
    fix = f"{ways} (or `map.answer_is` in benchmark.toml)"
    problem = f"the answers in {column!r} can be read in two ways"
    return SpecError(problem, where=row.where, got=f"{row.cells[column]!r}: {text}", fix=fix)


def _check_others(columns: Columns, rows: Sequence[Optioned]) -> None:
    """Raise SpecError if another column whose name says that it holds the answer says something else."""
    rows_alone = Again(lambda: (row for row, _ in rows))
    taken = columns.used_columns() - {columns.answer}
    for other in answer_columns([name for name in columns_of(rows_alone) if name not in taken], rows_alone):
        if other == columns.answer:
            continue
        for row, options in rows:
            mine, theirs = row.cells.get(columns.answer), row.cells.get(other)
            if is_empty(mine) or is_empty(theirs) or words(mine) == words(theirs):
                continue
            read_as = readings(mine, options).get(columns.answer_is or "letter")
            if not options or read_as not in readings(theirs, options).values():
                raise ambiguous("answer", row, {columns.answer: mine, other: theirs})


def _check_letters(column: str, rows: Sequence[Optioned]) -> None:
    """Raise SpecError if all answers are lone letters of one script, but no question has options."""
    letters = Again(lambda: (words(row.cells.get(column)) for row, _ in rows if not is_empty(row.cells.get(column))))
    if not _are_none(letters) and any(all(one in script for one in letters) for script in _LABELS):
        raise SpecError(
            f"the answers in {column!r} are letters, but no column has the options",
            where=rows[0][0].where,
            expected="columns A, B …, or a column of options, and answers that are A, B … or the text of an option",
            fix="--map options=COLUMN, or --map open_is=text if the letters are the answers",
        )
