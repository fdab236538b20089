"""Results in an archive are named by the archive: the folder of its content is gone when the message is read."""

from __future__ import annotations

import gzip
import io
import random
import shutil
import tarfile
import zipfile
from pathlib import Path
from random import Random

import pytest

from tests.audit.results.test_check import often, results
from tests.benchmarks.questions.test_xlsx import sheet, workbook
from tests.releases.test_fetching import zipped
from triptych import audit_run
from triptych.api.runs import score
from triptych.errors import DataError
from triptych.releases import archives
from triptych.releases.archives import unpack, unpack_results


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Results of two systems, as a zip archive."""
    for name in ("one", "two"):
        results(tmp_path / "released" / name, often, 50)
    return Path(shutil.make_archive(str(tmp_path / "released"), "zip", tmp_path / "released"))


def test_an_error_about_results_in_an_archive_names_the_archive(archive: Path) -> None:
    with pytest.raises(DataError, match="the files contain results of several systems") as caught:
        score("xmodbench", predictions=[archive])
    assert caught.value.where == str(archive)
    assert caught.value.fix == f"give one of them, such as {archive}/one (unpack the archive first)"


def test_an_audit_says_of_which_archive_the_results_are(archive: Path) -> None:
    said: list[str] = []
    audit_run([archive], say=said.append)
    assert said == ["released.zip: recognised as results of xmodbench"]


def test_an_audits_error_names_the_archive(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.txt").write_text("nothing")
    packed = Path(shutil.make_archive(str(tmp_path / "empty"), "zip", tmp_path / "empty"))
    with pytest.raises(DataError) as caught:
        audit_run([packed], benchmark="xmodbench")
    assert str(packed) in str(caught.value) and "/tmp" not in str(caught.value).replace(str(packed), "")


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


# --- archives


def tar_of(path: Path, *members: tarfile.TarInfo, kind: str = "w:gz") -> Path:
    """`good.txt`, and then the members."""
    with tarfile.open(path, kind) as archive:  # type: ignore[call-overload]
        good = tarfile.TarInfo("good.txt")
        good.size = 2
        archive.addfile(good, io.BytesIO(b"ok"))
        for member in members:
            archive.addfile(member, io.BytesIO(bytes(member.size)))
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, size
    return info


HOSTILE_MEMBERS = {
    "climbs": [member("../evil")],
    "climbs in the middle": [member("a/../../evil")],
    "absolute": [member("/evil")],
    "symbolic link out": [member("link", tarfile.SYMTYPE, "/etc/passwd")],
    "link, then through it": [member("way", tarfile.SYMTYPE, ".."), member("way/evil", size=1)],
    "hard link out": [member("hard", tarfile.LNKTYPE, "../evil")],
    "hard link inside": [member("hard", tarfile.LNKTYPE, "good.txt")],
    "pipe": [member("pipe", tarfile.FIFOTYPE)],
    "device": [member("null", tarfile.CHRTYPE)],
    "block device": [member("disk", tarfile.BLKTYPE)],
    "backslash": [member("a\\..\\evil")],
    "sparse file": [member("holes", tarfile.GNUTYPE_SPARSE)],
}


@pytest.mark.parametrize("packing", ["w", "w:gz", "w:xz"])
@pytest.mark.parametrize("name", HOSTILE_MEMBERS)
def test_a_hostile_member_of_a_tar_archive_is_refused_and_nothing_is_unpacked(
    tmp_path: Path, name: str, packing: str
) -> None:
    path = tar_of(tmp_path / "a.tar", *HOSTILE_MEMBERS[name], kind=packing)
    with pytest.raises(DataError):
        unpack(path, tmp_path / "to")
    assert not [p for p in (tmp_path / "to").rglob("*") if p.is_file()] and not (tmp_path / "evil").exists()


def test_a_link_that_lies_where_a_file_is_unpacked_is_not_written_through(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    (tmp_path / "to").mkdir()
    path = tar_of(tmp_path / "a.tar")
    (tmp_path / "to/good.txt").symlink_to(outside)
    with pytest.raises(DataError, match="leads out"):
        unpack(path, tmp_path / "to")
    (tmp_path / "to/good.txt").unlink()
    (tmp_path / "to/good.txt.part").symlink_to(outside)
    assert unpack(path, tmp_path / "to") == 1
    assert outside.read_text() == "mine" and (tmp_path / "to/good.txt").read_text() == "ok"


def test_archives_with_anything_but_plain_files_inside_are_refused(tmp_path: Path) -> None:
    for number, entry in enumerate(("../evil", "/evil", "link", "device")):
        info = tarfile.TarInfo(entry)
        info.type = {"link": tarfile.SYMTYPE, "device": tarfile.CHRTYPE}.get(entry, tarfile.REGTYPE)
        info.linkname = "/etc/passwd" if entry == "link" else ""
        path = tmp_path / f"{number}.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            good = tarfile.TarInfo("./good.txt")
            good.size = 2
            archive.addfile(good, io.BytesIO(b"ok"))
            archive.addfile(info, io.BytesIO())
        with pytest.raises(DataError):
            unpack(path, tmp_path / "to")
    assert not (tmp_path / "to/good.txt").exists() and not (tmp_path / "evil").exists()
    bad = tmp_path / "bad.zip"
    bad.write_bytes(zipped("../evil"))
    with pytest.raises(DataError, match="leads out"):
        unpack(bad, tmp_path / "to")


@pytest.mark.parametrize("packing", ["gz", "bz2", "xz"])
def test_whatever_is_damaged_in_a_packed_archive_is_told(tmp_path: Path, packing: str) -> None:
    path, random = tmp_path / f"a.tar.{packing}", Random(0)
    with tarfile.open(path, f"w:{packing}") as archive:
        member = tarfile.TarInfo("a.txt")
        member.size = 4000
        archive.addfile(member, io.BytesIO(random.randbytes(4000)))
    whole, told = path.read_bytes(), 0
    unpack(path, tmp_path / "right")
    for _ in range(40):
        damaged, place = bytearray(whole), random.randrange(20, len(whole))
        damaged[place] ^= 0x55
        path.write_bytes(damaged)
        shutil.rmtree(tmp_path / "to", ignore_errors=True)
        try:  # a byte that means nothing may go unnoticed
            unpack(path, tmp_path / "to")
            assert (tmp_path / "to/a.txt").read_bytes() == (tmp_path / "right/a.txt").read_bytes()
        except DataError as error:
            told += bool(error.problem)
    assert told > 30


def test_a_damaged_archive_and_one_too_large_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped("a.txt")[:-30])
    with pytest.raises(DataError):
        unpack(path, tmp_path / "to")
    path.write_bytes(zipped("a.txt", "b/c.txt"))
    assert unpack(path, tmp_path / "to") == 2 and unpack(path, tmp_path / "to") == 2
    monkeypatch.setattr("triptych.releases.archives.SPARE_BYTES", 1 << 60)
    with pytest.raises(DataError, match="disk"):
        unpack(path, tmp_path / "elsewhere")


def test_a_workbook_is_read_as_a_table_and_not_unpacked(tmp_path: Path) -> None:
    questions = tmp_path / "q.csv"
    questions.write_text("id,question,A,B,answer\n1,Which?,cat,dog,B\n", encoding="utf-8")
    replies = workbook(tmp_path / "p.xlsx", {"Sheet1": sheet([["index", "prediction"], [1, "B"]])})
    (figure,) = score(str(questions), predictions=[replies])["standard"]
    assert figure.value == 100
    assert not [one for one in audit_run([replies], benchmark=str(questions)) if one.kind == "malformed"]
