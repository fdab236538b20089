"""Tests of `portal/migrations/versions/v0003_lists.py`: lists of submissions by state and time."""

from __future__ import annotations

from collections.abc import Callable

from tests.portal.migrations.versions.older import (
    AT,
    indexes,
    put_person,
    put_queue,
    put_submission,
    put_task,
    rows,
    upgrade,
)
from triptych.portal.store.engine import Database

NAME = "ix_submissions_state_received_at"


def test_a_list_is_read_from_the_index_and_names_what_was_there(database_of: Callable[[str], Database]) -> None:
    database = database_of("0002")
    with database.writing() as connection:
        put_person(connection, "ada")
        put_queue(connection, 1)
        for number, state in enumerate(("accepted", "rejected", "accepted"), 1):
            put_task(connection, number, 1)
            put_submission(connection, number, number, "ada", state, received_at=AT - number)
    assert NAME not in indexes(database, "submissions")
    upgrade(database, "0003")
    assert indexes(database, "submissions")[NAME] == ["state", "received_at"]
    query = "SELECT task_id FROM submissions WHERE state = 'accepted' ORDER BY received_at"
    assert rows(database, query) == [(3,), (1,)]
    if database.is_sqlite:  # PostgreSQL reads so short a table whole
        ((*_, plan),) = rows(database, f"EXPLAIN QUERY PLAN {query}")
        assert NAME in plan and "SCAN" not in plan
