"""Tests of `portal/site/sentences.py`: the audit trail as sentences in the language of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import insert, select

from tests.portal.conftest import Visitor
from tests.portal.people.test_admin import act, say
from tests.portal.review.test_review import offered, put
from triptych.portal.project import Portal
from triptych.portal.site.sentences import sentence_of
from triptych.portal.store.tables import audit


def test_the_audit_trail_is_sentences_in_both_languages(small: Portal, enter: Callable[..., Visitor]) -> None:
    put(small, 1)
    boss, who = enter("admin"), enter("reviewer")
    offered(who)
    say(who, 1, "comment", "x")
    act(boss, who.id, "pause")
    act(boss, who.id, "end-sessions")
    names = {who.id: "p-who", boss.id: "p-boss"}
    with small.database.reading() as connection:
        every = [dict(row._mapping) for row in connection.execute(select(audit))]
    said = [sentence_of("en", each, names) for each in every]
    assert "p-boss paused p-who." in said
    assert "p-boss ended 1 session of p-who." in said
    assert all("{" not in sentence_of(language, each, names) for language in ("en", "zh") for each in every)
    page = boss.client.get("/audit").text
    assert "ended 1 session of" in page and "commented on a task of review: 1" not in page
    with small.database.writing() as connection:
        row: dict[str, Any] = {
            "at": 1,
            "person_id": None,
            "action": "from a later version",
            "subject": "x",
            "detail": {},
        }
        connection.execute(insert(audit), row)
    assert "The command line: from a later version x" in boss.client.get("/audit").text
