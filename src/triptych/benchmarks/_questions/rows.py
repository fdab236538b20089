"""Files of questions as rows: JSONL, JSON, CSV, TSV, XLSX, Parquet, Arrow. Nested questions become their own rows."""

from __future__ import annotations

import codecs
import csv
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from triptych.benchmarks._questions.base64_cells import Base64Cells
from triptych.benchmarks._questions.cells import flat, keys_of, words
from triptych.benchmarks._questions.embedded import Embedded
from triptych.benchmarks._questions.xlsx import MAX_CELLS, Cell, Sheet, read_sheet
from triptych.errors import DataError
from triptych.records import Problem
from triptych.records.repeated_keys import decode_once
from triptych.records.separators import separator_of
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.limits import MAX_DOCUMENT, MAX_RATIO, check_limit
from triptych.store.parquet.pages import key_values, unpacked_sizes
from triptych.store.spooled import Spooled

if TYPE_CHECKING:
    import polars

FORMATS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".xlsx", ".parquet", ".arrow")
MAX_BYTES = 1 << 30  # of a file that is read at once; of the texts of a table, or MAX_RATIO times its size
MAX_STREAMED_BYTES = 64 << 30  # of a file that is read row by row or in parts
MAX_TABLE_ROWS = 50_000_000  # of a Parquet or Arrow table
MAX_CELL_BYTES = 16 << 20  # characters of a cell of a CSV file
_AT_ONCE = 128 << 20  # unpacked bytes of a table that are read at once
_QUESTION_LISTS = ("questions", "qa", "qas", "qa_pairs", "qa_list", "data", "items", "rows", "examples", "annotations")
# Columns with which a row asks its own question
_ASKS = ("question", "question_text", "query", "prompt", "instruction", "problem", "messages", "conversations")


class Row(NamedTuple):
    """A row: its place in the file, in words, and its cells by column."""

    where: str
    cells: dict[str, Any]


class Reading(NamedTuple):
    """How a file is read. `sheet`: of an XLSX file. `root`: the folder below which embedded files are written, as
    `folder`; None: they are not written. `content`: what messages call the rows."""

    sheet: str = ""
    root: Path | None = None
    folder: str = ""
    content: str = "questions"


AS_IS = Reading()
_MAY_READ = "let this user read the file, or copy it to a folder of your own"
_SAVE_AGAIN = "check that its content is what its ending says; otherwise save it again, as CSV or JSONL"


def read_rows(path: Path, how: Reading = AS_IS) -> tuple[Sequence[Row], list[Problem]]:
    """Return the rows of a file, and one Problem for each that can't be read. Raises DataError if no row can.

    Rows of a large file are not in memory: each pass over them reads them again (`Spooled`).
    """
    if path.suffix.lower() not in FORMATS:
        raise DataError(
            f"not a file of {how.content} that can be read",
            where=path,
            expected=", ".join(FORMATS),
            fix="save it as CSV or JSONL",
        )
    problems: list[Problem] = []
    try:
        limit = MAX_BYTES if path.suffix.lower() in _READ_AT_ONCE else MAX_STREAMED_BYTES
        if path.stat().st_size > limit:
            fix = "divide it into several files"
            raise DataError("the file is too large", where=path, expected=f"at most {limit:,} bytes", fix=fix)
        read = _READERS[path.suffix.lower()](path, problems.append, how)
        files = Base64Cells(_embedded(path, how), path, problems)
        rows = Spooled(one for row in _placed(read, files) for one in _nested(row))
        if files.used:
            rows = Spooled(files.resolved(rows))
    except FileNotFoundError:
        raise DataError(f"no such file of {how.content}", where=path) from None
    except (OSError, *UNREADABLE, csv.Error) as error:
        raise DataError(
            f"the file of {how.content} can't be read",
            where=path,
            got=reason(error)[:200],
            fix=_MAY_READ if isinstance(error, PermissionError) else _SAVE_AGAIN,
        ) from None
    if not rows and not problems:
        raise DataError(f"the file has no {how.content}", where=path)
    return rows, problems


def _placed(rows: Iterable[Row], files: Base64Cells) -> Iterator[Row]:
    for row in rows:
        if (cells := files.placed(row.where, row.cells)) is not None:
            yield Row(row.where, cells)


def _embedded(path: Path, how: Reading) -> Embedded:
    return Embedded(how.root, how.folder or f"{path.stem}.media")


def columns_of(rows: Iterable[Row]) -> list[str]:
    """Return the names of all columns, in the order in which they first occur."""
    return list(dict.fromkeys(name for row in rows for name in row.cells))


Report = Callable[[Problem], None]


