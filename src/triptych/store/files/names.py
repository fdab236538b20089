"""Using names from outside as paths: names of models, tasks, archive members and file listings.

Every name from a file or server that becomes part of a path passes one of these functions. (Media files that Items
refer to are only read: see `triptych.media.paths`.)
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from triptych.errors import DataError

MAX_NAME_BYTES = 180  # bytes in a file name: most file systems allow 255, and suffixes are added
_UNSAFE = re.compile(r"[\x00-\x1f\x7f]|^[A-Za-z]:|\\")
_HEX = re.compile(r"[0-9a-f]+")


def file_name(words: str, joiner: str = "-") -> str:
    """Return `words` as the name of one file or folder: letters, digits, `_`, `.` and `-` are kept, others become
    `joiner`.

    The name is never empty, hidden, `.` or `..`, and at most 180 bytes long: a longer one is truncated and ends in a
    hash of the whole text.
    """
    name = re.sub(r"[^\w.-]+", joiner, words.encode("utf-8", "replace").decode("utf-8"))
    name = re.sub(r"^\.+", "_", name) or "_"
    if len(name.encode()) <= MAX_NAME_BYTES:
        return name
    digest = hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:8]
    return name.encode()[: MAX_NAME_BYTES - 9].decode("utf-8", "ignore") + f"-{digest}"


def file_names(words: Iterable[str], joiner: str = "-") -> dict[str, str]:
    """Return `file_name` of several names in one folder; if two are equal, the later one gets the suffix `-2`."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for word in dict.fromkeys(words):
        name, number = file_name(word, joiner), 1
        while (found_name := name if number == 1 else f"{name}-{number}").casefold() in taken:
            number += 1
        taken.add(found_name.casefold())
        names[word] = found_name
    return names


def checked_name(name: str, where: object) -> str:
    """Return a relative path with forward slashes that stays inside its folder, as used by archives and listings.

    Raises DataError for other names.
    """
    parts = name.split("/")
    if not name or name.startswith("/") or _UNSAFE.search(name) or ".." in parts or any(p in ("", ".") for p in parts):
        fix = "report this to the publisher of the file; nothing was unpacked or downloaded"
        problem = "a path leads out of its folder or is not a plain relative path"
        raise DataError(problem, got=repr(name[:200]), where=where, fix=fix)
    return name


def path_inside(root: Path, name: str) -> Path:
    """Return the path of a checked name under `root`, and create its folders.

    Raises DataError if a link leads out of `root`, or if a file exists where a folder is needed.
    """
    path = root / name
    if not path.parent.resolve().is_relative_to(root.resolve()) or path.is_symlink():
        raise DataError("a symbolic link leads out of the folder", where=path, fix="choose another --to")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fix = "move the file away, or choose another --to"
        raise DataError("a folder can't be created", where=path.parent, got=error.strerror, fix=fix) from None
    return path


def checked_digest(digest: object, digits: int, where: object) -> str:
    """Return a hash of the given number of lower-case hexadecimal digits. Raises DataError for anything else."""
    if not isinstance(digest, str) or len(digest) != digits or not _HEX.fullmatch(digest):
        got = repr(digest)[:200]
        raise DataError("not a valid hash", where=where, expected=f"{digits} hexadecimal digits", got=got)
    return digest
