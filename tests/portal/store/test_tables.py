"""Tests of `portal/store/tables.py`: all tables."""

from __future__ import annotations

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from tests.portal.conftest import visitor
from tests.portal.store.test_store import filled
from triptych.portal.project import Portal
from triptych.portal.store import tables
from triptych.portal.store.engine import now_ms


def test_what_must_never_happen_is_refused_by_the_database(portal: Portal) -> None:
    reader = filled(portal)
    other = visitor(portal, "recorder").id
    rows = [
        (tables.roles, {"person_id": reader, "role": "king"}),
        (tables.roles, {"person_id": "nobody", "role": "admin"}),
        (tables.holders, {"queue_id": 1, "work": "w0", "slot": "woman", "person_id": other, "since": 1}),
        (tables.holders, {"queue_id": 1, "work": "w0", "slot": "man", "person_id": reader, "since": 1}),
        (tables.blobs, {"sha256": "ab", "size": 1, "type": "", "created_at": 1}),
        (
            tables.submissions,
            {
                "id": "z" * 16,
                "task_id": 1,
                "slot": "woman",
                "person_id": other,
                "digest": "",
                "answers": {},
                "received_at": 1,
            },
        ),
        (
            tables.submissions,
            {
                "id": "z" * 16,
                "task_id": 1,
                "slot": "man",
                "person_id": reader,
                "digest": "",
                "answers": {},
                "received_at": 1,
            },
        ),
        (
            tables.submissions,
            {
                "id": "short",
                "task_id": 2,
                "slot": "man",
                "person_id": other,
                "digest": "",
                "answers": {},
                "received_at": 1,
            },
        ),
    ]
    for table, row in rows:
        with pytest.raises(IntegrityError), portal.database.writing() as connection:
            connection.execute(insert(table), row)


def test_a_transaction_is_kept_or_undone_whole(portal: Portal) -> None:
    with pytest.raises(RuntimeError), portal.database.writing() as connection:
        connection.execute(insert(tables.audit), {"at": now_ms(), "action": "half", "subject": "", "detail": {}})
        raise RuntimeError
    with portal.database.reading() as connection:
        assert "half" not in connection.execute(select(tables.audit.c.action)).scalars().all()
