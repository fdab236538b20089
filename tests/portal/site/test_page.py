"""Tests of `portal/site/page.py`: a page, and the request that it answers."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from tests.portal.conftest import visitor
from triptych.portal.people.sessions import token_fits
from triptych.portal.project import Portal
from triptych.portal.site.page import EVERY_ROLE, Page, Visit
from triptych.portal.store.tables import ROLES


def request_of(**parts: Any) -> Request:
    return Request({"type": "http", "headers": [], "path_params": parts})


def test_a_visit_without_a_session_has_no_person_and_no_token(small: Portal) -> None:
    visit = Visit(small, request_of(), None, "en")
    assert visit.token == "" and dict(visit.form) == {} and visit.upload is None
    with pytest.raises(AssertionError, match="open to anyone"):
        _ = visit.person


def test_the_token_of_a_page_is_of_its_session_alone(small: Portal) -> None:
    one, other = visitor(small, "reviewer"), visitor(small, "reviewer")
    visit = Visit(small, request_of(), one.session, "zh")
    assert visit.person.id == one.id and visit.token == one.token
    assert token_fits(small.secret, one.session, visit.token)
    assert not token_fits(small.secret, other.session, visit.token)
    assert not token_fits(b"another portal's secret" * 2, one.session, visit.token)


def test_a_part_of_an_address_has_the_type_that_the_route_gave_it(small: Portal) -> None:
    visit = Visit(small, request_of(queue="题 1", task=7), None, "en")
    assert visit.part("queue") == "题 1" and visit.part("task") == 7
    with pytest.raises(KeyError):
        visit.part("person")


@pytest.mark.parametrize(("method", "changes"), [("GET", False), ("POST", True), ("PUT", True), ("DELETE", True)])
def test_everything_but_reading_must_come_from_a_page_of_the_session(method: Any, changes: bool) -> None:
    assert Page(method, "/x", lambda visit: Response(), ("anyone",), "a page").changes is changes


def test_every_role_is_that_of_the_tables() -> None:
    assert EVERY_ROLE == ROLES
