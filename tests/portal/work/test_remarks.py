"""Tests of `portal/work/remarks.py`: comments on tasks, and reasons for skipping them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from tests.portal.annotation.test_verifying import SOURCE, task_on
from tests.portal.annotation.test_verifying import put as put_talks
from tests.portal.conftest import Visitor, visitor
from tests.portal.people.test_admin import act, say
from tests.portal.review.test_review import offered, put
from tests.portal.review.test_review import send as send_review
from triptych.construction.people.stage import Task
from triptych.errors import DataError
from triptych.portal.exchange.ends import Batch
from triptych.portal.exchange.local import Local
from triptych.portal.project import Portal
from triptych.portal.store.tables import submissions, tasks
from triptych.portal.work.claims import claim
from triptych.portal.work.queues import NewTask, put_queue, put_tasks, queue_of
from triptych.portal.work.remarks import latest_remarks, open_remarks, remark, settle, sources_of
from triptych.portal.work.remarks import reopen as reopen_source
from triptych.portal.work.submitting import Sent, submit
from triptych.portal.work.withdrawing import withdraw


def test_comments_and_skipped_tasks_reach_the_administrator(small: Portal, enter: Callable[..., Visitor]) -> None:
    put(small, 2)
    boss, who, other = enter("admin"), enter("reviewer"), enter("reviewer")
    assert offered(who) == 1 and 'name="kind" value="skip"' in who.client.get("/review/review").text
    assert say(who, 1, "comment", "The sound is cut <b>off</b>.") == 303 and offered(who) == 1
    assert say(who, 1, "skip", "I know the speaker.") == 303 and offered(who) == 2
    assert offered(other) == 1  # somebody else gets it
    assert [say(who, 1, "skip", "again"), say(who, 2, "comment", "  "), say(who, 99, "comment", "x")] == [409] * 3
    empty = {"token": who.token, "queue": "review", "task": "2", "kind": "skip", "text": " ", "job": "/review"}
    assert "the reason for skipping a task, has 1 to 1,000 characters" in who.client.post("/remark", data=empty).text
    assert "2 comments on tasks" in boss.client.get("/").text
    page = boss.client.get("/remarks").text
    assert "cut &lt;b&gt;off&lt;/b&gt;." in page and "I know the speaker." in page
    assert page.index("I know the speaker.") < page.index("cut &lt;b&gt;")
    assert send_review(who, 2, {"verdict": "approve"}).status_code == 201 and offered(who) is None
    act(boss, other.id, "release", task="1")
    for id in re.findall(r'name="id" value="(\d+)"', page):
        assert boss.client.post("/remarks", data={"token": boss.token, "id": id}).status_code == 303
    assert offered(who) == 1 and "comments on tasks" not in boss.client.get("/").text
    assert boss.client.post("/remarks", data={"token": boss.token, "id": "1"}).status_code == 400


def test_words_of_somebody_who_withdraws_are_erased(small: Portal, enter: Callable[..., Visitor]) -> None:
    put(small, 1)
    boss, who = enter("admin"), enter("reviewer")
    offered(who)
    say(who, 1, "comment", "my secret remark")
    withdraw(small.database, small.blobs, who.id, None)
    assert "secret" not in boss.client.get("/remarks").text
    assert b"my secret remark" not in (small.path / "portal.db").read_bytes()


def reopen(boss: Visitor, remark: int, source: str) -> Any:
    return boss.client.post("/remarks", data={"token": boss.token, "id": str(remark), "reopen": source})


def test_a_fault_of_a_translation_reopens_its_transcript(portal: Portal) -> None:
    shows = {"draft": "\n".join(SOURCE), "audio": None}
    source = Task("talk0/talk", "d", "transcribe", {"transcript": "text"}, shows, "Correct.", 1)
    Local(portal).put_tasks("transcribe", Batch("annotation", {}, [source]))
    put_talks(portal, slots=1)
    who, boss = visitor(portal, "annotator"), visitor(portal, "admin")
    headers = {"x-form-token": who.token, "accept": "application/json"}
    task = task_on(who, "/annotate/transcribe")
    wrong = {"answers": {"transcript": "We count swift in the old town.\nThey nest under roofs."}, "seconds": 1}
    answer = who.client.put(f"/annotate/transcribe/{task}/a-transcript-with-fault", json=wrong, headers=headers)
    assert answer.status_code == 201
    translator = visitor(portal, "annotator")
    one = task_on(translator)
    said = {
        "token": translator.token,
        "queue": "post-edit",
        "task": str(one),
        "kind": "comment",
        "text": "The source says swift, not swifts.",
        "job": "/annotate",
    }
    assert translator.client.post("/remark", data=said).status_code == 303
    page = boss.client.get("/remarks").text
    assert "Reopen the source" in page and "a-transcript-with-fault" in page
    assert reopen(boss, 1, "a-review-of-somebody").status_code == 400
    assert reopen(boss, 1, "a-transcript-with-fault").status_code == 303
    with portal.database.reading() as connection:
        row = connection.execute(select(submissions.c.state, submissions.c.reasons)).one()
    assert row == ("again", ["The source says swift, not swifts."])
    assert "swift, not swifts" in who.client.get("/annotate/transcribe").text
    assert list(Local(portal).results("transcribe")[1]) == []
    assert "There are no comments" in boss.client.get("/remarks").text


def offer(portal: Portal, name: str, kind: str, *keys: str) -> list[int]:
    with portal.database.writing() as connection:
        queue = put_queue(connection, name, kind, {}, None)
        put_tasks(connection, queue, [NewTask(key, "d", {}) for key in keys])
        return list(connection.execute(select(tasks.c.id).where(tasks.c.queue_id == queue.id)).scalars())


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("praise", "good", "1 to 1,000 characters"),
        ("comment", " \n\t", "1 to 1,000 characters"),
        ("comment", "字" * 1001, "1 to 1,000 characters"),
        ("skip", "not with me", "not open with this person"),
    ],
)
def test_a_remark_that_can_not_be_meant_is_refused(portal: Portal, kind: str, text: str, message: str) -> None:
    (task,), who = offer(portal, "scenes", "review", "a"), visitor(portal, "reviewer")
    with pytest.raises(DataError, match=message), portal.database.writing() as connection:
        remark(connection, who.id, "scenes", task, kind, text)
    with pytest.raises(DataError, match="no such task"), portal.database.writing() as connection:
        remark(connection, who.id, "another queue", task, "comment", "字" * 1000)
    with portal.database.reading() as connection:
        assert open_remarks(connection) == 0


def test_a_question_of_a_survey_is_not_skipped(small: Portal) -> None:
    offer(small, "people", "survey", "a")
    who = visitor(small, "participant")
    with small.database.writing() as connection:
        queue = queue_of(connection, "people")
    assert queue
    found = claim(small.database, queue, who.id, "1")
    assert found
    with pytest.raises(DataError, match="can't be skipped"), small.database.writing() as connection:
        remark(connection, who.id, "people", found.id, "skip", "too hard")


def test_remarks_are_listed_newest_first_until_they_are_settled(portal: Portal) -> None:
    numbers, who = offer(portal, "scenes", "review", "a", "b", "c"), visitor(portal, "reviewer")
    with portal.database.writing() as connection:
        for number in numbers:
            remark(connection, who.id, "scenes", number, "comment", f"  of {number}  ")
        assert [row["text"] for row in latest_remarks(connection, None, 2)] == [f"of {n}" for n in numbers[:0:-1]]
        second = latest_remarks(connection, None, 2)[-1]["id"]
        assert [row["key"] for row in latest_remarks(connection, second, 5)] == ["a"]
        settle(connection, second, None)
        with pytest.raises(DataError, match="no such open remark"):
            settle(connection, second, None)
        assert open_remarks(connection) == 2
        assert [row["key"] for row in latest_remarks(connection, None, 9)] == ["c", "a"]


def test_the_sources_of_a_task_are_accepted_results_above_it_in_other_queues(portal: Portal) -> None:
    made = {"talk1": "accepted", "talk1/talk": "accepted", "talk2": "accepted", "talk1/talk/de/2": "accepted"}
    offer(portal, "talks", "annotation", *made)
    task, _ = offer(portal, "translate", "annotation", "talk1/talk/de", "talk1")
    who = visitor(portal, "annotator")
    with portal.database.reading() as connection:
        queue = queue_of(connection, "talks")
    assert queue
    for number, key in enumerate(made):
        found = claim(portal.database, queue, who.id, "1")
        assert found and found.key == key
        submit(portal.database, Sent(f"source-{number:012}", found.id, "1", who.id, {}, 5), checked=False)
    with portal.database.writing() as connection:
        row = connection.execute(select(tasks).where(tasks.c.key == "talk1", tasks.c.queue_id != queue.id)).one()
    own = Sent("of-the-same-queue", row.id, "1", who.id, {}, 5)  # nothing of its own queue is above a task
    submit(portal.database, own, checked=False)
    with portal.database.writing() as connection:
        remark(connection, who.id, "translate", task, "comment", "x" * 400)
        (row,) = latest_remarks(connection, None, 9)
        assert {each.key for each in sources_of(connection, [row])[row["id"]]} == {"talk1", "talk1/talk"}
        with pytest.raises(DataError, match="not about something"):
            reopen_source(connection, row["id"], "source-000000000002", None)
        reopen_source(connection, row["id"], "source-000000000001", None)
        assert open_remarks(connection) == 0
        states = connection.execute(select(submissions.c.state, submissions.c.reasons).order_by(submissions.c.id)).all()
        assert states == [
            ("accepted", []),
            ("accepted", []),
            ("again", ["x" * 300]),
            ("accepted", []),
            ("accepted", []),
        ]
        assert sources_of(connection, []) == {}
