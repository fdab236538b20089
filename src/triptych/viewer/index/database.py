"""A database in memory in which one Run's index is built: JSON lines in, Parquet files out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.store.files.run_files import open_to_read
from triptych.viewer.index.journals import line_starts

if TYPE_CHECKING:
    import duckdb

_ROWS = 4096  # of a row group, so that a page of one Item doesn't read the whole file


class Unfit(Exception):
    """The database can't read a file: it is incomplete, damaged, or not in the form in which Triptych writes it."""


class Database:
    """DuckDB with tables of one Run. `folder`: the folder of the index, for what doesn't fit in memory."""

    def __init__(self, path: Path) -> None:
        import duckdb

        self.folder = path
        settings: dict[str, Any] = {"threads": 2, "memory_limit": "2GB", "temp_directory": str(path / "spilled")}
        self._connection: duckdb.DuckDBPyConnection = duckdb.connect(":memory:", config=settings)

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        with suppress(OSError):
            (self.folder / "spilled").rmdir()

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a statement."""
        return self._connection.execute(sql, list(values)).fetchall()

    def fetch_value(self, sql: str) -> Any:
        """Return the only value of a statement."""
        return self.run(sql)[0][0]

    def load(self, name: str, path: Path, columns: Mapping[str, str], bad: str) -> None:
        """Read a file of JSON lines into a table; an empty one if it doesn't exist. `bad`: a condition that no row may
        meet.

        Raises Unfit if the file can't be read or contains such a row, and OSError if it is not a regular file.
        """
        import duckdb

        types = ", ".join(f"{column} {kind}" for column, kind in columns.items())
        self.run(f"CREATE OR REPLACE TABLE {name} ({types})")
        link = self.folder / f"{name}-{os.getpid()}.link"  # the file's own path may contain what the database expands
        try:
            _check_end(path)
            link.unlink(missing_ok=True)
            link.symlink_to(path.resolve())
            wanted = "{" + ", ".join(f"{column}: '{kind}'" for column, kind in columns.items()) + "}"
            self.run(
                f"INSERT INTO {name} SELECT * FROM read_json({quote_sql(link)}, format='newline_delimited', "
                f"columns={wanted})"
            )
        except FileNotFoundError:
            return
        except duckdb.Error as error:
            raise Unfit(str(error)) from None
        finally:
            link.unlink(missing_ok=True)
        if self.fetch_value(f"SELECT count(*) FROM {name} WHERE {bad}"):
            raise Unfit(f"{path.name}: a field is missing or has an unknown value")

    def locate(self, name: str, path: Path, key: str, order: str) -> None:
        """Add the column `start` to a table: the byte at which the row's line begins. Keep one of several rows with the
        same key, the first in an order. Raises Unfit if the file doesn't have one record per line."""
        starts = {"start": line_starts(path)}
        if len(starts["start"]) != self.fetch_value(f"SELECT count(*) FROM {name}"):
            raise Unfit(f"{path.name}: not one record per line")
        self._connection.register("starts", starts)
        self.run(f"CREATE OR REPLACE TABLE {name} AS SELECT t.*, s.start FROM {name} t POSITIONAL JOIN starts s")
        self._connection.unregister("starts")
        if self.fetch_value(f"SELECT count(*) - count(DISTINCT ({key})) FROM {name}"):
            self.run(
                f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM {name} "
                f"QUALIFY row_number() OVER (PARTITION BY {key} ORDER BY {order}) = 1"
            )

    def table(self, name: str, columns: Mapping[str, tuple[type, Iterable[Any]]]) -> None:
        """Make a table of columns of Python values, each with its type."""
        import polars as pl

        types = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean}
        path = self.folder / f"{name}-{os.getpid()}.tmp"
        try:
            frame = pl.DataFrame(
                [pl.Series(column, list(column_type), types[kind]) for column, (kind, column_type) in columns.items()]
            )
            frame.write_parquet(path)
            self.run(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM read_parquet({quote_sql(path)})")
        finally:
            path.unlink(missing_ok=True)

    def write(self, path: Path, sql: str, values: Sequence[Any] = ()) -> None:
        """Write the rows of a statement into a Parquet file, whole or not at all."""
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        options = f"FORMAT parquet, COMPRESSION lz4, ROW_GROUP_SIZE {_ROWS}"
        self.run(f"COPY ({sql}) TO {quote_sql(temporary)} ({options})", values)
        temporary.replace(path)


def _check_end(path: Path) -> None:
    """Raise Unfit if the last line is incomplete: the database would leave it out."""
    with open_to_read(path) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        if file.read(1) not in (b"", b"\n"):
            raise Unfit(f"{path.name}: the last line is incomplete")


def quote_sql(words: object) -> str:
    """Return a text quoted for SQL."""
    return "'" + str(words).replace("'", "''") + "'"


def named(column: str) -> str:
    """Return a column's name quoted for SQL."""
    return '"' + column.replace('"', '""') + '"'
