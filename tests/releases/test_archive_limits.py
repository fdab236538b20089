"""Archives of results: what is too large is refused by its header, before the rest is unpacked."""

from __future__ import annotations

import gzip
import io
import random
import tarfile
import zipfile
from pathlib import Path

import pytest

from triptych.errors import DataError
from triptych.releases import archives
from triptych.releases.archives import unpack_results


def test_a_huge_member_is_refused_by_its_header_alone(tmp_path: Path) -> None:
    """To reach the end of it took most of a minute; here nothing follows, so whoever reads on finds the end."""
    member = tarfile.TarInfo("results.json")
    member.size = 12 << 30
    archive = tmp_path / "results.tar.gz"
    archive.write_bytes(gzip.compress(member.tobuf() + bytes(512)))
    with pytest.raises(DataError, match="too large"):
        unpack_results(archive, tmp_path / "to")
    assert not (tmp_path / "to").exists()


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.xz"])
def test_too_many_files_are_refused_before_any_is_written(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_RESULTS", 20)
    archive, to = tmp_path / f"results.{kind}", tmp_path / "to"
    names = [f"{number}.json" for number in range(21)]
    if kind == "zip":
        with zipfile.ZipFile(archive, "w") as packed:
            for name in names:
                packed.writestr(name, "")
    else:
        with tarfile.open(archive, "w:xz" if kind == "tar.xz" else "w") as tar:
            for name in names:
                tar.addfile(tarfile.TarInfo(name))
    with pytest.raises(DataError, match="too large") as told:
        unpack_results(archive, to)
    assert "20 files" in str(told.value) and not to.exists()


def packed(path: Path, files: dict[str, bytes]) -> Path:
    """An archive of these files, of the kind that its name says."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
    else:
        with tarfile.open(path, f"w:{path.suffix[1:]}") as tar:
            for name, data in files.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data))
    return path


@pytest.mark.parametrize("kind", ["zip", "tar.gz", "tar.xz"])
def test_an_archive_without_results_is_refused_before_it_is_unpacked(kind: str, tmp_path: Path) -> None:
    """Three megabytes of zeros once took 20 seconds and 3 GB of temporary disk until it was said that no results are
    there."""
    archive = packed(tmp_path / f"weights.{kind}", {"model.bin": bytes(3 << 20), "sounds/1.wav": bytes(99)})
    with pytest.raises(DataError, match="no file that can be results") as told:
        unpack_results(archive, tmp_path / "to")
    assert not (tmp_path / "to").exists()
    assert "2 files, such as model.bin (.bin, .wav)" in str(told.value) and ".jsonl" in str(told.value)


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_only_what_can_be_results_is_unpacked(kind: str, tmp_path: Path) -> None:
    """Small files come with them, since a message may name them; the content of media doesn't fill the disk."""
    files = {"a/film.mp4": bytes(2 << 20), "a/LICENSE": b"MIT", "a/all.json.gz": b"x", "a/big.JSONL": bytes(2 << 20)}
    unpack_results(packed(tmp_path / f"all.{kind}", files), tmp_path / "to")
    there = {path.relative_to(tmp_path / "to").as_posix() for path in (tmp_path / "to").rglob("*") if path.is_file()}
    assert there == set(files) - {"a/film.mp4"}


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_results_that_repeat_far_more_than_results_do_are_refused(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand to one, and beyond the limit that is allowed at any ratio; the same content less packed is read."""
    monkeypatch.setattr("triptych.store.files.limits.MAX_RESULTS_UNPACKED", 1 << 20)
    archive = packed(tmp_path / f"all.{kind}", {"1.jsonl": bytes(2 << 20), "2.jsonl": bytes(2 << 20)})
    with pytest.raises(DataError, match="too large") as told:
        unpack_results(archive, tmp_path / "to")
    assert "unpack it yourself" in str(told.value) and not (tmp_path / "to").exists()
    mixed = random.Random(0).randbytes(64 << 10) + bytes(2 << 20)
    unpack_results(packed(tmp_path / f"mixed.{kind}", {"1.jsonl": mixed, "2.jsonl": mixed}), tmp_path / "to")
    assert (tmp_path / "to" / "2.jsonl").read_bytes() == mixed