def _json_lines(path: Path, report: Report, _how: Reading) -> Iterator[Row]:
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_DOCUMENT + 1), b""), 1):
            check_limit("a line", len(line), MAX_DOCUMENT, f"{path}, line {number}")
            line = line.removeprefix(b"\xef\xbb\xbf").strip()
            if not line:
                continue
            try:
                cells = decode_once(line, object)
            except UNREADABLE as error:
                text = f"it is not valid JSON: {reason(error)}"
                report(Problem("error", "malformed-row", f"{path}, line {number}", text))
                continue
            yield from _row(f"line {number}", cells, path, report)


def _json(path: Path, report: Report, how: Reading) -> Iterator[Row]:
    content = decode_once(path.read_bytes().removeprefix(b"\xef\xbb\xbf"), object)
    if isinstance(content, dict):
        content = _listed(content)
    if not isinstance(content, list):
        raise DataError(
            f"the file holds no list of {how.content}", where=path, expected="[{…}, {…}]", got=type(content).__name__
        )
    for number, cells in enumerate(content, 1):
        yield from _row(f"row {number}", cells, path, report)


def _listed(content: dict[str, Any]) -> Any:
    """Return the list of an object that holds one, or the rows of an object of rows by id."""
    lists = [
        value for key, value in content.items() if isinstance(value, list) and value and isinstance(value[0], dict)
    ]
    if len(lists) == 1 and any(key in _QUESTION_LISTS for key in keys_of(content)):
        return [content] if any(flat(key) == "question" for key in content) else lists[0]
    if content and all(isinstance(value, dict) for value in content.values()):
        return [value if "id" in value else {"id": key, **value} for key, value in content.items()]
    return None


def _table(delimiter: str) -> Callable[[Path, Report, Reading], Iterator[Row]]:
    def read(path: Path, report: Report, _how: Reading) -> Iterator[Row]:
        csv.field_size_limit(max(csv.field_size_limit(), MAX_CELL_BYTES))
        encoding = _encoding(path)
        with path.open(encoding=encoding, newline="") as file:
            head = file.readline(MAX_CELL_BYTES)
            file.seek(0)
            lines = _lines(csv.reader(file, delimiter=separator_of(head, delimiter), strict=True), path)
            header = _checked([name.strip() for name in next(lines, [])], path)
            for number, cells in enumerate(lines, 1):
                if not any(cells):
                    continue
                if len(cells) != len(header):
                    text = f"it has {_cells(len(cells))}, the header {_cells(len(header))}"
                    report(Problem("error", "malformed-row", f"{path}, row {number}", text))
                    continue
                yield Row(f"row {number}", dict(zip(header, cells, strict=True)))

    return read


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count:,} cells"


def _lines(reader: Any, path: Path) -> Iterator[list[str]]:
    """Yield the rows of a CSV file. Raises DataError, with the line, for one that can't be read."""
    while True:
        try:
            line = next(reader, None)
        except csv.Error as error:
            text = str(error)
            if "field limit" in text:
                text = f"a cell of more than {MAX_CELL_BYTES:,} characters; or a quotation mark that isn't closed"
            raise DataError(
                "a row can't be read",
                where=f"{path}, line {reader.line_num}",
                got=text,
                fix="close the quotation mark, or save the file as JSONL",
            ) from None
        if line is None:
            return
        yield line


def _encoding(path: Path) -> str:
    """Return the encoding of a text file: UTF-16 if it has its mark, otherwise UTF-8. Raises DataError for another."""
    with path.open("rb") as file:
        head = file.read(4)
        if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
        decoder = codecs.getincrementaldecoder("utf-8")()
        file.seek(0)
        line = 1
        block = head
        while block:
            block = file.read(1 << 20)
            try:
                line += decoder.decode(block, final=not block).count("\n")
            except UnicodeDecodeError as error:
                line += error.object[: error.start].count(b"\n")
                got = f"byte 0x{error.object[error.start]:02x}"
                raise DataError(
                    "the file is not in UTF-8",
                    where=f"{path}, line {line}",
                    expected="UTF-8, or UTF-16 with its mark",
                    got=got,
                    fix="save it as UTF-8 (Excel: CSV UTF-8), or as XLSX",
                ) from None
    return "utf-8-sig"


