"""Tests of `portal/migrations/versions/v0001_first_tables.py`: what the first tables hold, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from tests.portal.migrations.versions.older import (
    AT,
    columns,
    put,
    put_person,
    put_queue,
    put_submission,
    put_task,
    refused,
    rows,
    upgrade,
)
from triptych.portal.store import tables
from triptych.portal.store.engine import Database

SHA = "a" * 64


CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("people", {"gender": "other"}, {"gender": "unknown"}),
    ("people", {"pseudonym": "p-2"}, {"pseudonym": "p-ada"}),
    ("queues", {"kind": "survey"}, {"kind": "painting"}),
    ("blobs", {"sha256": SHA}, {"sha256": SHA[1:]}),
    ("blobs", {"size": 1}, {"size": 0}),
    ("tasks", {"wanted": 1}, {"wanted": 0}),
    ("tasks", {"queue_id": 9000}, {"queue_id": 99}),
    ("submissions", {"id": "x" * 16}, {"id": "x" * 15}),
    ("submissions", {"id": "x" * 64}, {"id": "x" * 65}),
    ("submissions", {"state": "rejected"}, {"state": "received"}),  # the task has one that counts already
    ("invitations", {"used_at": AT, "used_by": "ada"}, {"used_at": AT, "used_by": None}),
    ("roles", {"role": "reviewer"}, {"role": "owner"}),
    ("consent_forms", {"version": 1}, {"version": 0}),
]


def test_an_empty_database_gets_the_tables_and_none_of_later_versions(database_of: Callable[[str], Database]) -> None:
    database = database_of("0001")
    assert {"id", "label", "gender", "withdrawn_at"} <= columns(database, "people")
    assert not {"paused_at", "goal"} & columns(database, "people")
    assert columns(database, "submissions").isdisjoint({"queue_id", "words", "gold"})
    for later in ("participants", "overviews", "remarks", "standings"):
        assert not columns(database, later), later


def test_a_row_that_can_not_be_meant_is_refused(database_of: Callable[[str], Database]) -> None:
    """Each beside a row that differs in one value and is taken."""
    database = database_of("0001")
    with database.writing() as connection:
        put_person(connection, "ada")
        put_queue(connection, 9000)
        put_task(connection, 9000, 9000)
        put_submission(connection, 1, 9000, "ada", "accepted")
    blank = {"label": "", "age_band": "", "native_language": "", "major": "", "created_at": AT}
    complete: dict[str, dict[str, Any]] = {
        "people": {"id": "eve", "pseudonym": "p-eve", "gender": "woman", **blank},
        "queues": {"name": "new", "kind": "review", "settings": {}, "created_at": AT},
        "blobs": {"sha256": SHA, "size": 5, "type": "audio/wav", "created_at": AT},
        "tasks": {
            "wanted": 1,
            "queue_id": 9000,
            "key": "k",
            "shown": "d",
            "body": {},
            "work": "",
            "place": 0,
            "created_at": AT,
        },
        "submissions": {
            "id": "y" * 20,
            "task_id": 9000,
            "slot": "1",
            "person_id": "ada",
            "digest": "",
            "answers": {},
            "seconds": 0,
            "state": "again",
            "reasons": [],
            "received_at": AT,
        },
        "invitations": {"id": "i", "role": "reviewer", "label": "", "created_at": AT, "expires_at": AT},
        "roles": {"person_id": "ada"},
        "consent_forms": {"language": "en", "text": "I agree.", "sha256": SHA, "created_at": AT},
    }
    for table, good, bad in CASES:
        assert not refused(database, table, **(complete[table] | good)), (table, good)
        assert refused(database, table, **(complete[table] | bad)), (table, bad)


def test_rows_of_the_first_version_survive_all_migrations(database_of: Callable[[str], Database]) -> None:
    """Numbers beyond 32 bits, texts in several scripts, and documents are the same in this version."""
    database, large = database_of("0001"), 1 << 40
    body = {"shows": {"text": "床前明月光 — “q'uote”", "options": ["a", None, 1.5]}}
    with database.writing() as connection:
        put_person(connection, "ada", label="王小明; DROP TABLE people", native_language="العربية", withdrawn_at=None)
        put_queue(connection, large, name="récits 1")
        put_task(connection, large, large, body)
        name = put_submission(connection, 1, large, "ada", "accepted", received_at=AT + 3)
        put(connection, "blobs", sha256=SHA, size=5_000_000_000, type="video/mp4", created_at=AT)
        put(connection, "submission_blobs", submission_id=name, field="audio", form="original", sha256=SHA)
        put(connection, "audit", at=AT, person_id="ada", action="submitted", subject=name, detail={"task": large})
    upgrade(database, "head")
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, tables.metadata) == []
    assert rows(database, "SELECT label, native_language FROM people") == [("王小明; DROP TABLE people", "العربية")]
    assert rows(database, "SELECT id, queue_id, body FROM tasks") == [(large, large, body)]
    sent = "SELECT task_id, queue_id, state, answers, received_at FROM submissions"
    assert rows(database, sent) == [(large, large, "accepted", {"verdict": "right"}, AT + 3)]
    assert rows(database, "SELECT sha256, size FROM blobs NATURAL JOIN submission_blobs") == [(SHA, 5_000_000_000)]
    assert rows(database, "SELECT action, subject, detail FROM audit") == [("submitted", name, {"task": large})]
