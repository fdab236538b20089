"""Tests of `portal/migrations/versions/v0002_participants.py`: participants of surveys."""

from __future__ import annotations

from collections.abc import Callable

from tests.portal.migrations.versions.older import AT, columns, put, put_person, put_queue, refused, rows, upgrade
from triptych.portal.store.engine import Database


def test_surveys_of_the_version_before_get_participants(database_of: Callable[[str], Database]) -> None:
    database = database_of("0001")
    with database.writing() as connection:
        put_person(connection, "ada", label="Ada")
        put_queue(connection, 7, "survey", "people and models")
    assert not columns(database, "participants")
    upgrade(database, "0002")
    row = {"queue_id": 7, "person_id": "ada", "cells": ["en"], "sequence": [3, 1], "reasons": [], "began_at": AT}
    assert refused(database, "participants", **row, state="finished")
    assert refused(database, "participants", **(row | {"person_id": "eve"}), state="open")
    with database.writing() as connection:
        put(connection, "participants", **row, state="open")
    assert refused(database, "participants", **row, state="valid")  # nobody takes part twice
    assert rows(database, "SELECT person_id, cells, sequence, ended_at FROM participants") == [
        ("ada", ["en"], [3, 1], None)
    ]
    assert rows(database, "SELECT label, name FROM people, queues") == [("Ada", "people and models")]
