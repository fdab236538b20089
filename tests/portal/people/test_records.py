"""Tests of `portal/people/records.py`: people."""

from __future__ import annotations

from tests.portal.conftest import anonymous
from tests.portal.people.test_pages import link
from triptych.portal.people.records import all_people
from triptych.portal.project import Portal


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
        (person,) = all_people(connection)
    assert (person.label, person.roles) == ("Wang", {"recorder"})
