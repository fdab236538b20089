"""Tests of `portal/dashboard/figures.py`: figures of the dashboard, without a page."""

from __future__ import annotations

import csv
import io

from tests.portal.conftest import visitor
from tests.portal.dashboard.test_dashboard import back
from tests.portal.review.test_review import offered, put, review_all, send
from triptych.portal.dashboard.figures import DAY_MS, figures, forecast
from triptych.portal.project import Portal
from triptych.portal.work.withdrawing import withdraw


def test_the_dashboard_counts_by_day_and_person(portal: Portal) -> None:
    put(portal, 10, reviewers=2)
    one, other, boss = visitor(portal, "reviewer"), visitor(portal, "reviewer"), visitor(portal, "admin")
    assert review_all(one, {"verdict": "approve"}) == 10
    back(portal, one.id, 2)
    for _ in range(4):
        task = offered(other)
        assert task
        send(other, task, {"verdict": "approve"})
    found = figures(portal)
    [queue] = found.queues
    assert (queue.done, queue.wanted, queue.people) == (14, 20, 2)
    assert queue.days[-1] == 4 and queue.days[-3] == 10 and sum(queue.days) == 14
    assert queue.forecast and queue.forecast.per_day == 5.0  # ten and none, since the first result
    by_name = {row.id: row for row in found.people}
    assert (by_name[one.id].days[-3], by_name[other.id].days[-1]) == (10, 4) and by_name[one.id].hours > 0
    page = boss.client.get("/dashboard").text
    assert "14 of 20 done" in page and "100% equal" in page and "Free on the disk" in page
    rows = list(csv.DictReader(io.StringIO(boss.client.get("/days.csv").text.lstrip("\ufeff"))))
    assert [(row["submitted"], row["seconds"]) for row in rows] == [("10", "70"), ("4", "28")]
    withdraw(portal.database, portal.blobs, one.id, one.id)
    assert {row.id for row in figures(portal).people} == {other.id}
    assert boss.client.get("/dashboard").status_code == 200


def test_a_decision_is_no_result_of_the_day(portal: Portal) -> None:
    put(portal, 1, reviewers=2)
    one, other, third = (visitor(portal, "reviewer") for _ in range(3))
    review_all(one, {"verdict": "approve"})
    review_all(other, {"verdict": "reject", "criterion": ["harmful"]})
    assert send(third, 1, {"verdict": "approve"}, path="/reviews/review", id="a-decision-000001").status_code == 201
    found = figures(portal)
    assert found.queues[0].days[-1] == 2
    assert {row.id: row.last is not None for row in found.people}[third.id]


def test_a_forecast_needs_results_and_says_how_sure_it_is() -> None:
    today = 20_000
    steady = forecast([0] * 6 + [10] * 7 + [3], 50, today)
    assert steady and steady.at == steady.late == steady.early == (today + 5) * DAY_MS
    uneven = forecast([0] * 6 + [20, 0, 20, 0, 20, 0, 10] + [3], 50, today)
    assert uneven and uneven.early < uneven.at and uneven.late and uneven.late > uneven.at
    wild = forecast([0] * 6 + [70, 0, 0, 0, 0, 0, 0] + [3], 50, today)
    assert wild and wild.late is None and wild.per_day == 10
    assert forecast([0] * 13 + [5], 50, today) is None  # today alone says nothing
    assert forecast([0] * 6 + [10] * 7 + [3], 0, today) is None
    assert forecast([0] * 12 + [1, 0], 100_000, today) is None
    young = forecast([0] * 12 + [10, 0], 50, today)
    assert young and young.per_day == 10  # a queue of yesterday is not judged by a week without it
