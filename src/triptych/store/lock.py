"""One writer a Run: a lock that the system lets go of when its process ends, however it ends."""

from __future__ import annotations

import fcntl
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from triptych.errors import RunFolderError
from triptych.store.own_files import open_own


@contextmanager
def locked(folder: Path, name: str = ".lock", *, wait: bool = False) -> Iterator[None]:
    """Hold the folder's lock, or another of that name. Raises RunFolderError, naming who holds it, where one does;
    with `wait` until it is free."""
    path = folder / name
    try:
        handle = open_own(path)
    except OSError as error:
        raise RunFolderError("the Run folder can't be written", where=path, got=error.strerror) from None
    try:
        _take(handle, folder, wait)
        yield
    finally:
        os.close(handle)  # the file stays: removing it would let two processes lock two files of one name


def _take(handle: int, folder: Path, wait: bool) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        holder = os.read(handle, 300).decode("utf-8", "replace").strip() or "unknown"
        raise RunFolderError(
            "another process is writing this Run", where=folder, got=f"locked by {holder}",
            fix="wait for it, end it, or choose another --out",
        ) from None  # fmt: skip
    except OSError as error:
        fix = "put Run folders on a file system with locks"
        raise RunFolderError("the Run folder can't be locked", where=folder, got=error.strerror, fix=fix) from None
    since = datetime.now(UTC).isoformat(timespec="seconds")
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"pid {os.getpid()} on {platform.node()} since {since}\n".encode(), 0)
