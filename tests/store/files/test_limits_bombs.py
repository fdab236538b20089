"""Files that are small on disk and large unpacked, given to everything that reads a file from outside.

The limits are lowered, so that a bomb of 48 MiB stands for one of gigabytes.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.fuzz.targets import TARGETS
from tests.store.files.test_limits import at_most
from triptych.audit.results.systems import load_systems
from triptych.benchmarks import known_benchmarks, load_benchmark
from triptych.errors import TriptychError
from triptych.interchange.exports import import_log
from triptych.releases import archives
from triptych.store.files.limits import MIB

SIZE, MEMORY = 48 * MIB, 12 * MIB
NAMES = ("results.json", "header.json", "samples/1.json", "a.jsonl", "b.xml")
Reader = Callable[[Path, Path], object]


def zstandard(data: bytes) -> bytes:
    return bytes(pytest.importorskip("zstandard", reason="zstandard is not installed").ZstdCompressor().compress(data))


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, 6),
    "bzip2": bz2.compress,
    "xz": lambda data: lzma.compress(data, preset=0),
    "zstd": zstandard,
}
METHODS = {"gzip": zipfile.ZIP_DEFLATED, "bzip2": zipfile.ZIP_BZIP2, "xz": zipfile.ZIP_LZMA, "zstd": 93}


@cache
def bomb(shape: str, packing: str) -> bytes:
    """A compressed file, a compressed tar archive, or a ZIP archive packed with this method."""
    blanks = b" " * SIZE
    if shape == "file":
        return PACKERS[packing](blanks)
    buffer = io.BytesIO()
    if shape == "tar":
        with tarfile.open(fileobj=buffer, mode="w") as tar:
            member = tarfile.TarInfo(NAMES[0])
            member.size = SIZE
            tar.addfile(member, io.BytesIO(blanks))
        return PACKERS[packing](buffer.getvalue())
    if packing == "zstd":
        pytest.importorskip("zipfile_zstd", reason="zipfile-zstd is not installed")
    with zipfile.ZipFile(buffer, "w", METHODS[packing]) as archive:
        for name in NAMES[1:3]:
            archive.writestr(name, blanks[: SIZE // 2])
    return buffer.getvalue()


@pytest.fixture(autouse=True)
def _low_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("store.files.limits", "interchange.inspect_read", "interchange.harness_logs"):
        monkeypatch.setattr(f"triptych.{place}.MAX_DOCUMENT", MIB)
    monkeypatch.setattr("triptych.store.files.limits.MAX_UNPACKED", MIB)
    monkeypatch.setattr("triptych.store.files.limits.MAX_RATIO", 1)
    monkeypatch.setattr("triptych.store.files.limits.MAX_RESULTS_UNPACKED", MIB)
    monkeypatch.setattr("triptych.benchmarks.mcif.xml_files.MAX_XML", MIB)
    room = SimpleNamespace(free=archives.SPARE_BYTES + MIB)
    monkeypatch.setattr(archives, "shutil", SimpleNamespace(disk_usage=lambda path: room, rmtree=shutil.rmtree))


def _unpacked(path: Path, to: Path) -> None:
    with archives.unpacked([path]) as folders:
        if folders == [path]:  # no archive: it stays as it is, and the readers refuse it
            raise TriptychError("no archive")


def _log(suffix: str) -> Reader:
    return lambda path, to: import_log(path.rename(path.with_suffix(suffix)), to)


def _systems(name: str) -> Reader:
    return lambda path, to: list(load_systems([path], name, None))


def _results(name: str) -> Reader:
    return lambda path, to: load_benchmark(name).outputs([path])


READERS: dict[str, Reader] = {
    "unpack": archives.unpack,
    "unpack_results": archives.unpack_results,
    "unpacked": _unpacked,
    **{f"log {suffix}": _log(suffix) for suffix in (".eval", ".json", ".jsonl")},
    **{f"systems {name}": _systems(name) for name in sorted(known_benchmarks())},
    **{f"results {name}": _results(name) for name in sorted(known_benchmarks())},
}


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("shape", ["file", "tar", "zip"])
@pytest.mark.parametrize("reader", READERS)
def test_a_bomb_is_refused_in_words_and_takes_little_memory(
    reader: str, shape: str, packing: str, tmp_path: Path
) -> None:
    path = tmp_path / "bomb.bin"
    path.write_bytes(bomb(shape, packing))
    assert path.stat().st_size < MIB
    with suppress(TriptychError):  # what is loaded at the first use is not the bomb's memory
        READERS[reader](_small(tmp_path), tmp_path / "none")
    with at_most(MEMORY), pytest.raises(TriptychError) as caught:
        READERS[reader](path, tmp_path / "to")
    assert caught.value.problem
    left = [file for file in (tmp_path / "to").rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in left) < MIB


def _small(folder: Path) -> Path:
    path = folder / "small.bin"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(NAMES[1], "{}")
    return path


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("shape", ["file", "tar", "zip"])
def test_every_other_reader_takes_a_bomb_for_what_it_is(shape: str, packing: str) -> None:
    data = bomb(shape, packing)
    # Readers of a benchmark's data check all of it each time. They unpack one kind of archive.
    checked = ("data",) if shape == "file" or (shape, packing) == ("tar", "xz") else ()
    for name, target in TARGETS.items():
        if name.startswith(("run", "log", "table", "ratings", "toml", "build", "archive", *checked)):
            _warm(name)
            with at_most(MEMORY):
                target(data)


@cache
def _warm(name: str) -> None:
    """Read a right file: what is loaded at the first use is not the bomb's memory."""
    TARGETS[name](TARGETS[name].seeds()[0])
