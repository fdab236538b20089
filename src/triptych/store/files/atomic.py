"""Atomic file writes: a file is written to a temporary file in the same folder and then renamed, so it is never half
written.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from triptych.errors import RunFolderError
from triptych.store.files.run_files import check_place


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that readers see the old file or the new one, even after a crash.

    Raises RunFolderError if the file can't be written.
    """
    with atomic_file(path) as file:
        file.write(data)


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` if the block ends without an exception, and is deleted otherwise.

    The temporary file is in the same folder (a move between disks is not atomic) and is flushed to disk first. Raises
    RunFolderError if the file can't be written, or if a folder of the Run is a link that leads out of it.
    """
    try:
        check_place(path.parent)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise RunFolderError("a file can't be written", where=path, got=error.strerror, fix=remedy(error)) from None
    try:
        with os.fdopen(handle, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())  # files of mkstemp are private, but teams share Run folders
        Path(name).replace(path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise RunFolderError("a file can't be written", where=path, got=error.strerror, fix=remedy(error)) from None
        raise


def remedy(error: OSError) -> str | None:
    """Return what to do if a disk is full, or a limit is reached; None for other errors."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "free some disk space, then repeat the command: answers that were written are kept"
    if error.errno == errno.EFBIG:
        return "raise the limit of the size of files (ulimit -f), then repeat the command"
    return None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
