"""Large files that come in numbered chunks: each is checked and kept, so that a cut costs one chunk, not the file.

The chunks of a file are in `incoming/up-SHA256/`, each named by its number and its SHA-256, until all are there. Then
they are joined, and the whole is stored if it has the announced SHA-256.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from triptych.errors import DataError
from triptych.portal.blobs.store import Blobs, sha256_of

CHUNK = 16 << 20  # bytes of every chunk but the last
MAX_CHUNKS = 4096  # 64 GiB
CHUNK_LIFETIME_S = 7 * 24 * 3600  # chunks to which nothing was added for so long are deleted
_NAME = re.compile(r"[0-9a-f]{64}")
_PART = re.compile(r"(\d{4})-([0-9a-f]{64})")


class Chunks:
    """The chunks of one file, which `name` (its SHA-256) identifies. Raises DataError for a name that is not one."""

    def __init__(self, blobs: Blobs, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise DataError("not a SHA-256", got=name[:80], expected="64 hexadecimal digits")
        self.blobs: Blobs = blobs
        self.name: str = name
        self.folder: Path = blobs.folder / f"up-{name}"

    def received_chunks(self) -> dict[int, str]:
        """Return the chunks that are there: number -> SHA-256."""
        matches = [_PART.fullmatch(path.name) for path in sorted(self.folder.glob("*"))]
        return {int(match[1]): match[2] for match in matches if match}

    def add(self, source: Path, number: int, sha256: str) -> None:
        """Take a chunk over; a chunk that is there already stays. Raises DataError for a wrong number, size or hash."""
        size = source.stat().st_size
        if not 0 <= number < MAX_CHUNKS or not 0 < size <= CHUNK:
            expected = f"number 0 to {MAX_CHUNKS - 1}, 1 to {CHUNK} bytes"
            raise DataError(
                "not a chunk of a file", where=self.name, got=f"number {number}, {size} bytes", expected=expected
            )
        if (digest := sha256_of(source)) != sha256:
            raise DataError("the chunk is not the one that was announced", expected=sha256[:64], got=digest)
        if (there := self.received_chunks().get(number)) not in (None, sha256):
            raise DataError("another chunk has this number", where=self.name, got=number, fix="begin the file again")
        if there is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            with source.open("rb") as file:
                os.fsync(file.fileno())
            source.replace(self.folder / f"{number:04}-{sha256}")

    def join(self, number: int, store: Callable[[Path, int], None] | None = None) -> int:
        """Join all `number` chunks, store the file, and return its size; `store` gets the file and the
        size. Raises DataError if one is missing, or if the whole has another SHA-256; its chunks are deleted then,
        since nobody knows which one is wrong."""
        received_parts = self.received_chunks()
        if not 0 < number <= MAX_CHUNKS or sorted(received_parts) != list(range(number)):
            missing = next((n for n in range(min(number, MAX_CHUNKS)) if n not in received_parts), "one too many")
            raise DataError(
                "the file is not complete", where=self.name, expected=f"{number} chunks", got=f"missing: {missing}"
            )
        with self.blobs.incoming_file() as joined:
            with joined.open("wb") as file:
                for n in range(number):
                    with (self.folder / f"{n:04}-{received_parts[n]}").open("rb") as part:
                        shutil.copyfileobj(part, file, 1 << 20)
            size = joined.stat().st_size
            try:
                if store is None:
                    self.blobs.put(joined, self.name)
                else:
                    store(joined, size)
            finally:
                self.forget()
        return size

    def forget(self) -> None:
        """Delete the chunks."""
        shutil.rmtree(self.folder, ignore_errors=True)


def forget_abandoned(blobs: Blobs) -> int:
    """Delete chunks of files that nobody goes on with; returns the number of files."""
    old = [path for path in blobs.folder.glob("up-*") if path.stat().st_mtime < time.time() - CHUNK_LIFETIME_S]
    for path in old:
        shutil.rmtree(path, ignore_errors=True)
    return len(old)
