"""Tests of `portal/work/withdrawing.py`: withdrawal."""

from __future__ import annotations

from hashlib import sha256

from sqlalchemy import insert, select

from tests.portal.conftest import visitor
from tests.portal.work.test_work import queue_of_works, send, take
from triptych.portal.people.sessions import invite
from triptych.portal.project import Portal
from triptych.portal.store.tables import (
    audit,
    exported,
    exports,
    invitations,
    people,
    receipts,
    submissions,
)
from triptych.portal.work.keeping import Medium
from triptych.portal.work.queues import progress
from triptych.portal.work.withdrawing import erase_leftovers, withdraw


def test_withdrawal_takes_everything_out_and_names_earlier_exports(portal: Portal) -> None:
    queue = queue_of_works(portal, 1, 2)
    who, other = visitor(portal, "recorder"), visitor(portal, "recorder", gender="man")
    with portal.database.writing() as connection:
        invite(connection, portal.secret, "recorder", label="Wang Xiaoming", person=who.id)
    names = []
    for number, (person, slot, content) in enumerate(
        [(who.id, "woman", b"mine"), (other.id, "man", b"both"), (who.id, "woman", b"both")]
    ):
        found = take(portal, queue, person, slot)
        assert found
        names.append(sha256(content).hexdigest())
        with portal.blobs.incoming_file() as path:
            path.write_bytes(content)
            portal.blobs.put(path, names[-1])
        send(portal, found, person, number, media=(Medium("audio", names[-1], len(content), "audio/wav"),))
    with portal.database.writing() as connection:
        connection.execute(insert(exports), {"id": 1, "queue_id": queue.id, "target": "build", "made_at": 5})
        connection.execute(insert(exported), {"export_id": 1, "submission_id": "id-00000000000000"})
    answer = who.client.post("/withdraw", data={"token": who.token, "sure": "yes"})
    assert answer.status_code == 200 and "build" in answer.text
    assert portal.blobs.store.has(names[1], 4) and not portal.blobs.store.has(names[0], 4)
    assert who.client.get("/your-data").status_code == 401
    with portal.database.reading() as connection:
        row = connection.execute(select(people).where(people.c.id == who.id)).one()
        assert (row.label, row.gender, row.native_language) == ("", "undisclosed", "")
        assert progress(connection, queue)["done"] == 1
        assert "withdrawn" in connection.execute(select(audit.c.action)).scalars().all()
        assert set(connection.execute(select(invitations.c.label)).scalars()) == {""}
        assert "Wang" not in str(connection.execute(select(audit.c.subject, audit.c.detail)).all())
        left = select(submissions.c.digest, submissions.c.answers).where(submissions.c.person_id == who.id)
        assert {tuple(map(str, row)) for row in connection.execute(left)} == {("", "{}")}
        assert list(connection.execute(select(receipts.c.submission_id)).scalars()) == ["id-00000000000001"]
    assert erase_leftovers(portal.database, portal.blobs) == 1
    assert take(portal, queue, visitor(portal, "recorder").id, "woman") is not None
    assert withdraw(portal.database, portal.blobs, who.id, None).submissions == 0
