"""The memory that reading a Parquet file takes, found in its headers before anything is decoded.

A kilobyte can stand for gigabytes: a page states that it unpacks to any size, and one long text of a dictionary can be
repeated by every row. The headers are in Thrift's compact form; the field numbers are those of
https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from triptych.errors import DataError
from triptych.store.files.limits import MAX_DOCUMENT, MAX_KEPT, MAX_ROWS, check_limit, check_unpacked, memory_limit
from triptych.store.files.run_files import open_to_read
from triptych.store.parquet.thrift import Reader

_MAGIC = b"PAR1"
_VIEW = 16  # bytes that one value takes in a column, decoded, besides its text
_PHYSICAL = {0, 1, 2, 5, 6}  # Boolean, Int32, Int64, Double, texts
_CODECS = {0, 6}  # none, Zstandard
_DATA, _DICTIONARY, _DATA_V2 = 0, 2, 3  # kinds of pages; field 5, 7 or 8 of the page's header describes them
_DESCRIBED = {_DATA: 5, _DICTIONARY: 7, _DATA_V2: 8}
_ENCODED = {_DATA: 2, _DICTIONARY: 2, _DATA_V2: 4}  # field of that description
_ENCODINGS = {0, 2, 3, 4, 5, 6, 8}  # not 7 and 9: a text of 7 repeats any part of the one before it
_ODD = (LookupError, TypeError, AttributeError, ValueError, OverflowError)


class Sizes(NamedTuple):
    """`rows` of the file; `pages`: bytes of its pages, unpacked; `repeated`: the most bytes that one more row can take
    by repeating what is in dictionaries."""

    rows: int
    pages: int
    repeated: int


def sizes(path: Path) -> Sizes:
    """Return what a file takes, according to the headers of all its pages.

    Raises DataError if they can't be read, exceed the limits, or describe what `write_parquet` doesn't write (nested
    columns, other compression methods, encodings that expand); OSError if the file can't be opened.
    """
    with _mapped(path) as data:
        try:
            return _sizes(data, path)
        except _ODD as error:
            raise _refused(path, f"damaged headers ({type(error).__name__}: {str(error)[:200]})") from None


def unpacked_sizes(path: Path, most_rows: int = MAX_ROWS) -> Sizes:
    """Return what a Parquet file of any origin takes: columns may be nested, compressed and encoded in any way.

    Raises DataError if its headers can't be read, or exceed the limits; OSError if it can't be opened.
    """
    with _mapped(path) as data:
        try:
            return _any_sizes(data, path, most_rows)
        except _ODD as error:
            got = f"damaged headers ({type(error).__name__}: {str(error)[:200]})"
            raise DataError("not a Parquet file that can be read", where=path, got=got) from None


def key_values(path: Path) -> dict[str, bytes]:
    """Return the texts that a Parquet file states about itself, by their keys; empty if it states none."""
    with _mapped(path) as data:
        try:
            pairs = _footer(data).get(5) or []
            return {bytes(pair[1]).decode(): bytes(pair[2]) for pair in pairs if 2 in pair}
        except _ODD:
            return {}


def _any_sizes(data: memoryview, path: Path, most_rows: int) -> Sizes:
    footer = _footer(data)
    rows = sum(_count(group[3]) for group in footer[4])
    check_limit("the Parquet file", rows, most_rows, path, unit="rows")
    pages, dictionaries = 0, 0
    for group in footer[4]:
        of_group = 0
        for column in group[1]:
            for kind, size in _pages(data, column[3]):
                pages += size
                of_group += size if kind == _DICTIONARY else 0
                check_unpacked("the Parquet file", pages, len(data), path)
        dictionaries = max(dictionaries, of_group)
    return Sizes(rows, pages, dictionaries)


def _pages(data: memoryview, header: dict[int, Any]) -> Iterator[tuple[int, int]]:
    """Yield the kind and the unpacked size of each page of a column in one group of rows."""
    at = min(_count(header[9]), _count(header.get(11) or header[9]))
    end = at + _count(header[7])
    if end > len(data):
        raise ValueError("a column is longer than the file")
    while at < end:
        reader = Reader(data, at, end)
        page = reader.struct()
        yield page[1], _count(page[2])
        at = reader.at + _count(page[3])


def _sizes(data: memoryview, path: Path) -> Sizes:
    footer = _footer(data)
    columns = _columns(footer[2], path)
    groups = footer[4]
    rows = sum(_count(group[3]) for group in groups)
    check_limit("a packed Run", rows, MAX_ROWS, path, unit="rows")
    pages, largest = 0, [0] * columns
    for group in groups:
        if len(group[1]) != columns:
            raise ValueError("a group of rows lacks a column")
        for number, column in enumerate(group[1]):
            of_chunk, dictionary = _chunk(data, column[3], _count(group[3]), path)
            pages += of_chunk
            largest[number] = max(largest[number], dictionary)
            check_limit("a packed Run", pages, memory_limit(len(data), MAX_KEPT), path, unit="bytes unpacked")
    return Sizes(rows, pages, sum(largest) + _VIEW * columns)


def _columns(schema: list[dict[int, Any]], path: Path) -> int:
    """Return the number of columns, none of which may be nested or repeated."""
    root, *leaves = schema
    if any(leaf.get(5) or leaf.get(3) == 2 or leaf.get(1) not in _PHYSICAL for leaf in leaves):
        raise _refused(path, "a nested column, or one of another type")
    if root.get(5, 0) != len(leaves):
        raise ValueError("the number of columns is wrong")
    return len(leaves)


def _chunk(data: memoryview, header: dict[int, Any], rows: int, path: Path) -> tuple[int, int]:
    """Return the unpacked bytes of a column's pages in one group of rows, and those of its dictionary."""
    if header[4] not in _CODECS:
        raise _refused(path, f"compression method {header[4]}")
    first = min(_count(header[9]), _count(header.get(11) or header[9]))
    at, end = first, first + _count(header[7])
    if end > len(data) or _count(header[5]) > rows:
        raise ValueError("a column is longer than the file, or than its group of rows")
    unpacked = dictionary = values = 0
    while at < end:
        reader = Reader(data, at, end)
        page = reader.struct()
        size, packed, kind = _count(page[2]), _count(page[3]), page[1]
        check_limit("a page of a packed Run", size, MAX_DOCUMENT, path, unit="bytes unpacked")
        page_header = page[_DESCRIBED[kind]]
        if page_header.get(_ENCODED[kind], 0) not in _ENCODINGS:
            raise _refused(path, f"encoding {page_header.get(_ENCODED[kind])}")
        unpacked += size
        if kind == _DICTIONARY:
            dictionary += size
        else:
            values += _count(page_header[1])
        at = reader.at + packed
    if at != end or values > rows:
        raise ValueError("a column's pages don't fill its place, or have too many values")
    return unpacked, dictionary


def _footer(data: memoryview) -> dict[int, Any]:
    """Return the file's metadata: field 2 is the schema, field 4 the groups of rows."""
    if len(data) < 12 or bytes(data[:4]) != _MAGIC or bytes(data[-4:]) != _MAGIC:
        raise ValueError("not a Parquet file")
    size = int.from_bytes(data[-8:-4], "little")
    begin = len(data) - 8 - size
    if begin < 4:
        raise ValueError("the metadata are longer than the file")
    return Reader(data, begin, len(data) - 8).struct()


def _count(value: Any) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError(f"a negative size: {value}")
    return value


def _refused(path: Path, got: str) -> DataError:
    expected, fix = "a Parquet file that `triptych pack` wrote", "have its Run packed again"
    return DataError("a packed Run can't be read", where=path, got=got, expected=expected, fix=fix)


@contextmanager
def _mapped(path: Path) -> Iterator[memoryview]:
    """The bytes of a file, of which only those that are looked at are read."""
    with open_to_read(path) as file:
        try:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            raise _refused(path, "an empty file") from None
        with mapped, memoryview(mapped) as data:
            yield data
