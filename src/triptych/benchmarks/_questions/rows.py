"""Files of questions as rows: JSONL, JSON, CSV, TSV and Parquet. Nested questions become rows of their own."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from triptych.benchmarks._questions.cells import flat, keys_of, plain
from triptych.errors import DataError
from triptych.records import Problem
from triptych.records.unreadable import UNREADABLE

FORMATS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
REFUSED = (".xlsx", ".xls", ".ods", ".xml", ".yaml", ".yml")
MOST_BYTES = 1 << 30
_QUESTION_LISTS = ("questions", "qa", "qas", "qa_pairs", "qa_list", "data", "items", "rows", "examples", "annotations")


class Row(NamedTuple):
    """A row: its place in the file, in words, and its cells by column."""

    where: str
    cells: dict[str, Any]


def read_rows(path: Path) -> tuple[list[Row], list[Problem]]:
    """Return the rows of a file, and one Problem for each that can't be read. Raises DataError if no row can."""
    if path.suffix.lower() not in FORMATS:
        raise DataError("not a file of questions that can be read", where=path, expected=", ".join(FORMATS),
                        fix="save it as CSV or JSONL")  # fmt: skip
    found: list[Problem] = []
    try:
        if path.stat().st_size > MOST_BYTES:
            fix = "divide it into several files"
            raise DataError("the file is too large", where=path, expected=f"at most {MOST_BYTES:,} bytes", fix=fix)
        rows = list(_READERS[path.suffix.lower()](path, found.append))
    except FileNotFoundError:
        raise DataError("no such file of questions", where=path) from None
    except (OSError, *UNREADABLE, csv.Error) as error:
        raise DataError("the file of questions can't be read", where=path, got=str(error)[:200]) from None
    rows = [one for row in rows for one in _nested(row)]
    if not rows and not found:
        raise DataError("the file has no questions", where=path)
    return rows, found


def columns_of(rows: Iterable[Row]) -> list[str]:
    """Return the names of all columns, in the order in which they first occur."""
    return list(dict.fromkeys(name for row in rows for name in row.cells))


Report = Callable[[Problem], None]


def _json_lines(path: Path, report: Report) -> Iterator[Row]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            line = line.removeprefix(b"\xef\xbb\xbf").strip()
            if not line:
                continue
            try:
                cells = msgspec.json.decode(line)
            except UNREADABLE as error:
                report(
                    Problem("error", "malformed-row", f"{path}:{number}", f"line {number} is not valid JSON: {error}")
                )
                continue
            yield from _row(f"line {number}", cells, path, report)


def _json(path: Path, report: Report) -> Iterator[Row]:
    content = msgspec.json.decode(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    if isinstance(content, dict):
        content = _listed(content)
    if not isinstance(content, list):
        raise DataError("the file holds no list of questions", where=path, expected="[{…}, {…}]",
                        got=type(content).__name__)  # fmt: skip
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


def _table(delimiter: str) -> Callable[[Path, Report], Iterator[Row]]:
    def read(path: Path, report: Report) -> Iterator[Row]:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, delimiter=delimiter, strict=True)
            header = [name.strip() for name in next(lines, [])]
            if len(set(header)) != len(header) or not all(header):
                raise DataError("a column's name is empty or occurs twice", where=path, got=", ".join(header)[:200])
            for number, cells in enumerate(lines, 1):
                if not any(cells):
                    continue
                if len(cells) != len(header):
                    told = f"row {number} has {len(cells)} cells, the header {len(header)}"
                    report(Problem("error", "malformed-row", f"{path}, row {number}", told))
                    continue
                yield Row(f"row {number}", dict(zip(header, cells, strict=True)))

    return read


def _parquet(path: Path, _report: Report) -> Iterator[Row]:
    import polars as pl

    try:
        table = pl.read_parquet(path)
    except Exception as error:  # noqa: BLE001 - its decoder raises errors of many kinds for a damaged file
        raise DataError("the Parquet file can't be read", where=path, got=str(error)[:200]) from None
    for number, cells in enumerate(table.iter_rows(named=True), 1):
        yield Row(f"row {number}", {name: plain(value) for name, value in cells.items()})


def _row(where: str, cells: Any, path: Path, report: Report) -> Iterator[Row]:
    if isinstance(cells, dict):
        yield Row(where, cells)
    else:
        told = f"{where} is not an object with columns, but {type(cells).__name__}"
        report(Problem("error", "malformed-row", f"{path}, {where}", told))


_READERS: dict[str, Callable[[Path, Report], Iterator[Row]]] = {
    ".jsonl": _json_lines, ".ndjson": _json_lines, ".json": _json, ".csv": _table(","), ".tsv": _table("\t"),
    ".parquet": _parquet,
}  # fmt: skip


def _nested(row: Row) -> Iterator[Row]:
    """Yield one row for each question of a row that has a list of them; the other cells of the row apply to each."""
    name = next((key for key, value in row.cells.items() if flat(key) in _QUESTION_LISTS and _questions(value)), None)
    if name is None:
        yield row
        return
    shared = {key: value for key, value in row.cells.items() if key != name}
    for number, own in enumerate(row.cells[name], 1):
        cells = {**shared, **own}
        if "id" in shared and "id" not in own:
            cells["id"] = f"{shared['id']}/{number}"
        yield Row(f"{row.where}, question {number}", cells)


def _questions(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(
        isinstance(one, dict) and "question" in keys_of(one) for one in value
    )  # fmt: skip
