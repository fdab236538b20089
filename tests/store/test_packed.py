"""Bombs of every kind are refused before they take the memory that they ask for."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.errors import DataError
from triptych.interchange.exports import import_log
from triptych.records import Response
from triptych.releases.archives import unpack_results
from triptych.store.files import limits
from triptych.store.files.archives import is_tar, open_tar, open_zip, read_member
from triptych.store.files.limits import MIB, read_json
from triptych.store.parquet.records import read_parquet, write_parquet


@contextmanager
def at_most(size: int) -> Iterator[None]:
    """Python's memory in the block stays below `size` bytes."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < size
    finally:
        tracemalloc.stop()


def zip_of(path: Path, packing: int, content: bytes, told: int | None = None) -> Path:
    """An archive of one member `header.json`; `told`: the size that its table of contents states."""
    with zipfile.ZipFile(path, "w", packing) as archive:
        archive.writestr("header.json", content)
    if told is not None:
        data = path.read_bytes()
        path.write_bytes(data.replace(len(content).to_bytes(4, "little"), told.to_bytes(4, "little")))
    return path


def test_a_member_that_unpacks_to_more_than_it_says_costs_no_more(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "bomb.eval", zipfile.ZIP_DEFLATED, bytes(40 * MIB), told=1000)
    with at_most(20 * MIB), pytest.raises(DataError):
        import_log(path, tmp_path / "run")
    assert not (tmp_path / "run").exists()


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


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK])
def test_a_tar_header_without_measure_is_refused(tmp_path: Path, kind: bytes) -> None:
    header = tarfile.TarInfo("x")
    header.type, header.size = kind, 40 * MIB
    path = tmp_path / "a.tar.gz"
    with gzip.open(path, "wb") as file:
        file.write(header.tobuf(tarfile.GNU_FORMAT) + bytes(40 * MIB))
    with at_most(20 * MIB), pytest.raises(DataError, match="header of the archive is too large"):
        open_tar(path)
    assert is_tar(path) and not is_tar(Path(__file__))


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


@pytest.mark.parametrize("piece", ["[],", "{},", "1,", '"ab",'])
def test_a_document_of_too_many_values_is_refused(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_VALUES", 1_000_000)
    data = ("[" + piece * 2_000_000 + "0]").encode()
    with at_most(10 * MIB), pytest.raises(DataError, match="values"):
        read_json(data, "here")


@pytest.mark.parametrize("data", [b"[" * 300_000, b'{"a":' * 300_000, b"{", b"\xff\xfe", b"", b"1" * 100_000])
def test_what_can_not_be_read_as_json_says_so(data: bytes) -> None:
    with pytest.raises(DataError):
        read_json(data, "here")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda c: st.lists(c) | st.dictionaries(st.text(), c)
    )
)
def test_json_comes_out_as_it_went_in(value: object) -> None:
    assert read_json(json.dumps(value).encode(), "here") == value


def test_a_packed_run_of_repeated_rows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "responses.parquet"
    replies = [Response(f"i{n}", "", 0, "answered", "x" * 1000) for n in range(100)]
    write_parquet(path, replies, Response)
    assert list(read_parquet(path, Response)) == replies
    monkeypatch.setattr("triptych.store.parquet.records.MAX_KEPT", 10_000)
    with pytest.raises(DataError, match="10,000 bytes unpacked"):
        list(read_parquet(path, Response))
    polars.select(polars.repeat("x", 6_000_000).alias("item")).write_parquet(path)
    assert path.stat().st_size < MIB
    with pytest.raises(DataError, match="5,000,000 rows"):
        list(read_parquet(path, Response))


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


def test_archives_in_archives_stay_packed(tmp_path: Path) -> None:
    inner = zip_of(tmp_path / "inner.zip", zipfile.ZIP_DEFLATED, bytes(10 * MIB))
    outer = tmp_path / "outer.zip"
    with zipfile.ZipFile(outer, "w") as archive:
        for name in ("a.zip", "b.zip"):
            archive.write(inner, name)
        archive.writestr("results.json", "")
    unpack_results(outer, tmp_path / "to")
    sizes = {path.name: path.stat().st_size for path in (tmp_path / "to").iterdir()}
    assert sizes == {"results.json": 0, **dict.fromkeys(("a.zip", "b.zip"), inner.stat().st_size)}
