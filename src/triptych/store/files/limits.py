"""Limits on files from outside, which every reader of compressed or nested data observes.

A small file can require much memory: a kilobyte can unpack to a gigabyte, a row can repeat a million times, and each
pair of brackets in a JSON document takes about 60 bytes. A file that exceeds a limit is refused, before the memory is
used, with a DataError that names the file, the limit and the actual size. The limits are far above any real file that
we know of.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from triptych.errors import DataError
from triptych.records.repeated_keys import each_once

MIB = 1024 * 1024
MAX_DOCUMENT = 256 * MIB  # one JSON document, or one line of a JSON Lines file
MAX_VALUES = 5_000_000  # of one JSON document; Python needs up to 200 bytes for each
MAX_KEPT = 2048 * MIB  # memory for one log or one packed Run
KEPT_AT_LEAST = 128 * MIB  # of a small packed Run; of others KEPT_RATIO times its size, up to MAX_KEPT
KEPT_RATIO = 1000  # 60,000 rows of the least that a Response holds are 300 times as large in memory as packed
MAX_UNPACKED = 4096 * MIB  # of one archive, or MAX_RATIO times its packed size if that is more
MAX_RATIO = 25
MAX_MEMBERS = 1_000_000  # files in one archive
MAX_RESULTS = 20_000  # files in one archive of results; released ones hold some hundred
# Of one archive of results, or MAX_RESULTS_RATIO times its packed size up to MAX_UNPACKED
MAX_RESULTS_UNPACKED = 512 * MIB
MAX_RESULTS_RATIO = 100
MAX_XZ = 512 * MIB  # memory to unpack xz, mostly its dictionary; `xz -9` needs 65 MiB
MAX_HEADER = MIB  # one extended header of a tar archive, which the library reads at once
MAX_ROWS = 5_000_000  # of one Parquet file
MAX_XML = 64 * MIB  # one XML file, unpacked; the largest released one has 2 MB
MAX_ELEMENTS = 1_000_000  # of one XML file
MAX_DEPTH = 50  # of one XML file


def check_limit(what: str, amount: int, limit: int, where: object, *, unit: str = "bytes", fix: str = "") -> None:
    """Raise DataError if `amount` exceeds `limit`. `what` is the subject of the message, such as `the log`."""
    if amount > limit:
        expected, got = f"at most {limit:,} {unit}", f"{amount:,} {unit}"
        raise DataError(f"{what} is too large", where=where, expected=expected, got=got, fix=fix or None)


def check_unpacked(what: str, unpacked: int, packed: int, where: object) -> None:
    """Raise DataError if `packed` bytes unpack to more than 4 GiB and to more than 25 times their size."""
    check_limit(what, unpacked, max(MAX_UNPACKED, MAX_RATIO * packed), where, unit="bytes unpacked")


def memory_limit(packed: int, limit: int = MAX_KEPT) -> int:
    """Return the memory that a packed Run of `packed` bytes may take: 128 MiB, or 1,000 times its size up to
    `limit`."""
    return min(limit, max(KEPT_AT_LEAST, KEPT_RATIO * packed))


def check_results(unpacked: int, packed: int, where: object) -> None:
    """Raise DataError if an archive of results unpacks to more than its packed size permits: more than 512 MiB, than
    100 times its size (at most 4 GiB), and than 25 times its size."""
    limit = max(MAX_RESULTS_UNPACKED, min(MAX_UNPACKED, MAX_RESULTS_RATIO * packed), MAX_RATIO * packed)
    fix = "if it is what you expect, unpack it yourself and give the folder"
    check_limit("the archive", unpacked, limit, where, unit="bytes unpacked", fix=fix)


def read_json(data: bytes, where: object, what: str = "the document", *, fix: str = "") -> Any:
    """Return the value of a JSON document from outside. `NaN` and `Infinity` are accepted, since Python writes them.

    Raises DataError for invalid JSON, for too deep nesting, and for more than MAX_VALUES values (counted by commas and
    brackets, including those in strings).
    """
    check_limit(what, len(data), MAX_DOCUMENT, where, fix=fix)
    if len(data) > MAX_VALUES:
        values = data.count(b",") + data.count(b"[") + data.count(b"{")
        check_limit(what, values, MAX_VALUES, where, unit="values", fix=fix)
    try:
        return json.loads(data, object_pairs_hook=each_once)
    except RecursionError:
        raise DataError(f"{what} is nested too deep", where=where) from None
    except msgspec.DecodeError as error:
        raise DataError(f"{what} is ambiguous", where=where, got=str(error), fix="keep one of the values") from None
    except ValueError as error:  # invalid JSON, or not UTF-8
        raise DataError(f"{what} is not valid JSON", where=where, got=str(error)[:300]) from None
