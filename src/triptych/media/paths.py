"""Safe resolution of media paths, which come from benchmark files of any origin: no path may lead out of the data
folder.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from triptych.errors import MediaError

_URL = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://")
_CONTROL = re.compile(r"[\x00-\x1f]")
_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")


def resolve_inside(root: Path, name: str) -> Path:
    """Return the file `name` (relative, with forward slashes) under `root`, with symbolic links resolved.

    Raises MediaError for an absolute path, a URL, a path that leads out of `root` (also by a symbolic link), control
    characters, and a missing file.
    """
    return resolve_below(os.path.realpath(root), name)


def resolve_below(real_root: str, name: str) -> Path:
    """The same for a root whose own symbolic links are already resolved."""
    _check_words(real_root, name)
    try:
        real = os.path.realpath(f"{real_root}{os.sep}{name}", strict=True)
    except (OSError, ValueError, RuntimeError):
        where, fix = Path(real_root, name), "run `triptych check` on the data"
        raise MediaError("media file not found", where=where, fix=fix) from None
    if not real.startswith(real_root.rstrip(os.sep) + os.sep):
        raise MediaError("a symbolic link leads out of the data folder", got=name[:200], where=real_root, fix=_FIX)
    if not os.path.isfile(real):  # noqa: PTH113
        raise MediaError("a media path is not a file", where=real)
    return Path(real)


def _check_words(root: str, name: str) -> None:
    """Refuse names that can't be a path inside the folder, before the disk is accessed."""
    if not name or _CONTROL.search(name):
        raise MediaError("a media path is empty or contains control characters", got=repr(name), where=root)
    if _URL.match(name):
        raise MediaError("a media path is a URL; media are never downloaded", got=name[:200], where=root, fix=_FIX)
    if name.startswith(("/", "\\", "~")) or _DRIVE.match(name):
        raise MediaError("a media path is absolute", got=name[:200], where=root, fix=_FIX)
    if ".." in name and ".." in name.replace("\\", "/").split("/"):
        raise MediaError("a media path leads out of the data folder", got=name[:200], where=root, fix=_FIX)


_FIX = "media must be inside the data folder; change the path, or the folder given by --data"


def media_fault(root: Path, name: str, real_root: str = "") -> str:
    """Return (kind, message) of what is wrong with a media file (`missing-media`, `empty-media`, `unsafe-path`); empty
    if nothing is. `real_root`: the root without symbolic links, if it is known.
    """
    try:
        return "" if resolve_below(real_root or os.path.realpath(root), name).stat().st_size else "empty-media"
    except MediaError as error:
        return "missing-media" if "not found" in error.problem else "unsafe-path"
