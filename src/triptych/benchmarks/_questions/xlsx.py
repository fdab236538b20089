"""The first sheet of an XLSX file as rows of cells, read from its XML without other packages.

Cells are what the file stores: texts, numbers, Booleans as TRUE and FALSE. A formula has the value that was stored with
it. A date or a time is a text as `store.files.excel_dates` writes it.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from xml.parsers import expat

from triptych.errors import DataError, nearest
from triptych.store.files.excel_dates import DATE_FORMATS, date_text
from triptych.store.files.limits import MAX_DEPTH, MIB, check_limit, check_unpacked

MAX_PART = 256 * MIB  # one part of the file, unpacked
MAX_CELLS = 2_000_000
MAX_MERGED = 10_000  # ranges of merged cells
MAX_COLUMNS = 16_384  # Excel's own limit
_BLOCK = 1 << 20
Cell = str | float | None


class Merged(NamedTuple):
    """A range of merged cells: its first and last row and column, from 1. Only its first cell has a value."""

    top: int
    left: int
    bottom: int
    right: int

    def in_words(self, row: int, column: int) -> str:
        """Return in words which cell one of the range is merged with."""
        return f"{name_of(column)}{row} is merged with {name_of(self.left)}{self.top}"


class Sheet(NamedTuple):
    """Rows by their number, from 1, the places of cells that have no value that can be read, and merged cells."""

    rows: list[tuple[int, list[Cell]]]
    faults: list[tuple[int, str]]
    merged: Sequence[Merged] = ()


def read_sheet(path: Path, name: str = "") -> Sheet:
    """Return the cells of a sheet: that of a name, otherwise the only one with cells.

    Raises DataError for a file that is damaged, encrypted or too large when unpacked, and, with their names, if several
    sheets have cells and none is named.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            _check_sizes(archive, path)
            return _selected_sheet(archive, path, name)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, KeyError) as error:
        raise DataError(
            "not an XLSX file that can be read",
            where=path,
            got=str(error)[:200],
            fix="save it as CSV (UTF-8), or as XLSX without a password",
        ) from None
    except (expat.ExpatError, ValueError, IndexError) as error:
        raise DataError("the XLSX file is damaged", where=path, got=str(error)[:200], fix="save it as CSV") from None


def _check_sizes(archive: zipfile.ZipFile, path: Path) -> None:
    """Raise DataError if the parts, by what the archive says, unpack to too much; `_bounded` counts the bytes."""
    parts = archive.infolist()
    check_limit("the XLSX file", len(parts), 10_000, path, unit="parts")
    check_unpacked("the XLSX file", sum(part.file_size for part in parts), path.stat().st_size, path)


def _selected_sheet(archive: zipfile.ZipFile, path: Path, name: str) -> Sheet:
    sheets = _sheets(archive, path)
    if name:
        if name not in sheets:
            raise DataError(f"the file has no sheet {name!r}", where=path, fix=nearest(name, sheets))
        sheets = {name: sheets[name]}
    texts = _shared_texts(archive, path)
    dates = _dates(archive, path)
    all_sheets = {title: _cells(archive, part, texts, path, dates) for title, part in sheets.items()}
    filled = {title: sheet for title, sheet in all_sheets.items() if sheet.rows or sheet.faults}
    if len(filled) > 1:
        ways = " or ".join(f"--map sheet={title}" for title in list(filled)[:3])
        text = "; ".join(f"{title!r} has {len(sheet.rows):,} rows" for title, sheet in filled.items())
        raise DataError("several sheets have cells", where=path, got=text[:300], fix=ways)
    return next(iter(filled.values()), Sheet([], []))


