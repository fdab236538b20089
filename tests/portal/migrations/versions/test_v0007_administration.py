"""Tests of `portal/migrations/versions/v0007_administration.py`: links for several people, pauses and remarks."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import text

from tests.portal.migrations.versions.older import (
    AT,
    put,
    put_person,
    put_queue,
    put_task,
    refused,
    rows,
    upgrade,
)
from triptych.portal.store.engine import Database


def test_a_link_that_was_used_is_used_up_and_another_is_for_one_person(database_of: Callable[[str], Database]) -> None:
    database = database_of("0006")
    link = {"role": "recorder", "label": "", "created_at": AT, "expires_at": AT}
    with database.writing() as connection:
        put_person(connection, "ada")
        put(connection, "invitations", id="used", used_at=AT, used_by="ada", **link)
        put(connection, "invitations", id="unused", **link)
    upgrade(database, "0007")
    found = rows(database, "SELECT id, most, uses, ended_at FROM invitations ORDER BY id DESC")
    assert found == [("used", 1, 1, None), ("unused", 1, 0, None)]


def test_nobody_of_the_version_before_is_paused_and_nobody_arrives_twice(
    database_of: Callable[[str], Database],
) -> None:
    database = database_of("0006")
    with database.writing() as connection:
        for name in ("ada", "eve", "kim"):
            put_person(connection, name, label=name.title())
    upgrade(database, "0007")
    found = rows(database, "SELECT label, paused_at, arrived, arrived_key FROM people ORDER BY id")
    assert found == [("Ada", None, None, None), ("Eve", None, None, None), ("Kim", None, None, None)]
    with database.writing() as connection:
        connection.execute(text("UPDATE people SET arrived_key = 'k' WHERE id = 'ada'"))
    values = {"label": "", "gender": "other", "age_band": "", "native_language": "", "major": "", "created_at": AT}
    assert refused(database, "people", id="new", pseudonym="p-new", arrived_key="k", **values)
    assert not refused(database, "people", id="new", pseudonym="p-new", arrived_key="l", **values)


def test_remarks_are_on_tasks_that_were_there(database_of: Callable[[str], Database]) -> None:
    database = database_of("0006")
    with database.writing() as connection:
        put_person(connection, "ada")
        put_queue(connection, 1)
        put_task(connection, 5, 1)
    upgrade(database, "0007")
    row = {"person_id": "ada", "task_id": 5, "text": "第二句听不清", "at": AT}
    assert refused(database, "remarks", **row, kind="praise")
    assert refused(database, "remarks", **(row | {"task_id": 6}), kind="skip")
    with database.writing() as connection:
        put(connection, "remarks", **row, kind="comment")
        put(connection, "remarks", **row, kind="skip")
    found = rows(database, "SELECT kind, text, done_at FROM remarks ORDER BY id")
    assert found == [("comment", "第二句听不清", None), ("skip", "第二句听不清", None)]
