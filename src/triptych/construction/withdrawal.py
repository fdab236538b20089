"""Withdrawal: a source (a text, a film, a speaker) leaves the build, and nothing made of it is in the next output."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from triptych.errors import DataError
from triptych.records.unreadable import UNREADABLE
from triptych.store.atomic import write_atomically
from triptych.store.own_files import read_own

FILE = "withdrawn.json"


def withdrawn(build: Path) -> frozenset[str]:
    """The ids of the sources that have left. Raises DataError for a damaged file: guessing would let one back in."""
    path = build / FILE
    try:
        return frozenset(msgspec.json.decode(read_own(path), type=list[str]))
    except FileNotFoundError:
        return frozenset()
    except (OSError, *UNREADABLE) as error:
        raise DataError("the list of withdrawn sources can't be read", where=path, got=str(error)) from None


def add_withdrawn(build: Path, sources: Iterable[str]) -> frozenset[str]:
    """Write down that these sources leave; returns all that have left."""
    all_ = withdrawn(build) | set(sources)
    write_atomically(build / FILE, msgspec.json.format(msgspec.json.encode(sorted(all_)), indent=1) + b"\n")
    return all_
