"""Tests of `portal/migrations/versions/v0004_counts.py`: queues and words of submissions, and what is erased."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import select

from tests.portal.migrations.versions.older import (
    AT,
    put,
    put_all,
    put_person,
    put_queue,
    put_submission,
    put_task,
    rows,
    submission_row,
    task_row,
    upgrade,
)
from triptych.portal.store import tables
from triptych.portal.store.engine import Database
from triptych.portal.store.migrating import migrate

WORDS: list[tuple[Any, int]] = [  # the body of a task, and the words that are paid, counted by hand
    ({"shows": {"text": "床前明月光，疑是地上霜。"}}, 10),
    ({"shows": {"text": "It's a well-known verse, e.g. 3 lines"}}, 8),
    ({"shows": {"source": ["We count swifts.", "They nest."]}}, 5),
    ({"shows": {"text": ""}}, 0),
    ({"shows": {"question": "What is heard?"}}, 0),
    ({}, 0),
    ([], 0),
    ('"床"', 0),
]


def test_a_submission_has_the_words_that_its_task_showed(database_of: Callable[[str], Database]) -> None:
    database = database_of("0003")
    with database.writing() as connection:
        put_person(connection, "ada")
        put_queue(connection, 3)
        put_queue(connection, 8)
        for number, (body, _) in enumerate(WORDS, 1):
            put_task(connection, number, 8 if number % 2 else 3, body)
            put_submission(connection, number, number, "ada", "accepted" if number % 3 else "rejected")
    upgrade(database, "0004")
    found = rows(database, "SELECT queue_id, words FROM submissions ORDER BY id")
    assert found == [(8 if number % 2 else 3, words) for number, (_, words) in enumerate(WORDS, 1)]


def test_words_of_many_tasks_are_counted_beyond_the_first_thousand(database_of: Callable[[str], Database]) -> None:
    database, numbers = database_of("0003"), range(1, 2_004)
    with database.writing() as connection:
        put_person(connection, "ada")
        put_queue(connection, 1, "recording")
        put_all(connection, "tasks", [task_row(task, 1, {"shows": {"text": "字" * (task % 7)}}) for task in numbers])
        put_all(connection, "submissions", [submission_row(task, task, "ada", "accepted") for task in numbers])
    upgrade(database, "0004")
    found = rows(database, "SELECT task_id, words FROM submissions ORDER BY task_id")
    assert found == [(task, task % 7) for task in numbers]


def test_what_earlier_withdrawals_left_is_erased_and_nothing_of_others(database_of: Callable[[str], Database]) -> None:
    database = database_of("0003")
    with database.writing() as connection:
        put_person(connection, "gone", withdrawn_at=AT + 9)
        put_person(connection, "here")
        put_queue(connection, 1, "survey")
        for number, (person, state) in enumerate((("gone", "erased"), ("here", "accepted")), 1):
            put_task(connection, number, 1)
            name = put_submission(connection, number, number, person, state, digest=f"of {person}")
            put(connection, "receipts", submission_id=name, sha256="b" * 64, size=1, issued_at=AT)
            entry = {"cells": ["en"], "sequence": [1, 2], "state": "valid", "reasons": ["fast"], "began_at": AT}
            put(connection, "participants", queue_id=1, person_id=person, ended_at=AT + 5, **entry)
        link = {"role": "participant", "created_at": AT, "expires_at": AT}
        put(connection, "invitations", id="1", label="for Wang", person_id="gone", **link)
        put(connection, "invitations", id="2", label="for Wang", used_by="gone", used_at=AT, **link)
        put(connection, "invitations", id="3", label="for Ada", person_id="here", **link)
        for action, subject, detail in (
            ("invited", "1", {"role": "participant", "label": "Wang Xiaoming"}),
            ("entered", "https://issuer.example#sub", {}),
            ("entered", "gone", {}),
            ("queue made", "https://queue.example", {"label": "a queue's"}),
        ):
            put(connection, "audit", at=AT, person_id=None, action=action, subject=subject, detail=detail)
    upgrade(database, "0004")
    assert rows(database, "SELECT submission_id FROM receipts") == [("submission-00000002",)]
    assert rows(database, "SELECT person_id, digest FROM submissions ORDER BY id") == [
        ("gone", ""),
        ("here", "of here"),
    ]
    assert rows(database, "SELECT id, label FROM invitations ORDER BY id") == [("1", ""), ("2", ""), ("3", "for Ada")]
    took = "SELECT person_id, cells, sequence, state, reasons, began_at, ended_at FROM participants ORDER BY person_id"
    assert rows(database, took) == [
        ("gone", [], [], "invalid", [], AT + 9, None),
        ("here", ["en"], [1, 2], "valid", ["fast"], AT, AT + 5),
    ]
    assert rows(database, "SELECT action, subject, detail FROM audit ORDER BY id") == [
        ("invited", "1", {"role": "participant"}),
        ("entered", "sign-in", {}),
        ("entered", "gone", {}),
        ("queue made", "https://queue.example", {"label": "a queue's"}),
    ]


def test_earlier_rows_get_their_queue_and_words_and_earlier_withdrawals_are_completed(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'old.db'}")
    migrate(database, "0003")
    lines = (
        "INSERT INTO people VALUES ('here', 'p-1', '', 'woman', '', '', '', NULL, NULL, 1, NULL)",
        "INSERT INTO people VALUES ('gone', 'p-2', '', 'woman', '', '', '', NULL, NULL, 1, 7)",
        "INSERT INTO queues VALUES (5, 'record', 'recording', '{}', 1, NULL)",
        """INSERT INTO tasks VALUES (8, 5, 'a', 'd', '{"shows": {"text": "床前 moon"}}', '', 0, 1, 1, NULL)""",
        "INSERT INTO submissions VALUES ('s-0000000000000001', 8, '1', 'here', 'x', '{}', 9, 'accepted', '[]', 3)",
        "INSERT INTO submissions VALUES ('s-0000000000000002', 8, '2', 'gone', 'y', '{}', 9, 'erased', '[]', 4)",
        "INSERT INTO receipts VALUES ('s-0000000000000002', 'y', 1, 4)",
        "INSERT INTO invitations VALUES ('i', 'recorder', 'Li Na', 'gone', NULL, 1, 2, 2, 'gone')",
        """INSERT INTO participants VALUES (5, 'gone', '["a"]', '[8]', 'valid', '[]', 1, 2)""",
        """INSERT INTO audit VALUES (1, 1, NULL, 'invited', 'i', '{"role": "recorder", "label": "Li Na"}')""",
    )
    with database.writing() as connection:
        for line in lines:
            connection.exec_driver_sql(line)
    migrate(database)
    with database.reading() as connection:
        one, other = connection.execute(select(tables.submissions).order_by(tables.submissions.c.id)).all()
        assert (one.queue_id, one.words, one.digest) == (5, 3, "x")
        assert (other.queue_id, other.digest) == (5, "")
        assert connection.execute(select(tables.tasks.c.filled)).scalar() == 1
        assert connection.execute(select(tables.receipts)).all() == []
        row = connection.execute(select(tables.participants)).one()
        assert (row.cells, row.sequence, row.state, row.began_at, row.ended_at) == ([], [], "invalid", 7, None)
        assert connection.execute(select(tables.invitations.c.label)).scalar() == ""
        assert connection.execute(select(tables.audit.c.detail)).scalar() == {"role": "recorder"}
    database.close()
