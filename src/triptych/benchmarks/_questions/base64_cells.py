"""Pictures and recordings that cells hold in base64 are written below the data folder, as embedded files are.

VLMEvalKit's tables hold them so: the base64 text of a picture or a list of such texts in the column `image`, or, to
save space, the `index` of another row, whose picture is meant.
"""

from __future__ import annotations

import ast
import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks._questions.cells import flat, is_empty, words
from triptych.benchmarks._questions.embedded import Embedded
from triptych.benchmarks._questions.media_cells import kind_by_column, kind_of
from triptych.media.sniff import sniff
from triptych.records import Problem

SHORTEST = 65  # characters of a text that can be a file; a shorter one can be the index of another row
_INDEX = ("index", "id")
_SIGNS = re.compile(r"[A-Za-z0-9+/]{64}")
_ADDRESS = re.compile(r"data:[a-z]+/[a-z0-9.+-]+;base64,", re.I)


class Base64Cells:
    """Writes the files of one table's cells.

    `problems`: what is wrong with a row; such a row is left out.
    """

    def __init__(self, embedded: Embedded, path: Path, problems: list[Problem]) -> None:
        self._embedded, self._path, self._problems = embedded, path, problems
        self._cell_by_index: dict[tuple[str, str], Any] = {}  # column, index -> the cell that names the files
        self._columns: set[str] = set()  # columns with files

    def cells_with_paths(self, where: str, cells: dict[str, Any]) -> dict[str, Any] | None:
        """Return the cells of a row with paths in place of files in base64; None if a text is broken."""
        files_by_column: dict[str, Any] = {}
        for column, value in cells.items():
            if isinstance(value, str | list) and kind_by_column(column) and (texts := _texts(value)):
                try:
                    files = [self._embedded.without_bytes(_decoded(text)) for text in texts]
                except ValueError as error:
                    self._report(where, f"column {column}: a file in base64 is broken: {error}")
                    return None
                files_by_column[column] = files[0] if len(files) == 1 else files
        if not files_by_column:
            return cells
        index = _index_of(cells)
        for column, cell in files_by_column.items():
            self._columns.add(column)
            self._cell_by_index[column, index] = cell
        # `image_path` is only the name under which VLMEvalKit writes the picture
        names = {f"{flat(column)}_path" for column in files_by_column}
        return {column: None if flat(column) in names else value for column, value in (cells | files_by_column).items()}

    @property
    def has_files(self) -> bool:
        """Whether any row had a file."""
        return bool(self._columns)

    def resolved_rows(self, rows: Iterable[Any]) -> Iterator[Any]:
        """Yield the rows; one whose cell has the index of another row gets the files of that row."""
        for row in rows:
            cells = dict(row.cells)
            for column in self._columns:
                value = words(cells.get(column)) if isinstance(cells.get(column), str | int | float) else ""
                if not value or kind_of(value):
                    continue
                if (column, value) not in self._cell_by_index:
                    text = f"column {column}: neither a file in base64, nor a path, nor the index of a row with one"
                    self._report(row.where, f"{text}: {value[:40]!r}")
                    break
                cells[column] = self._cell_by_index[column, value]
                cells |= {name: None for name in cells if flat(name) == f"{flat(column)}_path"}
            else:
                yield row._replace(cells=cells)

    def _report(self, where: str, text: str) -> None:
        self._problems.append(Problem("error", "malformed-row", f"{self._path}, {where}", text))


def _index_of(cells: dict[str, Any]) -> str:
    named = {flat(column): value for column, value in cells.items()}
    return next((words(named[name]) for name in _INDEX if not is_empty(named.get(name))), "")


def _texts(value: str | list[Any]) -> list[str]:
    """Return the base64 texts that a cell is, or lists; none if it is something else, such as a path."""
    listed: Any = value
    if isinstance(value, str):
        listed = _listed(value.strip()) if value.strip()[:1] == "[" else [value]
    texts = [one.strip() for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
    return texts if texts and len(texts) == len(listed) and all(map(_is_file, texts)) else []


def _listed(text: str) -> Any:
    """Return the list that a text writes, as JSON or as Python does; None if it is none."""
    if len(text) < SHORTEST:
        return None
    for read in (msgspec.json.decode, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
    return None


def _is_file(text: str) -> bool:
    """Return whether a text begins as base64 of a file does: 64 of its signs, or those of a known file, or `data:`."""
    if len(text) < SHORTEST or kind_of(text[:1000]):
        return False
    return bool(_ADDRESS.match(text) or (_SIGNS.match(text) and (len(text) >= 1000 or sniff(_decoded(text[:64])))))


def _decoded(text: str) -> bytes:
    """Return the bytes of a base64 text. Raises ValueError, in words, if it is broken."""
    bare = "".join(_ADDRESS.sub("", text, count=1).split())
    try:
        return base64.b64decode(bare, validate=True)
    except binascii.Error as error:
        raise ValueError(f"{error}; it has {len(bare):,} characters and ends with {bare[-8:]!r}") from None
    except ValueError as error:
        raise ValueError(str(error)) from None
