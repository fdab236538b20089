"""Files of a Run folder, read and written: a Run can come from a stranger, and hold a link to anything."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

MANIFEST = "manifest.json"
_OWNERS = (MANIFEST, "build.json")  # what makes a Run of a folder, or a build
DEPTH = 3  # folders below a Run's own; Triptych itself writes one below it
LARGEST = 1 << 30  # bytes of a file that is read whole, unless a reader says otherwise


def open_own(path: Path, flags: int = 0) -> int:
    """A descriptor for reading and writing a file that lies at `path` itself; it is made where there is none.

    Raises OSError, with words for people in `strerror`, for a link (what it leads to would be written to), a folder
    that is a link out of the Run, and what is no file; otherwise as the system does.
    """
    check_place(path.parent)
    if path.is_symlink():
        raise OSError(0, "it is a symbolic link, and what it leads to is not the Run's")
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | flags, 0o666)
    try:
        status = os.fstat(handle)
        _check_file(status)
        if status.st_nlink > 1:
            raise OSError(0, "it is a hard link: the file has another name elsewhere. Copy it, so that it has one")
    except OSError:
        os.close(handle)
        raise
    return handle


def check_place(folder: Path) -> None:
    """Raise OSError for a folder of a Run (`scores/`, `verdicts/` …) or of a build (`stages/`, `media/` …) that is a
    link to somewhere outside of it.

    What makes a Run of a folder above is its manifest, and a build its `build.json`. That the Run folder itself is a
    link is its user's own choice.
    """
    for above in list(folder.parents)[:DEPTH]:
        if any(os.path.lexists(above / name) for name in _OWNERS):
            root, real = os.path.realpath(above), os.path.realpath(folder)
            if not real.startswith(root.rstrip(os.sep) + os.sep):
                raise OSError(0, f"{folder.name} is a symbolic link that leads out of the folder that it stands in")


def read_own(path: Path, most: int = LARGEST) -> bytes:
    """A file's bytes. Raises FileNotFoundError where there is none, OSError for what is no file (a pipe would be waited
    for, and a device never ends) and for more bytes than `most`."""
    with open_to_read(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(0, f"it is larger than {most:,} bytes")
    return data


def open_to_read(path: Path) -> BinaryIO:
    """A file to read, links followed. Raises FileNotFoundError where there is none, OSError for what is no file."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        _check_file(os.fstat(handle))
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


def _check_file(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "it is no file")
