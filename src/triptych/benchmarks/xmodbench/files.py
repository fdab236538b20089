"""Locate the released question files: a folder with `tasks/` in it, or the released archive."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from triptych.benchmarks.xmodbench.rows import Row
from triptych.errors import DataError
from triptych.releases.archives import DAMAGED
from triptych.store.files.archives import is_tar, open_tar
from triptych.store.files.limits import MIB

MAX_BYTES = 512 * MIB  # five times the released files
ARCHIVE = "released_questions.tar.xz"


class QuestionFiles:
    """The question files under a data folder, by their released names (`tasks/01_perception/…`).

    `prefix` is the path from the data folder to the names in the question files: `benchmark/` if the authors'
    repository is the data folder, otherwise empty. Media paths get the same prefix. `decoded` has the rows of files
    that are needed again, by their names; whoever adds them removes them.
    """

    prefix: str
    archive: Path | None

    def __init__(self, data: Path) -> None:
        self.data = data
        self.prefix, self._strip, self.archive = _locate(data)
        self._members: dict[str, bytes] | None = None  # of the archive, compressed
        self.decoded: dict[str, list[Row | None]] = {}

    def names(self) -> list[str]:
        """Return every question file, in a fixed order, without files of generation statistics."""
        if self.archive:
            names_in_files = list(self._archive_members())
        else:
            base = self.data / self.prefix
            inside = (p for p in base.glob(f"{self._glob}/*/*/*.json") if p.is_file())
            names_in_files = [self._strip + p.relative_to(base).as_posix() for p in inside]
        return sorted(n for n in names_in_files if n.endswith(".json") and not n.endswith("_generation_stats.json"))

    def path(self, name: str) -> Path:
        """Return the file's path; in an archive, the archive's path with the name appended (for messages)."""
        return self.archive / name if self.archive else self.data / self.prefix / name.removeprefix(self._strip)

    def has_file(self, name: str) -> bool:
        """Return whether this question file exists."""
        return name in self._archive_members() if self.archive else self.path(name).is_file()

    def read(self, name: str) -> bytes:
        """Return the file's bytes. Raises DataError if it can't be read."""
        if self.archive:
            return zlib.decompress(self._archive_members()[name])
        try:
            return self.path(name).read_bytes()
        except OSError as error:
            raise DataError("a question file can't be read", where=self.path(name), got=error.strerror) from None

    @property
    def _glob(self) -> str:
        return "tasks" if not self._strip else "."

    def _archive_members(self) -> dict[str, bytes]:
        if self._members is None:
            assert self.archive is not None
            self._members = _opened(self.archive)
        return self._members


def _locate(data: Path) -> tuple[str, str, Path | None]:
    """Return (prefix, leading part of the names that the folder lacks, archive) of a data folder. Raises DataError."""
    if data.is_file() and is_tar(data):
        return "", "", data
    for prefix, strip, folder in (("", "", "tasks"), ("benchmark/", "", "tasks"), ("", "tasks/", "01_perception")):
        if (data / prefix / folder).is_dir():
            return prefix, strip, None
    if (data / ARCHIVE).is_file():
        return "", "", data / ARCHIVE
    raise DataError(
        "no XModBench question files here",
        where=data,
        expected=f"a folder with tasks/01_perception/…, or {ARCHIVE}",
        fix="name the folder to which the release was downloaded: --data DIR",
    )


def _opened(archive: Path) -> dict[str, bytes]:
    """Return the archive's files, each compressed by zlib; raises DataError."""
    try:
        with archive.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DataError("the archive of question files can't be read", where=archive, got=error.strerror) from None
    return _unpacked_files(archive, digest)


@lru_cache(maxsize=1)
def _unpacked_files(archive: Path, digest: str) -> dict[str, bytes]:
    """Return the files of an archive with this hash. Checking, reading and auditing data each open it, and unpacking
    the released one takes a second; compressed, its files take a twentieth of their size in memory."""
    return {name: zlib.compress(content, 1) for name, content in _members(archive)}


def _members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of the archive's files; names that aren't plainly below `tasks/` are skipped."""
    left = MAX_BYTES
    try:
        with open_tar(archive) as tar:
            for member in tar:
                stream = tar.extractfile(member) if member.isreg() else None
                if stream is not None and member.name.startswith("tasks/") and ".." not in member.name:
                    if (left := left - member.size) < 0:
                        expected = f"<= {MAX_BYTES:,} bytes unpacked"
                        raise DataError("the archive of question files is too large", where=archive, expected=expected)
                    yield member.name, stream.read()
    except DAMAGED as error:
        raise DataError("the archive of question files can't be read", where=archive, got=error) from None
