"""The database: migrations give the tables of the code, constraints hold, and everything moves in an archive."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tests.portal.conftest import visitor
from triptych.errors import SpecError
from triptych.portal.project import Portal, open_portal
from triptych.portal.store import tables
from triptych.portal.work.claims import claim
from triptych.portal.work.keeping import Medium
from triptych.portal.work.queues import NewTask, put_queue, put_tasks
from triptych.portal.work.submitting import Sent, submit

ID = "0123456789abcdef"


def filled(portal: Portal) -> str:
    """A portal with a queue of two works, and one submission with a file. Returns the reader."""
    who = visitor(portal, "recorder", "admin")
    with portal.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {"slots": ["man", "woman"]}, None)
        put_tasks(connection, queue, [NewTask(f"w{n // 2}/{n}", "d", {"text": "床前"}, f"w{n // 2}") for n in range(4)])
    found = claim(portal.database, queue, who.id, "woman")
    assert found
    content = b"RIFF" + bytes(40)
    name = sha256(content).hexdigest()
    with portal.blobs.incoming_file() as path:
        path.write_bytes(content)
        portal.blobs.put(path, name)
    medium = Medium("audio", name, len(content), "audio/wav")
    submit(portal.database, Sent(ID, found.id, "woman", who.id, {"文": "字", "rate": 1.5}, 9, (medium,)), checked=True)
    return who.id


def content(portal: Portal) -> dict[str, list[Any]]:
    with portal.database.reading() as connection:
        return {
            table.name: [
                [str(value) for value in row] for row in connection.execute(select(table).order_by(*table.primary_key))
            ]
            for table in tables.metadata.sorted_tables
        }


def test_a_server_that_does_not_answer_is_an_error_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="can't be opened") as told:
        open_portal(tmp_path / "p", f"postgresql://me:hidden@/x?host={tmp_path}", create=True)
    assert "hidden" not in str(told.value)
