"""Decode the files of Runs once: analyses of the same Runs share what was read for the first of them.

A command that reads Runs more than once does so within `keep_files()`. A file that has changed is read again.
"""

from __future__ import annotations

import gc
import io
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any, TypeVar

Record = TypeVar("Record")
MAX_CACHED_BYTES = 2 << 30  # bytes of files whose records are kept; then those that were used longest ago go
LITTLE = 64 << 20  # the same for what a process of its own reads besides what was kept before
_State = tuple[int, int, int]  # inode, size, time: another state of the file is another file


@dataclass
class _Shelf:
    files: OrderedDict[Path, tuple[_State, int, Sequence[Any]]] = field(default_factory=OrderedDict)
    lines: dict[bytes, Any] = field(default_factory=dict)  # the hash of a line -> what it holds
    facts: dict[str, dict[Any, Any]] = field(default_factory=dict)  # see `fact_table`
    size: int = 0
    shared: int = 0  # bytes of lines that another file held already
    max_bytes: int | None = None  # bytes that are kept; None: MOST
    stay: frozenset[Path] = frozenset()  # files that are not dropped

    def keep(self, path: Path, state: _State, size: int, records: Sequence[Any]) -> None:
        """Keep a file's records, and drop others if these are too many. `size`: the bytes that are its own."""
        self.files[path] = state, size, records
        self.size += size
        limit = MAX_CACHED_BYTES if self.max_bytes is None else self.max_bytes
        while self.size > limit and (others := [other for other in self.files if other not in self.stay | {path}]):
            self._drop(others[0])

    def _drop(self, path: Path) -> None:
        """Drop a file's records, and what is known about them."""
        _, size, records = self.files.pop(path)
        self.size -= size
        self.lines.clear()  # some may be of that file alone
        for facts in self.facts.values():
            for key in [key for key, fact in facts.items() if _concerns_records(fact, records)]:
                del facts[key]


def _concerns_records(fact: Any, records: Sequence[Any]) -> bool:
    return fact is records or (isinstance(fact, tuple) and any(part is records for part in fact))


_SHELF: ContextVar[_Shelf | None] = ContextVar("keep_files", default=None)


@contextmanager
def keep_files() -> Iterator[None]:
    """Keep in memory what is read of a Run's files, until the end of the outermost block."""
    if _SHELF.get() is not None:
        yield
        return
    token = _SHELF.set(_Shelf())
    try:
        with garbage_ignored():
            yield
    finally:
        _SHELF.reset(token)


def keep_little() -> None:
    """Keep from now on what was kept before, and of files that are read later only those used last: for one of several
    processes, each of which would hold a copy."""
    if (shelf := _SHELF.get()) is not None:
        shelf.max_bytes, shelf.stay = shelf.size + LITTLE, frozenset(shelf.files)


@contextmanager
def garbage_ignored() -> Iterator[None]:
    """Do not look for reference cycles: among millions of records without one, that takes a tenth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def read_once(path: Path, read: Callable[[], Sequence[Record]]) -> Sequence[Record]:
    """Return what `read` returns for a file, or returned for it before. The sequence must not be changed."""
    shelf = _SHELF.get()
    if shelf is None:
        return read()
    try:
        status = path.stat()
    except OSError:
        return read()  # it says what is wrong
    state = status.st_ino, status.st_size, status.st_mtime_ns
    cached = shelf.files.get(path)
    if cached is not None and cached[0] == state:
        shelf.files.move_to_end(path)
        return cached[2]
    shared = shelf.shared
    records = read()
    shelf.keep(path, state, status.st_size - (shelf.shared - shared), records)
    return records


def fact_table(about: str) -> dict[Any, Any]:
    """Return a dictionary for facts about records that are kept, by the records' identities; empty at first.

    Outside `keep_files()`, every call returns a new one. A value must hold the records that its key is made of: so
    their identities stay theirs.
    """
    shelf = _SHELF.get()
    return {} if shelf is None else shelf.facts.setdefault(about, {})


def read_alike(source: bytes, read: Callable[[], list[Record]]) -> list[Record]:
    """Return what `read` makes of a file's bytes, or made of the same bytes before. The list must not be changed."""
    shelf = _SHELF.get()
    if shelf is None:
        return read()
    alike = shelf.facts.setdefault("the same bytes", {})
    digest = sha256(source).digest()
    if digest in alike:
        shelf.shared += len(source)
    else:
        alike[digest] = read()
    records: list[Record] = alike[digest]
    return records


def decode_shared(source: bytes, decode: Callable[[bytes], Record]) -> list[Record] | None:
    """Decode the lines of a file, each once however many files hold it: Runs of the same questions share their Items.

    Returns None outside `keep_files()`, where nothing is shared.
    """
    shelf = _SHELF.get()
    if shelf is None:
        return None
    lines, decoded = shelf.lines, []
    for line in io.BytesIO(source):  # unlike with `splitlines`, one at a time is in memory
        digest = blake2b(line, digest_size=16).digest()
        record = lines.get(digest)
        if record is None:
            record = lines[digest] = decode(line)
        else:
            shelf.shared += len(line)
        decoded.append(record)
    return decoded
