"""Resegmentation: splitting the text of a talk into the lines of its reference, so that lines can be scored one by one.

A hypothesis with other segments (or none) is split so that the word error rate over all lines is smallest. Several
splits can be equally good; the tie rules below give those of mwerSegmenter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from triptych.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    _Row = npt.NDArray[np.int32]

_ASCII_SPACE = re.compile(r"[ \t\n\r\f\v]+")  # a no-break space is part of its word, as in mwerSegmenter

MAX_CELLS = 1_000_000_000  # words times words: 250,000 words for a reference of 4,000


class TooManyWords(DataError):
    """Raised for a text that is too long to be aligned with its reference."""


def resegment(hypothesis: str, references: Sequence[str], *, characters: bool = False) -> list[str]:
    """Split a hypothesis into as many lines as there are references, with the fewest word edits in total.

    Words are separated by ASCII whitespace and compared exactly (case matters). Time and memory grow with the product
    of the numbers of words: 3,000 words on each side take about 0.2 s and 3 MB.

    Ties: traced from the end, a deletion is preferred to an insertion, and that to a match or substitution; words
    inserted between two lines belong to the first. As in mwerSegmenter, each leading line without words costs one edit
    more; only then can the result miss the smallest error rate.

    Args:
        hypothesis: The text to split.
        references: The lines of the reference.
        characters: Treat every character except ASCII whitespace as a word, and join words without spaces (Chinese).

    Returns:
        One line per reference, holding all words in order, joined by a space. All lines are empty if the hypothesis
        is.

    Raises:
        DataError: There are words but no references.
        TooManyWords: The product of the numbers of words is over `MAX_CELLS`, which would take 250 MB. This happens
            where a model repeats itself without end.

    References:
        Matusov et al. (2005), Evaluating Machine Translation Output with Automatic Sentence Segmentation.

    Example:
        >>> resegment("good morning everyone let us beginn", ["good morning every one", "let us begin"])
        ['good morning everyone', 'let us beginn']
    """
    words = _tokens(hypothesis, characters)
    lines = [_tokens(reference, characters) for reference in references]
    if words and not lines:
        raise DataError(
            "a text can't be split without reference lines",
            expected="at least one line",
            got=f"{len(words)} words, no line",
        )
    wanted = sum(map(len, lines))
    if len(words) * wanted > MAX_CELLS:
        raise TooManyWords(
            "a text is too long to be split into the lines of its reference",
            expected=f"at most {MAX_CELLS // wanted:,} words for a reference of {wanted:,}",
            got=f"{len(words):,} words",
        )
    glue = "" if characters else " "
    cuts = _cuts(words, lines)
    return [glue.join(words[start:end]) for start, end in pairwise(cuts)]


def _tokens(text: str, characters: bool) -> list[str]:
    if characters:
        return list(_ASCII_SPACE.sub("", text))
    return [word for word in _ASCII_SPACE.split(text) if word]


def _cuts(words: list[str], lines: list[list[str]]) -> list[int]:
    """Return the index of the first word of each line, and finally the number of words."""
    if not words:
        return [0] * (len(lines) + 1)
    paths = _paths(words, lines)
    cuts = [len(words)]
    for line in reversed(lines):
        end = cuts[-1]
        for _ in line:
            end = _step_back(*paths.pop(), end)
        cuts.append(end)
    return [0, *cuts[-2::-1]]


def _step_back(left_out: Any, put_in: Any, j: int) -> int:
    """Return the position in the row above that is reached from position j of a row, skipping insertions."""
    while not _bit(left_out, j):
        if not _bit(put_in, j):
            return j - 1
        j -= 1
    return j


def _paths(words: list[str], lines: list[list[str]]) -> list[tuple[Any, Any]]:
    """Return two packed bit rows per reference word: at which positions a deletion, or an insertion, is cheapest.

    A row of the distance table is computed at once: insertions are a running minimum. Moving to the next line is free
    unless no word was used yet; then it costs 1, since mwerSegmenter counts the end of the line as a word.
    """
    import numpy as np

    ids = {word: number for number, word in enumerate(dict.fromkeys(words))}
    numbers = np.array([ids[word] for word in words], dtype=np.int32)
    position = np.arange(len(words) + 1, dtype=np.int32)
    row, paths = position, []
    for number, line in enumerate(lines):
        if number:
            row = row.copy()
            row[0] += 1
        for word in line:
            row, path = _next_row(row, numbers != ids.get(word, -1), position)
            paths.append(path)
    return paths


def _next_row(above: _Row, differs: npt.NDArray[np.bool_], position: _Row) -> tuple[_Row, tuple[Any, Any]]:
    import numpy as np

    row = above + 1
    np.minimum(row[1:], above[:-1] + differs, out=row[1:])
    row = np.minimum.accumulate(row - position) + position
    put_in = np.zeros(len(row), dtype=bool)
    put_in[1:] = row[1:] == row[:-1] + 1
    return row, (np.packbits(row == above + 1), np.packbits(put_in))


def _bit(packed: npt.NDArray[np.uint8], position: int) -> int:
    return int(packed[position >> 3]) >> (7 - (position & 7)) & 1
