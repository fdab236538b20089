"""Tests of `store/files/archives.py`: opening archives and compressed files from outside with bounded memory."""

from __future__ import annotations

import io
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.files.test_limits import zip_of
from triptych.errors import DataError
from triptych.releases.archives import unpack_results
from triptych.store.files.archives import is_tar, open_tar, open_zip, read_member


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packing_that_can_not_be_bounded_is_refused(tmp_path: Path, packing: int) -> None:
    with pytest.raises(DataError, match="unsupported compression"):
        open_zip(zip_of(tmp_path / "a.zip", packing, b"{}"))


@given(st.lists(st.binary(max_size=3000), min_size=1, max_size=4), st.sampled_from([0, 8]))
def test_members_come_out_as_they_went_in(contents: list[bytes], packing: int) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        for number, content in enumerate(contents):
            archive.writestr(str(number), content)
    with zipfile.ZipFile(buffer) as archive:
        assert [read_member(archive, str(n), 3000, "here") for n in range(len(contents))] == contents


def test_members_without_number_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.store.files.archives.MAX_MEMBERS", 3)
    with tarfile.open(tmp_path / "a.tar", "w") as tar, zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for number in range(5):
            tar.addfile(tarfile.TarInfo(str(number)))
            archive.writestr(str(number), b"")
    with open_tar(tmp_path / "a.tar") as members, pytest.raises(DataError, match="3 members"):
        list(members)
    with pytest.raises(DataError, match="3 members"):
        open_zip(tmp_path / "a.zip")


def xz_with_dictionary(path: Path, size_code: int) -> Path:
    """A tar archive packed with xz whose header names a dictionary of this size (40: 4 GiB)."""
    with tarfile.open(path, "w:xz") as archive:
        member = tarfile.TarInfo("results.json")
        member.size = 2
        archive.addfile(member, io.BytesIO(b"{}"))
    data = bytearray(path.read_bytes())
    end = 12 + (data[12] + 1) * 4  # the header of the first block, behind that of the stream; it ends in a CRC32
    assert data[14:16] == b"\x21\x01", "the one filter is LZMA2, with one byte of properties"
    data[16] = size_code
    data[end - 4 : end] = zlib.crc32(data[12 : end - 4]).to_bytes(4, "little")
    path.write_bytes(data)
    return path


def test_the_dictionary_of_an_xz_archive_is_bounded(tmp_path: Path) -> None:
    usual, huge = xz_with_dictionary(tmp_path / "usual.tar.xz", 22), xz_with_dictionary(tmp_path / "huge.tar.xz", 40)
    with open_tar(usual) as archive:  # 8 MiB, as of `xz -6`; read twice, as unpacking does
        assert [archive.extractfile(m).read() for m in archive.getmembers() * 2] == [b"{}"] * 2  # type: ignore[union-attr]
    assert not is_tar(huge)
    with pytest.raises(tarfile.TarError):
        open_tar(huge)
    with pytest.raises(DataError, match="can't be unpacked"):
        unpack_results(huge, tmp_path / "to")
