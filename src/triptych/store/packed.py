"""Archives and packed files from outside, opened so that they cost no more memory than they say.

Python's own readers unpack a whole block at once for some kinds of packing, and a tar archive's extended headers.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from triptych.errors import DataError
from triptych.store.limits import MAX_HEADER, MAX_MEMBERS, check_limit

# How much of a member is asked for at once. zipfile unpacks so many packed bytes of any other kind than these two
# whole, and Zstandard's can be 40,000 times as many.
_STEP, _SMALL_STEP = 1 << 20, 4096
_MEASURED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ZSTANDARD = 93
_HEADERS = (
    tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK
)  # fmt: skip


def open_zip(path: Path) -> zipfile.ZipFile:
    """A zip archive. Raises DataError for one with too many members, or packed with Zstandard where that can't be read;
    zipfile.BadZipFile and OSError as zipfile does."""
    archive = zipfile.ZipFile(path)
    try:
        members = archive.infolist()
        check_limit("the archive's table of contents", len(members), MAX_MEMBERS, path, unit="members")
        if odd := {member.compress_type for member in members} - {*_MEASURED, _ZSTANDARD}:
            expected = "stored, Deflate or Zstandard: what others unpack to can't be bounded"
            raise DataError("the archive is packed in another way", where=path, got=sorted(odd), expected=expected)
        if any(member.compress_type == _ZSTANDARD for member in members):
            _learn_zstandard(path)
    except BaseException:
        archive.close()
        raise
    return archive


def read_member(archive: zipfile.ZipFile, name: str, most: int, where: object) -> bytes:
    """A member's content. Raises DataError where it is larger than `most` bytes, KeyError where there is none."""
    member = archive.getinfo(name)
    check_limit("a member of the archive", member.file_size, most, where, unit="bytes unpacked")
    return b"".join(member_blocks(archive, member))


def member_blocks(archive: zipfile.ZipFile | tarfile.TarFile, member: Any) -> Iterator[bytes]:
    """A member's content in pieces."""
    step, stream = _STEP, None
    if isinstance(archive, zipfile.ZipFile):
        step = _STEP if member.compress_type in _MEASURED else _SMALL_STEP
        stream = archive.open(member)
    else:
        stream = archive.extractfile(member)
    assert stream is not None
    with stream:
        while block := stream.read(step):
            yield block


def open_tar(path: Path) -> tarfile.TarFile:
    """A tar archive, packed or not, of one million members at most. Raises DataError while it is read where it holds
    more, or an extended header of more than a mebibyte; tarfile.TarError and OSError as tarfile does."""
    return _Tar.open(path, tarinfo=_Info)


def is_tar(path: Path) -> bool:
    """Whether it is a tar archive; one with hostile headers is, too."""
    try:
        open_tar(path).close()
    except DataError:
        return True
    except (tarfile.TarError, OSError, EOFError):
        return False
    return True


class _Info(tarfile.TarInfo):
    """A member's header, not read further where it is an extended one without measure, or tells of a file with holes
    (the list of the holes has no measure either, and no release needs one)."""

    def _proc_member(self, tar: tarfile.TarFile) -> Any:
        if self.type in _HEADERS:
            check_limit("a header of the archive", self.size, MAX_HEADER, str(tar.name))
        return super()._proc_member(tar)  # type: ignore[misc]

    def _holes(self, *given: Any) -> NoReturn:
        raise DataError("an archive holds a file with holes", got=self.name[:200], where=given[-1].name)

    _proc_sparse = _proc_gnusparse_00 = _proc_gnusparse_01 = _proc_gnusparse_10 = _holes


class _Tar(tarfile.TarFile):
    """An archive whose members are counted while they are found."""

    found = 0

    def next(self) -> tarfile.TarInfo | None:
        """The next member."""
        check_limit("the archive", self.found, MAX_MEMBERS, str(self.name), unit="members")
        self.found += 1
        return super().next()


def _learn_zstandard(path: Path) -> None:
    """Teach zipfile Zstandard, which Python has from 3.14 on. Raises DataError where it can't be had."""
    if hasattr(zipfile, "ZIP_ZSTANDARD"):
        return
    try:
        import zipfile_zstd  # noqa: F401
    except ImportError:
        fix = "pip install 'triptych[interchange]'"
        raise DataError("the archive is packed with Zstandard, which isn't installed", where=path, fix=fix) from None
