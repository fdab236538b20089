"""People's annotations: the last word of each counts, a torn line costs nothing, and a Run's own lock isn't needed."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from triptych.errors import DataError
from triptych.records import Annotation
from triptych.store.annotations import NAME, add_annotation, latest_annotations, read_annotations
from triptych.store.files.lock import locked


def test_the_last_word_of_each_person_counts() -> None:
    first = Annotation("a", kind="perception", by="Wen")
    other = Annotation("a", kind="reasoning", by="Ana")
    again = Annotation("a", verdict="right", by="Wen")
    assert latest_annotations([first, other, again]) == [other, again]


def test_an_empty_one_takes_back_what_was_said() -> None:
    assert latest_annotations([Annotation("a", note="hm", by="Wen"), Annotation("a", by="Wen")]) == []


def test_repeats_are_told_apart() -> None:
    both = [Annotation("a", 0, note="x"), Annotation("a", 1, note="y")]
    assert latest_annotations(both) == both


def test_what_was_added_is_read(tmp_path: Path) -> None:
    given = Annotation("a/题/1", 2, "knowledge", "wrong", 'two\nlines, "quoted"', "文", "2026-01-02T03:04:05+00:00")
    add_annotation(tmp_path, given)
    assert read_annotations(tmp_path) == [given]
    assert read_annotations(tmp_path / NAME) == [given]
    assert (tmp_path / NAME).read_bytes().count(b"\n") == 1


def test_none_where_there_is_no_file(tmp_path: Path) -> None:
    assert read_annotations(tmp_path) == []


def test_people_annotate_while_the_run_goes_on(tmp_path: Path) -> None:
    with locked(tmp_path):
        add_annotation(tmp_path, Annotation("a", note="still running"))
    assert len(read_annotations(tmp_path)) == 1


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    def annotate(person: int) -> None:
        for number in range(10):
            add_annotation(tmp_path, Annotation(f"item {number}", note="x" * 200, by=str(person)))

    threads = [Thread(target=annotate, args=[person]) for person in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read_annotations(tmp_path)) == 40


def test_a_torn_last_line_is_left_out_and_then_cut_off(tmp_path: Path) -> None:
    add_annotation(tmp_path, Annotation("a", note="whole"))
    with (tmp_path / NAME).open("ab") as file:
        file.write(b'{"item":"b","no')
    assert [a.item for a in read_annotations(tmp_path)] == ["a"]
    add_annotation(tmp_path, Annotation("c", note="after"))
    assert [a.item for a in read_annotations(tmp_path)] == ["a", "c"]


def test_a_file_of_another_tool_may_say_more(tmp_path: Path) -> None:
    path = tmp_path / "corrections.jsonl"
    path.write_text('{"item": "a", "kind": "format", "verdict": "wrong", "colour": "red"}\n', encoding="utf-8")
    assert read_annotations(path) == [Annotation("a", kind="format", verdict="wrong")]


def test_a_verdict_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "corrections.jsonl"
    path.write_text('{"item": "a", "verdict": "great"}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"corrections\.jsonl:1"):
        read_annotations(path)
