"""Opening archives and compressed files from outside with bounded memory.

For some compression methods, Python's own readers unpack a whole block at once, and so do they a tar archive's extended
headers.
"""

from __future__ import annotations

import io
import lzma
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from triptych.errors import DataError
from triptych.store.files.limits import MAX_HEADER, MAX_MEMBERS, MAX_XZ, check_limit

# Bytes of a member that are read at once. For methods other than these two, zipfile unpacks this much packed data
# completely, and Zstandard can expand them 40,000 times.
_STEP, _SMALL_STEP = 1 << 20, 4096
_MEASURED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ZSTANDARD = 93
_MAX_PADDING = 64 << 20  # tar pads to a multiple of its record, usually 10 KiB
_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


def open_zip(path: Path) -> zipfile.ZipFile:
    """Open a zip archive. Raises DataError if it has too many members, or uses a compression method that can't be read
    or bounded; otherwise zipfile.BadZipFile and OSError as in zipfile.
    """
    try:
        archive = zipfile.ZipFile(path)
    except UnicodeDecodeError as error:  # the name of a member is said to be UTF-8 and isn't
        raise zipfile.BadZipFile(str(error)) from None
    try:
        members = archive.infolist()
        check_limit("the archive's table of contents", len(members), MAX_MEMBERS, path, unit="members")
        if odd := {member.compress_type for member in members} - {*_MEASURED, _ZSTANDARD}:
            expected = "stored, Deflate or Zstandard; the unpacked size of other methods can't be bounded"
            raise DataError(
                "the archive uses an unsupported compression method", where=path, got=sorted(odd), expected=expected
            )
        if any(member.compress_type == _ZSTANDARD for member in members):
            _learn_zstandard(path)
    except BaseException:
        archive.close()
        raise
    return archive


def read_member(archive: zipfile.ZipFile, name: str, max_bytes: int, where: object) -> bytes:
    """Return the content of a member. Raises DataError if it exceeds `max_bytes` bytes, KeyError if it is missing."""
    member = archive.getinfo(name)
    check_limit("a member of the archive", member.file_size, max_bytes, where, unit="bytes unpacked")
    return b"".join(member_blocks(archive, member))


def member_blocks(archive: zipfile.ZipFile | tarfile.TarFile, member: Any) -> Iterator[bytes]:
    """Yield the content of a member in blocks."""
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
    """Open a tar archive, compressed or not.

    Reading it raises DataError if it has more than a million members, or an extended header of more than one mebibyte;
    otherwise tarfile.TarError and OSError as in tarfile.
    """
    return _Tar.open(path, tarinfo=_Info)


def read_to_end(archive: tarfile.TarFile, where: object) -> None:
    """Read what follows the last member, so that the checksum at the end of a packed archive is compared: tarfile stops
    before it. Raises DataError if much follows; otherwise the errors of the compression for a damaged archive.
    """
    read = 0
    while block := archive.fileobj.read(_STEP) if archive.fileobj is not None else b"":
        read += len(block)
        check_limit("what follows the last file of the archive", read, _MAX_PADDING, where, unit="bytes unpacked")


def is_tar(path: Path) -> bool:
    """Return whether the file is a tar archive, even if its headers are malicious."""
    try:
        open_tar(path).close()
    except DataError:
        return True
    except (tarfile.TarError, OSError, EOFError):
        return False
    return True


class _Info(tarfile.TarInfo):
    """Header of a member. Extended headers that are too large are not read, and sparse files are refused, since their
    list of holes is unbounded and no release needs them.
    """

    def _proc_member(self, tar: tarfile.TarFile) -> Any:
        if self.type in _HEADERS:
            check_limit("a header of the archive", self.size, MAX_HEADER, str(tar.name))
        return super()._proc_member(tar)  # type: ignore[misc]

    def _holes(self, *data: Any) -> NoReturn:
        raise DataError("the archive contains a sparse file", got=self.name[:200], where=data[-1].name)

    _proc_sparse = _proc_gnusparse_00 = _proc_gnusparse_01 = _proc_gnusparse_10 = _holes


class _Xz(lzma.LZMAFile):
    """An xz or LZMA file whose dictionary, which its header names and which is memory, is bounded."""

    _buffer: Any
    _fp: Any

    def __init__(self, source: Any) -> None:
        super().__init__(source, "rb")
        reader = type(self._buffer.raw)  # the standard library has no public way to give the limit
        self._buffer = io.BufferedReader(
            reader(
                self._fp, lzma.LZMADecompressor, trailing_error=lzma.LZMAError, format=lzma.FORMAT_AUTO, memlimit=MAX_XZ
            )
        )


class _Tar(tarfile.TarFile):
    """An archive that counts its members while reading."""

    member_count = 0

    @classmethod
    def xzopen(cls, name: Any, mode: str = "r", fileobj: Any = None, preset: Any = None, **more: Any) -> Any:
        """Open an archive that is packed with xz or LZMA, to be read."""
        stream = _Xz(fileobj or name)
        try:
            archive: Any = cls.taropen(name, "r", stream, **more)
            archive._extfileobj = False  # so that closing the archive closes the stream
            return archive
        except (lzma.LZMAError, EOFError) as error:
            stream.close()
            raise tarfile.ReadError(f"not an xz file, or one that takes too much memory: {error}") from None
        except BaseException:
            stream.close()
            raise

    def next(self) -> tarfile.TarInfo | None:
        """Return the next member."""
        check_limit("the archive", self.member_count, MAX_MEMBERS, str(self.name), unit="members")
        self.member_count += 1
        return super().next()


def _learn_zstandard(path: Path) -> None:
    """Enable Zstandard in zipfile, which Python supports from 3.14 on. Raises DataError if that is not possible."""
    if hasattr(zipfile, "ZIP_ZSTANDARD"):
        return
    try:
        import zipfile_zstd  # noqa: F401
    except ImportError:
        fix = "pip install 'triptych[interchange]'"
        raise DataError("the archive is packed with Zstandard, which isn't installed", where=path, fix=fix) from None