def _xlsx(path: Path, report: Report, how: Reading) -> Iterator[Row]:
    """Yield the rows below the names of the columns: the first row with cells, or the one below a merged title."""
    sheet = read_sheet(path, how.sheet)
    for number, fault in sheet.faults:
        report(Problem("error", "malformed-row", f"{path}, row {number}", fault))
    if not sheet.rows:
        return
    rows = _below_title(sheet, path)
    total, names = rows[0]
    _check_merged_names(sheet, rows, path)
    header = _checked(["" if name is None else words(name) for name in names], path)
    taken = _merged_cells(sheet, total, path)
    for number, cells in rows[1:]:
        if merged := taken.get(number):
            fix = "each row needs its own value"
            report(Problem("error", "merged-cells", f"{path}, row {number}", f"{'; '.join(merged[:5])}: {fix}"))
            continue
        if any(one is not None for one in cells[len(header) :]):
            report(Problem("error", "malformed-row", f"{path}, row {number}", "it has cells beyond the header"))
            continue
        yield Row(f"row {number}", dict(zip(header, [*cells, *[None] * len(header)][: len(header)], strict=True)))


def _below_title(sheet: Sheet, path: Path) -> list[tuple[int, list[Cell]]]:
    """Return the rows from the names of the columns on: without a title, merged over several columns, above them.

    Raises DataError if a single cell that isn't such a title is above rows of several cells.
    """
    rows = sheet.rows
    if _filled(rows[0]) == 1 and len(rows) > 1 and _filled(rows[1]) > 1:
        column = next(n for n, cell in enumerate(rows[0][1], 1) if cell is not None)
        if any(one.top == rows[0][0] and one.left == column < one.right for one in sheet.merged):
            rows = rows[1:]
    if _filled(rows[0]) == 1 and (wide := next((row for row in rows[1:] if _filled(row) > 1), None)):
        title = next(words(cell) for cell in rows[0][1] if cell is not None)
        raise DataError(
            "the row of the columns' names has a single cell",
            where=f"{path}, row {rows[0][0]}",
            got=f"{title[:60]!r}; row {wide[0]} has {_filled(wide)} cells",
            fix=f"if the names are in row {wide[0]}, remove the rows above it",
        )
    return rows


def _filled(row: tuple[int, list[Cell]]) -> int:
    return sum(cell is not None for cell in row[1])


def _check_merged_names(sheet: Sheet, rows: Sequence[tuple[int, list[Cell]]], path: Path) -> None:
    """Raise DataError if a column with values has its name merged with that of another column."""
    number = rows[0][0]
    used = sorted({n for _, cells in rows[1:] for n, cell in enumerate(cells, 1) if cell is not None})
    merged = [
        one.in_words(number, column)
        for one in sheet.merged
        if one.top <= number <= one.bottom
        for column in used[bisect_right(used, one.left) : bisect_right(used, one.right)]
    ]
    if merged:
        raise DataError(
            "the names of columns are merged",
            where=f"{path}, row {number}",
            got="; ".join(merged[:5]),
            fix="divide the merged cells, and give each column its own name",
        )


def _merged_cells(sheet: Sheet, header: int, path: Path) -> dict[int, list[str]]:
    """Return the cells below the header that have no value since they are merged with another, by their row."""
    names_by_row: dict[int, list[str]] = {}
    count = 0
    numbers = [number for number, _ in sheet.rows if number > header]
    for one in sheet.merged:
        for row in numbers[bisect_left(numbers, one.top) : bisect_right(numbers, one.bottom)]:
            count += 1
            check_limit("the XLSX file", count, MAX_CELLS, path, unit="rows in merged ranges")
            column = one.left if row > one.top else one.left + 1
            if column <= one.right:
                names_by_row.setdefault(row, []).append(one.in_words(row, column))
    return names_by_row


def _checked(header: list[str], path: Path) -> list[str]:
    """Return the names of the columns; a first one without a name, as pandas writes its index, is `Unnamed: 0`.

    Raises DataError if another one is empty, or if one occurs twice.
    """
    if len(header) > 1 and not header[0]:
        header = ["Unnamed: 0", *header[1:]]
    if len(set(header)) != len(header) or not all(header):
        twice = sorted({name for name in header if name and header.count(name) > 1})
        got = f"twice: {', '.join(twice)}" if twice else f"an empty name in {', '.join(header)}"
        raise DataError(
            "a column's name is empty or occurs twice", where=path, got=got[:200], fix="give each column its own name"
        )
    return header


