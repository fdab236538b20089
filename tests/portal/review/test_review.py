"""Reviewing over HTTP: claimed, sent twice, refused, second reviewers, disagreements, agreement."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update

from tests.portal.conftest import Visitor, visitor
from tests.portal.site.test_media_access import sound, stored
from triptych.construction.people.stage import Task
from triptych.construction.recipes.cmdar import REVIEW
from triptych.metrics.agreement import krippendorff_alpha
from triptych.metrics.raters.nominal import cohen_kappa, fleiss_kappa, gwet_ac1, nominal_alpha, observed_agreement
from triptych.portal.exchange.ends import Batch
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.push import review_settings
from triptych.portal.project import Portal
from triptych.portal.store.tables import tasks
from triptych.portal.work.withdrawing import withdraw

FORM = {**REVIEW.form, "score": {"type": "integer", "minimum": 1, "maximum": 5}}


def put(portal: Portal, number: int = 3, reviewers: int = 1, people: int = 1) -> None:
    """A queue of questions about one recording."""
    data = sound()
    name = stored(portal, data)
    shows = {
        "question": "谁在说话？",
        "options": ["老人", "孩子"],
        "answer": "老人",
        "task": "main",
        "category": None,
        "audio": f"{name[:2]}/{name}.wav",
        "media": {"audio": name},
    }
    tasks = [Task(f"talk/{n}", "d", "review", FORM, {**shows, "place": n}, REVIEW.guide, people) for n in range(number)]
    settings = review_settings(tasks, reviewers)
    wanted = max(people, reviewers)
    Local(portal).put_tasks(
        "review", Batch("review", settings, [Task(**{**_fields(t), "people": wanted}) for t in tasks])
    )


def _fields(task: Task) -> dict[str, Any]:
    return {name: getattr(task, name) for name in task.__struct_fields__}


def offered(who: Visitor, path: str = "/review/review") -> int | None:
    found = re.search(r'data-task="(\d+)"', who.client.get(path).text)
    return int(found[1]) if found else None


def send(who: Visitor, task: int, values: dict[str, Any], *, id: str = "", path: str = "/review/review") -> Any:
    headers = {"x-form-token": who.token, "accept": "application/json"}
    name = id or f"review-{task:08}-{who.id[:8]}"
    return who.client.put(f"{path}/{task}/{name}", json={"values": values, "seconds": 7}, headers=headers)


def review_all(who: Visitor, *given: dict[str, Any]) -> int:
    """Review all that is offered, each with the next of the given values, again from the first."""
    number = 0
    while (task := offered(who)) is not None:
        answer = send(who, task, given[(task - 1) % len(given)])
        assert answer.status_code == 201, answer.text
        number += 1
    return number


def results(portal: Portal) -> list[dict[str, Any]]:
    return [each.result.values for each in Local(portal).results("review")[1] if each.chosen]


def test_a_task_is_shown_reviewed_and_pulled(portal: Portal) -> None:
    put(portal)
    who = visitor(portal, "reviewer")
    page = who.client.get("/review/review").text
    assert "谁在说话？" in page and 'data-wave="/shown/1/' in page and "Criteria that are not met" in page
    assert "category" not in page and "appendix E" in page
    first = send(who, 1, {"verdict": "approve", "timestamps": "0.5-1", "score": "4"})
    assert first.status_code == 201
    assert send(who, 1, {"verdict": "approve", "timestamps": "0.5-1", "score": "4"}).json() == first.json()
    assert send(who, 1, {"verdict": "reject", "criterion": ["grammar"]}).status_code == 409
    assert offered(who) == 2
    assert review_all(who, {"verdict": "reject", "criterion": ["grammar", "off topic"]}) == 2
    assert results(portal) == [{"verdict": "approve", "timestamps": "0.50-1.00", "score": 4}] + 2 * [
        {"verdict": "reject", "criterion": ["grammar", "off topic"]}
    ]
    assert "no task for you" in who.client.get("/review/review").text


def test_a_reviewers_own_gender_and_age_are_not_in_the_review(small: Portal) -> None:
    form = {
        "verdict": ["approve", "edit", "reject"],
        "gender": ["man", "woman"],
        "age": ["young", "old"],
        "why": "text",
    }
    shows = {"text": "床前明月光", "gender": "man", "age": "old"}
    tasks = [Task(f"jys/{n}/sec", "d", "review-sec", form, shows, "Listen.") for n in range(2)]
    Local(small).put_tasks("review", Batch("review", review_settings(tasks, 1), tasks))
    who = visitor(small, "reviewer", gender="woman")
    page = who.client.get("/review/review").text
    assert re.search(r'data-field="gender" data-kind="choice" data-proposed="man"', page)
    assert re.search(r'name="gender" value="man" checked', page) and ">Gender</dt>" not in page
    as_shown = {"gender": "man", "age": "old"}
    assert review_all(who, {"verdict": "approve", **as_shown}, {"verdict": "edit", **as_shown, "gender": "woman"}) == 2
    assert results(small) == [{"verdict": "approve"}, {"verdict": "edit", "gender": "woman"}]


def test_what_does_not_fit_is_refused_in_the_readers_language(small: Portal, enter: Callable[..., Visitor]) -> None:
    put(small)
    who = enter("reviewer")
    who.client.headers["accept-language"] = "zh-CN"
    offered(who)
    refused = send(who, 1, {"verdict": "approve", "answer": "别的"})
    assert refused.status_code == 422 and "您修改了“答案”" in refused.json()["message"]
    assert send(who, 1, {"verdict": "edit"}).status_code == 422
    assert send(who, 9, {"verdict": "approve"}).status_code == 404
    bad = who.client.put("/review/review/1/" + "0" * 20, content=b"{", headers={"x-form-token": who.token})
    assert bad.status_code == 400
    assert send(who, 1, {"verdict": "approve"}, id="short").status_code == 400
    assert results(small) == []


def test_one_reviewer_who_left_stops_nobody(small: Portal) -> None:
    put(small, 4)
    first, second = visitor(small, "reviewer"), visitor(small, "reviewer")
    send(first, offered(first) or 0, {"verdict": "approve"})
    assert review_all(second, {"verdict": "approve"}) == 3


def test_a_second_reviewer_first_gets_what_another_has_reviewed(small: Portal) -> None:
    put(small, 4, reviewers=2)
    first, second = visitor(small, "reviewer"), visitor(small, "reviewer")
    skipped = visitor(small, "reviewer")
    open_now = offered(skipped)  # a task that is open with somebody is not shared
    send(first, done := offered(first) or 0, {"verdict": "approve"})
    assert (done, offered(second)) == ((open_now or 0) + 1, done)


def test_two_reviewers_a_disagreement_and_its_decision(portal: Portal) -> None:
    put(portal, 3, reviewers=2)
    one, two, three = (visitor(portal, "reviewer") for _ in range(3))
    assert review_all(one, {"verdict": "approve"}) == 3
    assert results(portal) == [] and offered(one) is None
    assert "Decide" not in one.client.get("/reviews/review").text
    edit, reject = {"verdict": "edit", "answer": "孩子"}, {"verdict": "reject", "criterion": ["harmful"]}
    assert review_all(two, {"verdict": "approve"}, edit, reject) == 3
    assert offered(three) is None and results(portal) == [{"verdict": "approve"}]
    listed = three.client.get("/reviews/review").text
    assert re.findall(r'href="/reviews/review/(\d+)"', listed) == ["2", "3"]
    shown = three.client.get("/reviews/review/2").text
    assert "孩子" in shown and "Reviewer 2" in shown
    for who in (one, two):  # those who voted don't decide
        assert who.client.get("/reviews/review/2").status_code == 409
        assert (
            send(who, 2, {"verdict": "approve"}, path="/reviews/review", id=f"d{who.id:0>20}"[:20]).status_code == 409
        )
    decision = send(three, 2, edit, path="/reviews/review", id="decision-" + "0" * 12)
    assert decision.status_code == 201
    again = send(three, 2, edit, path="/reviews/review", id="decision-" + "0" * 12)
    assert again.json() == decision.json()
    assert send(visitor(portal, "admin"), 2, edit, path="/reviews/review").status_code == 409
    found = list(Local(portal).results("review")[1])
    assert sorted(each.result.id for each in found if each.chosen) == ["talk/0", "talk/1"]
    assert len(found) == 7
    withdraw(portal.database, portal.blobs, three.id, None)
    assert results(portal) == [{"verdict": "approve"}]
    assert "/reviews/review/2" in visitor(portal, "admin").client.get("/reviews/review").text


def test_two_people_that_the_stage_asks_for_are_two_results(small: Portal) -> None:
    put(small, 1, people=2)
    for verdict in ({"verdict": "approve"}, {"verdict": "reject", "criterion": ["other"]}):
        review_all(visitor(small, "reviewer"), verdict)
    assert len(results(small)) == len(list(Local(small).results("review")[1])) == 2


def test_the_live_agreement_is_the_offline_one(portal: Portal) -> None:
    put(portal, 6, reviewers=2)
    one, two = visitor(portal, "reviewer"), visitor(portal, "reviewer")
    assert "reviewed yet" in one.client.get("/reviews/review").text
    review_all(one, {"verdict": "approve", "score": "5"}, {"verdict": "reject", "criterion": ["harmful"], "score": "2"})
    assert "no task was reviewed by two people" in one.client.get("/reviews/review").text
    review_all(
        two,
        {"verdict": "approve", "score": "4"},
        {"verdict": "reject", "criterion": ["harmful"], "score": "2"},
        {"verdict": "reject", "criterion": ["grammar"], "score": "3"},
    )
    page = one.client.get("/reviews/review").text
    live = {
        field: [float(value) for value in re.findall(r'data-value="([^"]+)"', row)]
        for field, row in re.findall(r'<tr data-field="(\w+)">(.*?)</tr>', page, re.DOTALL)
    }
    file = csv.DictReader(io.StringIO(one.client.get("/reviews/review/ratings.csv").text))
    votes: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for row in file:
        votes[row["field"]][row["item"]][row["rater"]] = row["value"]
    raters = sorted({rater for own in votes["verdict"].values() for rater in own})
    for field, own in votes.items():
        rows = [[each.get(rater) for rater in raters] for each in own.values()]
        kappa = cohen_kappa(*zip(*rows, strict=True))
        labels = {"verdict": 3, "score": 5}.get(field)
        offline = [observed_agreement(rows), kappa, fleiss_kappa(rows), gwet_ac1(rows, labels), nominal_alpha(rows)]
        if field == "score":
            offline.append(krippendorff_alpha([[int(value or 0) for value in row] for row in rows], "interval"))
        if field != "criterion":
            assert len(live[field]) == len(offline)
            assert all(abs(x - (y or 0)) < 1e-12 for x, y in zip(live[field], offline, strict=True)), field
    shared = re.search(
        r'data-field="verdict">.*?<td class="number">6</td><td class="number">(\d+)</td>', page, re.DOTALL
    )
    assert shared and shared[1] == "6"


def test_reviewers_see_no_votes_on_tasks_that_others_still_review(small: Portal) -> None:
    """A reviewer who could read another one's verdicts before giving their own would not be independent."""
    put(small, 3, reviewers=2)
    one, two = visitor(small, "reviewer"), visitor(small, "reviewer")
    boss, both = visitor(small, "admin"), visitor(small, "admin", "reviewer")
    review_all(one, {"verdict": "approve"}, {"verdict": "reject", "criterion": ["harmful"]}, {"verdict": "approve"})

    def seen(who: Visitor) -> set[str]:
        return {row["item"] for row in csv.DictReader(io.StringIO(who.client.get("/reviews/review/ratings.csv").text))}

    assert seen(one) == seen(two) == seen(both) == set() and len(seen(boss)) == 3
    assert send(two, 1, {"verdict": "approve"}).status_code == 201
    assert seen(one) == seen(two) == seen(both) == {"talk/0"}
    with small.database.writing() as connection:  # the build asks for no more reviews of the third task
        connection.execute(update(tasks).where(tasks.c.id == 3).values(closed_at=1))
    assert seen(two) == {"talk/0", "talk/2"}


