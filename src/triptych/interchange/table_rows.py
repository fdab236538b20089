"""Rows of a file of samples: JSON Lines, JSON, CSV, TSV, and the first sheet of an XLSX workbook."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

from triptych.errors import DataError
from triptych.records.separators import separator_of
from triptych.store.files.archives import open_zip, read_member
from triptych.store.files.limits import MAX_DOCUMENT, MAX_VALUES, MAX_XML, check_limit, read_json

TABLES = (".csv", ".tsv", ".xlsx")
Rows = Iterator[tuple[str, dict[str, Any]]]


def json_lines(path: Path) -> Rows:
    """Yield (where, object) for every line. Raises DataError for a line that is not a JSON object or is too long."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_DOCUMENT + 1), b""), 1):
                if line.strip():
                    where = f"{path}:{number}"
                    row = read_json(line, where, "a line")
                    if not isinstance(row, dict):
                        raise DataError("the line is not a JSON object", where=where)
                    yield where, row
    except OSError as error:
        raise DataError("the log can't be read", where=path, got=error.strerror) from None


def table_rows(path: Path) -> Rows:
    """Yield (where, row) of a table: CSV, TSV or XLSX, with the column names in its first row.

    Raises DataError if the file can't be read as its ending says.
    """
    cells = _workbook(path) if path.suffix == ".xlsx" else _delimited(path)
    head = [str(name or "").strip() for name in next(cells, [])]
    for number, row in enumerate(cells, 2):
        if any(value not in (None, "") for value in row):
            yield f"{path}, row {number}", dict(zip(head, [*row, *[""] * (len(head) - len(row))], strict=False))


def _delimited(path: Path) -> Iterator[list[Any]]:
    try:
        check_limit("the table", path.stat().st_size, MAX_DOCUMENT, path)
        text = path.read_bytes().decode("utf-8-sig")
        csv.field_size_limit(MAX_DOCUMENT)
        separator = separator_of(text.partition("\n")[0], "\t" if path.suffix == ".tsv" else ",")
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError("the table can't be read", where=path, got=str(error)[:200]) from None


def _workbook(path: Path) -> Iterator[list[Any]]:
    """Yield the rows of the workbook's first sheet."""
    try:
        with open_zip(path) as book:
            names = set(book.namelist())
            sheets = sorted(
                (name for name in names if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name)),
                key=lambda name: int(re.sub(r"\D", "", name)),
            )
            if not sheets:
                raise DataError("not an XLSX workbook", where=path)
            shared = _Shared()
            if "xl/sharedStrings.xml" in names:
                shared.parse(read_member(book, "xl/sharedStrings.xml", MAX_XML, path))
            sheet = _Sheet(shared.texts)
            sheet.parse(read_member(book, sheets[0], MAX_XML, path))
    except (OSError, LookupError, ValueError, zipfile.BadZipFile, expat.ExpatError) as error:
        raise DataError("the workbook can't be read", where=path, got=str(error)[:200]) from None
    yield from sheet.rows


class _Reader:
    """A parser of one XML part of a workbook. A document type is refused, so no entity is expanded."""

    def parse(self, data: bytes) -> None:
        """Read the document."""
        parser = expat.ParserCreate()
        parser.StartElementHandler = lambda name, attributes: self.start(name.rpartition(":")[2], attributes)
        parser.EndElementHandler = lambda name: self.end(name.rpartition(":")[2])
        parser.CharacterDataHandler = self.text
        parser.StartDoctypeDeclHandler = _refuse
        parser.Parse(data, True)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""

    def end(self, name: str) -> None:
        """Handle the end of an element."""

    def text(self, data: str) -> None:
        """Handle characters."""


def _refuse(*_: object) -> None:
    raise ValueError("a document type is not allowed")


class _Shared(_Reader):
    """The texts that cells name by their number; phonetic readings are left out."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._parts: list[str] = []
        self._inside = self._phonetic = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._phonetic = name == "rPh" or (self._phonetic and name != "si")
        self._inside = name == "t" and not self._phonetic
        if name == "si":
            self._parts = []

    def end(self, name: str) -> None:
        self._inside = False
        self._phonetic = self._phonetic and name != "rPh"
        if name == "si":
            self.texts.append("".join(self._parts))

    def text(self, data: str) -> None:
        if self._inside:
            self._parts.append(data)


class _Sheet(_Reader):
    """The cells of a sheet: texts, and numbers as texts."""

    def __init__(self, shared: list[str]) -> None:
        self.rows: list[list[Any]] = []
        self._shared, self._kind, self._column, self._parts, self._inside = shared, "", 0, list[str](), False
        self._cells = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            self.rows.append([])
            self._column = -1
        elif name == "c":
            self._kind = attributes.get("t", "")
            letters = re.match(r"[A-Z]{1,3}", attributes.get("r", ""))
            self._column = _number(letters[0]) if letters else self._column + 1
            self._parts = []
        self._inside = name in ("v", "t")

    def end(self, name: str) -> None:
        self._inside = False
        if name == "c" and self.rows:
            row, value = self.rows[-1], "".join(self._parts)
            self._cells += 1 + max(0, self._column - len(row))
            if self._cells > MAX_VALUES:
                raise ValueError(f"more than {MAX_VALUES:,} cells")
            row.extend([""] * (self._column - len(row)))
            row.append(self._shared[int(value)] if self._kind == "s" and value else value)

    def text(self, data: str) -> None:
        if self._inside:
            self._parts.append(data)


def _number(letters: str) -> int:
    """Return the number of a column, from 0: A 0, Z 25, AA 26."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number - 1
