"""What a file from outside may come to, in one place: every reader of packed or nested data keeps to these limits.

A small file can hold much: a kilobyte unpacks to a gigabyte, a row repeats a million times, and each pair of brackets
of a JSON document takes some 60 bytes of memory. What goes beyond a limit is refused with a DataError that names the
file, the limit and what came, before the memory is taken. The limits are far above any real file that we know.
"""

from __future__ import annotations

import json
from typing import Any

from triptych.errors import DataError

MIB = 1024 * 1024
MAX_DOCUMENT = 256 * MIB  # one JSON document, or one line of a file of lines
MAX_VALUES = 5_000_000  # of one JSON document: Python takes up to 200 bytes for each
MAX_KEPT = 2048 * MIB  # what is kept in memory of one log or packed Run
MAX_UNPACKED = 4096 * MIB  # of one archive, or MAX_RATIO times its own size where that is more
MAX_RATIO = 25
MAX_MEMBERS = 1_000_000  # files in one archive
MAX_HEADER = MIB  # one extended header of a tar archive, which the library reads whole
MAX_ROWS = 5_000_000  # of one Parquet file
MAX_XML = 64 * MIB  # one XML file, unpacked; the largest released one has 2 MB
MAX_ELEMENTS = 1_000_000  # of one XML file
MAX_DEPTH = 50  # of one XML file


def check_limit(what: str, amount: int, most: int, where: object, *, unit: str = "bytes", fix: str = "") -> None:
    """Raise DataError where `amount` is more than `most`; `what`: the subject of the sentence, such as `the log`."""
    if amount > most:
        expected, got = f"at most {most:,} {unit}", f"{amount:,} {unit}"
        raise DataError(f"{what} is too large", where=where, expected=expected, got=got, fix=fix or None)


def check_unpacked(what: str, unpacked: int, packed: int, where: object) -> None:
    """Raise DataError where `packed` bytes unpack to more than 4 GiB and more than 25 times as many."""
    check_limit(what, unpacked, max(MAX_UNPACKED, MAX_RATIO * packed), where, unit="bytes unpacked")


def read_json(data: bytes, where: object, what: str = "the document", *, fix: str = "") -> Any:
    """The value of a JSON document from outside; `NaN` and `Infinity` are read, as Python writes them.

    Raises DataError for what is no JSON, is nested too deep, or holds more values than MAX_VALUES (counted by its
    commas and brackets, those in texts as well).
    """
    check_limit(what, len(data), MAX_DOCUMENT, where, fix=fix)
    if len(data) > MAX_VALUES:
        values = data.count(b",") + data.count(b"[") + data.count(b"{")
        check_limit(what, values, MAX_VALUES, where, unit="values", fix=fix)
    try:
        return json.loads(data)
    except RecursionError:
        raise DataError(f"{what} is nested too deep", where=where) from None
    except ValueError as error:  # broken, or no UTF-8
        raise DataError(f"{what} is no JSON", where=where, got=str(error)[:300]) from None
