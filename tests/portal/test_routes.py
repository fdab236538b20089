"""The table of routes, all of it: every route with every role, without a session, and with a form of somebody else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from tests.portal.conftest import Visitor, anonymous
from triptych.portal.project import Portal
from triptych.portal.routes import ROUTES
from triptych.portal.site.page import EVERY_ROLE, Page
from triptych.portal.work.tokens import add_token

FILLED = {
    "token": "x" * 20,
    "name": "portal.css",
    "queue": "none",
    "task": "1",
    "id": "0" * 20,
    "form": "original",
    "sha256": "0" * 64,
    "number": "0",
    "person": "0" * 16,
}
NAMES = [f"{page.method} {page.path}" for page in ROUTES]
REFUSED = (401, 403)


def address(page: Page) -> str:
    return page.path.replace(":int", "").format(**FILLED)


def ask(client: TestClient, page: Page, token: str) -> int:
    headers = {"x-form-token": token}
    if page.body == "form":
        return client.request(page.method, address(page), data={"token": token}, headers=headers).status_code
    content = b"x" if page.body == "file" else None
    return client.request(page.method, address(page), content=content, headers=headers).status_code


def test_no_address_is_given_twice() -> None:
    assert len(set(NAMES)) == len(NAMES)


@pytest.fixture
def everybody(enter: Callable[..., Visitor]) -> dict[str, Visitor]:
    return {role: enter(role) for role in EVERY_ROLE}


def test_every_route_with_every_role(everybody: dict[str, Visitor]) -> None:
    for page in ROUTES:
        for role, who in everybody.items():
            if page.path in ("/leave", "/withdraw"):
                continue  # the session would end: tests of their own
            status = ask(who.client, page, who.token)
            allowed = "anyone" in page.who or role in page.who
            assert (status not in REFUSED) == allowed, (page.method, page.path, role, status)


def test_every_route_without_a_session(small: Portal) -> None:
    client = anonymous(small)
    for page in ROUTES:
        status = ask(client, page, "")
        assert (status in REFUSED) == ("anyone" not in page.who), (page.method, page.path, status)


def test_every_change_needs_the_token_of_its_own_session(enter: Callable[..., Visitor]) -> None:
    one, other = enter(*EVERY_ROLE), enter(*EVERY_ROLE)
    for page in ROUTES:
        if page.changes and "api" not in page.who:
            for token in ("", "wrong", other.token):
                assert ask(one.client, page, token) == 403, (page.method, page.path)


def test_a_person_without_roles_gets_nothing_but_what_is_open_to_anyone(enter: Callable[..., Visitor]) -> None:
    nobody = enter()
    for page in ROUTES:
        if "anyone" not in page.who:
            assert ask(nobody.client, page, nobody.token) in REFUSED, page.path


def test_work_needs_consent_first(enter: Callable[..., Visitor]) -> None:
    new = enter(*EVERY_ROLE, agreed=False)
    for page in ROUTES:
        if page.consented:
            answer = new.client.request(page.method, address(page), headers={"x-form-token": new.token})
            expected = (403, None) if page.changes else (303, "/consent")
            assert (answer.status_code, answer.headers.get("location")) == expected, page.path


def test_api_routes_need_a_token_that_was_made_here(small: Portal) -> None:
    client = anonymous(small)
    with small.database.writing() as connection:
        good = add_token(connection, "recipe")
    for page in ROUTES:
        if "api" in page.who:
            for given, allowed in ((f"Bearer {good}", True), ("Bearer tpt_wrong", False), (good, False), ("", False)):
                status = client.request(page.method, address(page), headers={"authorization": given}).status_code
                assert (status not in REFUSED) == allowed, (page.path, given[:10])


def test_what_has_no_line_is_not_served(enter: Callable[..., Visitor]) -> None:
    admin = enter("admin")
    for path in ("/nothing", "/static/../routes.py", "/static/..%2froutes.py", "/portal.db"):
        assert admin.client.get(path).status_code == 404, path


def test_the_microphone_is_allowed_on_recording_pages_alone(everybody: dict[str, Visitor]) -> None:
    for page in ROUTES:
        if page.method != "GET" or "api" in page.who:
            continue
        who = everybody["admin" if "admin" in page.who or "anyone" in page.who else page.who[0]]
        headers = who.client.get(address(page)).headers
        assert ("microphone=(self)" in headers["permissions-policy"]) == page.microphone, page.path
        policy = headers["content-security-policy"]
        assert ("media-src 'self' blob:" in policy) == page.microphone
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy


def test_recording_pages_are_refused_over_plain_http(enter: Callable[..., Visitor]) -> None:
    for where, allowed in (("http://10.0.0.5", False), ("https://10.0.0.5", True), ("http://localhost:8780", True)):
        who = enter(*EVERY_ROLE)
        who.client.base_url = where  # type: ignore[assignment]
        name, value = next(iter(who.client.cookies.items()))
        who.client.headers["cookie"] = f"{name}={value}; __Host-{name}={value}"
        for page in ROUTES:
            if page.microphone:
                assert (ask(who.client, page, who.token) != 403) == allowed, (where, page.path)
