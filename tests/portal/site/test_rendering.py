"""Tests of `portal/site/rendering.py`: templates, refusals, and the way back after a form."""

from __future__ import annotations

import json

import pytest
from jinja2 import UndefinedError
from starlette.requests import Request

from triptych.portal.project import Portal
from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import go, problem, show

EVIL = "<script>alert(1)</script>"


def visit_of(portal: Portal, accept: str = "text/html", language: str = "en") -> Visit:
    scope = {"type": "http", "method": "GET", "path": "/x", "query_string": b"", "server": ("127.0.0.1", 1)}
    return Visit(portal, Request({**scope, "headers": [(b"accept", accept.encode())]}), None, language)


def test_a_refusal_is_a_page_for_people_and_a_document_for_scripts(small: Portal) -> None:
    page = problem(visit_of(small), 404, "not-found")
    assert page.status_code == 404 and page.headers["content-type"].startswith("text/html")
    document = problem(visit_of(small, "application/json"), 404, "not-found")
    assert document.status_code == 404
    body = json.loads(bytes(document.body))
    assert body.keys() == {"problem", "message"} and body["problem"] == "not-found"
    assert body["message"].encode() in bytes(page.body) or "&#39;" in bytes(page.body).decode()


@pytest.mark.parametrize(("language", "message"), [("en", "the task is done already"), ("zh", "该任务已经完成")])
def test_the_reason_of_an_error_is_in_the_language_of_the_page(small: Portal, language: str, message: str) -> None:
    answer = problem(visit_of(small, "", language), 409, "cannot-be-done", why="the task is done already")
    assert message in json.loads(bytes(answer.body))["message"]


def test_every_value_is_escaped(small: Portal) -> None:
    page = bytes(show(visit_of(small), "problem.html", 418, message=EVIL).body).decode()
    assert EVIL not in page and "&lt;script&gt;" in page
    answer = problem(visit_of(small), 409, "cannot-be-done", why=EVIL)
    assert EVIL not in bytes(answer.body).decode()


def test_a_value_that_a_template_needs_and_a_text_that_is_not_there_are_errors(small: Portal) -> None:
    with pytest.raises(UndefinedError, match="message"):
        show(visit_of(small), "problem.html")
    with pytest.raises(KeyError):
        problem(visit_of(small), 404, "no-such-text")


def test_after_a_form_the_browser_asks_for_a_page_anew() -> None:
    answer = go("/review/题")
    assert answer.status_code == 303 and answer.headers["location"] == "/review/%E9%A2%98"
