"""Names from outside as paths: those of models, tasks, archive members and listings come from anywhere.

Every name that a stranger's file or server gives and that becomes part of a path goes through one of these functions.
(Media that Items name are only ever read: `triptych.media.paths`.)
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from triptych.errors import DataError

MOST = 180  # bytes of a file name: most file systems take 255, and suffixes are added
_UNSAFE = re.compile(r"[\x00-\x1f\x7f]|^[A-Za-z]:|\\")
_HEX = re.compile(r"[0-9a-f]+")


def file_name(words: str, joiner: str = "-") -> str:
    """`words` as the name of one file or folder: letters, digits, `_`, `.` and `-` stay, `joiner` stands for the rest.

    Never empty, never hidden, never `.` or `..`, and never longer than 180 bytes: a longer one is cut and ends in a
    hash of the whole.
    """
    name = re.sub(r"[^\w.-]+", joiner, words.encode("utf-8", "replace").decode("utf-8"))
    name = re.sub(r"^\.+", "_", name) or "_"
    if len(name.encode()) <= MOST:
        return name
    digest = hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:8]
    return name.encode()[: MOST - 9].decode("utf-8", "ignore") + f"-{digest}"


def file_names(words: Iterable[str], joiner: str = "-") -> dict[str, str]:
    """`file_name` of several that stand in one folder: where two would be the same, the later one ends in `-2`."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for own in dict.fromkeys(words):
        name, number = file_name(own, joiner), 1
        while (found_name := name if number == 1 else f"{name}-{number}").casefold() in taken:
            number += 1
        taken.add(found_name.casefold())
        found[own] = found_name
    return found


def checked_name(name: str, where: object) -> str:
    """A relative path with forward slashes that stays inside its folder, such as archives and listings hold.

    Raises DataError for any other.
    """
    parts = name.split("/")
    if not name or name.startswith("/") or _UNSAFE.search(name) or ".." in parts or any(p in ("", ".") for p in parts):
        fix = "tell whoever released it; nothing of it was unpacked or fetched"
        problem = "a path leads out of its folder, or is no plain path"
        raise DataError(problem, got=repr(name[:200]), where=where, fix=fix)
    return name


def inside(root: Path, name: str) -> Path:
    """The place for a checked name under `root`; its folders are made. Raises DataError where a link leads out, or a
    file stands where a folder should."""
    place = root / name
    if not place.parent.resolve().is_relative_to(root.resolve()) or place.is_symlink():
        raise DataError("a symbolic link leads out of the folder", where=place, fix="choose another --to")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fix = "move it away, or choose another --to"
        raise DataError("a folder can't be made", where=place.parent, got=error.strerror, fix=fix) from None
    return place


def checked_digest(digest: object, digits: int, where: object) -> str:
    """A hash as so many lower-case hexadecimal digits. Raises DataError for anything else."""
    if not isinstance(digest, str) or len(digest) != digits or not _HEX.fullmatch(digest):
        got = repr(digest)[:200]
        raise DataError("this is no hash", where=where, expected=f"{digits} hexadecimal digits", got=got)
    return digest
