"""Tests of `portal/work/presence.py`: nothing is done in the name of somebody who has withdrawn."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select

from tests.portal.conftest import visitor
from tests.portal.test_sweeping_privacy import clips, files, live, upload, voice
from triptych.errors import DataError
from triptych.portal.people.sessions import grant, invite, open_session
from triptych.portal.project import Portal
from triptych.portal.store.tables import leases
from triptych.portal.work import submitting
from triptych.portal.work.claims import claim, renew
from triptych.portal.work.presence import Withdrawn, hold_person, leave
from triptych.portal.work.withdrawing import withdraw


def test_a_withdrawal_waits_for_an_upload_that_is_stored_and_erases_it(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, who = clips(portal)[0], visitor(portal, "recorder")
    who.client.get("/record/record")
    held, going = threading.Event(), threading.Event()
    real = submitting.words_of

    def slow(body: Any) -> int:  # in the transaction that stores
        held.set()
        going.wait(2)
        return real(body)

    monkeypatch.setattr(submitting, "words_of", slow)
    with ThreadPoolExecutor(2) as pool:
        sent = pool.submit(upload, who, number, voice())
        assert held.wait(10)
        gone = pool.submit(withdraw, portal.database, portal.blobs, who.id, who.id)
        going.set()
        assert sent.result().status_code == 201 and gone.result().submissions == 1
    assert live(portal) == 0 and not files(portal)


def test_nothing_is_done_in_the_name_of_somebody_who_withdrew(portal: Portal) -> None:
    number, who = clips(portal)[0], visitor(portal, "recorder")
    with portal.database.reading() as connection:
        from triptych.portal.work.queues import queue_of

        queue = queue_of(connection, "record")
    assert queue
    withdraw(portal.database, portal.blobs, who.id, None)
    assert claim(portal.database, queue, who.id, "1") is None
    assert not renew(portal.database, queue, number, who.id, "1")
    for act in (
        lambda connection: grant(connection, who.id, "recorder", by=None),
        lambda connection: open_session(connection, who.id),
        lambda connection: invite(connection, portal.secret, "recorder", person=who.id),
    ):
        with pytest.raises(Withdrawn), portal.database.writing() as connection:
            act(connection)
    with portal.database.reading() as connection:
        assert not connection.execute(select(leases.c.task_id)).all()


def test_only_somebody_who_is_here_stays(portal: Portal) -> None:
    who = visitor(portal, "recorder")
    with portal.database.writing() as connection:
        hold_person(connection, who.id)  # says nothing
    for name in ("nobody", "", "' OR 1=1 --"):
        with pytest.raises(Withdrawn, match="withdrawn") as caught, portal.database.writing() as connection:
            hold_person(connection, name)
        assert caught.value.where == name
    withdraw(portal.database, portal.blobs, who.id, None)
    with pytest.raises(Withdrawn), portal.database.writing() as connection:
        hold_person(connection, who.id)
    with portal.database.writing() as connection:
        leave(connection, who.id)  # a second withdrawal waits for nobody


def test_a_withdrawn_person_is_no_bad_data(small: Portal) -> None:
    """A page that refuses bad data would take it for that, and answer with a reason."""
    assert not issubclass(Withdrawn, DataError)
    who = visitor(small, "reviewer")
    withdraw(small.database, small.blobs, who.id, None)
    answer = who.client.post(
        "/remark", data={"token": who.token, "queue": "q", "task": "1", "kind": "comment", "text": "x"}
    )
    assert answer.status_code in (401, 403) and "DataError" not in answer.text
