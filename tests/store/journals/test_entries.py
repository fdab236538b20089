"""Entries are counted as `done` counts them, without holding them; also where their hashes are equal."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.support.runs import MANIFEST, item
from triptych.records import Response, ResponseStatus
from triptych.store.folder import RunFolder
from triptych.store.journals import entries
from triptych.store.journals.entries import count_done, count_items, count_together, shared_entries
from triptych.store.parquet.pack import pack


@pytest.fixture(params=[None, 1, 3])
def hashes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual hashes, or so few that many are equal."""
    if request.param:
        monkeypatch.setattr(entries, "hash", lambda key: hash(key) % request.param, raising=False)


def a_run(place: Path, seed: int, first: int = 0) -> RunFolder:
    """Questions, some asked again, some of which failed at last; an Item was written twice."""
    rng = random.Random(seed)
    items = [item(number) for number in range(first, first + 20)]
    statuses: tuple[ResponseStatus, ...] = ("answered", "failed", "refused")
    folder = RunFolder.create(place, MANIFEST)
    with folder.writer() as writer:
        for one in items:
            writer.add_item(one)
        for one in items[:15] * 2:
            for repeat in range(2):
                if rng.random() < 0.8:
                    writer.add_response(Response(one.id, "", repeat, rng.choice(statuses), "A"))
    with (place / "items.jsonl").open("ab") as file:
        file.write((place / "items.jsonl").read_bytes().splitlines(keepends=True)[0])
    return folder


@pytest.mark.usefixtures("hashes")
@pytest.mark.parametrize("packed", [False, True])
def test_the_counts_are_those_of_all_entries(tmp_path: Path, packed: bool) -> None:
    folder = a_run(tmp_path / "run", 1)
    if packed:
        pack(folder)
    assert count_done(folder) == len(folder.done()) > 0
    assert count_done(folder, ()) == len(folder.done(frozenset())) > count_done(folder)
    assert count_items(folder) == len(list(folder.items())) == 20


@pytest.mark.usefixtures("hashes")
def test_entries_of_several_runs_are_found(tmp_path: Path) -> None:
    folders = [a_run(tmp_path / str(first), first, first) for first in (0, 10, 12)]
    done = [folder.done(frozenset()) for folder in folders]
    every = set().union(*done)
    times = {entry: sum(entry in own for own in done) for entry in every}
    assert shared_entries(folders) == {entry: count for entry, count in times.items() if count > 1} != {}
    assert count_together(folders) == len(every)


def test_a_run_without_responses_has_none(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", MANIFEST)
    assert count_done(folder) == count_items(folder) == 0 and not shared_entries([folder])
