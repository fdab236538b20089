"""Tables of XLSX workbooks, read without running anything: values as they were saved, formulas are not computed."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn
from xml.parsers import expat

from triptych.audit.sheets.raw import MAX_COLUMNS, MAX_ROWS, RawCell, RawTable
from triptych.errors import DataError
from triptych.store.files.excel_dates import DATE_FORMATS, date_text

_MAX_BYTES = 64 * 2**20  # of one part of the workbook, unpacked
_MAX_SHEETS, _MAX_NODES, _DEEPEST = 64, 4_000_000, 64
_ADDRESS = re.compile(r"^([A-Z]{1,3})(\d{1,7})$")
_RANGE = re.compile(r"^([A-Z]{1,3}\d{1,7}):([A-Z]{1,3}\d{1,7})$")
_LITERAL = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')  # text of a number format, escapes, colours, spaces
_CONDITION = re.compile(r"\[[<>=]")  # of a section, in place of the sign
_DIGITS = re.compile(r"^[^0#?%.,EeGg]*([#0?,]+)(?:\.([#0?]*))?[^0#?.,EeGg]*$")
_BUILT_IN = {1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", **DATE_FORMATS}
_Event = tuple[str, str, dict[str, str], str]  # start or end, name without its namespace, attributes, text


def workbook_tables(path: Path) -> list[RawTable]:
    """Return a table per sheet (several if empty rows separate them) of an XLSX file.

    Numbers are given as they are shown: rounded as the cell's format says, dates as in ISO 8601. Raises DataError for
    what isn't a workbook, for parts that unpack to more than 64 MiB, for document types and entities, and for sheets
    that are too large.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return list(_tables(archive, path))
    except (zipfile.BadZipFile, OSError, KeyError, EOFError, zlib.error, NotImplementedError, RuntimeError) as error:
        raise DataError("not an XLSX workbook", where=path, got=str(error) or type(error).__name__) from None


def _tables(archive: zipfile.ZipFile, path: Path) -> Iterator[RawTable]:
    names = archive.namelist()
    shared = list(_shared(archive, path)) if "xl/sharedStrings.xml" in names else []
    styles = _styles(archive, path) if "xl/styles.xml" in names else []
    since_1904 = _counts_from_1904(archive, path)
    for title, part in _sheets(archive, path, set(names)):
        cells, merged = _cells(archive, part, path, shared, styles, since_1904)
        yield from _split(cells, merged, title)


def _sheets(archive: zipfile.ZipFile, path: Path, names: set[str]) -> Iterator[tuple[str, str]]:
    """Yield (name, part) of each sheet, in the workbook's order."""
    targets = {}
    for kind, tag, attributes, _ in _events(archive, "xl/_rels/workbook.xml.rels", path):
        if kind == "start" and tag == "Relationship":
            targets[attributes.get("Id", "")] = attributes.get("Target", "")
    count = 0
    for kind, tag, attributes, _ in _events(archive, "xl/workbook.xml", path):
        if kind == "start" and tag == "sheet":
            target = targets.get(attributes.get("id", ""), "")
            part = target.lstrip("/") if target.startswith("/") else str(PurePosixPath("xl") / target)
            if part in names and attributes.get("state", "visible") == "visible":
                count += 1
                if count > _MAX_SHEETS:
                    raise DataError("a workbook has too many sheets", expected=f"at most {_MAX_SHEETS}", where=path)
                yield attributes.get("name", part), part


def _counts_from_1904(archive: zipfile.ZipFile, path: Path) -> bool:
    return any(
        kind == "start" and tag == "workbookPr" and attributes.get("date1904", "0") in {"1", "true", "on"}
        for kind, tag, attributes, _ in _events(archive, "xl/workbook.xml", path)
    )


