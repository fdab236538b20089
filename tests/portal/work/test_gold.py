"""Tasks with known answers: hidden among others, or as practice before them; and changing one's last answer."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import func, select
from typer.testing import CliRunner

from tests.portal.conftest import Visitor, visitor
from tests.portal.recording.test_recording import RATE, SHOWS, sound
from tests.portal.recording.test_recording import send as send_recording
from tests.portal.review.test_review import offered, put, results, send
from triptych.cli.portal import app
from triptych.construction.people.stage import Task
from triptych.errors import DataError
from triptych.media.sound.coding import encode_wav
from triptych.portal.checking import check_next
from triptych.portal.dashboard.figures import rows_by_day
from triptych.portal.exchange.ends import Batch
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.push import review_settings
from triptych.portal.people.hours import hours_of
from triptych.portal.people.progress import progress_of
from triptych.portal.project import Portal
from triptych.portal.store.tables import tasks
from triptych.portal.work import gold
from triptych.portal.work.claims import claim
from triptych.portal.work.gold import KnownTask, Rule, is_right, put_known, standing_of
from triptych.portal.work.queues import NewTask, progress, put_queue, put_tasks, queue_of
from triptych.portal.work.withdrawing import withdraw

BOXES = {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}
RIGHT = {"verdict": "reject", "criterion": ["harmful"]}


def record_queue(portal: Portal, clips: int) -> None:
    with portal.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {}, None)
        put_tasks(connection, queue, [NewTask(f"0/{n}", "d", {"shows": SHOWS}, "0", n, 2) for n in range(clips)])


def upload(who: Visitor, task: int, number: int, level: float = 0.2) -> str:
    """Send a take, and return the id of the submission."""
    assert send_recording(who, encode_wav(sound(level=level), RATE), number, task=task).status_code == 201
    return f"recording-{number:08}"


def known(portal: Portal, purpose: Any, keys: list[str], queue: str = "review", **values: list[Any]) -> None:
    with portal.database.writing() as connection:
        found = queue_of(connection, queue)
        assert found
        wanted = values or ({"verdict": ["reject"]} if queue == "review" else {})
        put_known(
            connection, found.id, purpose, [KnownTask(key, wanted, {"en": "It is harmful."}) for key in keys], None
        )


def ruled(portal: Portal, **rule: Any) -> Portal:
    return replace(portal, settings=msgspec.structs.replace(portal.settings, gold={"review": Rule(**rule)}))


def purpose_of(portal: Portal, task: int) -> str:
    with portal.database.reading() as connection:
        return str(connection.execute(select(tasks.c.purpose).where(tasks.c.id == task)).scalar_one())


def review(who: Visitor, portal: Portal, gold: dict[str, Any], number: int = 100) -> list[str]:
    """Review what is offered, gold tasks with the given values and others with an approval; returns the purposes."""
    seen = []
    while len(seen) < number and (task := offered(who)) is not None:
        seen.append(purpose_of(portal, task))
        given = gold if seen[-1] else {"verdict": "approve"}
        assert send(who, task, given, id=f"sent-{who.id[:8]}-{len(seen):06}-{task:04}").status_code == 201
    return seen


def standing(portal: Portal, person: str) -> Any:
    with portal.database.reading() as connection:
        queue = queue_of(connection, "review")
        assert queue
        return standing_of(connection, queue.id, person)


def test_gold_tasks_come_between_others_and_never_leave_the_portal(portal: Portal) -> None:
    put(portal, 30)
    known(portal, "gold", [f"talk/{n}" for n in range(20, 25)])
    portal = ruled(portal, every=5, after=100)
    who = visitor(portal, "reviewer")
    seen = review(who, portal, RIGHT)
    golds = [place for place, purpose in enumerate(seen) if purpose == "gold"]
    number = 30 - len(golds)  # whoever has seen a task as gold doesn't get it as another one, nor the other way round
    assert 4 <= len(golds) <= 5 and seen.count("") == number
    usual = [place - number for number, place in enumerate(golds)]
    assert all(5 * n <= place < 5 * (n + 1) for n, place in enumerate(usual))
    assert standing(portal, who.id).right == 1.0
    assert len(results(portal)) == number
    with portal.database.reading() as connection:
        queue = queue_of(connection, "review")
        assert queue
        counts = progress(connection, queue)
        assert (counts["wanted"], counts["done"], counts["received"]) == (30, number, 0)
        [hours] = hours_of(connection)
        assert (hours.submitted, hours.accepted, hours.seconds) == (30, number, 30 * 7)  # the time is paid
        assert progress_of(connection, who.id).all == number
        assert [(row[3], row[4]) for row in rows_by_day(connection)] == [(30, number)]
    boss = visitor(portal, "admin")
    assert "gold" not in boss.client.get("/reviews/review/ratings.csv").text
    other = visitor(portal, "reviewer")
    assert 1 <= review(other, portal, RIGHT).count("") <= 30 - number  # of those that the first one has left


def test_a_gold_task_looks_like_any_other(portal: Portal) -> None:
    put(portal, 3)
    who = visitor(portal, "reviewer")
    plain = who.client.get("/review/review").text
    known(portal, "gold", ["talk/0"])
    portal = ruled(portal, every=1)
    other = visitor(portal, "reviewer")
    task = offered(other)
    assert task is not None and purpose_of(portal, task) == "gold"
    page = other.client.get("/review/review").text
    assert "gold" not in page.lower() and "practice" not in page.lower() and "harmful." not in page
    assert without_names(page, other, task) == without_names(plain, who, 1)
    skip = {"token": other.token, "queue": "review", "task": str(task), "kind": "skip", "text": "I know the speaker."}
    assert other.client.post("/remark", data={**skip, "job": "/review"}).status_code == 303
    assert offered(other) not in (task, None)


def test_a_gold_take_looks_like_any_other(portal: Portal) -> None:
    record_queue(portal, 3)
    who = visitor(portal, "recorder")
    plain = who.client.get("/record/record").text
    known(portal, "gold", ["0/0"], "record")
    rule = {"record": Rule(every=1)}
    portal = replace(portal, settings=msgspec.structs.replace(portal.settings, gold=rule))
    other = visitor(portal, "recorder", gender="man")
    task = offered(other, "/record/record")
    assert task is not None and purpose_of(portal, task) == "gold"
    page = other.client.get("/record/record").text
    assert "gold" not in page and without_names(page, other, task) == without_names(plain, who, 1)


def without_names(page: str, who: Visitor, task: int) -> str:
    """A page without the names that differ by person and task."""
    for name in (who.token, who.id, who.session.person.pseudonym):
        page = page.replace(name, "NAME")
    return re.sub(rf'(data-task="|name="task" value="|/| · ){task}(?=["/])', r"\1TASK", page)


@pytest.mark.parametrize("then", ["tell", "pause", "reject"])
def test_the_rule_applies_below_the_limit(portal: Portal, then: str) -> None:
    put(portal, 30)
    known(portal, "gold", ["talk/28", "talk/29"])
    portal = ruled(portal, every=3, after=2, least=0.6, then=then)
    bad, good = visitor(portal, "reviewer"), visitor(portal, "reviewer")
    seen = review(bad, portal, {"verdict": "approve"})
    page = bad.client.get("/review/review").text
    assert ("too many of your answers" in page) == (then != "tell")
    found = standing(portal, bad.id)
    assert (found.judged, found.right, found.barred) == (2, 0.0, then != "tell")
    done = seen.count("")
    assert len(results(portal)) == {"tell": done, "pause": done, "reject": 0}[then]
    review(good, portal, RIGHT)
    assert 28 <= len(results(portal)) <= 30  # the two gold tasks are not asked again
    if then != "tell":
        boss = visitor(portal, "admin")
        assert "gets no more tasks" in boss.client.get(f"/person/{bad.id}").text
        sent = {"token": boss.token, "act": "let-in", "queue": "review"}
        assert boss.client.post(f"/person/{bad.id}", data=sent).status_code == 303
        assert standing(portal, bad.id).barred is False and standing(portal, bad.id).judged == 0


def test_results_are_rejected_before_an_export_even_if_the_person_never_comes_back(portal: Portal) -> None:
    put(portal, 12)
    known(portal, "gold", ["talk/10", "talk/11"])
    portal = ruled(portal, every=2, after=2, then="reject")
    bad = visitor(portal, "reviewer")
    number = 0
    while standing(portal, bad.id).judged < 2:
        number += 1
        task = offered(bad)
        assert task is not None
        send(bad, task, {"verdict": "approve"}, id=f"never-comes-back-{number:04}")
    assert results(portal) == []


def test_the_rule_is_applied_to_one_person_at_a_time(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    put(portal, 12)
    known(portal, "gold", ["talk/10", "talk/11"])
    portal = ruled(portal, every=2, after=2, then="tell")
    for _ in range(2):
        review(visitor(portal, "reviewer"), portal, {"verdict": "approve"}, 5)
    used: list[Any] = []
    monkeypatch.setattr(gold, "apply_rule", lambda connection, *_: used.append(connection))
    results(portal)
    assert len(used) == 2 and used[0] is not used[1]  # two processes that export never wait for each other


def test_practice_comes_first_with_feedback_and_again_while_it_is_wrong(portal: Portal) -> None:
    put(portal, 4)
    known(portal, "practice", ["talk/3"])
    who = visitor(portal, "reviewer")
    first = offered(who)
    assert first is not None and "This is practice" in who.client.get("/review/review").text
    assert send(who, first, {"verdict": "approve"}, id="practice-try-0001").status_code == 201
    page = who.client.get("/review/review").text
    assert offered(who) == first and "Not correct yet" in page and "It is harmful." in page and "You said:" in page
    assert send(who, first, RIGHT, id="practice-try-0002").status_code == 201
    page = who.client.get("/review/review").text
    assert offered(who) != first and "Correct." in page and "This is practice" not in page
    assert review(who, portal, RIGHT) == [""] * 3  # the task of the practice is not asked again
    assert "Correct." not in who.client.get("/review/review").text and len(results(portal)) == 3


def test_practice_ends_after_three_wrong_tries(portal: Portal) -> None:
    put(portal, 2)
    known(portal, "practice", ["talk/1"])
    who = visitor(portal, "reviewer")
    assert review(who, portal, {"verdict": "approve"}, 3) == ["practice"] * 3
    assert "the work begins now" in who.client.get("/review/review").text
    assert review(who, portal, RIGHT) == [""]


def test_practice_and_gold_of_recordings_are_judged_by_the_check(portal: Portal) -> None:
    record_queue(portal, 4)
    known(portal, "practice", ["0/0"], "record")
    who = visitor(portal, "recorder")
    task = offered(who, "/record/record")
    assert task is not None
    upload(who, task, 1, level=0.0)
    waits = who.client.get("/record/record").text
    assert "is being checked" in waits and 'data-waits="yes"' in waits and offered(who, "/record/record") is None
    while check_next(portal):
        pass
    page = who.client.get("/record/record").text
    assert offered(who, "/record/record") == task and "almost nothing is heard" in page and "Not correct yet" in page
    upload(who, task, 2)
    while check_next(portal):
        pass
    assert "Correct." in who.client.get("/record/record").text and offered(who, "/record/record") not in (task, None)
    assert list(Local(portal).results("record")[1]) == []


@pytest.mark.parametrize(
    ("kind", "wanted", "given", "right"),
    [
        (["a", "b"], "a", "a", True),
        (["a", "b"], "a", "b", False),
        (["a"], "a", None, False),
        ({"type": "integer", "minimum": 1, "maximum": 5}, "4", 4, True),
        ({"type": "integer", "minimum": 1, "maximum": 5}, "4", 3, False),
        ({"type": "array", "items": {"enum": ["x", "y"]}}, ["x", "y"], ["y", "x"], True),
        ({"type": "array", "items": {"enum": ["x", "y"]}}, "x", ["x", "y"], False),
        ("number", "0.5", 0.50, True),
        ("text", "床前明月光，", "床前明月光", True),
        ("text", "床前明月光", "疑是地上霜", False),
        ("text", "Ｈｅｌｌｏ", "hello!", True),
        ("list", ["a b", "c"], ["A b", "c."], True),
        ("spans", "1.00-3.00", "1.10-3.00", True),
        ("spans", "1.00-3.00", "2.90-5.00", False),
        ("spans", "1:20-1:30", "1.10-3.00", False),
        ("spans", "1 - 3", "1.10-3.00", True),
        (BOXES, [[0, 0, 10, 10]], [[0, 1, 10, 10]], True),
        (BOXES, "[[0, 0, 10, 10]]", [[0, 1, 10, 10]], True),
        (BOXES, "[[0, 0, 10, 10]]", [[50, 50, 10, 10]], False),
        (BOXES, "0, 0, 10, 10", [[0, 1, 10, 10]], False),
    ],
)
def test_values_are_compared_by_the_kind_of_their_field(kind: Any, wanted: Any, given: Any, right: bool) -> None:
    assert is_right(kind, wanted, given) is right


def test_the_command_reads_a_table(small: Portal, tmp_path: Path) -> None:
    put(small, 3)
    table = tmp_path / "gold.csv"
    rows = "id,verdict,criterion,why,why_zh\ntalk/1,reject || edit,harmful | illogical,Not allowed.,有害\n"
    table.write_text(f"\ufeff{rows}", encoding="utf-8")
    ran = CliRunner().invoke(app, ["gold", "review", str(table), "--project", str(small.path), "--practice"])
    assert ran.exit_code == 0, ran.output
    with small.database.reading() as connection:
        row = connection.execute(select(tasks).where(tasks.c.purpose == "practice")).one()
    assert row.expected == {
        "values": {"verdict": ["reject", "edit"], "criterion": [["harmful", "illogical"]]},
        "why": {"en": "Not allowed.", "zh": "有害"},
    }
    table.write_text("id,verdict\ntalk/2,reject\n")
    assert (
        CliRunner().invoke(app, ["gold", "review", str(table), "--project", str(small.path), "--practice"]).exit_code
        == 0
    )
    with small.database.reading() as connection:
        open_ = connection.execute(select(tasks.c.key).where(tasks.c.purpose != "", tasks.c.closed_at.is_(None)))
        assert open_.scalars().all() == ["practice/talk/2"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("verdict\nreject\n", "heading"),
        ("id,verdict\n", "no rows"),
        ("id,verdict\ntalk/9,reject\n", "no such task"),
        ("id,verdict\ntalk/1,refuse\n", "not a choice"),
        ("id,verdikt\ntalk/1,reject\n", "no field"),
        ("id,verdict\ntalk/1,reject\ntalk/1,edit\n", "not a row"),
        ("id,verdict\ntalk/1,reject,more\n", "not a row"),
    ],
)
def test_a_wrong_table_changes_nothing(small: Portal, tmp_path: Path, text: str, said: str) -> None:
    put(small, 3)
    table = tmp_path / "gold.csv"
    table.write_text(text)
    ran = CliRunner().invoke(app, ["gold", "review", str(table), "--project", str(small.path)])
    assert isinstance(ran.exception, DataError) and said in str(ran.exception)
    with small.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(tasks).where(tasks.c.purpose != "")).scalar() == 0


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("1:20-1:30,", "not spans"),
        ("3.0-1.0,", "not spans"),
        (',"0, 0, 10, 10"', "not boxes"),
        (',"[[0, 0, 10]]"', "not boxes"),
        (',"[[0, 0, 10, 0]]"', "not boxes"),
        (",", "no right value"),
    ],
)
def test_spans_and_boxes_of_a_table_are_checked(small: Portal, tmp_path: Path, cells: str, said: str) -> None:
    marked(small)
    table = tmp_path / "gold.csv"
    table.write_text(f"id,when,where\nclip,{cells}\n")
    ran = CliRunner().invoke(app, ["gold", "review", str(table), "--project", str(small.path)])
    assert isinstance(ran.exception, DataError) and said in str(ran.exception) and "clip" in str(ran.exception)


def test_spans_and_boxes_of_a_table_are_compared(small: Portal, tmp_path: Path) -> None:
    marked(small)
    table = tmp_path / "gold.csv"
    table.write_text('id,when,where\nclip,1 - 3; 5-6,"[[0, 0, 10, 10]]"\n')
    ran = CliRunner().invoke(app, ["gold", "review", str(table), "--project", str(small.path), "--practice"])
    assert ran.exit_code == 0, ran.output
    who = visitor(small, "reviewer")
    task = offered(who)
    assert task is not None
    assert send(who, task, {"when": "1.1-3; 5-6", "where": "[[0, 1, 10, 10]]"}).status_code == 201
    assert "Correct." in who.client.get("/review/review").text


def marked(portal: Portal) -> None:
    """A queue of reviews that ask for spans and boxes."""
    row = {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4}
    form = {"when": "spans", "where": {"type": "array", "items": row}}
    task = Task("clip", "d", "review", form, {"question": "Where is the bird?"}, "Mark it.")
    Local(portal).put_tasks("review", Batch("review", review_settings([task], 1), [task]))


def test_a_persons_decision_on_a_gold_take_counts(portal: Portal) -> None:
    record_queue(portal, 4)
    known(portal, "gold", ["0/0"], "record")
    who, boss = visitor(portal, "recorder"), visitor(portal, "admin")
    with portal.database.reading() as connection:
        queue = queue_of(connection, "record")
    assert queue
    task = claim(portal.database, queue, who.id, "1", rule=Rule(every=1))
    assert task and task.purpose == "gold"
    id = upload(who, task.id, 1, level=0.0)
    while check_next(portal):
        pass

    def right() -> Any:
        with portal.database.reading() as connection:
            return standing_of(connection, queue.id, who.id).right

    assert right() == 0.0
    sent = {"token": boss.token, "state": "accepted", "id": id}
    assert boss.client.post("/recordings/record", data=sent).status_code == 303
    assert right() == 1.0


def test_a_push_leaves_gold_tasks_open(portal: Portal) -> None:
    put(portal, 3)
    known(portal, "gold", ["talk/1"])
    put(portal, 3)
    with portal.database.reading() as connection:
        assert connection.execute(select(tasks.c.closed_at).where(tasks.c.purpose == "gold")).scalar_one() is None


def test_a_withdrawal_forgets_how_somebody_did(portal: Portal) -> None:
    put(portal, 6)
    known(portal, "gold", ["talk/4", "talk/5"])
    portal = ruled(portal, every=1, after=1, then="pause")
    who = visitor(portal, "reviewer")
    review(who, portal, {"verdict": "approve"})
    assert standing(portal, who.id).barred
    withdraw(portal.database, portal.blobs, who.id, who.id)
    assert standing(portal, who.id).judged == 0 and not standing(portal, who.id).barred
