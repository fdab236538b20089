"""Tests of `portal/store/tables.py`: all tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from tests.portal.conftest import visitor
from tests.portal.store.test_store import filled
from triptych.portal.project import Portal
from triptych.portal.store import tables
from triptych.portal.store.engine import Database, now
from triptych.portal.store.migrating import migrate


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
        connection.execute(insert(tables.audit), {"at": now(), "action": "half", "subject": "", "detail": {}})
        raise RuntimeError
    with portal.database.reading() as connection:
        assert "half" not in connection.execute(select(tables.audit.c.action)).scalars().all()
