"""Tests of `viewer/index/journals.py`: Items and Responses as files of JSON lines, and single lines of them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.errors import DataError
from triptych.records import Item, Response, text
from triptych.viewer.index import journals
from triptych.viewer.index.journals import Lines, line_starts, write_lines


@pytest.mark.parametrize(
    ("data", "starts"),
    [
        (b"", []),
        (b"a", [0]),
        (b"a\n", [0]),
        (b"\n\n", [0, 1]),
        (b"ab\n\xe9\xa2\x98\nc", [0, 3, 7]),
        (b"a\r\nb\n", [0, 3]),
    ],
)
def test_lines_begin_after_each_line_end(tmp_path: Path, data: bytes, starts: list[int]) -> None:
    (tmp_path / "file").write_bytes(data)
    assert line_starts(tmp_path / "file").tolist() == starts


@given(
    lines=st.lists(st.binary(max_size=9).filter(lambda line: b"\n" not in line), max_size=20), block=st.integers(1, 9)
)
def test_lines_begin_at_the_same_bytes_whatever_is_read_at_once(
    lines: list[bytes], block: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "lines"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journals, "BLOCK", block)
        assert line_starts(path).tolist() == [sum(len(each) + 1 for each in lines[:n]) for n in range(len(lines))]


def test_a_file_that_is_not_there_has_no_lines(tmp_path: Path) -> None:
    assert line_starts(tmp_path / "none").tolist() == []


def test_each_record_is_read_by_its_position(tmp_path: Path) -> None:
    """More records than one block of the writer holds, in any order."""
    items = [Item(f"题 {number}", "t", (text("x" * (number % 50), "question"),)) for number in range(5000)]
    write_lines(tmp_path / "items.jsonl", iter(items))
    starts = line_starts(tmp_path / "items.jsonl").tolist()
    assert len(starts) == 5000 and [path.name for path in tmp_path.iterdir()] == ["items.jsonl"]
    with Lines(tmp_path / "items.jsonl", Item) as lines:
        for number in (4999, 0, 4096, 4095, 17):
            assert lines.record_at(starts[number]) == items[number]


@pytest.mark.parametrize("start", [1, 10_000])
def test_a_position_at_which_no_record_begins_is_an_error_with_its_place(tmp_path: Path, start: int) -> None:
    write_lines(tmp_path / "responses.jsonl", [Response("a", "straight", 0, "answered", "B")])
    with Lines(tmp_path / "responses.jsonl", Response) as lines, pytest.raises(DataError) as caught:
        lines.record_at(start)
    message = str(caught.value)
    assert f"responses.jsonl, byte {start:,}" in message and "can't be read" in message and "backup" in message


def test_a_file_that_is_gone_is_an_error_and_nothing_has_to_be_closed(tmp_path: Path) -> None:
    with Lines(tmp_path / "none", Item) as lines, pytest.raises(DataError, match="can't be read"):
        lines.record_at(0)


def test_what_can_not_be_written_whole_replaces_nothing(tmp_path: Path) -> None:
    write_lines(tmp_path / "items.jsonl", [Item("a", "t", ())])
    before = (tmp_path / "items.jsonl").read_bytes()

    def broken() -> msgspec.Struct:
        raise DataError("damaged")

    with pytest.raises(DataError):
        write_lines(tmp_path / "items.jsonl", (broken() for _ in range(1)))
    assert (tmp_path / "items.jsonl").read_bytes() == before
    write_lines(tmp_path / "items.jsonl", [])
    assert (tmp_path / "items.jsonl").read_bytes() == b""
