"""Unpacking released archives: nothing gets out of the folder, nothing fills the disk, nothing but files comes out."""

from __future__ import annotations

import lzma
import re
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from triptych.errors import DataError

_UNSAFE = re.compile(r"[\x00-\x1f]|^[A-Za-z]:|\\")
# What reading a damaged or foreign archive raises, depending on what is damaged.
DAMAGED = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, NotImplementedError,
    RuntimeError,
)  # fmt: skip
SPARE_BYTES = 64 * 1024 * 1024  # left free on the disk


def checked_name(name: str, where: object) -> str:
    """A relative path with forward slashes that stays inside its folder. Raises DataError for any other.

    Names come from archives and listings, which come from anywhere.
    """
    parts = name.split("/")
    if not name or name.startswith("/") or _UNSAFE.search(name) or ".." in parts or any(p in ("", ".") for p in parts):
        fix = "tell whoever released it; nothing of it was unpacked or fetched"
        problem = "a path leads out of its folder, or is no plain path"
        raise DataError(problem, got=repr(name[:200]), where=where, fix=fix)
    return name


def inside(root: Path, name: str) -> Path:
    """The place for a checked name under `root`; its folders are made. Raises DataError where a link leads out."""
    place = root / name
    if not place.parent.resolve().is_relative_to(root.resolve()) or place.is_symlink():
        raise DataError("a symbolic link leads out of the folder", where=place, fix="choose another --to")
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


@dataclass(frozen=True)
class Member:
    """A file of an archive: its checked name, its size, and what the archive's library knows it by."""

    name: str
    size: int
    handle: Any


def unpack(archive: Path, to: Path) -> int:
    """Unpack every file below `to`; files that are there with the right size are kept. Returns how many there are.

    All names and sizes are checked before anything is written. Raises DataError for a path that leads out, a link or
    device inside, an archive that is damaged, and one that the disk doesn't hold.
    """
    try:
        with _opened(archive) as source:
            members = list(_members(source, archive))
            _check_room(to, sum(m.size for m in members if not _there(to, m)), archive)
            for member in members:
                if not _there(to, member):
                    _write(source, member, inside(to, member.name), archive)
    except DAMAGED as error:
        raise DataError("an archive can't be unpacked", where=archive, got=str(error), fix="fetch it again") from None
    return len(members)


def is_archive(path: Path) -> bool:
    """Whether it is an archive of a kind that can be unpacked here."""
    return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)


def _opened(archive: Path) -> zipfile.ZipFile | tarfile.TarFile:
    return zipfile.ZipFile(archive) if zipfile.is_zipfile(archive) else tarfile.open(archive)


def _members(source: zipfile.ZipFile | tarfile.TarFile, archive: Path) -> Iterator[Member]:
    if isinstance(source, zipfile.ZipFile):
        for info in source.infolist():
            if (info.external_attr >> 16) & 0o170000 == 0o120000:
                raise DataError("an archive holds a link", where=archive, got=info.filename[:200])
            if not info.is_dir():
                yield Member(checked_name(_tidy(info.filename), archive), info.file_size, info)
        return
    for entry in source:
        if not (entry.isfile() or entry.isdir()):
            raise DataError("an archive holds a link or a device", where=archive, got=entry.name[:200])
        if entry.isfile():
            yield Member(checked_name(_tidy(entry.name), archive), entry.size, entry)


def _tidy(name: str) -> str:
    """Without the `./` that tar puts before names."""
    return name.removeprefix("./")


def _there(to: Path, member: Member) -> bool:
    place = to / member.name
    return place.is_file() and place.stat().st_size == member.size


def _check_room(to: Path, needed: int, archive: Path) -> None:
    to.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(to).free
    if needed + SPARE_BYTES > free:
        expected = f"{needed / 1e9:.1f} GB free"
        raise DataError("the disk doesn't hold what is in an archive", where=archive, expected=expected,
                        got=f"{free / 1e9:.1f} GB", fix="make room, or choose another --to")  # fmt: skip


def _write(source: zipfile.ZipFile | tarfile.TarFile, member: Member, place: Path, archive: Path) -> None:
    """One file, whole or not at all, and never more than the archive's table of contents says."""
    part = place.with_name(place.name + ".part")
    stream: IO[bytes] | None
    stream = source.open(member.handle) if isinstance(source, zipfile.ZipFile) else source.extractfile(member.handle)
    assert stream is not None
    with stream, part.open("wb") as target:
        left = member.size
        while block := stream.read(min(1 << 20, left + 1)):
            left -= len(block)
            if left < 0:
                break
            target.write(block)
    if left:
        part.unlink()
        raise DataError("a file of an archive has another size than it says", where=archive, got=member.name)
    part.replace(place)
