"""Tests of `portal/site/titles.py`: names of tasks for people."""

from __future__ import annotations

from tests.portal.conftest import visitor
from tests.portal.review.test_review import offered, put, send
from triptych.portal.project import Portal
from triptych.portal.site.titles import title_of


def test_the_audit_trail_names_the_text_of_a_result(small: Portal) -> None:
    put(small, 1)
    who = visitor(small, "reviewer")
    task = offered(who)
    assert task and send(who, task, {"verdict": "approve"}).status_code == 201
    page = visitor(small, "admin").client.get("/audit").text
    assert "sent a result: " in page and "(review)" in page
    assert title_of({"shows": {"question": "What is\n heard?"}}, "q0") == "What is heard?"
