"""Standard output and error: closed, of another encoding, on a full disk, or with a reader that is gone."""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path
from typing import TextIO

# Errors of a disk that is full or read-only; other errors of the system have messages where they occur
_CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)


def prepare_streams() -> None:
    """Open streams that are closed (`>&-`), and print characters that the locale's encoding lacks as escapes
    (`\\u2026`): under `LC_ALL=C` with UTF-8 mode off, in ISO-8859-1, or from names of files that aren't UTF-8."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def discard_unwritten(stream: TextIO) -> None:
    """Discard what can't be written to a closed pipe or a full disk: Python would try again when it exits, and exit
    with 120."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def why_not_written(error: OSError) -> str | None:
    """Return the message about output that the disk didn't take; None for other errors."""
    from triptych.errors import RunFolderError
    from triptych.store.files.atomic import remedy

    if error.errno not in _CANNOT_WRITE:
        return None
    where = error.filename or "standard output, or a file of the command"
    return str(RunFolderError("the output can't be written", where=where, got=error.strerror, fix=remedy(error)))
