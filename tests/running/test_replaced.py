"""Media that were replaced since a Run was asked about them are found by content, whatever the clocks say."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from tests.support.runs import item, manifest
from triptych.errors import DataError, MediaError
from triptych.media.payload import MediaReader
from triptych.records import Part, Response
from triptych.running import replaced
from triptych.running.replaced import STATE_FILE, check_media_unchanged
from triptych.store.folder import RunFolder

FORMER, NOW = b"former sound", b"other sounds"  # of the same size


def run(folder: Path, data: Path, files: int = 3, time: str = "2031-01-01T00:00:00.000+00:00") -> RunFolder:
    """A Run about sounds, answered by a computer whose clock is years ahead."""
    data.mkdir()
    made = RunFolder.create(folder, manifest())
    with made.writer() as writer:
        for number in range(files):
            (data / f"{number}.wav").write_bytes(FORMER)
            sound = Part("audio", path=f"{number}.wav", sha256=hashlib.sha256(FORMER).hexdigest())
            asked = item(number, sound)
            writer.add_item(asked)
            writer.add_response(Response(asked.id, "", 0, "answered", "A", time=time))
    return made


def test_a_replaced_file_is_found_although_the_other_clock_is_ahead(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", tmp_path / "data")
    assert set(check_media_unchanged(folder, tmp_path / "data")) == {"0.wav", "1.wav", "2.wav"}
    (tmp_path / "data" / "1.wav").write_bytes(NOW)
    with pytest.raises(DataError, match="1 media file was replaced"):
        check_media_unchanged(folder, tmp_path / "data")
    with pytest.raises(DataError, match=r"1\.wav"):  # once more: what was seen is not what was sent
        check_media_unchanged(folder, tmp_path / "data")


def test_a_file_with_the_former_times_and_size_is_found(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", tmp_path / "data")
    check_media_unchanged(folder, tmp_path / "data")
    path = tmp_path / "data" / "1.wav"
    before = path.stat()
    path.write_bytes(NOW)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(DataError, match=r"1\.wav"):
        check_media_unchanged(folder, tmp_path / "data")


def test_files_in_the_same_state_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = run(tmp_path / "run", tmp_path / "data")
    read: list[str] = []

    def content_hash(part: Part, root: Path) -> str:
        read.append(part.path)
        return hashlib.sha256((root / part.path).read_bytes()).hexdigest()

    monkeypatch.setattr(replaced, "content_hash", content_hash)
    check_media_unchanged(folder, tmp_path / "data")
    check_media_unchanged(folder, tmp_path / "data")
    assert sorted(read) == ["0.wav", "1.wav", "2.wav"]
    (tmp_path / "data" / "1.wav").write_bytes(FORMER)  # written again, with the same content
    check_media_unchanged(folder, tmp_path / "data")
    assert read[3:] == ["1.wav"]


def test_a_damaged_list_of_files_is_made_again(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", tmp_path / "data")
    (folder.path / STATE_FILE).write_text('{"0.wav": 1')
    check_media_unchanged(folder, tmp_path / "data")
    assert "0.wav" in (folder.path / STATE_FILE).read_text()


def test_a_missing_file_is_no_other_file(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", tmp_path / "data")
    (tmp_path / "data" / "1.wav").unlink()
    assert len(check_media_unchanged(folder, tmp_path / "data")) == 3


def test_a_run_without_answers_reads_nothing(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    folder = RunFolder.create(tmp_path / "run", manifest())
    assert check_media_unchanged(folder, tmp_path / "data") == {}
    assert not (folder.path / STATE_FILE).exists()


def test_a_file_that_is_replaced_while_the_run_goes_on_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(FORMER)
    sent: dict[str, str] = {}
    reader, part = MediaReader(tmp_path, sent=sent), Part("audio", path="a.wav")
    first = reader.load(part).sha256
    assert sent == {"a.wav": first}
    (tmp_path / "a.wav").write_bytes(NOW)
    with pytest.raises(MediaError, match="replaced while the Run went on"):
        reader.load(part)
    assert MediaReader(tmp_path).load(part).sha256 != first
