"""SHA-256 of the raw material: each film is hashed once, and again if it may have changed."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import msgspec

from triptych.errors import MediaError
from triptych.store.journals.journal import Journal, JournalWriter

NAME = "hashes.jsonl"
# A file that changed just before it was hashed may change again with the same time stamp: the coarsest clock of a file
# system in use has steps of 2 s.
SETTLED_NS = 2_000_000_000


class Hashed(msgspec.Struct, frozen=True):
    """The state of a file when it was hashed, and its SHA-256."""

    file: str
    sha256: str


class FileHashes:
    """The hashes of files, cached in a journal of the build folder.

    A file is identified by device, inode, size, and the modification and change times in nanoseconds. The change time
    can't be set by users, so a file replaced by one of the same size and date is hashed again. If `keep` is False, the
    cache is read, and nothing is added.
    """

    def __init__(self, path: Path, *, keep: bool = True) -> None:
        self._path, self._keep = path / NAME, keep
        self._hashes = {line.file: line.sha256 for line in Journal(self._path, Hashed)}

    def hash_file(self, path: Path) -> str:
        """Return the SHA-256 of a file. Raises MediaError if it can't be read."""
        try:
            with path.open("rb") as file:
                before = os.fstat(file.fileno())
                if stored_hash := self._hashes.get(_stamp(before)):
                    return stored_hash
                began = time.time_ns()
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                settled = _stamp(os.fstat(file.fileno())) == _stamp(before)
        except OSError as error:
            raise MediaError(f"the file can't be read ({error.strerror})", where=path) from None
        if settled and began - max(before.st_mtime_ns, before.st_ctime_ns) > SETTLED_NS:
            self._remember(_stamp(before), digest)
        return digest

    def _remember(self, stamp: str, digest: str) -> None:
        self._hashes[stamp] = digest
        if self._keep:
            writer = JournalWriter(self._path)
            try:
                writer.append(Hashed(stamp, digest))
            finally:
                writer.close()


def _stamp(status: os.stat_result) -> str:
    return "-".join(map(str, (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)))
