"""Tests of `portal/people/sessions.py`: sessions and invitations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from sqlalchemy import select, update
from starlette.testclient import TestClient

from tests.portal.conftest import Visitor, anonymous, visitor
from tests.portal.people.test_admin import enter_by
from tests.portal.people.test_pages import link
from tests.portal.review.test_review import put
from triptych.errors import DataError
from triptych.portal.app import make_app
from triptych.portal.people.sessions import accept, invitation_of, invite, session_of
from triptych.portal.project import Portal
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import invitations, people, sessions
from triptych.portal.work.withdrawing import withdraw

PROLIFIC = "?PROLIFIC_PID=5f0000000000000000000001&STUDY_ID=s1&SESSION_ID=x1"


def made_link(portal: Portal, **more: Any) -> str:
    with portal.database.writing() as connection:
        return invite(connection, portal.secret, "participant", **more)


def test_a_link_for_many_opens_as_many_accounts_as_it_may(portal: Portal) -> None:
    token = made_link(portal, max_people=3)
    assert [enter_by(portal, token) for _ in range(4)] == [303, 303, 303, 404]
    with portal.database.reading() as connection:
        assert len(connection.execute(select(people.c.id)).all()) == 3


def test_a_revoked_and_an_expired_link_open_nothing(small: Portal, enter: Callable[..., Visitor]) -> None:
    boss, token, old = enter("admin"), made_link(small, max_people=5), made_link(small)
    with small.database.writing() as connection:
        known = connection.execute(select(invitations.c.id).where(invitations.c.most == 5)).scalar_one()
        connection.execute(update(invitations).where(invitations.c.most == 1).values(expires_at=now_ms() - 1))
    assert enter_by(small, token) == 303 and f"/enter/{token}" in boss.client.get("/links").text
    assert boss.client.post("/links", data={"token": boss.token, "end": known}).status_code == 303
    assert [enter_by(small, each) for each in (token, old)] == [404, 404]
    assert f"/enter/{token}" not in boss.client.get("/links").text


@pytest.mark.parametrize("days", [0, 366])
def test_links_have_limits(small: Portal, days: int) -> None:
    with small.database.writing() as connection:
        wrong: list[dict[str, Any]] = [{"days": days}, {"max_people": 0}, {"max_people": 10_001}]
        for more in wrong:
            with pytest.raises(DataError, match="can't be made"):
                invite(connection, small.secret, "participant", **more)
        with pytest.raises(DataError, match="administrators"):
            invite(connection, small.secret, "admin", max_people=2)


def test_parameters_of_a_link_know_a_participant_again(small: Portal, enter: Callable[..., Visitor]) -> None:
    token = made_link(small, max_people=10)
    assert enter_by(small, token, PROLIFIC) == 303
    assert enter_by(small, token, PROLIFIC.replace("x1", "x2")) == 409  # the same participant, a second account
    assert enter_by(small, token, PROLIFIC.replace("01&", "02&")) == 303
    with small.database.reading() as connection:
        kept = connection.execute(select(people.c.arrived).order_by(people.c.created_at)).scalars().all()
        ids = connection.execute(select(people.c.id).where(people.c.arrived_key.is_not(None))).scalars().all()
    assert kept[0] == {"PROLIFIC_PID": "5f0000000000000000000001", "STUDY_ID": "s1", "SESSION_ID": "x1"}
    assert len(ids) == 2
    page = enter("admin").client.get(f"/person/{ids[0]}").text
    assert "PROLIFIC_PID=5f" in page
    withdraw(small.database, small.blobs, ids[0], None)
    with small.database.reading() as connection:
        row = connection.execute(select(people.c.arrived, people.c.arrived_key).where(people.c.id == ids[0])).one()
    assert (row.arrived, row.arrived_key) == (None, None)


def test_a_link_to_a_known_account_takes_no_parameters(small: Portal, enter: Callable[..., Visitor]) -> None:
    known = enter("participant")
    with small.database.writing() as connection:
        token = invite(connection, small.secret, "participant", person=known.id)
    assert enter_by(small, token, PROLIFIC) == 303
    with small.database.reading() as connection:
        assert connection.execute(select(people.c.arrived).where(people.c.id == known.id)).scalar() is None


def test_the_checklist_of_the_first_day_ends(small: Portal, enter: Callable[..., Visitor]) -> None:
    boss = enter("admin")
    page = boss.client.get("/").text
    assert "To do before people come" in page and 'href="/links">Invite people' in page
    assert "To do before people come" not in enter("recorder").client.get("/").text
    put(small, 1)
    made_link(small)
    ready = replace(small, settings=msgspec.structs.replace(small.settings, contact="me@example.org"))
    assert "To do before people come" not in visitor(ready, "admin").client.get("/").text


@pytest.mark.parametrize("change", [lambda t: t[:-2] + "xx", lambda t: "AAAA" + t, lambda t: "", lambda t: t * 50])
def test_a_forged_link_opens_nothing(small: Portal, change: Callable[[str], str]) -> None:
    token = change(link(small))
    with small.database.reading() as connection:
        assert invitation_of(connection, small.secret, token) is None


def test_a_link_of_another_portal_or_an_old_one_opens_nothing(small: Portal) -> None:
    token = link(small)
    with small.database.reading() as connection:
        assert invitation_of(connection, b"0" * 64, token) is None
    with small.database.writing() as connection:
        connection.execute(update(invitations).values(expires_at=1))
        assert invitation_of(connection, small.secret, token) is None


def test_a_link_for_a_known_person_opens_another_session_of_theirs(portal: Portal) -> None:
    first = visitor(portal, "recorder")
    token = link(portal, person=first.id)
    with portal.database.writing() as connection:
        found = invitation_of(connection, portal.secret, token)
        assert found
        cookie = accept(connection, found)
        session = session_of(connection, cookie or "")
        assert session and session.person.id == first.id
        assert accept(connection, found) is None


def test_the_database_holds_no_cookie(small: Portal) -> None:
    client = anonymous(small)
    client.post(f"/enter/{link(small)}", data={"token": ""})
    cookie = client.cookies["triptych_portal"]
    with small.database.reading() as connection:
        assert cookie not in connection.execute(select(sessions.c.id)).scalars().all()
        assert session_of(connection, cookie)
        assert session_of(connection, cookie + "x") is None


def test_a_class_behind_one_address_gets_in_within_a_minute(small: Portal) -> None:
    app = make_app(small)
    with small.database.writing() as connection:
        links = [invite(connection, small.secret, "participant") for _ in range(60)]
    for token in links:
        client = TestClient(app, base_url="http://127.0.0.1:8780", follow_redirects=False)
        assert client.get(f"/enter/{token}").status_code == 200
        assert client.post(f"/enter/{token}", data={"token": ""}).status_code == 303
        assert client.get("/consent").status_code == 200
