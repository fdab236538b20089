"""Agreement of a large queue: counted in the background, with the figures of the computation at once."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select

from tests.portal.conftest import Visitor, visitor
from tests.portal.review.test_review import put, review_all, send
from triptych.portal.checking import work_next
from triptych.portal.people.records import all_people
from triptych.portal.project import Portal
from triptych.portal.review import overview
from triptych.portal.review.overview import count_votes, overview_of
from triptych.portal.store.tables import overviews
from triptych.portal.work.queues import Queue, queue_of
from triptych.portal.work.withdrawing import withdraw

APPROVE, REJECT = {"verdict": "approve", "score": "5"}, {"verdict": "reject", "criterion": ["harmful"], "score": "2"}
EDIT = {"verdict": "edit", "answer": "孩子", "score": "2"}


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every queue with more than four votes is a large one."""
    monkeypatch.setattr(overview, "LIVE", 4)


def reviewed(portal: Portal) -> list[Visitor]:
    """Four tasks with eight votes, two of them in a disagreement; the last person has voted on nothing."""
    put(portal, 4, reviewers=2)
    one, two, other = (visitor(portal, "reviewer") for _ in range(3))
    assert review_all(one, APPROVE, REJECT, EDIT, APPROVE) == 4
    assert review_all(two, APPROVE, APPROVE, {**EDIT, "question": "是谁在说话？"}, {**APPROVE, "score": "1"}) == 4
    return [one, two, other]


def the_queue(portal: Portal) -> Queue:
    with portal.database.reading() as connection:
        found = queue_of(connection, "review")
    assert found
    return found


def open_tasks(page: str) -> list[str]:
    return re.findall(r'href="/reviews/review/(\d+)"', page)


def test_the_page_asks_for_a_count_and_shows_it_with_its_time(portal: Portal) -> None:
    *_, other = reviewed(portal)
    assert not work_next(portal)  # nobody has asked
    assert "are being counted" in other.client.get("/reviews/review").text
    assert work_next(portal) and not work_next(portal)
    page = other.client.get("/reviews/review").text
    assert "As of" in page and open_tasks(page) == ["2", "3"]
    assert "<span>谁在说话？</span>" in page and "<span>talk/" not in page  # what a task is about, not its id
    queue = the_queue(portal)
    found = overview_of(portal.database, queue)
    with portal.database.reading() as connection:
        now = count_votes(connection, queue)
    assert found and (found.rated, found.pairs, found.open) == (now.rated, now.pairs, now.open)
    for rated in now.rated:  # the whole figures are on the page
        assert rated.figures.nominal is None or f'data-value="{rated.figures.nominal}"' in page


def test_it_is_counted_again_only_if_somebody_looks_and_not_all_the_time(
    small: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewed(small)
    queue, clock = the_queue(small), [10**12]
    monkeypatch.setattr(overview, "now_ms", lambda: clock[0])

    def counts(later_s: float, *, look: bool) -> bool:
        clock[0] += round(1000 * later_s)
        if look:
            overview_of(small.database, queue)
        return overview.count_next(small.database)

    assert counts(0, look=True)
    assert not counts(5, look=True) and not counts(100, look=False)
    assert counts(1, look=True)
    with small.database.writing() as connection:
        connection.execute(overviews.update().values(took=30_000))
    assert not counts(200, look=True) and counts(101, look=False)


def test_what_was_decided_since_the_count_is_not_listed(small: Portal) -> None:
    *_, other = reviewed(small)
    other.client.get("/reviews/review")
    assert work_next(small)
    assert send(other, 2, APPROVE, path="/reviews/review", id="decision-" + "0" * 12).status_code == 201
    assert open_tasks(other.client.get("/reviews/review").text) == ["3"]


def test_a_withdrawal_ends_counts_with_that_person(small: Portal) -> None:
    one, _, other = reviewed(small)
    other.client.get("/reviews/review")
    assert work_next(small)
    withdraw(small.database, small.blobs, one.id, None)
    with small.database.reading() as connection:
        assert connection.execute(select(overviews)).all() == []
        names = {person.pseudonym for person in all_people(connection) if person.withdrawn_at}
    page = visitor(small, "admin").client.get("/reviews/review").text
    assert len(names) == 1 and not any(name in page for name in names)
