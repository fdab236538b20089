"""Annotation: the rules of each editor, and the pages over HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from inspect import getsource
from typing import Any

import pytest
from sqlalchemy import func, select, update

from tests.portal.conftest import Visitor, visitor
from triptych.construction.recipes._mcif_asking import FORM
from triptych.construction.text_checks.talks import spoken
from triptych.construction.text_checks.translation import parallel
from triptych.construction.text_checks.wording import text_fault, translation_fault
from triptych.portal.annotation.rules import check
from triptych.portal.demo import annotation
from triptych.portal.project import Portal
from triptych.portal.site.languages import words
from triptych.portal.site.media_access import media_of
from triptych.portal.store.tables import leases, submissions, tasks
from triptych.portal.work.claims import claim, renew
from triptych.portal.work.queues import NewTask, put_queue, put_tasks, queue_of

GENERAL = ("Who are the authors?", "Where do they work?", "When was it held?")
LABELS = [
    ("General", "AV"),
    ("General", "AV"),
    ("General", "V"),
    ("Abstract", "AV"),
    ("Abstract", "AV"),
    ("Abstract", "NA"),
    ("Transcript", "AV"),
    ("Transcript", "A"),
    ("Transcript", "A"),
    ("Transcript", "V"),
]
TALK = {
    "id": "t1",
    "shown": "d",
    "stage": "write-questions",
    "form": FORM,
    "guide": "Watch the talk.",
    "shows": {"title": "Swifts", "audio": "aa/a.wav", "video": "bb/b.mp4", "seconds": 60.0, "summaries": {"en": "We."}},
    "rules": {"general_questions": GENERAL},
}
LINES = {
    "id": "t1/talk/de",
    "form": {"text": "text"},
    "helps": {"begin": 3.5},
    "shows": {
        "source": ["We count swifts.", "They nest under roofs."],
        "draft": ["Wir zählen.", "Sie nisten."],
        "language_name": "German",
        "element": "question",
    },
}
TRANSCRIPT = {
    "id": "t1/talk",
    "form": {"transcript": "text"},
    "helps": {"draft_times": [0.0, 4.2]},
    "shows": {"audio": "aa/a.wav", "draft": "We count swifts.\nThey nest."},
}


def ten() -> list[dict[str, Any]]:
    """Questions that follow the guideline."""
    made = []
    for number, (origin, type_) in enumerate(LABELS):
        question = GENERAL[number] if origin == "General" else f"What is shown as number {number}?"
        none = type_ == "NA"
        time = ("", "") if none else (f"0:{number:02}", f"0:{number + 2:02}.5")
        made.append(
            {
                "question": question,
                "answer": "" if none else f"It is {number}.",
                "type": type_,
                "origin": origin,
                "begin": time[0],
                "end": time[1],
            }
        )
    return made


def told(body: Mapping[str, Any], answers: Mapping[str, Any]) -> list[tuple[int | None, str, bool]]:
    return [(remark.at, remark.name, remark.blocks) for remark in check(body, answers).remarks]


@pytest.mark.parametrize(
    ("at", "changes", "expected"),
    [
        (3, {"type": ""}, [(3, "unknown-type"), (None, "too-few-audio"), (None, "too-few-audio-video")]),
        (3, {"question": "What is shown"}, [(3, "no-question-mark")]),
        (3, {"question": "怎样？"}, [(3, "wrong-language")]),
        (3, {"question": ""}, [(3, "no-question")]),
        (3, {"answer": " "}, [(3, "no-answer")]),
        (3, {"answer": "One. Two. Three."}, [(3, "answer-too-long")]),
        (3, {"begin": ""}, [(3, "no-time")]),
        (3, {"begin": "soon"}, [(3, "time-unreadable")]),
        (3, {"end": "1:01"}, [(3, "time-outside")]),
        (3, {"begin": "0:30", "end": "0:20"}, [(3, "time-outside")]),
        (5, {"answer": "Forty."}, [(5, "answer-to-unanswerable")]),
        (5, {"answer": "Not answerable."}, []),
        (4, {"question": "what is shown, as number 3?"}, [(4, "repeated-question")]),
        (0, {"question": "Who wrote it?"}, [(None, "general-question-missing"), (0, "not-a-general-question")]),
        (9, {"type": "AV"}, [(None, "too-few-video")]),
    ],
)
def test_each_broken_rule_is_told_at_its_question(at: int, changes: dict[str, Any], expected: list[Any]) -> None:
    made = ten()
    made[at] |= changes
    assert [(where, name) for where, name, _ in told(TALK, {"questions": made})] == expected


def test_the_fault_of_a_talk_without_pictures() -> None:
    body = {**TALK, "shows": {**TALK["shows"], "video": None}}  # type: ignore[dict-item]
    assert (2, "no-video", True) in told(body, {"questions": ten()})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wir zählen Segler.\nSie nisten unter Dächern.", []),
        ("Wir zählen Segler.", [(None, "line-count", True)]),
        ("Wir zählen Segler.\n ", [(1, "empty-line", True)]),
        ("a\nb\nc", [(None, "line-count", True)]),
        ("We count swifts.\nThey nest under roofs.", [(None, "left-in-english", True)]),
    ],
)
def test_a_translation_has_a_line_for_each_line_of_its_source(text: str, expected: list[Any]) -> None:
    assert told(LINES, {"text": text}) == expected


def test_a_long_line_that_is_still_english_is_named() -> None:
    source = ["This line has more than six words here.", "Short."]
    body = {**LINES, "shows": {"source": source, "draft": None}}
    assert told(body, {"text": f"{source[0]}\nKurz."}) == [(0, "line-left-in-english", True)]
    source[0] = "Anna Keller, Thomas Wood, Mary Jones and Li Wei"  # names may stay
    assert told(body, {"text": f"{source[0]}\nKurz."}) == [(0, "line-left-in-english", False)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Wir zählen.", (0, "translation-too-short", True)),
        ("Hier ist <b>ein Text</b>, der so lang ist wie seine Quelle und länger.", (0, "markup", True)),
        ("Translation: Wir zählen jeden Abend alle Segler über dem Dorf.", (0, "not-the-text-alone", True)),
        ("我们每天晚上都数村子上空的雨燕，一只也不漏，从春天数到秋天。", (None, "wrong-language", True)),
    ],
)
def test_a_line_that_the_build_could_not_use_is_named_before_it_is_sent(line: str, expected: Any) -> None:
    source = ["We count all swifts above the village every evening, from spring to autumn.", "Short."]
    body = {**LINES, "shows": {**LINES["shows"], "source": source, "language": "de"}}
    other = "短。" if expected[1] == "wrong-language" else "Kurz."
    assert expected in told(body, {"text": f"{line}\n{other}"})
    # others are still to be written
    assert (expected in told(body, {"text": f"{line}\n"})) == (expected[0] is not None)
    good = "Wir zählen jeden Abend alle Segler über dem Dorf, vom Frühling bis zum Herbst."
    assert told(body, {"text": f"{good}\nKurz."}) == []


def test_a_transcript_has_words_and_no_fillers() -> None:
    assert told(TRANSCRIPT, {"transcript": "We count.\nThey nest."}) == []
    assert told(TRANSCRIPT, {"transcript": "We, uh, count.\nThe colour."}) == [
        (0, "fillers-left", True),
        (1, "british-spelling", False),
    ]
    assert told(TRANSCRIPT, {"transcript": " \n"}) == [(None, "no-transcript", True)]


def test_each_remark_and_counter_has_a_text() -> None:
    from triptych.construction.stages.annotation import DISTRIBUTION

    assert {f"annotate-count-{name}" for name in DISTRIBUTION} <= words().keys()
    reasons = {"unknown-type", "unknown-origin", "no-video", "no-time", "time-outside", "fillers-left", "form-fault"}
    code = "".join(map(getsource, (text_fault, translation_fault, parallel, spoken)))
    reasons |= set(re.findall(r'(?:return |\()"([a-z]{3}[a-z-]*)", ', code))
    assert {"translation-too-short", "markup", "wrong-language", "lines-shifted", "speaker-labels"} <= reasons
    assert {f"annotate-fault-{name}" for name in reasons} <= words().keys()


ID = "annotation-000001"


@pytest.fixture
def annotator(small: Portal) -> Visitor:
    """An annotator, and a queue with a talk to ask about and a translation."""
    with small.database.writing() as connection:
        queue = put_queue(connection, "mcif", "annotation", {}, None)
        put_tasks(connection, queue, [NewTask("t1", "d", TALK), NewTask("t1/talk/de", "d", LINES)])
    return visitor(small, "annotator")


def task_of(who: Visitor) -> int:
    page = who.client.get("/annotate/mcif").text
    state = json.loads(page.partition('id="state">')[2].partition("</script>")[0])
    return int(state["task"])


def put(who: Visitor, task: int, answers: Mapping[str, Any], id: str = ID, **more: Any) -> Any:
    headers = {"x-form-token": who.token}
    return who.client.put(f"/annotate/mcif/{task}/{id}", json={"answers": answers, **more}, headers=headers)


def test_answers_are_checked_sent_once_and_the_next_task_comes(small: Portal, annotator: Visitor) -> None:
    task = task_of(annotator)
    assert task_of(annotator) == task  # the same one, until it is done
    headers = {"x-form-token": annotator.token, "accept-language": "zh"}
    path = f"/annotate/mcif/{task}/check"
    answer = annotator.client.post(path, json={"answers": {"questions": ten()[:9]}}, headers=headers)
    found = answer.json()
    assert answer.status_code == 200 and found["yours"] and not found["passes"]
    assert found["counters"][0] == {"name": "问题总数", "count": 9, "wanted": 10}
    assert found["remarks"][0]["message"].startswith("问题数量不足")
    refused = put(annotator, task, {"questions": ten()[:9]})
    assert refused.status_code == 422 and refused.json()["remarks"]
    receipts = [put(annotator, task, {"questions": ten()}, seconds=600) for _ in range(3)]
    assert [each.status_code for each in receipts] == [201] * 3
    assert receipts[0].json() == receipts[1].json() == receipts[2].json()
    assert put(annotator, task, {"questions": ten()[::-1]}).status_code == 409  # the id is that of other answers
    with small.database.reading() as connection:
        rows = connection.execute(select(submissions.c.answers, submissions.c.seconds, submissions.c.state)).all()
    assert [(row.answers, row.seconds, row.state) for row in rows] == [({"questions": ten()}, 600, "accepted")]
    following = task_of(annotator)
    assert following != task
    assert put(annotator, following, {"text": "Eins.\nZwei."}, "annotation-000002").status_code == 201
    assert "There is no task" in annotator.client.get("/annotate/mcif").text


def test_wrong_requests_are_refused(annotator: Visitor) -> None:
    task = task_of(annotator)
    assert put(annotator, task, {"others": 1}).status_code == 400
    assert put(annotator, task, [], "x" * 20).status_code == 400  # type: ignore[arg-type]
    assert put(annotator, 99, {}).status_code == 404
    assert put(annotator, task, {"questions": ten()}, "short").status_code == 400
    assert annotator.client.get("/annotate/none").status_code == 404
    headers = {"x-form-token": annotator.token}
    assert annotator.client.post("/annotate/mcif/99/check", json={"answers": {}}, headers=headers).status_code == 404


def test_two_annotators_never_have_the_same_task(small: Portal, annotator: Visitor) -> None:
    other = visitor(small, "annotator")
    assert task_of(annotator) != task_of(other)
    refused = put(other, task_of(annotator), {"questions": ten()})
    assert refused.status_code == 409


def test_a_task_stays_reserved_while_somebody_works_on_it(small: Portal, annotator: Visitor) -> None:
    task = task_of(annotator)
    with small.database.writing() as connection:
        queue = put_queue(connection, "mcif", "annotation", {}, None)
        connection.execute(update(leases).values(expires_at=1))
    assert renew(small.database, queue, task, annotator.id, "1")  # nobody came meanwhile
    with small.database.writing() as connection:
        connection.execute(update(leases).values(expires_at=1))
    other = visitor(small, "annotator")
    found = claim(small.database, queue, other.id, "1")
    assert found and found.id == task and not renew(small.database, queue, task, annotator.id, "1")
    headers = {"x-form-token": annotator.token}
    answer = annotator.client.post(f"/annotate/mcif/{task}/check", json={"answers": {"questions": []}}, headers=headers)
    assert answer.json()["yours"] is False


def test_a_task_for_two_people_is_done_by_two(small: Portal) -> None:
    with small.database.writing() as connection:
        queue = put_queue(connection, "mcif", "annotation", {}, None)
        put_tasks(connection, queue, [NewTask("t1/talk/de", "d", LINES, wanted=2)])
    one, two, three = (visitor(small, "annotator") for _ in range(3))
    for number, who in enumerate((one, two)):
        assert put(who, task_of(who), {"text": "Eins.\nZwei."}, f"{ID}{number}").status_code == 201
        assert "There is no task" in who.client.get("/annotate/mcif").text
    assert "There is no task" in three.client.get("/annotate/mcif").text


def test_an_annotation_is_sent_back_with_a_reason_and_done_again(small: Portal, annotator: Visitor) -> None:
    task = task_of(annotator)
    put(annotator, task, {"questions": ten()})
    admin = visitor(small, "admin")
    page = admin.client.get("/annotations/mcif").text
    assert "Who are the authors?" in page and "heard and seen (AV)" in page
    form = {"token": admin.token, "id": ID, "state": "again"}
    assert admin.client.post("/annotations/mcif", data=form).status_code == 400  # a reason is needed
    assert admin.client.post("/annotations/mcif", data={**form, "reason": "Too <vague>"}).status_code == 303
    assert "Too &lt;vague&gt;" in admin.client.get("/annotations/mcif?state=again").text
    page = annotator.client.get("/annotate/mcif").text
    assert task_of(annotator) == task and "Too &lt;vague&gt;" in page
    assert put(annotator, task, {"questions": ten()}, "annotation-000009").status_code == 201
    form = {"token": admin.token, "id": ID, "state": "accepted"}
    assert admin.client.post("/annotations/mcif", data=form).status_code == 409
    with small.database.reading() as connection:
        live = select(func.count()).select_from(submissions).where(submissions.c.state == "accepted")
        assert connection.execute(live).scalar() == 1


def test_texts_of_a_task_are_never_read_as_html(small: Portal, enter: Callable[..., Visitor]) -> None:
    nasty = "</script><script>alert(1)</script><b>"
    body = {**LINES, "shows": {"source": [nasty], "draft": [nasty], "language_name": nasty}, "guide": nasty}
    with small.database.writing() as connection:
        queue = put_queue(connection, "mcif", "annotation", {}, None)
        put_tasks(connection, queue, [NewTask(nasty, "d", body)])
    page = enter("annotator").client.get("/annotate/mcif").text
    assert "<script>alert" not in page and "</script><b>" not in page


def test_a_talk_stays_closed_until_the_questions_from_its_abstract_are_written(portal: Portal) -> None:
    annotation.fill(portal, visitor(portal, "annotator").id)
    with portal.database.writing() as connection:
        queue = queue_of(connection, "talks-questions")
        assert queue
        for row in connection.execute(select(tasks.c.id, tasks.c.body).where(tasks.c.queue_id == queue.id)).all():
            helped = {**row.body, "helps": {**row.body.get("helps", {}), "abstract_first": True}}
            connection.execute(update(tasks).where(tasks.c.id == row.id).values(body=helped))
    who, boss, reviewer = (visitor(portal, role) for role in ("annotator", "admin", "reviewer"))
    page = who.client.get("/annotate/talks-questions").text
    found = re.search(r'"task": (\d+)', page)
    assert found and "/shown/" not in page and "before you see the talk" in page
    task = int(found[1])
    with portal.database.reading() as connection:
        body = connection.execute(select(tasks.c.body).where(tasks.c.id == task)).scalar_one()
    wanted = body["rules"]["distribution"]["abstract"]
    media = [each.source for each in media_of(task, body)]
    assert media and wanted

    def seen(visitor: Visitor) -> set[int]:
        return {visitor.client.get(each).status_code for each in (*media, *(f"{each}/wave" for each in media[:1]))}

    def opens(number: int) -> int:
        one = {"question": "How many models?", "answer": "", "type": "", "origin": "Abstract", "begin": "", "end": ""}
        body = {"answers": {"questions": [one] * number}}
        headers = {"x-form-token": who.token, "accept": "application/json"}
        return int(who.client.post(f"/annotate/talks-questions/{task}/open", json=body, headers=headers).status_code)

    assert seen(who) == seen(reviewer) == {404} and 404 not in seen(boss)
    assert opens(wanted - 1) == 409 and seen(who) == {404}
    assert opens(wanted) == 200 and opens(wanted) == 200  # once is enough, whatever is written afterwards
    assert 404 not in seen(who) and 404 in seen(visitor(portal, "annotator"))
    assert media[0] in who.client.get("/annotate/talks-questions").text
    assert boss.client.get("/audit").text.count("opened the talk") == 1
