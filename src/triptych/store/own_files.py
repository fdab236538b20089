"""Files of a Run folder, read and changed in place: a Run can come from a stranger, and hold a link to anything."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def open_own(path: Path, flags: int = 0) -> int:
    """A descriptor for reading and writing a file that lies at `path` itself; it is made where there is none.

    Raises OSError, with words for people in `strerror`, for a symbolic link (what it leads to would be written to) and
    for what is no file, and otherwise as the system does.
    """
    if path.is_symlink():
        raise OSError(0, "it is a symbolic link, and what it leads to is not the Run's")
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | flags, 0o666)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(0, "it is no file")
    return handle


def read_own(path: Path) -> bytes:
    """A file's bytes. Raises FileNotFoundError where there is none, OSError for what is no file: a pipe would be waited
    for, and a device never ends."""
    if path.exists() and not path.is_file():
        raise OSError(0, "it is no file")
    return path.read_bytes()
