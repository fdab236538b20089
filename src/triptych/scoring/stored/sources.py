"""The files that a Run's scores were computed from, to detect whether they have changed since."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import msgspec

from triptych.scoring.queue import NAME as QUEUE
from triptych.store.files.run_files import open_to_read
from triptych.store.folder import RunFolder

_BLOCK = 1 << 20


class Source(msgspec.Struct, frozen=True):
    """A file at the time of reading: size, hash of its first `size` bytes, and time (not enough on its own)."""

    size: int
    sha256: str
    time_ns: int = 0


def sources(folder: RunFolder) -> dict[str, Source]:
    """Return the files that scores are computed from, in their present state. Call it before they are read: lines
    appended during reading then make the scores out of date."""
    return {str(path.relative_to(folder.path)): _source(path) for path in _files(folder)}


def unchanged(folder: RunFolder, read: Mapping[str, Source]) -> bool:
    """Return whether the files are unchanged. Same size and time means unchanged; otherwise the content decides."""
    now = {str(path.relative_to(folder.path)): path for path in _files(folder)}
    return now.keys() == read.keys() and all(_is_same(path, read[name]) for name, path in now.items())


def _files(folder: RunFolder) -> Iterator[Path]:
    patterns = ("responses.*", "items.*", f"{folder.verdicts_path.name}/*.json*", QUEUE)
    for pattern in patterns:
        yield from (path for path in sorted(folder.path.glob(pattern)) if path.is_file())


def _source(path: Path) -> Source:
    with open_to_read(path) as file:
        status = os.fstat(file.fileno())
        return Source(status.st_size, _digest(file, status.st_size), status.st_mtime_ns)


def _digest(file: BinaryIO, size: int) -> str:
    """Return the hash of the first `size` bytes."""
    hasher = hashlib.sha256()
    while size > 0 and (block := file.read(min(size, _BLOCK))):
        hasher.update(block)
        size -= len(block)
    return hasher.hexdigest()[:32]


def _is_same(path: Path, read: Source) -> bool:
    try:
        status = path.stat()
        if status.st_size != read.size:
            return False
        return status.st_mtime_ns == read.time_ns or _source(path).sha256 == read.sha256
    except OSError:
        return False
