"""Records as a Parquet table and back, without loss: plain fields are columns, nested fields are JSON texts."""

from __future__ import annotations

import io
import types
import typing
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from triptych.errors import DataError
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.atomic import write_atomically
from triptych.store.files.limits import MAX_KEPT, MIB, check_limit, memory_limit
from triptych.store.files.run_files import open_to_read
from triptych.store.parquet.pages import sizes

if TYPE_CHECKING:
    import polars

Record = TypeVar("Record", bound=msgspec.Struct)
_PLAIN = (str, int, float, bool)
_AT_ONCE = 1024 * MIB  # decoded rows
_ROW, _BRACKET = 100, 64  # bytes of a record without its texts, of one of its lists or tables


def write_parquet(path: Path, records: Iterable[msgspec.Struct], kind: type[msgspec.Struct]) -> None:
    """Write all records of one type to `path` atomically."""
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
    """Yield the records written by `write_parquet`. Raises DataError for other files, and for files whose rows or texts
    exceed the limits when unpacked; the memory is bounded before anything is decoded.
    """
    import polars as pl

    taken = 0
    try:
        limit = memory_limit(path.stat().st_size, MAX_KEPT)
        for frame in _slices(path, min(_AT_ONCE, limit)):
            taken += _memory(frame)
            check_limit("a packed Run", taken, limit, path, unit="bytes unpacked")
            if unknown := set(frame.columns) - set(kind.__struct_fields__):
                raise DataError("a packed Run has unknown columns", where=path, got=sorted(unknown))
            yield from _rows(frame, kind)
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise DataError("a packed Run can't be read", where=path, got=str(error)[:300]) from None
    except (TypeError, *UNREADABLE) as error:
        raise DataError("a packed Run has a row that can't be read", where=path, got=reason(error)[:300]) from None


def _slices(path: Path, at_once: int) -> Iterator[polars.DataFrame]:
    """Yield all rows, as many at once as this many bytes can hold even if each repeats the longest text."""
    import polars as pl

    row_sizes = sizes(path)
    step = max(1, at_once // max(1, row_sizes.repeated))
    with open_to_read(path) as file:
        if row_sizes.rows <= step:
            yield pl.read_parquet(file)
            return
        for begin in range(0, row_sizes.rows, step):
            file.seek(0)
            yield pl.scan_parquet(file).slice(begin, step).collect()


def _memory(frame: polars.DataFrame) -> int:
    """Return about how many bytes the rows take as records. Sums have 64 bits: Polars adds lengths in 32."""
    import polars as pl

    size = frame.height * _ROW
    for column in frame.iter_columns():
        if column.dtype == pl.String:
            size += int(column.str.len_bytes().cast(pl.Int64).sum())
            size += _BRACKET * int(column.str.count_matches(r"[\[{]").cast(pl.Int64).sum())
    return size


def _rows(frame: polars.DataFrame, kind: type[Record]) -> Iterator[Record]:
    """Yield the rows, each validated like a line of a journal, since a packed Run may come from anybody."""
    plain, decode = _plain_types(kind), msgspec.json.Decoder().decode
    nested = [name for name in frame.columns if name not in plain]
    for row in frame.iter_rows(named=True):
        yield msgspec.convert({**row, **{name: decode(row[name]) for name in nested}}, kind)


def _plain_types(kind: type[msgspec.Struct]) -> dict[str, type]:
    """Return the fields that are stored in a column as they are (a string, a number, or None)."""
    all_types: dict[str, type] = {}
    for name, hint in typing.get_type_hints(kind).items():
        choices = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
        rest = [c for c in choices if c is not type(None)]
        base = rest[0] if len(rest) == 1 else None
        if typing.get_origin(base) is typing.Literal:
            base = str
        if base in _PLAIN:
            all_types[name] = base
    return all_types
