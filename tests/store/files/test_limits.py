"""Tests of `store/files/limits.py`."""

from __future__ import annotations

import gzip
import json
import tarfile
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.errors import DataError
from triptych.interchange.exports import import_log
from triptych.releases.archives import unpack_results
from triptych.store.files import limits
from triptych.store.files.archives import is_tar, open_tar
from triptych.store.files.limits import MIB, read_json


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
