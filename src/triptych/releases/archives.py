"""Unpack released archives safely: only plain files, only inside the folder, and never more than the disk can hold."""

from __future__ import annotations

import lzma
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from triptych.errors import DataError
from triptych.store.files.archives import is_tar, member_blocks, open_tar, open_zip, read_to_end
from triptych.store.files.limits import MAX_RESULTS, check_limit, check_results
from triptych.store.files.names import checked_name, path_inside
from triptych.store.files.partial import size_of

# The errors that reading a damaged or foreign archive can raise.
DAMAGED = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
)
# What results, Runs and logs are named, and tables of them; each may be packed once more.
_RUNS = {".json", ".jsonl", ".parquet", ".toml", ".yaml", ".yml", ".md", ".txt", ".html", ".log", ".eval"}
_TABLES = {".csv", ".tsv", ".xlsx", ".xml", ".tex", ".arrow"}
RESULT_SUFFIXES = _RUNS | _TABLES | {".gz", ".zst"}
MAX_ASIDE = 1024 * 1024  # bytes of another file that is unpacked next to results
SPARE_BYTES = 64 * 1024 * 1024  # left free on the disk


@dataclass(frozen=True)
class Member:
    """A file of an archive: its checked name, its size, and its entry in the archive's library."""

    name: str
    size: int
    handle: Any


def unpack(archive: Path, to: Path) -> int:
    """Unpack every file below `to`, replacing existing ones. Returns the number of files.

    All names and sizes are checked before anything is written, and each file is written completely or not at all.
    Raises DataError if a path leads out of the folder, if the archive contains a link or device, is damaged, has too
    many members, or is larger than the free disk space.
    """
    try:
        with _opened(archive) as source:
            members = list(_members(source, archive))
            if isinstance(source, tarfile.TarFile):
                read_to_end(source, archive)
            _write_all(source, members, to, archive)
    except DAMAGED as error:
        raise DataError("an archive can't be unpacked", where=archive, got=str(error), fix="fetch it again") from None
    return len(members)


def unpack_results(archive: Path, to: Path) -> None:
    """Unpack released results below `to`: the files that can be results by their names, and small ones. Of a tar
    archive only the plain files are unpacked.

    Raises DataError as `unpack` does, and before anything is written if no file can be results, if the content is far
    larger than the archive, or if it has too many files.
    """
    try:
        if not is_tar(archive):
            with _opened(archive) as source:
                members = list(_members(source, archive))
                check_limit("the archive", len(members), MAX_RESULTS, archive, unit="files")
                check_results(sum(member.size for member in members), archive.stat().st_size, archive)
                _write_all(source, _results(members, archive), to, archive)
            return
        with open_tar(archive) as files:
            plain = [Member(file.name, file.size, file) for file in _plain_files(files, archive)]
            read_to_end(files, archive)
            chosen = _results(plain, archive)
            _check_room(to, chosen, archive)
            files.extractall(to, [member.handle for member in chosen], filter="data")
    except DAMAGED as error:
        raise DataError("the archive can't be unpacked", where=archive, got=error) from None


def _results(members: Sequence[Member], archive: Path) -> list[Member]:
    """Return the files that can be results, and the small ones that may describe them. Raises DataError for an archive
    that has files, but none that can be results."""
    named = [member for member in members if RESULT_SUFFIXES & set(_suffixes(member.name))]
    if members and not named:
        kinds = sorted({_suffixes(member.name)[-1] or "no suffix" for member in members})
        raise DataError(
            "the archive has no file that can be results",
            where=archive,
            expected=f"files named {', '.join(sorted(RESULT_SUFFIXES))}",
            got=f"{len(members):,} files, such as {members[0].name[:200]} ({', '.join(kinds[:10])})",
        )
    return [member for member in members if member.size <= MAX_ASIDE or RESULT_SUFFIXES & set(_suffixes(member.name))]


def _suffixes(name: str) -> list[str]:
    return [suffix.lower() for suffix in PurePosixPath(name).suffixes] or [""]


def _plain_files(files: tarfile.TarFile, archive: Path) -> Iterator[tarfile.TarInfo]:
    """Yield the plain files; the total size is checked at each member, since skipping a huge member takes long."""
    size, packed = 0, archive.stat().st_size
    for number, member in enumerate(files, start=1):
        check_limit("the archive", number, MAX_RESULTS, archive, unit="files")
        size += member.size
        check_results(size, packed, archive)
        if member.isfile():
            yield member


