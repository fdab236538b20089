"""Tests of `portal/work/audit.py`: entries are added in the transaction of a change, and listed newest first."""

from __future__ import annotations

import pytest

from triptych.portal.project import Portal
from triptych.portal.store.engine import now_ms
from triptych.portal.work.audit import latest_entries, note


def test_an_entry_says_who_did_what_when(portal: Portal) -> None:
    before = now_ms()
    with portal.database.writing() as connection:
        note(connection, "exported", "person-1", "poèmes/床", target="C:\\build", results=3, nested={"a": [None, 1.5]})
        note(connection, "swept", None)
    with portal.database.reading() as connection:
        swept, exported = latest_entries(connection)
    assert exported["detail"] == {"target": "C:\\build", "results": 3, "nested": {"a": [None, 1.5]}}
    assert (exported["action"], exported["person_id"], exported["subject"]) == ("exported", "person-1", "poèmes/床")
    assert (swept["person_id"], swept["subject"], swept["detail"]) == (None, "", {})
    assert before <= exported["at"] <= swept["at"] <= now_ms()


def test_an_entry_may_have_a_detail_of_any_name(small: Portal) -> None:
    with small.database.writing() as connection:
        note(connection, "settled", None, "7", person="p-1", action="again", subject="x", connection="c")
        (entry,) = latest_entries(connection)
    assert entry["detail"] == {"person": "p-1", "action": "again", "subject": "x", "connection": "c"}


def test_pages_hold_each_entry_once(small: Portal) -> None:
    with small.database.writing() as connection:
        assert latest_entries(connection) == []
        for number in range(7):
            note(connection, f"act {number}", None)
        pages, before = [], None
        for _ in range(4):
            page = latest_entries(connection, before, 3)
            pages.append([entry["action"] for entry in page])
            before = page[-1]["id"] if page else before
        assert len(latest_entries(connection)) == 7
    assert pages == [["act 6", "act 5", "act 4"], ["act 3", "act 2", "act 1"], ["act 0"], []]


def test_a_change_that_is_undone_leaves_no_entry(portal: Portal) -> None:
    with pytest.raises(ZeroDivisionError), portal.database.writing() as connection:
        note(connection, "queue made", None)
        raise ZeroDivisionError
    with portal.database.reading() as connection:
        assert latest_entries(connection) == []