def _shared(archive: zipfile.ZipFile, path: Path) -> Iterator[str]:
    parts: list[str] = []
    phonetic = False
    for kind, tag, _, text in _events(archive, "xl/sharedStrings.xml", path):
        if tag == "rPh":
            phonetic = kind == "start"
        elif kind == "start" and tag == "si":
            parts = []
        elif kind == "end" and tag == "t" and not phonetic:
            parts.append(text)
        elif kind == "end" and tag == "si":
            yield "".join(parts)


def _styles(archive: zipfile.ZipFile, path: Path) -> list[tuple[str, bool, bool]]:
    """Return (number format, bold, underlined) of each cell style."""
    formats, fonts, styles = dict(_BUILT_IN), list[list[bool]](), list[tuple[str, bool, bool]]()
    within: list[str] = []
    for kind, tag, attributes, _ in _events(archive, "xl/styles.xml", path):
        if kind == "end":
            within.pop()
            continue
        if tag == "numFmt":
            formats[_integer(attributes.get("numFmtId"))] = attributes.get("formatCode", "")
        elif tag == "font" and within[-1:] == ["fonts"]:
            fonts.append([False, False])
        elif tag in {"b", "u"} and "fonts" in within and fonts:
            fonts[-1][tag == "u"] = attributes.get("val", "1") not in {"0", "false", "none"}
        elif tag == "xf" and within[-1:] == ["cellXfs"]:
            font = _integer(attributes.get("fontId"))
            bold, under = fonts[font] if 0 <= font < len(fonts) else (False, False)
            styles.append((formats.get(_integer(attributes.get("numFmtId")), ""), bold, under))
        within.append(tag)
    return styles


def _cells(
    archive: zipfile.ZipFile,
    part: str,
    path: Path,
    shared: list[str],
    styles: list[tuple[str, bool, bool]],
    since_1904: bool,
) -> tuple[dict[int, dict[int, RawCell]], list[tuple[int, int, int, int]]]:
    """Return the cells of a sheet as row -> column -> cell, and the merged areas."""
    cells_by_row: dict[int, dict[int, RawCell]] = {}
    merged = []
    address, style, kind_of, value = (0, 0), ("", False, False), "", ""
    row = column = 0
    for kind, tag, attributes, text in _events(archive, part, path):
        if kind == "start" and tag == "row":
            row, column = _integer(attributes.get("r")) or row + 1, 0
        elif kind == "start" and tag == "c":
            address = _address(attributes.get("r", "")) or (row, column + 1)
            row, column = address
            number = _integer(attributes.get("s"))
            style = styles[number] if 0 <= number < len(styles) else ("", False, False)
            kind_of, value = attributes.get("t", "n"), ""
        elif kind == "end" and tag in {"v", "t"}:
            value += text
        elif kind == "end" and tag == "c" and value:
            if address[0] > MAX_ROWS or address[1] > MAX_COLUMNS:
                raise DataError(
                    "a sheet is too large", expected=f"{MAX_ROWS:,} rows, {MAX_COLUMNS} columns", where=path
                )
            shown = _shown(value, kind_of, style[0], shared, since_1904)
            cells_by_row.setdefault(address[0], {})[address[1]] = RawCell(" ".join(shown.split()), style[1], style[2])
        elif kind == "start" and tag == "mergeCell" and (area := _RANGE.match(attributes.get("ref", ""))):
            first, last = _address(area[1]), _address(area[2])
            if first and last and last[0] - first[0] <= MAX_ROWS and last[1] - first[1] <= MAX_COLUMNS:
                merged.append((*first, *last))
    return cells_by_row, merged[:MAX_ROWS]


def _split(
    cells: dict[int, dict[int, RawCell]], merged: list[tuple[int, int, int, int]], title: str
) -> Iterator[RawTable]:
    """Yield the blocks of rows between empty ones."""
    for top, left, bottom, right in merged:
        if cell := cells.get(top, {}).get(left):
            for row in range(top, bottom + 1):
                if row in cells:
                    for column in range(left, right + 1):
                        cells[row].setdefault(column, RawCell(cell.text, cell.bold, cell.underlined, repeated=True))
    block: list[int] = []
    for row in [*sorted(cells), 0]:
        if block and row != block[-1] + 1:
            first = min(min(cells[r]) for r in block)
            last = max(max(cells[r]) for r in block)
            rows = [[cells[r].get(c, RawCell("")) for c in range(first, last + 1)] for r in block]
            yield RawTable(rows, block[0], title)
            block = []
        block.append(row)


