"""Records of a journal are found by number; damage is reported as when the journal is read line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import item, manifest
from triptych.errors import DataError
from triptych.records import Item
from triptych.store.folder import RunFolder
from triptych.store.journals import lines
from triptych.store.journals.journal import Journal, JournalWriter
from triptych.store.journals.lines import ItemKey, Lines, items_in_order


def written(path: Path, count: int) -> list[Item]:
    items = [item(number) for number in range(count)]
    writer = JournalWriter(path)
    for one in items:
        writer.append(one)
    writer.close()
    return items


def read(path: Path, numbers: list[int]) -> tuple[list[str], list[Item]]:
    with Journal(path, Item).open_file() as file:
        found = Lines(path, file, Item, ItemKey)
        ids = [key.id for block in found.read_keys() for key in block]
        return ids, found.take(numbers)


@pytest.mark.parametrize("block", [50, 1 << 22])
def test_records_are_found_by_number_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(lines, "BLOCK", block)
    path = tmp_path / "items.jsonl"
    items = written(path, 9)
    numbers = [8, 0, 1, 2, 7, 5, 5]
    assert read(path, numbers) == ([one.id for one in items], [items[number] for number in numbers])


def test_blank_lines_hold_no_record(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    items = written(path, 3)
    first, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"\n" + first + b"  \n" + b"".join(rest))
    assert read(path, [2, 0, 1]) == ([one.id for one in items], [items[2], items[0], items[1]])


@pytest.mark.parametrize("tail", [b'{"id": "x', b'{"id": "x", "task": "t"}', b"{}"])
def test_an_incomplete_last_line_is_ignored(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "items.jsonl"
    items = written(path, 2)
    with path.open("ab") as file:
        file.write(tail)
    assert read(path, [1])[0] == [one.id for one in items]


def test_a_whole_last_line_without_a_line_break_counts(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    items = written(path, 2)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert read(path, [0, 1])[1] == items


@pytest.mark.parametrize("line", [b"nonsense\n", b'{"task": "t"}\n', b'{"id": "z", "task": "t", "parts": 3}\n'])
def test_a_corrupt_line_is_named(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "items.jsonl"
    written(path, 2)
    path.write_bytes(line + path.read_bytes())
    with pytest.raises(DataError, match=r"items\.jsonl:1\b"):
        read(path, [0, 1, 2])


def test_a_journal_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert read(tmp_path / "items.jsonl", []) == ([], [])


def test_items_are_read_in_order_a_part_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "ITEMS_IN_MEMORY", 2)
    folder = RunFolder.create(tmp_path / "run", manifest())
    writer = JournalWriter(folder.path / "items.jsonl")
    for number in (4, 1, 3, 1, 0, 2):
        writer.append(item(number))
    writer.close()
    assert list(items_in_order(folder)) == list(folder.items())
