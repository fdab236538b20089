"""Reading and writing the files of a Run folder, which may come from someone else and contain links to anything."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from triptych.errors import RunFolderError

MANIFEST = "manifest.json"
_OWNERS = (MANIFEST, "build.json")  # a folder with one of these files is a Run or a build
DEPTH = 3  # levels below the Run folder; Triptych itself uses one
MAX_FILE_BYTES = 1 << 30  # default size limit, in bytes, of a file that is read at once
_MIN_READ_BYTES = 1 << 16


def open_own(path: Path, flags: int = 0) -> int:
    """Open a regular file for reading and writing, and create it if needed. Returns a file descriptor.

    Raises OSError, with a readable `strerror`, for a link (its target would be written to), for a folder that is a link
    out of the Run, and for anything that is not a regular file; other errors are those of the operating system.
    """
    check_place(path.parent)
    if path.is_symlink():
        raise OSError(0, "the file is a symbolic link, and its target is not part of the Run")
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | flags, 0o666)
    try:
        status = os.fstat(handle)
        _check_file(status)
        if status.st_nlink > 1:
            raise OSError(0, "the file is a hard link to a file elsewhere; replace it with a copy")
    except OSError:
        os.close(handle)
        raise
    return handle


def check_place(folder: Path) -> None:
    """Raise OSError if a folder of a Run (`scores/`, `verdicts/` …) or a build (`stages/`, `media/` …) is a link that
    leads out of it.

    The folder of the Run or build is the one with a manifest or a `build.json`; it may itself be a link.
    """
    for above in list(folder.parents)[:DEPTH]:
        if any(os.path.lexists(above / name) for name in _OWNERS):
            root, real = os.path.realpath(above), os.path.realpath(folder)
            if not real.startswith(root.rstrip(os.sep) + os.sep):
                raise OSError(0, f"{folder.name} is a symbolic link that leads out of its parent folder")


def remove_own(path: Path) -> None:
    """Delete a file of a Run or a build, if it exists; of a link the link alone.

    Raises RunFolderError if that is impossible, or if its folder is a link that leads out of the Run or build.
    """
    try:
        check_place(path.parent)
        path.unlink(missing_ok=True)
    except OSError as error:
        raise RunFolderError("a file can't be removed", where=path, got=error.strerror) from None


def read_own(path: Path, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Return a file's bytes. Raises FileNotFoundError if it doesn't exist, and OSError if it is larger than `max_bytes`
    bytes or not a regular file (reading a pipe would block, and a device may never end).
    """
    with open_to_read(path) as file:
        # read() reserves as many bytes as it is asked for, so it is asked for the file's size; some files state none
        data = file.read(min(max_bytes, max(os.fstat(file.fileno()).st_size, _MIN_READ_BYTES)) + 1)
    if len(data) > max_bytes:
        raise OSError(0, f"the file is larger than {max_bytes:,} bytes")
    return data


def open_to_read(path: Path) -> BinaryIO:
    """Open a regular file for reading; links are followed. Raises FileNotFoundError if it doesn't exist, OSError if it
    is not a regular file.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        _check_file(os.fstat(handle))
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


def _check_file(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "not a regular file")
