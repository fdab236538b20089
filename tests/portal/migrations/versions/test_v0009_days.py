"""Tests of `portal/migrations/versions/v0009_days.py`: hours and days are read from one index."""

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

BEFORE, NOW = "ix_submissions_queue_id_person_id_state_seconds_words", "ix_submissions_days"
DAY_MS = 86_400_000


def test_days_are_counted_without_the_table(database_of: Callable[[str], Database]) -> None:
    database = database_of("0008")
    with database.writing() as connection:
        put_person(connection, "ada")
        put_queue(connection, 1)
        for number, seconds in enumerate((40, 50, 60), 1):
            put_task(connection, number, 1)
            at = AT + (number // 3) * DAY_MS
            put_submission(
                connection, number, number, "ada", "accepted", received_at=at, seconds=seconds, queue_id=1, words=number
            )
    assert BEFORE in indexes(database, "submissions")
    upgrade(database, "0009")
    found = indexes(database, "submissions")
    assert BEFORE not in found
    assert found[NOW] == ["queue_id", "person_id", "state", "slot", "received_at", "seconds", "words"]
    query = (
        f"SELECT received_at / {DAY_MS} AS day, sum(seconds), sum(words) FROM submissions "
        "WHERE queue_id = 1 AND person_id = 'ada' AND state = 'accepted' AND slot <> 'decision' GROUP BY 1 ORDER BY 1"
    )
    assert rows(database, query) == [(AT // DAY_MS, 90, 3), (AT // DAY_MS + 1, 60, 3)]
    if database.is_sqlite:  # PostgreSQL reads so short a table whole
        plan = " ".join(str(row[-1]) for row in rows(database, f"EXPLAIN QUERY PLAN {query}"))
        assert f"COVERING INDEX {NOW}" in plan