def _shown(value: str, kind: str, code: str, shared: list[str], since_1904: bool) -> str:
    """Return a cell's text; a number as its format shows it, and a date as one."""
    if kind == "s":
        total = _integer(value)
        return shared[total] if 0 <= total < len(shared) else ""
    if kind == "b":
        return "FALSE" if value == "0" else "TRUE"
    if kind != "n":
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    return date_text(number, code, since_1904=since_1904) or _formatted(number, code)


def _formatted(number: float, code: str) -> str:
    """Return a number as a number format of ECMA-376 (`0.0#`, `#,##0`, `0.0 %`) shows it, without thousands separators.

    A format of another kind (fractions, powers of ten, thousands left out, conditions) gives the number itself:
    nothing is rounded that the sheet may show.
    """
    sections = _LITERAL.sub("", code).split(";")
    section = sections[1] if number < 0 and len(sections) > 1 and sections[1].strip() else sections[0]
    digits = _DIGITS.match(section)
    if not digits or digits[1].endswith(",") or _CONDITION.search(code):
        return f"{number:.10g}"
    decimals = digits[2] or ""
    percent = "%" in section
    shown = f"{100 * number if percent else number:.{len(decimals)}f}"
    for optional in reversed(decimals):  # `#` shows a digit that isn't a zero at the end
        if optional != "#" or not shown.endswith("0"):
            break
        shown = shown[:-1]
    return shown.removesuffix(".") + "%" * percent


def _integer(text: str | None) -> int:
    return int(text) if text and re.fullmatch(r"\d{1,9}", text) else 0 if text is None else -1


def _address(text: str) -> tuple[int, int] | None:
    """Return (row, column) of an address such as B12."""
    address_match = _ADDRESS.match(text)
    if not address_match:
        return None
    column = 0
    for letter in address_match[1]:
        column = 26 * column + ord(letter) - 64
    return int(address_match[2]), column


def _events(archive: zipfile.ZipFile, part: str, path: Path) -> Iterator[_Event]:
    """Yield the elements of an XML part. No document type or entity is accepted."""
    where = f"{path}, {part}"
    if archive.getinfo(part).file_size > _MAX_BYTES:
        raise DataError("a part of a workbook is too large", expected=f"at most {_MAX_BYTES:,} bytes", where=where)
    events: list[_Event] = []
    text: list[str] = []
    depth = nodes = 0

    def refuse(*_: object) -> NoReturn:
        raise DataError("a workbook declares a document type or entities", where=where)

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, nodes
        depth, nodes = depth + 1, nodes + 1
        if depth > _DEEPEST or nodes > _MAX_NODES:
            raise DataError("a workbook has too many elements", where=where, expected=f"at most {_MAX_NODES:,}")
        text.clear()
        events.append(("start", _local(name), {_local(k): v for k, v in attributes.items()}, ""))

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        events.append(("end", _local(name), {}, "".join(text)))
        text.clear()

    parser: Any = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text.append
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = parser.ExternalEntityRefHandler = refuse
    read = 0
    try:
        with archive.open(part) as file:
            while piece := file.read(65_536):
                read += len(piece)
                if read > _MAX_BYTES:
                    raise DataError(
                        "a part of a workbook is too large", expected=f"at most {_MAX_BYTES:,} bytes", where=where
                    )
                parser.Parse(piece, False)
                yield from events
                events.clear()
            parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise DataError("a workbook's XML is not well-formed", where=where, got=str(error)) from None
    yield from events


def _local(name: str) -> str:
    return name.rpartition(":")[2]
