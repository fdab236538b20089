"""Tests of `portal/dashboard/pages.py`: the dashboard, and its rows by day as a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from sqlalchemy import update

from tests.portal.conftest import Visitor, visitor
from tests.portal.review.test_review import put, review_all
from triptych.portal.dashboard.pages import HEAD, SHOWN, size
from triptych.portal.people.records import add_person
from triptych.portal.people.sessions import grant
from triptych.portal.project import Portal
from triptych.portal.store.tables import people, queues


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (999_949, "999.9 kB"),
        (1e6, "1.0 MB"),
        (5.25e9, "5.2 GB"),
        (3e15, "3000.0 TB"),
    ],
)
def test_a_size_has_the_unit_of_decimal_prefixes(number: float, words: str) -> None:
    assert size(number) == words


def test_the_page_of_an_administrator_shows_how_far_a_queue_is(portal: Portal) -> None:
    put(portal, 4, reviewers=2)
    boss, one, other = visitor(portal, "admin"), visitor(portal, "reviewer"), visitor(portal, "reviewer")
    assert "0 of 8 done" in boss.client.get("/dashboard").text
    review_all(one, {"verdict": "approve"})
    page = boss.client.get("/dashboard").text
    assert "4 of 8 done" in page and "% equal" not in page  # nobody shares a task yet
    review_all(other, {"verdict": "approve"}, {"verdict": "reject", "criterion": ["harmful"]})
    page = boss.client.get("/dashboard").text
    assert "8 of 8 done" in page and "50% equal" in page
    assert one.client.get("/dashboard").status_code == 403


def test_names_of_people_and_queues_are_never_read_as_html(small: Portal, enter: Callable[..., Visitor]) -> None:
    put(small, 1)
    who, boss = enter("reviewer"), enter("admin")
    review_all(who, {"verdict": "approve"})
    with small.database.writing() as connection:
        connection.execute(update(people).where(people.c.id == who.id).values(label="<b>王</b>"))
    page = boss.client.get("/dashboard").text
    assert "<b>王" not in page and "&lt;b&gt;王" in page


def test_the_rows_by_day_open_in_a_spreadsheet_and_calculate_nothing(
    small: Portal, enter: Callable[..., Visitor]
) -> None:
    put(small, 2)
    who, boss = enter("reviewer"), enter("admin")
    empty = boss.client.get("/days.csv")
    assert empty.text == "\ufeff" + ",".join(HEAD) + "\n"
    review_all(who, {"verdict": "approve"})
    with small.database.writing() as connection:
        connection.execute(update(queues).values(name='=HYPERLINK("http://x","题")'))
    answer = boss.client.get("/days.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="days.csv"'
    (row,) = csv.DictReader(io.StringIO(answer.text.lstrip("\ufeff")))
    assert row["queue"] == '\'=HYPERLINK("http://x","题")'
    assert (row["pseudonym"], row["submitted"], row["seconds"]) == (who.session.person.pseudonym, "2", "14")


def test_no_more_people_are_shown_than_fit(small: Portal, enter: Callable[..., Visitor]) -> None:
    put(small, 1)
    boss = enter("admin")
    with small.database.writing() as connection:
        for number in range(SHOWN + 5):
            grant(connection, add_person(connection, label=f"Person number {number}"), "reviewer", by=None)
    answer = boss.client.get("/dashboard")
    assert answer.status_code == 200 and answer.text.count("Person number ") <= SHOWN
