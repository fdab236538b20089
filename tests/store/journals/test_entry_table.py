"""Entries in a few bytes each, compared with a dictionary; a Run's are those that `done` holds."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.journals.test_entries import a_run
from triptych.records import Response
from triptych.store.folder import RunFolder
from triptych.store.journals import entry_table
from triptych.store.journals.entry_table import EntryTable, number_of
from triptych.store.parquet.pack import pack

Pairs = list[tuple[tuple[str, str, int], int | None]]
ENTRIES = st.tuples(st.sampled_from(["a", "b", "c\0d", "问", "\ud800"]), st.sampled_from(["", "x"]), st.integers(0, 2))


@given(st.lists(st.tuples(ENTRIES, st.none() | st.integers(0, 2**64 - 1))))
def test_the_last_number_of_an_entry_counts_as_in_a_dictionary(
    pairs: list[tuple[tuple[str, str, int], int | None]],
) -> None:
    wanted = {entry: number for entry, number in dict(pairs).items() if number is not None}
    table = EntryTable(pairs)
    assert len(table) == len(wanted)
    for entry in {entry for entry, _ in pairs} | {("other", "", 0)}:
        assert table.get(entry) == wanted.get(entry) and (entry in table) == (entry in wanted)


def test_entries_with_the_same_first_half_of_their_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_table, "_hash", lambda entry: (7, number_of(repr(entry))))
    pairs = [((f"{number}", "", 0), number) for number in range(50)]
    random.Random(1).shuffle(pairs)
    table = EntryTable(pairs)
    assert [table.get((f"{number}", "", 0)) for number in range(51)] == [*range(50), None]


@pytest.mark.parametrize("packed", [False, True])
def test_the_settled_entries_of_a_run_are_those_that_are_done(tmp_path: Path, packed: bool) -> None:
    folder = a_run(tmp_path / "run", 3)
    with folder.writer() as writer:
        writer.add_response(Response("00001", "", 0, "answered", "B", key="k"))
    if packed:
        pack(folder)
        folder = RunFolder.open(tmp_path / "run")
    for statuses in (frozenset({"failed"}), frozenset(), frozenset({"failed", "answered"})):
        done, settled = folder.done(statuses), folder.settled(statuses)
        assert len(settled) == len(done) and all(entry in settled for entry in done)
        assert not [r.entry for r in folder.responses() if r.entry not in done and r.entry in settled]
    assert folder.keys().get(("00001", "", 0)) == number_of("k") and len(folder.keys()) == 1
    assert {item.id for item in folder.items_written()} == {item.id for item in folder.items()}


def test_a_resumed_writer_knows_what_was_written(tmp_path: Path) -> None:
    """An Item of an earlier session is not written again; of a million, the table holds 24 bytes each."""
    folder = a_run(tmp_path / "run", 5)
    before = (tmp_path / "run" / "items.jsonl").read_bytes()
    with folder.writer() as writer:
        for one in list(folder.items()):
            writer.add_item(one)
    assert (tmp_path / "run" / "items.jsonl").read_bytes() == before
    tracemalloc.start()
    try:
        table = EntryTable(((f"question-{number}", "", 0), 1) for number in range(20_000))
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(table) == 20_000 and held < 20_000 * 40