@contextmanager
def unpacked(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """Yield the paths, with each archive replaced by a temporary folder of its content.

    If an archive contains only one folder, that folder is used. Raises DataError as `unpack_results` does. A DataError
    that leaves the block names the archives instead of the temporary folders.
    """
    with ExitStack() as held:
        archives = {path: _place_for(path, held) for path in paths if path.is_file() and is_archive(path)}
        try:
            yield [_folder_of(path, archives[path]) if path in archives else path for path in paths]
        except DataError as error:
            raise named_by_archives(error, {str(archive): str(path) for path, archive in archives.items()}) from None


def named_by_archives(error: DataError, archives: Mapping[str, str]) -> DataError:
    """Return the error with the temporary folders' paths replaced by the archives' paths."""

    def named(text: str | None) -> str | None:
        for name, archive in archives.items():
            text = text.replace(name, archive) if text else text
        return text

    fix = named(error.fix)
    if fix != error.fix:
        fix = f"{fix} (unpack the archive first)"
    problem, expected, got, where = map(named, (error.problem, error.expected, error.got, error.where))
    return type(error)(problem or "", expected=expected, got=got, where=where, fix=fix)


def _place_for(archive: Path, held: ExitStack) -> Path:
    return Path(held.enter_context(tempfile.TemporaryDirectory())) / archive.name.partition(".")[0]


def _folder_of(archive: Path, path: Path) -> Path:
    unpack_results(archive, path)
    while len(inside_it := list(path.iterdir())) == 1 and inside_it[0].is_dir():
        path = inside_it[0]
    return path


def is_archive(path: Path) -> bool:
    """Return whether the path is an archive of a supported kind. A workbook, which is one inside, is not."""
    return path.suffix.lower() != ".xlsx" and (zipfile.is_zipfile(path) or is_tar(path))


def _opened(archive: Path) -> zipfile.ZipFile | tarfile.TarFile:
    return open_zip(archive) if zipfile.is_zipfile(archive) else open_tar(archive)


def _members(source: zipfile.ZipFile | tarfile.TarFile, archive: Path) -> Iterator[Member]:
    if isinstance(source, zipfile.ZipFile):
        for info in source.infolist():
            if (info.external_attr >> 16) & 0o170000 == 0o120000:
                raise DataError("the archive contains a link", where=archive, got=info.filename[:200])
            if not info.filename.endswith("/"):  # is_dir() raises IndexError for an empty name
                yield Member(checked_name(_tidy(info.filename), archive), info.file_size, info)
        return
    for entry in source:
        if not (entry.isfile() or entry.isdir()):
            raise DataError("the archive contains a link or a device", where=archive, got=entry.name[:200])
        if entry.isfile():
            yield Member(checked_name(_tidy(entry.name), archive), entry.size, entry)


def _tidy(name: str) -> str:
    """Return the name without the `./` that tar puts before names."""
    return name.removeprefix("./")


def _write_all(source: zipfile.ZipFile | tarfile.TarFile, members: Sequence[Member], to: Path, archive: Path) -> None:
    _check_room(to, members, archive)
    for member in members:
        _write(source, member, path_inside(to, member.name), archive)


def _check_room(to: Path, members: Sequence[Member], archive: Path) -> None:
    """Check the disk space for all new files, and for the largest file in addition to the one that it replaces."""
    to.mkdir(parents=True, exist_ok=True)
    free, largest = shutil.disk_usage(to).free, max((member.size for member in members), default=0)
    needed = largest + sum(member.size for member in members if size_of(to / member.name) != member.size)
    if needed + SPARE_BYTES > free:
        expected = f"{needed / 1e9:.1f} GB free"
        raise DataError(
            "not enough free disk space for the archive's content",
            where=archive,
            expected=expected,
            got=f"{free / 1e9:.1f} GB",
            fix="free some space, or choose another --to",
        )


def _write(source: zipfile.ZipFile | tarfile.TarFile, member: Member, path: Path, archive: Path) -> None:
    """Write one file, completely or not at all, and never more than the size in the archive's table of contents."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)  # writing to an existing link would change its target
    left = member.size
    try:
        with part.open("xb") as target:
            for block in member_blocks(source, member.handle):
                left -= len(block)
                if left < 0:
                    break
                target.write(block)
        if left:
            raise DataError(
                "the size of a file in the archive differs from its table of contents", where=archive, got=member.name
            )
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
