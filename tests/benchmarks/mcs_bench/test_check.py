"""`check`: every kind of finding, and nothing else, on data that has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.mcs_bench.rows_for_tests import CHOICE, OCR, write
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.mcs_bench import check
from triptych.errors import DataError, MediaError
from triptych.media.payload import MediaReader

MCS = load_benchmark("mcs_bench")
JPEG = b"\xff\xd8\xff\xe0" + bytes(60)


def kinds(folder: Path, *tasks: str) -> set[tuple[str, str]]:
    return {(p.kind, p.task) for p in MCS.check(folder, MCS.spec.select(tasks))}


def data(folder: Path, *rows: Any, picture: bytes = JPEG) -> Path:
    write(folder, *rows)
    (folder / "images").mkdir()
    for name in ("a.jpg", "b.jpg"):
        (folder / "images" / name).write_bytes(picture)
    return folder


def test_a_short_release_is_told_with_how_to_apply(tmp_path: Path) -> None:
    data(tmp_path, OCR)
    found = list(MCS.check(tmp_path))
    assert {p.kind for p in found} == {"count", "task-missing", "how-to-apply"}
    assert sum(p.rows for p in found if p.kind in ("count", "task-missing")) == 6499
    assert "Application_Form" in next(p.message for p in found if p.kind == "how-to-apply")


def test_without_files_it_tells_how_to_apply(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Application_Form"):
        list(MCS.check(tmp_path))


@pytest.mark.parametrize(
    ("row", "finding"),
    [
        ({**OCR, "Answer_Simplified": "学\ufffd"}, ("encoding", "mcs_bench/T1")),
        ({**OCR, "Question_Simplified": "读出文字。"}, ("instruction", "mcs_bench/T1")),
        ({k: v for k, v in OCR.items() if k != "Question_Traditional"}, ("no-traditional", "mcs_bench/T1")),
        ({**CHOICE, "Question_Simplified": "这件文物属于？"}, ("options-unread", "mcs_bench/T36")),
        ({**OCR, "Task_ID": 21, "Answer_Simplified": "3 只"}, ("answer-never-right", "mcs_bench/T21")),
        ({**OCR, "Image": "images/none.jpg"}, ("missing-media", "mcs_bench/T1")),
        ({**OCR, "Image": "../x.jpg"}, ("unsafe-path", "mcs_bench/T1")),
    ],
)
def test_findings(tmp_path: Path, row: dict[str, Any], finding: tuple[str, str]) -> None:
    assert finding in kinds(data(tmp_path, row))
    assert finding not in kinds(tmp_path, "T40")


@pytest.mark.parametrize(("picture", "kind"), [(b"", "empty-media"), (b"<html>", "no-picture")])
def test_pictures_that_are_none(tmp_path: Path, picture: bytes, kind: str) -> None:
    assert (kind, "mcs_bench/T1") in kinds(data(tmp_path, OCR, picture=picture))


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../../etc/passwd", "https://example.org/a.jpg", "a\x00.jpg", "C:\\a.jpg"]
)
def test_a_hostile_path_is_never_opened(tmp_path: Path, path: str) -> None:
    write(tmp_path, {**OCR, "Image": path})
    (item,) = MCS.items(tmp_path)
    with pytest.raises(MediaError):
        MediaReader(tmp_path).resolve(item.parts[0])
    assert "unsafe-path" in {p.kind for p in MCS.check(tmp_path)} or "\x00" in path


def test_a_picture_that_vanishes_while_it_is_checked_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "media_fault", lambda root, path: "")  # it was there a moment ago
    assert check._picture_fault(tmp_path, "gone.jpg") == "missing-media"
