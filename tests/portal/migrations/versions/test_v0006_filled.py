"""Tests of `portal/migrations/versions/v0006_filled.py`: the number of results of each task."""

from __future__ import annotations

from collections.abc import Callable

from tests.portal.migrations.versions.older import (
    indexes,
    put_person,
    put_queue,
    put_submission,
    put_task,
    rows,
    upgrade,
)
from triptych.portal.store.engine import Database


def test_results_that_count_are_counted_and_decisions_are_not(database_of: Callable[[str], Database]) -> None:
    database = database_of("0005")
    results = {  # task -> its results: slot, state
        1: [("1", "accepted"), ("2", "received")],
        2: [("1", "accepted"), ("2", "accepted"), ("decision", "accepted")],
        3: [("1", "rejected"), ("1", "again"), ("1", "erased"), ("1", "accepted")],
        4: [("1", "again")],
        5: [],
    }
    number = 0
    with database.writing() as connection:
        put_queue(connection, 1)
        for task, sent in results.items():
            put_task(connection, task, 1, wanted=2)
            for slot, state in sent:
                number += 1
                put_person(connection, f"person {number}")
                put_submission(connection, number, task, f"person {number}", state, slot=slot)
    upgrade(database, "0006")
    assert rows(database, "SELECT id, filled FROM tasks ORDER BY id") == [(1, 2), (2, 2), (3, 1), (4, 0), (5, 0)]
    assert rows(database, "SELECT count(*) FROM submissions") == [(number,)]


def test_the_index_of_open_tasks_has_the_number(database_of: Callable[[str], Database]) -> None:
    database = database_of("0005")
    assert "ix_tasks_queue_id_closed_at_id_wanted" in indexes(database, "tasks")
    upgrade(database, "0006")
    found = indexes(database, "tasks")
    assert "ix_tasks_queue_id_closed_at_id_wanted" not in found
    assert found["ix_tasks_queue_id_closed_at_filled_id_wanted"] == ["queue_id", "closed_at", "filled", "id", "wanted"]
