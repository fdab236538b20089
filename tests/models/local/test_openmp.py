"""xllamacpp's OpenMP library where the system has none."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest

from triptych.models.local import openmp


@pytest.fixture
def copy() -> Path:
    """The library in ctranslate2's wheel."""
    pytest.importorskip("ctranslate2", reason="the extra `local` is not installed")
    if sys.platform != "linux" or not openmp.bundled():
        pytest.skip("ctranslate2's wheel carries no libgomp on this platform")
    return openmp.bundled()[0]


def test_a_library_can_be_loaded_under_another_name(copy: Path) -> None:
    with pytest.raises(OSError):
        ctypes.CDLL("libtriptych-1.so.1")
    openmp.load_as(copy, "libtriptych-1.so.1")
    ctypes.CDLL("libtriptych-1.so.1")  # the linker finds what is loaded under this name


def test_it_is_provided_where_the_system_has_none(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openmp, "SYSTEM_NAME", "libtriptych-2.so.1")
    openmp.provide_openmp()
    assert openmp._loads("libtriptych-2.so.1")


def test_a_file_whose_name_is_not_its_own_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "libgomp-0123.so.1"
    other.write_bytes(b"no library")
    with pytest.raises(ValueError, match="renamed"):
        openmp.load_as(other, "libgomp.so.1")


def test_without_a_copy_nothing_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openmp, "SYSTEM_NAME", "libtriptych-3.so.1")
    monkeypatch.setattr(openmp, "find_spec", lambda name: None)
    openmp.provide_openmp()
    assert not openmp._loads("libtriptych-3.so.1")
