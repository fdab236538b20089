"""Cells of a question file: names compared without case and separators, lists and dictionaries written as text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

MAX_LITERAL_LENGTH = 50_000  # characters of a cell that is read as a list or a dictionary
EMBEDDED = "embedded file"  # stands for the bytes of a Parquet cell


@lru_cache(maxsize=1 << 17, typed=True)  # of the columns of a wide table, which each row has
def flat(name: object) -> str:
    """Return a name in lower case, with `_` for everything else than letters and digits.

    Example:
        >>> flat("video ID"), flat("Choice-A"), flat("correctOption"), flat("videoID")
        ('video_id', 'choice_a', 'correct_option', 'video_id')
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z]{2,}(?![a-z]))", "_", str(name))
    return re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")


def keys_of(names: Iterable[object]) -> set[str]:
    """Return names as `flat` writes them."""
    return {flat(name) for name in names}


def is_empty(value: Any) -> bool:
    """Return whether a cell says nothing."""
    return value is None or value == [] or value == {} or (isinstance(value, str) and not value.strip())


def parse_cell(value: Any) -> Any:
    """Return the list or dictionary that a text writes, as JSON or as Python does; any other value unchanged.

    Example:
        >>> parse_cell("['a', 'b']"), parse_cell('{"A": "x"}'), parse_cell("[not a list")
        (['a', 'b'], {'A': 'x'}, '[not a list')
    """
    text = value.strip() if isinstance(value, str) else ""
    if not text or len(text) > MAX_LITERAL_LENGTH or (text[0], text[-1]) not in {("[", "]"), ("{", "}")}:
        return value
    for read in (msgspec.json.decode, ast.literal_eval):
        try:
            cell_value = read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
        if isinstance(cell_value, list | dict):
            return cell_value
    return value


def words(value: Any) -> str:
    """Return a cell as text: a whole number that a table stores as 3.0 is 3."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.strip() if isinstance(value, str) else str(value)
