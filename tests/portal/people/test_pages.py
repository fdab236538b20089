"""Links, sessions, consent: the way of a person into the portal, and out of it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from sqlalchemy import select

from tests.portal.conftest import Visitor, anonymous, visitor
from triptych.portal.people.records import add_person
from triptych.portal.people.sessions import invite
from triptych.portal.project import Portal
from triptych.portal.store.tables import audit


def link(portal: Portal, role: str = "recorder", **more: object) -> str:
    with portal.database.writing() as connection:
        return invite(connection, portal.secret, role, **more)  # type: ignore[arg-type]


def test_log_out_ends_the_session(small: Portal) -> None:
    who = visitor(small, "recorder")
    cookie = who.client.cookies["triptych_portal"]
    assert who.client.post("/leave", data={"token": who.token}).status_code == 303
    who.client.cookies.set("triptych_portal", cookie)
    assert who.client.get("/your-data").status_code == 401


def test_an_administrator_invites_through_the_page(enter: Callable[..., Visitor], small: Portal) -> None:
    admin = enter("admin")
    form = {"token": admin.token, "role": "reviewer", "label": "<b>Li</b>"}
    page = admin.client.post("/people/invite", data=form).text
    made = re.findall(r"http://127\.0\.0\.1:8780(/enter/[\w.-]+)", page)[0]
    client = anonymous(small)
    assert client.post(made, data={"token": ""}).status_code == 303
    assert "<b>Li" not in admin.client.get("/people").text
    assert admin.client.post("/people/invite", data={**form, "role": "king"}).status_code == 400
    with small.database.reading() as connection:
        actions = connection.execute(select(audit.c.action).order_by(audit.c.id)).scalars().all()
    assert actions[-3:] == ["invited", "role given", "entered"]


def test_pages_are_in_the_language_of_the_browser_or_the_chosen_one(small: Portal) -> None:
    client = anonymous(small)
    assert 'lang="en"' in client.get("/", headers={"accept-language": "de, en;q=0.5"}).text
    assert "欢迎" in client.get("/", headers={"accept-language": "zh-CN,zh;q=0.9"}).text
    answer = client.post("/language", data={"language": "zh", "back": "//evil.example/"})
    assert answer.headers["location"] == "/"
    assert "欢迎" in client.get("/").text


def test_people_are_listed_in_pages_and_found_by_a_part_of_their_note(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triptych.portal.people.admin.PAGE_SIZE", 2)
    admin = visitor(portal, "admin")
    with portal.database.writing() as connection:
        for label in ("Wang 100%", "wang", "Li_Na"):
            add_person(connection, label=label)

    def shown(address: str) -> list[str]:
        page = admin.client.get(address).text
        link = re.search(r'href="(/people\?find=[^"]*before=[^"]+)"', page)
        rows = re.findall(r'<th scope="row" class="nowrap"><a href="/person/\w+">p-\w+</a></th><td>(.*?)</td>', page)
        return rows + (shown(link[1].replace("&amp;", "&")) if link else [])

    assert sorted(shown("/people")) == ["Li_Na", "Somebody", "Wang 100%", "wang"]
    assert sorted(shown("/people?find=WANG")) == ["Wang 100%", "wang"]
    assert shown("/people?find=0%25") == ["Wang 100%"] and shown("/people?find=i_n") == ["Li_Na"]
    assert "No matching person was found" in admin.client.get("/people?find=nobody").text
    assert shown("/people?before=unknown") == shown("/people")
