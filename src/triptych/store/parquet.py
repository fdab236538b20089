"""Records as a Parquet table, and back without loss: plain fields are columns, nested ones are JSON text."""

from __future__ import annotations

import io
import types
import typing
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from triptych.errors import DataError
from triptych.records.unreadable import UNREADABLE
from triptych.store.atomic import write_atomically
from triptych.store.limits import MAX_KEPT, MAX_ROWS, check_limit
from triptych.store.own_files import open_to_read

if TYPE_CHECKING:
    import polars

Record = TypeVar("Record", bound=msgspec.Struct)
_PLAIN = (str, int, float, bool)


def write_parquet(path: Path, records: Iterable[msgspec.Struct], kind: type[msgspec.Struct]) -> None:
    """Write all records of one kind to `path`, whole."""
    import polars as pl

    plain = _plain_types(kind)
    columns: dict[str, list[Any]] = {name: [] for name in kind.__struct_fields__}
    for record in records:
        for name, values in columns.items():
            value = getattr(record, name)
            values.append(value if name in plain else msgspec.json.encode(value).decode())
    dtypes = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean}
    schema = {name: dtypes.get(plain.get(name, str), pl.String) for name in columns}
    buffer = io.BytesIO()
    pl.DataFrame(columns, schema=schema).write_parquet(buffer, compression="zstd")
    write_atomically(path, buffer.getvalue())


def read_parquet(path: Path, kind: type[Record]) -> Iterator[Record]:
    """The records of `write_parquet`, equal to those written. Raises DataError for a file that isn't one of its, and
    for one whose rows or texts, repeated without end in few bytes, go beyond the limits."""
    import polars as pl

    try:
        with open_to_read(path) as file:
            frame = pl.read_parquet(file, n_rows=MAX_ROWS + 1)
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise DataError("a packed Run can't be read", where=path, got=str(error)) from None
    check_limit("a packed Run", frame.height, MAX_ROWS, path, unit="rows")
    texts = [name for name, dtype in frame.schema.items() if dtype == pl.String]
    size = sum(int(frame[name].str.len_bytes().sum() or 0) for name in texts)
    check_limit("a packed Run", size, MAX_KEPT, path, unit="bytes unpacked")
    unknown = set(frame.columns) - set(kind.__struct_fields__)
    if unknown:
        raise DataError("a packed Run has columns not known here", where=path, got=sorted(unknown))
    try:
        yield from _rows(frame, kind)
    except (TypeError, *UNREADABLE) as error:
        raise DataError("a packed Run holds a row that can't be read", where=path, got=str(error)[:300]) from None


def _rows(frame: polars.DataFrame, kind: type[Record]) -> Iterator[Record]:
    """Each row is checked as a journal's line is: a packed Run may come from anybody."""
    plain, decode = _plain_types(kind), msgspec.json.Decoder().decode
    nested = [name for name in frame.columns if name not in plain]
    for row in frame.iter_rows(named=True):
        yield msgspec.convert({**row, **{name: decode(row[name]) for name in nested}}, kind)


def _plain_types(kind: type[msgspec.Struct]) -> dict[str, type]:
    """The fields that a column can hold as they are (a string, a number, or None)."""
    found: dict[str, type] = {}
    for name, hint in typing.get_type_hints(kind).items():
        choices = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
        rest = [c for c in choices if c is not type(None)]
        base = rest[0] if len(rest) == 1 else None
        if typing.get_origin(base) is typing.Literal:
            base = str
        if base in _PLAIN:
            found[name] = base
    return found
