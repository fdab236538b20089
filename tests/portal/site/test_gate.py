"""Tests of `portal/site/gate.py`: what every request passes before a page answers it."""

from __future__ import annotations

from tests.portal.conftest import anonymous, visitor
from tests.portal.people.test_pages import link
from triptych.portal.project import Portal


def test_too_many_requests_are_refused(small: Portal) -> None:
    client = anonymous(small)
    statuses = [client.post("/enter/x", data={"token": ""}).status_code for _ in range(301)]
    assert set(statuses[:300]) == {404} and statuses[300] == 429


def test_a_page_of_another_site_can_do_nothing(small: Portal) -> None:
    who = visitor(small, "recorder")
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"host": "evil.example"}):
        answer = who.client.post("/leave", data={"token": who.token}, headers=headers)
        assert answer.status_code == 403, headers


def test_over_https_the_cookie_belongs_to_the_host_alone(small: Portal) -> None:
    client = anonymous(small, "https://127.0.0.1")
    cookie = client.post(f"/enter/{link(small)}", data={"token": ""}).headers["set-cookie"]
    assert cookie.startswith("__Host-triptych_portal=") and "Secure" in cookie and "Path=/" in cookie
