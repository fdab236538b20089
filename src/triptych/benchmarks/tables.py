"""Tables that people filled, such as ratings and corrections: in any format of a question file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from triptych.benchmarks._questions.rows import Reading, read_rows
from triptych.errors import DataError


def read_table(path: Path, content: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each row of a CSV, TSV, XLSX, JSONL, JSON, Parquet or Arrow file: where it is, and its cells by column.

    `content` is what messages call the rows, such as "ratings". Raises DataError for a file or row that is unreadable.
    """
    rows, problems = read_rows(path, Reading(content=content))
    if problems:
        raise DataError(f"a row of the {content} can't be read", where=problems[0].where, got=problems[0].message)
    for row in rows:
        yield f"{path}, {row.where}", row.cells
