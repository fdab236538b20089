"""The natural order of names (`records.natural_order`) as SQL, for the database."""

from __future__ import annotations

MAX_NUMBERS = 16  # numbers of a name by which the database sorts; a name's rest after them is sorted as text


def natural_pieces(column: str, numbers: int) -> str:
    """Return SQL for a structure with the texts t0, t1 … and numbers n0, n1 … of a column's names, and their `rest`."""
    pattern = "^" + "([^0-9]*)([0-9]{1,18})?" * numbers + "(.*)$"
    fields = [name for k in range(numbers) for name in (f"t{k}", f"n{k}")]
    return f"regexp_extract({column}, '(?s){pattern}', {[*fields, 'rest']})"


def natural_order(pieces: str, numbers: int) -> list[str]:
    """Return the terms of ORDER BY that sort a structure of `natural_pieces` like `natural`, except for ties.

    A missing number is before all numbers.
    """
    number = "coalesce(TRY_CAST({}.n{} AS BIGINT), -1)"
    terms = [term for k in range(numbers) for term in (f"{pieces}.t{k}", number.format(pieces, k))]
    return [*terms, f"{pieces}.rest"]