def _sheets(archive: zipfile.ZipFile, path: Path) -> dict[str, str]:
    """Return the part of each sheet by its title, in order."""
    targets: dict[str, str] = {}
    titles: dict[str, str] = {}

    def relation(tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "Relationship":
            targets[attributes.get("Id", "")] = attributes.get("Target", "")

    def sheet(tag: str, named: Mapping[str, str]) -> None:
        if tag == "sheet":
            titles[named.get("name", "")] = named.get("id", "")

    _parse(archive, "xl/_rels/workbook.xml.rels", path, relation)
    _parse(archive, "xl/workbook.xml", path, sheet)
    parts = set(archive.namelist())
    parts_by_title = {title: _part(targets.get(relation_, "")) for title, relation_ in titles.items()}
    return {title: part for title, part in parts_by_title.items() if part in parts}


def _part(target: str) -> str:
    """Return the name of a part in the archive: targets are relative to `xl/`, or absolute. Nothing is written."""
    return target.removeprefix("/") if target.startswith("/") else PurePosixPath("xl", target).as_posix()


def _shared_texts(archive: zipfile.ZipFile, path: Path) -> list[str]:
    """Return the texts that cells refer to by number; phonetic hints are left out."""
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    texts: list[str] = []
    pieces: list[str] = []
    hint = 0

    def start(tag: str, _: Mapping[str, str]) -> None:
        nonlocal hint
        if tag == "si":
            pieces.clear()
        hint += tag == "rPh"

    def end(tag: str, tag_name: str) -> None:
        nonlocal hint
        if tag == "t" and not hint:
            pieces.append(tag_name)
        elif tag == "si":
            texts.append("".join(pieces))
            check_limit("the XLSX file", len(texts), MAX_CELLS, path, unit="texts")
        hint -= tag == "rPh"

    _parse(archive, "xl/sharedStrings.xml", path, start, end)
    return texts


class _Dates(NamedTuple):
    """The number formats of the cell styles, by their number; whether days count from 1904."""

    codes: list[str]
    since_1904: bool


def _dates(archive: zipfile.ZipFile, path: Path) -> _Dates:
    codes: dict[int, str] = {}
    numbers: list[int] = []
    within: list[str] = []
    since_1904 = False

    def style(tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "numFmt":
            codes[int(attributes.get("numFmtId", 0))] = attributes.get("formatCode", "")
        elif tag == "xf" and within[-1:] == ["cellXfs"]:
            numbers.append(int(attributes.get("numFmtId", 0)))
        within.append(tag)

    def leave(_tag: str, _text: str) -> None:
        within.pop()

    def workbook(tag: str, attributes: Mapping[str, str]) -> None:
        nonlocal since_1904
        since_1904 = since_1904 or (tag == "workbookPr" and attributes.get("date1904") in ("1", "true"))

    if "xl/styles.xml" in archive.namelist():
        _parse(archive, "xl/styles.xml", path, style, leave)
    _parse(archive, "xl/workbook.xml", path, workbook)
    return _Dates([codes.get(number, DATE_FORMATS.get(number, "")) for number in numbers], since_1904)


def _cells(archive: zipfile.ZipFile, part: str, texts: list[str], path: Path, dates: _Dates) -> Sheet:
    reader = _Reader(texts, path, dates)
    _parse(archive, part, path, reader.start, reader.end)
    return Sheet(
        [(number, cells) for number, cells in reader.rows if any(c is not None for c in cells)],
        reader.faults,
        reader.merged,
    )


class _Reader:
    """Reads the elements of a sheet: row (r: its number), c (r: place, s: style, t: type), v, f, is/t."""

    def __init__(self, texts: list[str], path: Path, dates: _Dates) -> None:
        self.texts, self.path, self.dates = texts, path, dates
        self.rows: list[tuple[int, list[Cell]]] = []
        self.faults: list[tuple[int, str]] = []
        self.merged: list[Merged] = []
        self._count = self._number = self._column = 0
        self._kind, self._value, self._inline, self._formula = "", "", "", False
        self._style = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Begin a row or a cell."""
        if tag == "row":
            self._number = int(attributes.get("r") or self._number + 1)
            self._column = 0
            self.rows.append((self._number, []))
        elif tag == "c":
            self._column = column_of(attributes["r"]) if "r" in attributes else self._column + 1
            check_limit("the XLSX file", self._column, MAX_COLUMNS, self.path, unit="columns")
            self._kind, self._value, self._inline, self._formula = attributes.get("t", "n"), "", "", False
            self._style = int(attributes.get("s", 0))
        elif tag == "f":
            self._formula = True
        elif tag == "mergeCell":
            first, _, last = attributes.get("ref", "").partition(":")
            check_limit("the XLSX file", len(self.merged) + 1, MAX_MERGED, self.path, unit="merged ranges")
            merged = Merged(_row_of(first), column_of(first), _row_of(last or first), column_of(last or first))
            check_limit("the XLSX file", merged.right, MAX_COLUMNS, self.path, unit="columns")
            self.merged.append(merged)

    def end(self, tag: str, tag_name: str) -> None:
        """End a value or a cell."""
        if tag == "v":
            self._value = tag_name
        elif tag == "t":
            self._inline += tag_name
        elif tag == "c" and self.rows:
            cells = self.rows[-1][1]
            value = self._read()
            if value is not None:
                self._count += self._column - len(cells)  # a cell far to the right takes the room of those before it
                check_limit("the XLSX file", self._count, MAX_CELLS, self.path, unit="cells")
                cells.extend([None] * (self._column - len(cells)))
                cells[self._column - 1] = value

    def _read(self) -> Cell:
        if self._kind == "inlineStr":
            return self._inline
        if not self._value:
            if self._formula:
                self.faults.append((self._number, f"column {self._column} is a formula without a stored value"))
            return None
        if self._kind == "s":
            return self.texts[int(self._value)]
        if self._kind == "b":
            return "TRUE" if self._value == "1" else "FALSE"
        if self._kind == "e":
            self.faults.append((self._number, f"column {self._column} is an error: {self._value[:20]}"))
            return None
        if self._kind != "n":
            return self._value
        number = float(self._value)
        code = self.dates.codes[self._style] if 0 <= self._style < len(self.dates.codes) else ""
        return date_text(number, code, since_1904=self.dates.since_1904) or number


def column_of(reference: str) -> int:
    """Return the number of a cell's column, from 1.

    Example:
        >>> column_of("A1"), column_of("Z9"), column_of("AB12")
        (1, 26, 28)
    """
    number = 0
    for letter in reference.rstrip("0123456789").upper():
        if not "A" <= letter <= "Z" or number > MAX_COLUMNS:
            raise ValueError(f"not the reference of a cell: {reference[:20]!r}")
        number = 26 * number + ord(letter) - 64
    return number


def name_of(column: int) -> str:
    """Return the letters of a column.

    Example:
        >>> name_of(1), name_of(26), name_of(28)
        ('A', 'Z', 'AB')
    """
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _row_of(reference: str) -> int:
    return int(reference.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))


def _parse(
    archive: zipfile.ZipFile,
    part: str,
    path: Path,
    start: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str, str], None] = lambda tag, texts: None,
) -> None:
    """Pass each element of a part, without its namespace, to `start`, and with its own text to `end`."""
    depth = 0
    rows_of_texts: list[list[str]] = []

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise DataError("the XML is nested too deep", where=f"{path}, {part}", got=depth)
        rows_of_texts.append([])
        start(tag.rpartition(":")[2], {name.rpartition(":")[2]: value for name, value in attributes.items()})

    def close(tag: str) -> None:
        nonlocal depth
        depth -= 1
        end(tag.rpartition(":")[2], "".join(rows_of_texts.pop()))

    def words(text: str) -> None:
        if rows_of_texts:
            rows_of_texts[-1].append(text)

    def refuse(*_: object) -> int:
        raise DataError("a sheet may not declare a document type or entities", where=f"{path}, {part}")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, close, words
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = parser.ExternalEntityRefHandler = refuse
    for block in _bounded(archive, part, path):
        parser.Parse(block, False)
    parser.Parse(b"", True)


def _bounded(archive: zipfile.ZipFile, part: str, path: Path) -> Iterator[bytes]:
    """Yield the bytes of a part. Raises DataError if there are more than the limit, whatever the archive says."""
    size = 0
    with archive.open(part) as file:
        while block := file.read(_BLOCK):
            size += len(block)
            check_limit(f"{part} of the XLSX file", size, MAX_PART, path, unit="bytes unpacked")
            yield block
