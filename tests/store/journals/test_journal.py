"""Journals: whatever byte a writer was killed at, what was whole is read and the rest is mended."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.errors import DataError, RunFolderError
from triptych.records import Response
from triptych.store.journals.journal import Journal, JournalWriter

THREE = [Response(f"item {n}", "", 0, "answered", text) for n, text in enumerate(("A", "多行\n文本", '"}\\'))]


def write(path: Path, responses: list[Response]) -> None:
    writer = JournalWriter(path)
    for response in responses:
        writer.append(response)
    writer.close()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write(tmp_path / "j", THREE)
    assert list(Journal(tmp_path / "j", Response)) == THREE
    assert list(Journal(tmp_path / "none", Response)) == []


def test_killed_at_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "j"
    write(path, THREE)
    whole = path.read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        # a line that lacks nothing but its line break is whole
        expected = THREE[: sum(end <= cut or end - 1 == cut for end in ends)]
        assert list(Journal(path, Response)) == Journal(path, Response).read() == expected, cut
        write(path, [THREE[0]])
        assert list(Journal(path, Response)) == [*expected, THREE[0]], cut
        assert path.read_bytes().count(b"\n") == len(expected) + 1


@given(st.lists(st.text(max_size=20), max_size=8), st.binary(max_size=12))
def test_any_texts_and_any_torn_tail(texts: list[str], tail: bytes) -> None:
    import tempfile

    responses = [Response(str(n), "", 0, "answered", text) for n, text in enumerate(texts)]
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "j"
        write(path, responses)
        with path.open("ab") as file:
            file.write(b'{"item": ' + tail.replace(b"\n", b""))
        assert list(Journal(path, Response)) == responses
        write(path, responses[:1])
        assert list(Journal(path, Response)) == [*responses, *responses[:1]]


def test_a_tail_longer_than_a_block_is_cut_off(tmp_path: Path) -> None:
    write(tmp_path / "j", THREE)
    with (tmp_path / "j").open("ab") as file:
        file.write(b'{"item": "' + b"x" * 200_000)
    write(tmp_path / "j", [])
    assert list(Journal(tmp_path / "j", Response)) == THREE


@pytest.mark.parametrize("line", [b'{"item": \x00', b'{"item": "\xff"}', b'{"logprobs": ' + b"[" * 5000])
def test_a_corrupt_line_in_the_middle_is_named(tmp_path: Path, line: bytes) -> None:
    write(tmp_path / "j", THREE)
    lines = (tmp_path / "j").read_bytes().splitlines(keepends=True)
    (tmp_path / "j").write_bytes(lines[0] + line + b"\n" + lines[2])
    with pytest.raises(DataError, match=r"j:2"):
        list(Journal(tmp_path / "j", Response))


def test_raw_json_with_line_breaks_stays_on_one_line(tmp_path: Path) -> None:
    raw = msgspec.Raw(b'{"content": [\n  {"token": "\\n"}\n]}')
    write(tmp_path / "j", [Response("1", "", 0, "answered", logprobs=raw)])
    assert (tmp_path / "j").read_bytes().count(b"\n") == 1
    (read,) = Journal(tmp_path / "j", Response)
    assert read.logprobs == {"content": [{"token": "\n"}]}


def test_a_full_disk_leaves_no_torn_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    writer = JournalWriter(tmp_path / "j")
    writer.append(THREE[0])
    real = os.write

    def half(handle: int, data: bytes) -> int:
        if len(data) > 20:
            return real(handle, data[:20])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("triptych.store.journals.journal.os.write", half)
    with pytest.raises(RunFolderError, match="free some disk space"):
        writer.append(Response("2", "", 0, "answered", "xxxxxx"))
    monkeypatch.undo()
    writer.append(THREE[1])
    writer.close()
    assert list(Journal(tmp_path / "j", Response)) == THREE[:2]