def test_agreement_on_texts_times_and_boxes(small: Portal) -> None:
    box = {"type": "array", "items": {"type": "array", "minItems": 4, "maxItems": 4, "items": {"type": "number"}}}
    form: dict[str, Any] = {
        "verdict": ["approve", "reject"],
        "why": "text",
        "times": "spans",
        "where": box,
        "count": "number",
    }
    one = Task("a", "0" * 16, "look", form, {"text": "…"}, people=2)
    Local(small).put_tasks("look", Batch("review", review_settings([one], 2), [one]))
    given = [
        {"verdict": "approve", "why": "abcd", "times": "0-4", "where": "[[0,0,2,2]]", "count": "3"},
        {"verdict": "approve", "why": "abcx", "times": "2-4; 6-8", "where": "[[1,0,2,2]]", "count": "5"},
    ]
    who = [visitor(small, "reviewer") for _ in given]
    wrong = send(who[0], 1, {**given[0], "where": "[[0,0,2]]"}, path="/review/look")
    assert wrong.status_code == 422 and "boxes" in wrong.text
    for person, values in zip(who, given, strict=True):
        assert send(person, 1, values, path="/review/look").status_code == 201
    page = who[0].client.get("/reviews/look").text
    found = {
        field: [float(value) for value in re.findall(r'data-value="([^"]+)"', row)]
        for field, row in re.findall(r'<tr data-free="(\w+)">(.*?)</tr>', page, re.DOTALL)
    }
    alike = {field: values[0] for field, values in found.items() if field != "count"}
    assert alike == pytest.approx({"why": 3 / 4, "times": 1 / 3, "where": 1 / 3})
    assert found["count"] == [pytest.approx(0.0)]  # two values of one task: alpha for intervals is 0


def test_only_reviewers_of_open_queues_see_the_pages(small: Portal, enter: Callable[..., Visitor]) -> None:
    put(small)
    assert enter("recorder").client.get("/review/review").status_code == 403
    assert enter("reviewer").client.get("/review/other").status_code == 404
    assert enter("admin").client.get("/reviews/other").status_code == 404
    assert enter("admin").client.get("/reviews/review/1").status_code == 404
    assert "/review/review" in enter("reviewer").client.get("/").text
    assert "/reviews/review" in enter("admin").client.get("/queues").text


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "=cmd()", "\x00null"])
def test_hostile_texts_are_texts(small: Portal, text: str) -> None:
    task = Task(
        text, "d", "review", {"verdict": ["yes", text], "why": "text"}, {"text": text, "list": [text], "o": {"a": text}}
    )
    Local(small).put_tasks("review", Batch("review", review_settings([task], 1), [task]))
    who = visitor(small, "reviewer")
    assert "<script>alert" not in who.client.get("/review/review").text
    assert send(who, 1, {"verdict": text, "why": text}).status_code in (201, 422)
    assert "\n=cmd" not in who.client.get("/reviews/review/ratings.csv").text
