"""Compare what the audit reads with cells that were written down by hand: `python -m benchmarks_truth.field_cells
--clones DIR [--clone]`.

`field_cells.txt` has the cells of 30 tables of the field. A cell is right if the figure is at its row and column, under
their labels, or if it has no figure and none is read. A figure that is read where none was written down is wrong too.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from benchmarks_truth.field import HERE, contents, listed, number_of, sheets_of
from triptych.audit.sheets.sheet import Sheet


@dataclass
class Written:
    """A table as it was written down: labels of columns, and (label, figures) of each row; `_` is no figure."""

    repository: str
    path: str
    table: int
    columns: list[str] = field(default_factory=list)
    rows: list[tuple[str, list[str]]] = field(default_factory=list)


def written_down(path: Path = HERE / "field_cells.txt") -> list[Written]:
    """Return the tables of the file. Raises ValueError for a row that has more or fewer figures than columns."""
    found: list[Written] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("@ "):
            repository, file, table = (part.strip() for part in line[2:].split(" | "))
            found.append(Written(repository, file, int(table)))
        elif line.startswith(": "):
            found[-1].columns = [part.strip() for part in line[2:].split(" | ")]
        elif line and not line.startswith("#"):
            label, _, figures = line.rpartition(" | ")
            if len(figures.split()) != len(found[-1].columns):
                raise ValueError(f"{path.name}:{number}: {len(found[-1].columns)} figures expected: {line}")
            found[-1].rows.append((label, figures.split()))
    return found


def wrong_cells(one: Written, sheets: Sequence[Sheet]) -> Iterator[str]:
    """Yield the cells that are read in another way than they were written down."""
    rows = [(sheet, row) for sheet in sheets if number_of(sheet) == one.table for row in sheet.rows]
    for expected, read in zip_longest(one.rows, rows):
        if expected is None or read is None:
            yield f"{expected[0] if expected else read[1]}: the whole row"
        else:
            yield from _wrong_in_row(one.columns, *expected, *read)


def _wrong_in_row(columns: Sequence[str], label: str, figures: Sequence[str], sheet: Sheet, row: str) -> Iterator[str]:
    own = sheet.cells[row]
    read = [(c, own[c].text if c in own else "_") for c in sheet.columns]
    for place, (expected, (column, got)) in enumerate(_paired(figures, read)):
        if expected != got and not ("/" in expected and got == "_"):  # a cell with several numbers, in a column of one
            yield f"{label} · {place + 1}: {expected}, read as {got}"
        elif not _same(columns[place], column):
            yield f"{label} · {place + 1}: column {columns[place]}, read as {column}"
        elif label != "_" and not _same(label, row):
            yield f"{label} · {place + 1}: row read as {row}"


def _paired(figures: Sequence[str], read: Sequence[tuple[str, str]]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each figure with the column and text that is read at its place; `nothing` where one of them ends."""
    for place in range(max(len(figures), len(read))):
        yield (
            figures[place] if place < len(figures) else "nothing",
            read[place] if place < len(read) else ("", "nothing"),
        )


def _same(written: str, read: str) -> bool:
    """Return whether a label that is read contains the words of the one that was written down."""
    plain = [set(re.findall(r"\w+", re.sub(r"[_|]", " ", text.casefold()))) for text in (written, read)]
    return plain[0] <= plain[1] or re.sub(r"\W", "", written.casefold()) in re.sub(r"\W", "", read.casefold())


def measured(clones: Path, clone: bool = False) -> dict[str, Any]:
    """Return the numbers of tables and cells, of cells read right, and the wrong ones."""
    files = {(one.repository, one.path): one for one in listed()}
    wrong: list[str] = []
    cells = 0
    tables = written_down()
    for one in tables:
        source = files[one.repository, one.path]
        own = list(wrong_cells(one, sheets_of(source, contents(source, clones, clone))))
        wrong += [f"{one.repository} {one.path}#{one.table}: {cell}" for cell in own]
        cells += sum(len(figures) for _, figures in one.rows)
    right = 100 * (1 - len(wrong) / cells)
    return {"tables": len(tables), "cells": cells, "right in percent": round(right, 2), "wrong": wrong}


def main() -> None:
    """Print the result as JSON; exits with 1 below 99%."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks_truth.field_cells", description=__doc__)
    parser.add_argument("--clones", type=Path, required=True, help="folder of clones")
    parser.add_argument("--clone", action="store_true", help="clone what is missing from GitHub")
    chosen = parser.parse_args()
    result = measured(chosen.clones, chosen.clone)
    print(json.dumps(result, indent=1, ensure_ascii=False))
    raise SystemExit(int(result["right in percent"] < 99))


if __name__ == "__main__":
    main()
