"""Tables of raw material: CSV, TSV or JSON lines, read strictly and with a limit on their size."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from triptych.errors import DataError
from triptych.records.repeated_keys import decode_once
from triptych.records.separators import separator_of
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.run_files import read_own

MAX_TABLE_BYTES = 256 << 20
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


UTF_8 = "save it as UTF-8 (in Excel: Save As, file type `CSV UTF-8`)"
LISTED = 40  # faults that an error names


class RowsError(DataError):
    """Several rows of the raw material can't be used; `faults` has an error for each."""

    def __init__(self, faults: Sequence[DataError]) -> None:
        self.faults: tuple[DataError, ...] = tuple(faults)
        texts = [_in_a_line(fault) for fault in faults[:LISTED]]
        texts += [f"and {len(faults) - LISTED} more"] if len(faults) > LISTED else []
        super().__init__(
            f"{len(faults):,} faults in the raw material",
            got="\n  ".join(texts),
            fix="correct these rows, or take them out of the table",
        )


def _in_a_line(fault: DataError) -> str:
    more = [f"{label}: {value}" for label, value in (("got", fault.got), ("expected", fault.expected)) if value]
    text = f"{fault.problem} ({'; '.join(more)})" if more else fault.problem
    return " ".join((f"{fault.where}: {text}" if fault.where else text).split())


class RowFaults:
    """Faults of rows, collected so that one error names all of them.

    faults = RowFaults()
    for row in rows:
        with faults.row():
            records.append(read(row))
    faults.check()
    """

    def __init__(self) -> None:
        self.errors: list[DataError] = []

    @contextmanager
    def row(self) -> Iterator[None]:
        """Keep a DataError of the block."""
        try:
            yield
        except RowsError as error:
            self.errors += error.faults
        except DataError as error:
            self.errors.append(error)

    def check(self) -> None:
        """Raise the DataError of the rows; one that names all if there are several."""
        if self.errors:
            raise self.errors[0] if len(self.errors) == 1 else RowsError(self.errors)


def read_table(
    path: Path, required: Sequence[str], columns: Sequence[str] = (), faults: RowFaults | None = None
) -> list[dict[str, Any]]:
    """Return the rows of a table with a heading; cells of CSV and TSV are texts without spaces at their ends.

    `required`: cells that every row must fill. `columns`: names that the table must have, and whose cells may be empty.
    Raises DataError if the file is missing, too large or not UTF-8, for a table without one of the columns, and for
    rows that lack a required cell or can't be read, all of them at once. With `faults`, such rows are kept there, and
    an empty row is returned for each. An empty file has no rows. The cells of CSV and TSV may be separated by commas,
    semicolons or tabs.
    """
    row_faults = RowFaults() if faults is None else faults
    content = content_of(path)
    heading, rows = _lines(path, content, row_faults) if path.suffix == ".jsonl" else _cells(path, content, row_faults)
    if missing := [name for name in (*required, *columns) if heading and name not in heading]:
        raise DataError(
            f"the table has no column {missing[0]!r}",
            where=path,
            expected=", ".join((*required, *columns)),
            got=", ".join(heading),
        )
    for number, row in enumerate(rows, 1):
        if row and (missing := [name for name in required if row.get(name) in (None, "")]):
            with row_faults.row():
                raise DataError(
                    f"a row has no {missing[0]!r}",
                    where=f"{path}, row {number}",
                    expected=", ".join(required),
                    got=", ".join(str(name) for name in row),
                )
            rows[number - 1] = {}
    if faults is None:
        row_faults.check()
    return rows


def content_of(path: Path, what: str = "table") -> str:
    """Return the text of a file of raw material, in UTF-8 or in UTF-16 with its mark. `what` names it in errors.

    Raises DataError if it can't be read, is larger than MAX_TABLE_BYTES, or is in another encoding.
    """
    try:
        content = read_own(path, MAX_TABLE_BYTES)
        return content.decode("utf-16" if content[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8-sig")
    except OSError as error:
        raise DataError(f"the {what} can't be read ({error.strerror})", where=path) from None
    except UnicodeDecodeError as error:
        raise DataError(f"the {what} isn't UTF-8", where=path, got=str(error), fix=UTF_8) from None


def _cells(path: Path, content: str, faults: RowFaults) -> tuple[list[str], list[dict[str, Any]]]:
    if path.suffix not in _DELIMITERS:
        raise DataError("this is not a table", where=path, expected=".csv, .tsv or .jsonl")
    separator = separator_of(content.partition("\n")[0], _DELIMITERS[path.suffix])
    reader = csv.reader(io.StringIO(content), delimiter=separator, strict=True)
    usual = csv.field_size_limit(MAX_TABLE_BYTES)  # a cell may contain a whole work
    try:
        heading = [name.strip() for name in next(reader, [])]
        if len(set(heading)) < len(heading) or not all(heading):
            raise DataError("the table's heading has empty or repeated names", where=path, got=", ".join(heading))
        rows = []
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(heading):
                with faults.row():
                    raise DataError(
                        "a row has another number of cells than the heading",
                        where=f"{path}, line {reader.line_num}",
                        expected=len(heading),
                        got=len(cells),
                        fix="quote cells that contain the separator or a line end",
                    )
                rows.append({})
                continue
            rows.append({name: cell.strip() for name, cell in zip(heading, cells, strict=True)})
        return heading, rows
    except csv.Error as error:
        raise DataError("the table is malformed", where=f"{path}, line {reader.line_num}", got=str(error)) from None
    finally:
        csv.field_size_limit(usual)


def _lines(path: Path, content: str, faults: RowFaults) -> tuple[list[str], list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(content.split("\n"), 1):
        if line.strip():
            try:
                rows.append(decode_once(line, dict[str, Any]))
            except UNREADABLE as error:
                with faults.row():
                    raise DataError(
                        "a line is not a JSON object", where=f"{path}:{number}", got=reason(error)
                    ) from None
                rows.append({})
    return list(dict.fromkeys(str(name) for row in rows for name in row)), rows
