"""Whole files that are there or not there, never half: written beside their place, then moved into it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from triptych.errors import RunFolderError
from triptych.store.own_files import check_place


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a reader, or a crash, sees the old file or the new one.

    Raises RunFolderError where the disk refuses.
    """
    with atomic_file(path) as file:
        file.write(data)


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that takes the place of `path` when the block ends well, and is gone when it doesn't.

    The temporary file lies in the same folder (a move between disks is not atomic) and is synced first.
    Raises RunFolderError where the disk refuses, and for a folder of a Run that is a link out of it.
    """
    try:
        check_place(path.parent)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise RunFolderError("a file can't be written", where=path, got=error.strerror) from None
    try:
        with os.fdopen(handle, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())  # mkstemp's files are private; a team reads Run folders
        Path(name).replace(path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise RunFolderError("a file can't be written", where=path, got=error.strerror) from None
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
