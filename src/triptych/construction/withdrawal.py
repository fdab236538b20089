"""Withdrawal: a source (a text, a film, a speaker) leaves the build, and nothing made of it is in the next output."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from triptych.errors import DataError
from triptych.store.atomic import write_atomically

FILE = "withdrawn.json"


def withdrawn(build: Path) -> frozenset[str]:
    """The ids of the sources that have left. Raises DataError for a damaged file: guessing would let one back in."""
    path = build / FILE
    if not path.exists():
        return frozenset()
    try:
        return frozenset(msgspec.json.decode(path.read_bytes(), type=list[str]))
    except (OSError, msgspec.MsgspecError) as error:
        raise DataError("the list of withdrawn sources can't be read", where=path, got=str(error)) from None


def add_withdrawn(build: Path, sources: Iterable[str]) -> frozenset[str]:
    """Write down that these sources leave; returns all that have left."""
    all_ = withdrawn(build) | set(sources)
    write_atomically(build / FILE, msgspec.json.format(msgspec.json.encode(sorted(all_)), indent=1) + b"\n")
    return all_
