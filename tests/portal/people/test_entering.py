"""Links, sessions, consent: the way of a person into the portal, and out of it."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select, update
from starlette.testclient import TestClient

from tests.portal.conftest import TEXTS, Visitor, anonymous, visitor
from triptych.errors import DataError, SpecError
from triptych.portal.app import make_app
from triptych.portal.people import consent
from triptych.portal.people.records import add_person, everybody
from triptych.portal.people.sessions import accept, invitation_of, invite, session_of
from triptych.portal.project import Portal, open_portal, read_secret, read_settings
from triptych.portal.store.tables import audit, invitations, sessions


def link(portal: Portal, role: str = "recorder", **more: object) -> str:
    with portal.database.writing() as connection:
        return invite(connection, portal.secret, role, **more)  # type: ignore[arg-type]


def test_a_link_works_once_and_looking_at_it_uses_nothing_up(portal: Portal) -> None:
    token, client = link(portal, label="Wang"), anonymous(portal)
    for _ in range(2):
        assert client.get(f"/enter/{token}").status_code == 200
    answer = client.post(f"/enter/{token}", data={"token": ""})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie and "Secure" not in cookie
    assert client.get("/your-data").status_code == 200
    other = anonymous(portal)
    assert other.get(f"/enter/{token}").status_code == 404
    assert other.post(f"/enter/{token}", data={"token": ""}).status_code == 404
    with portal.database.reading() as connection:
        (person,) = everybody(connection)
    assert (person.label, person.roles) == ("Wang", {"recorder"})


def test_over_https_the_cookie_belongs_to_the_host_alone(small: Portal) -> None:
    client = anonymous(small, "https://127.0.0.1")
    cookie = client.post(f"/enter/{link(small)}", data={"token": ""}).headers["set-cookie"]
    assert cookie.startswith("__Host-triptych_portal=") and "Secure" in cookie and "Path=/" in cookie


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


def test_a_form_survives_a_restart_of_the_server(small: Portal) -> None:
    who = visitor(small, "recorder")
    page = who.client.get("/about-you").text
    token = re.findall(r'name="token" value="([0-9a-f]{64})"', page)[0]
    again = open_portal(small.path)
    who.client.app = make_app(again)
    answer = who.client.post("/about-you", data={"token": token, "gender": "man", "age_band": "26-30"})
    again.close()
    assert answer.status_code == 303


def test_log_out_ends_the_session(small: Portal) -> None:
    who = visitor(small, "recorder")
    cookie = who.client.cookies["triptych_portal"]
    assert who.client.post("/leave", data={"token": who.token}).status_code == 303
    who.client.cookies.set("triptych_portal", cookie)
    assert who.client.get("/your-data").status_code == 401


def test_the_secret_is_its_owners_alone(tmp_path: Path) -> None:
    secret = read_secret(tmp_path / "secret")
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600 and len(secret) == 64
    assert read_secret(tmp_path / "secret") == secret
    (tmp_path / "secret").chmod(0o644)
    with pytest.raises(SpecError, match="chmod 600"):
        read_secret(tmp_path / "secret")


@pytest.mark.parametrize("text", ["titel = 'x'", "title = 3", "languages = ['fr']", "title = '\\xff", "[" * 9000])
def test_wrong_settings_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "portal.toml").write_text(text)
    with pytest.raises(SpecError):
        read_settings(tmp_path / "portal.toml")


def test_consent_has_a_version_and_the_text_that_was_read(portal: Portal) -> None:
    who = visitor(portal, "recorder", agreed=False)
    assert "not published" in who.client.get("/consent").text
    with portal.database.writing() as connection:
        assert consent.publish(connection, TEXTS, None) == 1
    page = who.client.get("/consent").text
    assert TEXTS["en"] in page
    fields = dict(re.findall(r'name="(version|language|sha256)" value="(\w+)"', page))
    with portal.database.writing() as connection:
        consent.publish(connection, {**TEXTS, "en": "Another text."}, None)
    form = {"token": who.token, "agree": "yes", **fields}
    assert who.client.post("/consent", data=form).status_code == 409  # it changed while the page was open
    fields = dict(re.findall(r'name="(version|language|sha256)" value="(\w+)"', who.client.get("/consent").text))
    form = {"token": who.token, "agree": "yes", **fields}
    assert who.client.post("/consent", data=form).headers["location"] == "/about-you"
    with portal.database.writing() as connection:
        assert consent.has_agreed(connection, who.id)
        consent.publish(connection, TEXTS, None)
        assert not consent.has_agreed(connection, who.id)  # a new version asks again


def test_an_empty_form_is_not_published(small: Portal) -> None:
    with pytest.raises(DataError, match="'zh'"), small.database.writing() as connection:
        consent.publish(connection, {"en": "Text", "zh": " "}, None)
    with small.database.reading() as connection:
        assert consent.current(connection) == 0


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


def test_too_many_requests_are_refused(small: Portal) -> None:
    client = anonymous(small)
    statuses = [client.post("/enter/x", data={"token": ""}).status_code for _ in range(301)]
    assert set(statuses[:300]) == {404} and statuses[300] == 429


def test_a_page_of_another_site_can_do_nothing(small: Portal) -> None:
    who = visitor(small, "recorder")
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"host": "evil.example"}):
        answer = who.client.post("/leave", data={"token": who.token}, headers=headers)
        assert answer.status_code == 403, headers


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


def test_a_class_behind_one_address_gets_in_within_a_minute(small: Portal) -> None:
    app = make_app(small)
    with small.database.writing() as connection:
        links = [invite(connection, small.secret, "participant") for _ in range(60)]
    for link in links:
        client = TestClient(app, base_url="http://127.0.0.1:8780", follow_redirects=False)
        assert client.get(f"/enter/{link}").status_code == 200
        assert client.post(f"/enter/{link}", data={"token": ""}).status_code == 303
        assert client.get("/consent").status_code == 200
