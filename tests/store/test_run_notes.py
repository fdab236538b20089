"""Tests of `store/run_notes.py`: what people say of a Run; the last line counts, and nothing is lost."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from triptych.errors import DataError
from triptych.records import RunNote
from triptych.store.files.lock import locked
from triptych.store.run_notes import NAME, change_run_note, read_run_note, tags_of


def tagged(tag: str, note: RunNote) -> RunNote:
    time.sleep(0.002)  # others come in between
    return RunNote(tags=(*note.tags, tag))


def lines(folder: Path) -> int:
    return len((folder / NAME).read_bytes().splitlines())


def test_a_run_of_which_nobody_said_anything(tmp_path: Path) -> None:
    assert read_run_note(tmp_path) == RunNote()
    assert change_run_note(tmp_path, lambda note: note) == RunNote()
    assert read_run_note(tmp_path) == RunNote()


def test_the_last_note_counts_and_the_earlier_ones_stay(tmp_path: Path) -> None:
    change_run_note(tmp_path, lambda note: RunNote(tags=("final",), note="第一次\nzweite Zeile", by="文"))
    after = change_run_note(tmp_path, lambda note: msgspec.structs.replace(note, hidden=True, by="Ana"))
    assert after == read_run_note(tmp_path) == RunNote(True, ("final",), "第一次\nzweite Zeile", "Ana")
    assert lines(tmp_path) == 2


def test_who_and_when_alone_are_no_change(tmp_path: Path) -> None:
    first = change_run_note(tmp_path, lambda note: RunNote(note="a", by="Wen", at="2026-01-02T03:04:05+00:00"))
    again = change_run_note(tmp_path, lambda note: RunNote(note="a", by="Ana", at="2026-02-03T04:05:06+00:00"))
    assert again == first and lines(tmp_path) == 1


def test_a_note_of_a_running_run(tmp_path: Path) -> None:
    with locked(tmp_path):
        change_run_note(tmp_path, lambda note: RunNote(note="still running"))
    assert read_run_note(tmp_path).note == "still running"


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    def tag_often(person: int) -> None:
        for tag in [f"{person}.{number}" for number in range(5)]:
            change_run_note(tmp_path, partial(tagged, tag))

    threads = [Thread(target=tag_often, args=[person]) for person in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(read_run_note(tmp_path).tags) == sorted(f"{p}.{n}" for p in range(4) for n in range(5))


def test_a_line_that_a_kill_left_incomplete_is_cut_off(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text('{"tags": ["a"]}\n{"ta', encoding="utf-8")
    assert read_run_note(tmp_path).tags == ("a",)
    change_run_note(tmp_path, lambda note: RunNote(tags=(*note.tags, "b")))
    assert read_run_note(tmp_path).tags == ("a", "b") and lines(tmp_path) == 2


def test_a_damaged_line_is_named_and_nothing_is_appended(tmp_path: Path) -> None:
    damaged = b'{"tags": 5}\n{"tags": ["a"]}\n'
    (tmp_path / NAME).write_bytes(damaged)
    for call in (lambda: read_run_note(tmp_path), lambda: change_run_note(tmp_path, lambda note: RunNote(True))):
        with pytest.raises(DataError, match=r"run_notes\.jsonl:1"):
            call()
    assert (tmp_path / NAME).read_bytes() == damaged


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("", ()),
        (" , ,", ()),
        ("final,  paper\tv2 , final,", ("final", "paper v2")),
        ("终稿, 论文 v2", ("终稿", "论文 v2")),
        ("a\nb,a b", ("a b",)),
        ("终稿，论文、v2", ("终稿", "论文", "v2")),
        ("أ، ب", ("أ", "ب")),
    ],
)
def test_tags_are_separated_by_commas(text: str, tags: tuple[str, ...]) -> None:
    assert tags_of(text) == tags
