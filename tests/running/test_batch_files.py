"""Tests of `running/batch_files.py`: the records of a Run's batches, and what is kept beside them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.support.runs import MANIFEST, request
from triptych.errors import DataError
from triptych.running.batch_files import Batch, BatchFolder, BatchRequest, new_batch, place_of
from triptych.store.folder import RunFolder


@pytest.fixture
def folder(tmp_path: Path) -> BatchFolder:
    made = BatchFolder(tmp_path)
    made.prepare()
    return made


def keep(folder: BatchFolder, batch: Batch, *numbers: int) -> Batch:
    """Write what is sent of a batch, and its record."""
    asked = [BatchRequest(request(n), f"{batch.name}-{n}") for n in numbers]
    folder.asked_path(batch.name).write_bytes(msgspec.json.Encoder().encode_lines(asked))
    folder.lines(batch.name).write_bytes(b"{}\n" * len(numbers))
    return folder.save(batch)


def names(folder: BatchFolder) -> list[str]:
    return sorted(path.name for path in folder.path.iterdir())


def test_a_batch_comes_back_as_it_was_recorded(folder: BatchFolder) -> None:
    sent = msgspec.structs.replace(new_batch("b1", "http://h/v1", 2), state="sent", id="batch_68f", foreign=("x",))
    keep(folder, sent, 4, 2)
    assert folder.read_batches() == [sent]
    assert [one.request.id for one in folder.requests("b1")] == ["00004", "00002"], "in the order of the lines"
    assert [one.key for one in folder.requests("b1")] == ["b1-4", "b1-2"]


@pytest.mark.parametrize(
    ("state", "kept"), [("sending", True), ("sent", True), ("collected", False), ("failed", False)]
)
def test_what_was_sent_is_kept_until_it_is_not_needed_any_more(folder: BatchFolder, state: str, kept: bool) -> None:
    batch = msgspec.structs.replace(new_batch("b1", "http://h", 1), state=state)
    keep(folder, batch, 0)
    assert names(folder) == (["b1.asked.jsonl", "b1.json", "b1.lines.jsonl"] if kept else ["b1.json"])
    folder.save(batch)
    assert folder.read_batches() == [batch], "a session that was killed after the deletion deletes again"


def test_batches_are_in_the_order_of_making(folder: BatchFolder) -> None:
    for name, made in (("a", 30.0), ("c", 10.0), ("b", 10.0)):
        folder.save(Batch(name, "sent", "http://h", 1, made))
    assert [batch.name for batch in folder.read_batches()] == ["b", "c", "a"]


def test_files_that_belong_to_no_record_are_deleted_and_the_others_stay(folder: BatchFolder) -> None:
    """A session was killed between the files of a batch and its record: the batch was not sent."""
    keep(folder, new_batch("known", "http://h", 1), 0)
    for name in ("lost.lines.jsonl", "lost.asked.jsonl"):
        (folder.path / name).write_bytes(b"{}\n")
    (folder.path / "notes.txt").write_text("of a person")
    folder.prepare()
    assert names(folder) == ["known.asked.jsonl", "known.json", "known.lines.jsonl", "notes.txt"]


def test_entries_are_counted_over_all_batches(folder: BatchFolder) -> None:
    one, two = ("00001", "", 0), ("00001", "", 1)
    for number, again in enumerate([(one, two), (one,), ()]):
        folder.save(Batch(f"b{number}", "collected", "http://h", 1, number, again=again))
    tries = folder.count_tries()
    assert (tries[one], tries[two], tries[("00009", "", 0)]) == (2, 1, 0)


@pytest.mark.parametrize("content", [b"", b"{", b'{"name": "b1"}', b"\xff", b'{"name": 1, "state": "sent"}'])
def test_a_record_that_cannot_be_read_is_no_batch_that_was_never_sent(folder: BatchFolder, content: bytes) -> None:
    """Sent again, it would be paid for twice."""
    (folder.path / "b1.json").write_bytes(content)
    for read in (folder.read_batches, folder.count_tries, folder.prepare):
        with pytest.raises(DataError, match="the record of a batch can't be read") as error:
            read()
        assert "b1.json" in str(error.value) and "service's list of batches" in str(error.value)


def test_a_link_out_of_the_run_is_not_followed(tmp_path: Path) -> None:
    """A Run of a stranger whose `batches` is a link to a folder of the user."""
    run, elsewhere = RunFolder.create(tmp_path / "run", MANIFEST).path, tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.jsonl").write_text("mine\n")
    (run / "batches").symlink_to(elsewhere)
    with pytest.raises(OSError, match="leads out of its parent folder"):
        BatchFolder(run).prepare()
    assert (elsewhere / "mine.jsonl").read_text() == "mine\n"


@pytest.mark.parametrize(
    ("key", "number"),
    [
        ("b-1-12", 12),
        ("b-1-0", 0),
        ("b-2-12", None),
        ("12", None),
        ("b-1-", None),
        ("b-1-x", None),
        ("b-1--1", None),
        ("", None),
    ],
)
def test_a_result_belongs_to_its_batch_by_its_key(key: str, number: int | None) -> None:
    assert place_of(key, "b-1") == number


@pytest.mark.parametrize("number", ["²", "①", "9" * 5_000])
def test_a_key_whose_digits_are_no_number_is_of_another_batch(number: str) -> None:
    assert place_of(f"b-1-{number}", "b-1") is None
