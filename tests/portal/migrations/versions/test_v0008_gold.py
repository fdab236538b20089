"""Tests of `portal/migrations/versions/v0008_gold.py`: gold tasks, practice, standings and goals."""

from __future__ import annotations

from collections.abc import Callable

from tests.portal.migrations.versions.older import (
    AT,
    put,
    put_person,
    put_queue,
    put_submission,
    put_task,
    refused,
    rows,
    upgrade,
)
from triptych.portal.store.engine import Database


def test_tasks_of_the_version_before_are_of_the_build_and_nobody_is_judged(
    database_of: Callable[[str], Database],
) -> None:
    database = database_of("0007")
    with database.writing() as connection:
        put_person(connection, "ada")
        put_queue(connection, 1)
        put_task(connection, 1, 1, filled=1)
        put_submission(connection, 1, 1, "ada", "accepted", queue_id=1, words=12)
    upgrade(database, "0008")
    assert rows(database, "SELECT purpose, expected, filled FROM tasks") == [("", None, 1)]
    assert rows(database, "SELECT state, words, gold FROM submissions") == [("accepted", 12, None)]
    assert rows(database, "SELECT id, goal FROM people") == [("ada", None)]
    assert rows(database, "SELECT count(*) FROM standings") == [(0,)]


def test_a_standing_is_of_one_person_in_one_queue(database_of: Callable[[str], Database]) -> None:
    database = database_of("0007")
    with database.writing() as connection:
        put_person(connection, "ada")
        put_queue(connection, 1)
    upgrade(database, "0008")
    with database.writing() as connection:
        put(connection, "standings", queue_id=1, person_id="ada", barred_at=AT)
    assert rows(database, "SELECT queue_id, barred_at, since FROM standings") == [(1, AT, 0)]
    assert refused(database, "standings", queue_id=1, person_id="ada")
    assert refused(database, "standings", queue_id=1, person_id="nobody")
