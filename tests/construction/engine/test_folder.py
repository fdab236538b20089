"""Decisions of an earlier build are read from its files when they are wanted: in order, and in any other order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from triptych.construction.engine.folder import PASSED_BY, BuildFolder, DecisionLine, EarlierDecisions
from triptych.construction.record import dropped, kept, pending
from triptych.errors import DataError

FINAL = frozenset({"kept", "revised", "dropped"})
LINES = (
    DecisionLine("a", "1", kept(n=1)),
    DecisionLine("b", PASSED_BY, kept()),
    DecisionLine("c", "2", dropped("too-long")),
    DecisionLine("d", "", dropped("missing-field")),
    DecisionLine("e", "3", pending("not-asked")),
    DecisionLine("f", "4", kept(n=4)),
)


def written(path: Path, lines: tuple[DecisionLine, ...]) -> Path:
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return path


def opened(*files: Path) -> closing[EarlierDecisions]:
    return closing(EarlierDecisions(files, FINAL))


def test_lines_wanted_in_their_order_are_found_without_an_index(tmp_path: Path) -> None:
    with opened(written(tmp_path / "records.jsonl", LINES)) as earlier:
        assert [earlier.decision_on(id, key) for id, key in (("a", "1"), ("c", "2"), ("e", "3"), ("f", "4"))] == [
            LINES[0],
            LINES[2],
            None,  # it waited
            LINES[5],
        ]
        assert earlier._table is None


def test_after_a_change_of_the_material_lines_are_found_in_any_order(tmp_path: Path) -> None:
    with opened(written(tmp_path / "records.jsonl", LINES)) as earlier:
        assert earlier.decision_on("new", "9") is None
        assert earlier.decision_on("f", "4") == LINES[5]
        assert earlier.decision_on("a", "1") == LINES[0]
        assert earlier.decision_on("a", "another key") is None
        assert earlier.decision_on("e", "3") is None


def test_of_two_lines_about_the_same_the_last_counts_and_the_journal_comes_before_the_records(tmp_path: Path) -> None:
    work = written(
        tmp_path / "work.jsonl", (LINES[0], DecisionLine("a", "1", kept(n=2)), DecisionLine("z", "5", kept()))
    )
    records = written(tmp_path / "records.jsonl", (LINES[5], DecisionLine("f", "4", pending("again"))))
    with opened(work, records) as earlier:
        assert (line := earlier.decision_on("a", "1")) is not None and line.outcome.fields == {"n": 2}
        assert earlier.decision_on("z", "5") is not None
        assert earlier.decision_on("f", "4") == LINES[5], "a later line that isn't final doesn't count"


def test_a_stage_without_files_has_no_decisions_and_an_incomplete_last_line_is_none(tmp_path: Path) -> None:
    with opened(tmp_path / "none.jsonl") as earlier:
        assert earlier.decision_on("a", "1") is None
    path = written(tmp_path / "records.jsonl", LINES[:1])
    path.write_bytes(path.read_bytes() + b'{"id":"c","key":"2","outc')
    with opened(path) as earlier:
        assert earlier.decision_on("a", "1") == LINES[0]
        assert earlier.decision_on("c", "2") is None


def test_a_damaged_line_is_an_error_with_its_file_and_line(tmp_path: Path) -> None:
    path = written(tmp_path / "records.jsonl", LINES)
    path.write_bytes(path.read_bytes().replace(b'"c","key"', b'"c,"key"'))
    with opened(path) as earlier, pytest.raises(DataError, match=r"records\.jsonl:3"):
        earlier.decision_on("a", "1")
        earlier.decision_on("c", "2")
    with opened(path) as earlier, pytest.raises(DataError, match=r"records\.jsonl:3"):
        earlier.decision_on("f", "4")


def test_lines_are_written_as_they_are_taken_and_the_old_file_stays_after_a_fault(tmp_path: Path) -> None:
    folder, taken = BuildFolder(tmp_path), list[str]()

    def lines(*, fault: bool) -> Iterator[DecisionLine]:
        for line in LINES:
            taken.append(line.id)
            yield line
        if fault:
            raise ValueError("no more")

    with folder.written_lines(tmp_path, lines(fault=False)) as written_lines:
        assert next(written_lines) == LINES[0]
        assert taken == ["a"]
        assert list(written_lines) == list(LINES[1:])
    before = (tmp_path / "records.jsonl").read_bytes()
    assert before == b"".join(msgspec.json.encode(line) + b"\n" for line in LINES)
    with pytest.raises(ValueError, match="no more"), folder.written_lines(tmp_path, lines(fault=True)) as written_lines:
        list(written_lines)
    assert (tmp_path / "records.jsonl").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["records.jsonl"]
