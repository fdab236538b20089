"""Tests of `portal/site/gate.py`: what every request passes before a page answers it."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest
from sqlalchemy import select, update
from starlette.requests import Request
from starlette.testclient import TestClient

from tests.portal.conftest import anonymous, visitor
from tests.portal.people.test_pages import link
from tests.portal.review.test_review import put
from triptych.portal.project import Portal
from triptych.portal.site.gate import is_storable, may_record
from triptych.portal.store.tables import people, submissions


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


def request_of(url: str, **parts: object) -> Request:
    split = urlsplit(url)
    scope = {"type": "http", "method": "GET", "scheme": split.scheme, "path": unquote(split.path), "path_params": parts}
    headers = [(b"host", split.netloc.encode())]
    return Request({**scope, "query_string": split.query.encode(), "headers": headers})


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("http://127.0.0.1:8780/record", True),
        ("http://127.8.9.1/record", True),
        ("http://[::1]:8780/record", True),
        ("http://localhost/record", True),
        ("http://10.0.0.5/record", False),
        ("http://localhost.example.org/record", False),
        ("http://127.0.0.1.example.org/record", False),
        ("https://portal.example.org/record", True),
    ],
)
def test_browsers_give_the_microphone_over_https_and_on_this_computer(url: str, allowed: bool) -> None:
    assert may_record(request_of(url)) is allowed


@pytest.mark.parametrize(
    ("url", "parts", "storable"),
    [
        ("http://x/review/题", {"task": (1 << 63) - 1}, True),
        ("http://x/review/a", {"task": 1 << 63}, False),
        ("http://x/review/a%00b", {}, False),
        ("http://x/review?state=%00", {}, False),
        ("http://x/review?state=%2500", {"queue": "9" * 40}, True),
    ],
)
def test_an_address_that_no_database_can_look_for_is_not_storable(
    url: str, parts: dict[str, object], storable: bool
) -> None:
    assert is_storable(request_of(url, **parts)) is storable


def test_what_is_refused_is_not_carried_out_and_the_first_reason_is_told(
    small: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A role that somebody lost, a pause, and a form of another session, in the order in which they are looked at."""
    put(small, 1)
    who, other = visitor(small, "reviewer"), visitor(small, "reviewer")
    head = {"accept": "application/json"}

    def refusal(client: TestClient, token: str) -> tuple[int, str]:
        body = {"values": {"verdict": "approve"}, "seconds": 1}
        answer = client.put(f"/review/review/1/{'a' * 20}", json=body, headers={**head, "x-form-token": token})
        return answer.status_code, answer.json().get("problem", "")

    assert refusal(anonymous(small), "") == (401, "link-is-needed")
    assert refusal(visitor(small, "recorder").client, "") == (403, "role-is-needed")
    assert refusal(who.client, other.token) == (403, "form-is-not-of-this-session")
    with small.database.writing() as connection:
        connection.execute(update(people).where(people.c.id == who.id).values(paused_at=5))
    assert refusal(who.client, other.token) == (403, "you-are-paused")
    with small.database.reading() as connection:
        assert connection.execute(select(submissions)).all() == []


def test_the_log_names_routes_and_no_secret_of_an_address(small: Portal, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "triptych.portal.access"):
        anonymous(small).get("/enter/the-secret-of-a-link")
    (line,) = [record.getMessage() for record in caplog.records if record.name == "triptych.portal.access"]
    assert line.startswith("GET /enter/{token} ") and "the-secret" not in line
