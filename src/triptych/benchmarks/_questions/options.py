"""The options of a question, in every form in which they are released: lists, dictionaries, text, columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from triptych.benchmarks._questions.cells import flat, is_empty, parse_cell, words
from triptych.benchmarks._questions.media_cells import kind_of

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


# Labels of options besides letters, each followed by a mark (ア. 犬) or, if they are circled, by nothing (①犬).
SEQUENCES = ("①②③④⑤⑥⑦⑧⑨⑩", "アイウエオカキク", "甲乙丙丁戊己庚辛")
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


def narrow(reply: str) -> str:
    """Return a text with full-width letters, digits and marks as ASCII, character by character.

    Example:
        >>> narrow("Ａ．狗"), narrow("（Ｂ）")
        ('A.狗', '(B)')
    """
    return reply if reply.isascii() else reply.translate(_NARROW)


def options_of(cells: Sequence[Any]) -> list[Any]:
    """Return the options of a row: of one cell that holds all, or of one cell for each; empty for an open question.

    Raises ValueError, in words, if they can't be distinguished.

    Example:
        >>> options_of(["A. a dog B. a cat"]), options_of([{"A": "dog", "B": "cat"}]), options_of(["dog", "cat", ""])
        (['a dog', 'a cat'], ['dog', 'cat'], ['dog', 'cat'])
    """
    options = _of_columns(cells) if len(cells) > 1 else _of_cell(parse_cell(cells[0]))
    if len(options) > len(LETTERS):
        raise ValueError(f"{len(options)} options, but at most {len(LETTERS)} can have letters")
    if len(options) == 1:
        raise ValueError(f"a single option: {str(options[0])[:60]!r}")
    if any(is_empty(one) for one in options):
        raise ValueError(f"option {LETTERS[next(n for n, one in enumerate(options) if is_empty(one))]} is empty")
    return without_letters([one if isinstance(one, dict | list) else words(one) for one in options])


def _of_columns(cells: Sequence[Any]) -> list[Any]:
    """Return the options up to the last column that is filled; questions can have fewer than the table has columns."""
    options = list(cells)
    while options and is_empty(options[-1]):
        options.pop()
    return options


def _of_cell(cell: Any) -> list[Any]:
    if is_empty(cell):
        return []
    if isinstance(cell, list):
        return cell
    if isinstance(cell, dict):
        return _of_dictionary(cell)
    if isinstance(cell, str):
        return _of_text(cell)
    raise ValueError(f"options are a list, a dictionary or text, but this is {cell!r}")


def _of_dictionary(cell: dict[Any, Any]) -> list[Any]:
    if set(map(flat, cell)) == {"label", "text"}:
        return list(next(value for key, value in cell.items() if flat(key) == "text"))
    keys = [str(key).strip().upper() for key in cell]
    wanted = list(LETTERS[: len(keys)])
    numbers = [[str(n + start) for n in range(len(keys))] for start in (0, 1)]
    by_key = dict(zip(keys, cell.values(), strict=True))
    for names in (wanted, *numbers):
        if sorted(keys) == sorted(names):
            return [by_key[name] for name in names]
    raise ValueError(f"options by letter are named A, B …, but these are {', '.join(keys)[:80]}")


def _of_text(cell: str) -> list[str]:
    """Return the options of one text: after their letters, otherwise its lines."""
    lines = [line.strip() for line in cell.splitlines() if line.strip()]
    if labels := misplaced(lines):
        raise ValueError(f"the labels of the options are not in order: {', '.join(labels)}")
    marks: list[re.Match[str]] = []
    plain = narrow(cell)
    for letter in LETTERS:
        pattern = re.compile(rf"(?<![A-Za-z0-9])[(\[]?{letter}\s*[)\].:：、．]+\s*")
        mark = pattern.search(plain, marks[-1].end() if marks else 0)
        if mark is None or (not marks and mark.start() > len(cell) - len(cell.lstrip())):
            break
        marks.append(mark)
    if len(marks) > 1:
        ends = [*(mark.start() for mark in marks[1:]), len(cell)]
        return [cell[mark.end() : end].strip().rstrip(";,|").strip() for mark, end in zip(marks, ends, strict=True)]
    if len(lines) > 1:
        return lines
    raise ValueError(
        f"options that can't be distinguished: {cell[:80]!r} (expected A. …, B. …, a list, or a line for each)"
    )


def misplaced(options: Sequence[Any]) -> list[str]:
    """Return the labels of options if each has one and they are not in order; empty otherwise.

    Labels are of one sequence (A to Z, 1 to 9, ①, ア …), with its first among them and no other far beyond the number
    of options, so that initials (`J. Smith`) and names of species (`E. coli`) are not taken for them.

    Example:
        >>> misplaced(["A. fall", "C. rise", "B. stop"]), misplaced(["A. fall", "B. rise"]), misplaced(["1.5", "3.5"])
        (['A', 'C', 'B'], [], [])
    """
    if len(options) < 2 or not all(isinstance(one, str) for one in options) or any(map(kind_of, options)):
        return []
    for sequence in (*SEQUENCES, LETTERS, "123456789"):
        after = "*" if sequence == SEQUENCES[0] else "+(?![0-9])"
        pattern = re.compile(rf"\s*[(\[]?([{sequence}])\s*[)\].:：、．]{after}\s*(?=\S)")
        marks = [pattern.match(narrow(one).upper()) for one in options]
        if all(marks):
            labels = [mark[1] for mark in marks if mark]
            near = sequence[: len(labels) + 2]
            in_order = labels == list(sequence[: len(labels)])
            return labels if sequence[0] in labels and set(labels) <= set(near) and not in_order else []
    return []


def without_letters(options: list[Any]) -> list[Any]:
    """Return options without the letters before them, if each has its own.

    Example:
        >>> without_letters(["A. a dog", "B. a cat"]), without_letters(["A dog", "B cat"])
        (['a dog', 'a cat'], ['A dog', 'B cat'])
    """
    if not all(isinstance(one, str) for one in options) or all(map(kind_of, options)):  # A.png is a file
        return options
    for sequence in (*SEQUENCES, LETTERS):
        after = "*" if sequence == SEQUENCES[0] else "+"
        marks = [
            re.match(rf"\s*[(\[]?{label}\s*[)\].:：、．]{after}\s*", narrow(one))
            for label, one in zip(sequence, options, strict=False)
        ]
        if options and len(marks) == len(options) and all(marks):
            break
    if (
        not options
        or len(marks) < len(options)
        or not all(mark and one[mark.end() :].strip() for mark, one in zip(marks, options, strict=True))
    ):
        return options
    return [one[mark.end() :].strip() for mark, one in zip(marks, options, strict=True) if mark]
