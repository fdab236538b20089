"""One writer per Run: a lock that the operating system releases when the process ends for any reason."""

from __future__ import annotations

import errno
import fcntl
import os
import platform
import shlex
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from triptych.errors import RunFolderError
from triptych.store.files.atomic import remedy
from triptych.store.files.run_files import open_own


@contextmanager
def locked(folder: Path, name: str = ".lock", *, wait: bool = False, why: str = "") -> Iterator[None]:
    """Hold the lock of a folder, or another lock with the given name.

    If another process holds it, raises RunFolderError with the holder's name, or waits if `wait` is true; `why`, then,
    is a warning that says what is waited for.
    """
    path = folder / name
    try:
        handle = open_own(path)
    except OSError as error:
        fix = (
            f"work on a copy: cp -r {shlex.quote(str(folder))} COPY"
            if error.errno in (errno.EACCES, errno.EROFS)
            else remedy(error)
        )
        raise RunFolderError("the Run folder can't be written", where=path, got=error.strerror, fix=fix) from None
    try:
        _take(handle, folder, wait, why)
        yield
    finally:
        os.close(handle)  # the file is kept: if it were deleted, two processes could lock two files of the same name


def _take(handle: int, folder: Path, wait: bool, why: str) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait and not why else fcntl.LOCK_NB))
    except BlockingIOError:
        holder = os.read(handle, 300).decode("utf-8", "replace").strip() or "unknown"
        if wait:
            warnings.warn(f"{why} ({holder})", RuntimeWarning, stacklevel=2)
            _take(handle, folder, wait, "")
            return
        raise RunFolderError(
            "another process is writing to this Run",
            where=folder,
            got=f"locked by {holder}",
            fix="wait until it ends, stop it, or choose another --out",
        ) from None
    except OSError as error:
        fix = "keep Run folders on a file system that supports locks"
        raise RunFolderError("the Run folder can't be locked", where=folder, got=error.strerror, fix=fix) from None
    since = datetime.now(UTC).isoformat(timespec="seconds")
    with suppress(OSError):  # on a full disk the lock holds without a name
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"pid {os.getpid()} on {platform.node()} since {since}\n".encode(), 0)