def _parquet(path: Path, _report: Report, how: Reading) -> Iterator[Row]:
    import polars as pl

    def slices() -> Iterator[polars.DataFrame]:
        size = unpacked_sizes(path, MAX_TABLE_ROWS)
        step = max(1, min(size.rows, _AT_ONCE * size.rows // max(1, size.pages), _AT_ONCE // max(1, size.repeated)))
        for begin in range(0, size.rows, step):
            yield pl.scan_parquet(path).slice(begin, step).collect()

    info = key_values(path).get("huggingface", b"{}")
    yield from _named_labels(_frames(path, slices(), how), info, "info")


def _arrow(path: Path, _report: Report, how: Reading) -> Iterator[Row]:
    """Yield the rows of an Arrow file as `datasets` saves it (`save_to_disk`): a stream of record batches."""
    import polars as pl

    info = path.with_name("dataset_info.json")
    document = info.read_bytes() if info.is_file() and info.stat().st_size < MAX_DOCUMENT else b"{}"
    yield from _named_labels(_frames(path, (pl.read_ipc_stream(path) for _ in range(1)), how), document)


def _named_labels(rows: Iterator[Row], info: bytes, *keys: str) -> Iterator[Row]:
    """Yield rows with the names of labels (`ClassLabel` of `datasets`) in place of their numbers; none for -1."""
    try:
        features = msgspec.json.decode(info)
        for key in (*keys, "features"):
            features = features.get(key, {})
        names = {
            name: one["names"]
            for name, one in features.items()
            if isinstance(one, dict) and one.get("_type") == "ClassLabel" and isinstance(one.get("names"), list)
        }
    except (AttributeError, *UNREADABLE):
        names = {}
    for row in rows:
        cells = dict(row.cells)
        for name in names.keys() & cells.keys():
            number = cells[name]
            is_named = isinstance(number, int) and 0 <= number < len(names[name])
            cells[name] = names[name][number] if is_named else None
        yield Row(row.where, cells)


def _frames(path: Path, frames: Iterator[polars.DataFrame], how: Reading) -> Iterator[Row]:
    """Yield the rows of a table's parts, with the paths of their embedded files. Raises DataError for damaged ones."""
    embedded = _embedded(path, how)
    limit = max(MAX_BYTES, MAX_RATIO * path.stat().st_size)
    number = size = 0
    while True:
        try:
            frame = next(frames, None)
        except DataError:
            raise
        except BaseException as error:  # its decoder raises errors of many kinds for a damaged file, and panics
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            raise DataError(
                "the table can't be read",
                where=path,
                got=str(error)[:200],
                fix="copy or download the file again; it seems to be damaged",
            ) from None
        if frame is None:
            return
        for cells in frame.iter_rows(named=True):
            number += 1
            check_limit("the table", number, MAX_TABLE_ROWS, path, unit="rows")
            row = {name: embedded.plain(value) for name, value in cells.items()}
            size += _length(row)
            check_limit("the table", size, limit, path, unit="characters")
            yield Row(f"row {number}", row)


def _length(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return 64 + sum(map(_length, value.values()))
    return 64 + sum(map(_length, value)) if isinstance(value, list) else 8


def _row(where: str, cells: Any, path: Path, report: Report) -> Iterator[Row]:
    if isinstance(cells, dict):
        yield Row(where, cells)
    else:
        text = f"it is not an object with columns, but {type(cells).__name__}"
        report(Problem("error", "malformed-row", f"{path}, {where}", text))


_READ_AT_ONCE = (".json", ".xlsx")
_READERS: dict[str, Callable[[Path, Report, Reading], Iterator[Row]]] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".json": _json,
    ".csv": _table(","),
    ".tsv": _table("\t"),
    ".xlsx": _xlsx,
    ".parquet": _parquet,
    ".arrow": _arrow,
}


def _nested(row: Row) -> Iterator[Row]:
    """Yield one row for each question of a row that has a list of them; the other cells of the row apply to each."""
    if named := _named_questions(row.cells):
        shared = {key: value for key, value in row.cells.items() if key not in named}
        for key in named:
            cell = row.cells[key]
            named_id = {"id": f"{shared['id']}/{key}"} if "id" in shared and "id" not in cell else {}
            yield Row(f"{row.where}, {key}", {**shared, **cell, **named_id})
        return
    name = next((key for key, value in row.cells.items() if flat(key) in _QUESTION_LISTS and _questions(value)), None)
    if name is None:
        yield row
        return
    shared = {key: value for key, value in row.cells.items() if key != name}
    for number, cell in enumerate(row.cells[name], 1):
        cells = {**shared, **cell}
        if "id" in shared and "id" not in cell:
            cells["id"] = f"{shared['id']}/{number}"
        yield Row(f"{row.where}, question {number}", cells)


def _named_questions(cells: dict[str, Any]) -> list[str]:
    """Return the columns that are questions themselves (`task0`, `task1`), if the row has no question of its own."""
    if any(flat(key) in _ASKS for key in cells):
        return []
    return [key for key, value in cells.items() if isinstance(value, dict) and "question" in keys_of(value)]


def _questions(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, dict) and "question" in keys_of(one) for one in value)
    )
