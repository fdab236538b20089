"""Two annotators and a verifier; a native speaker's pass; faults that reopen the source of a translation."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import select, update

from tests.portal.conftest import Visitor, visitor
from triptych.construction.people.stage import Task
from triptych.portal.annotation import verifying
from triptych.portal.exchange.ends import Batch
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.push import _settings_of
from triptych.portal.project import Portal
from triptych.portal.review.rules import Settings
from triptych.portal.store.tables import leases, people
from triptych.portal.work.claims import LEASE_MS
from triptych.portal.work.withdrawing import withdraw

SOURCE = ["We count swifts in the old town.", "They nest under the roofs of churches."]
PLAIN = {"decided": False, "run": "", "verified": False, "native": False}
ONE, OTHER = "Wir zählen Segler.\nSie nisten unter Dächern.", "Wir zählen Mauersegler.\nSie nisten unter Dächern."


def put(portal: Portal, number: int = 1, slots: int = 2, native: bool = False) -> None:
    shows = {"source": SOURCE, "draft": None, "language_name": "German", "element": "talk"}
    form = {"text": "text"}
    tasks = [Task(f"talk{n}/talk/de", "d", "post-edit", form, shows, "Translate.", slots) for n in range(number)]
    settings = Settings(tuple(str(n + 1) for n in range(slots)), verified=True, native=native)
    values = {name: getattr(settings, name) for name in settings.__struct_fields__}
    Local(portal).put_tasks("post-edit", Batch("annotation", values, tasks))


def task_on(who: Visitor, path: str = "/annotate/post-edit") -> int | None:
    found = re.search(r'"task": (\d+)', who.client.get(path).text)
    return int(found[1]) if found else None


def sent(who: Visitor, task: int, text: str, base: str = "/annotate", id: str = "") -> int:
    headers = {"x-form-token": who.token, "accept": "application/json"}
    name = id or f"sent-{who.id}-{task:04}"
    address = f"{base}/post-edit/{task}/{name}"
    return who.client.put(address, json={"answers": {"text": text}, "seconds": 60}, headers=headers).status_code


def results(portal: Portal) -> list[str]:
    return [each.result.values["text"] for each in Local(portal).results("post-edit")[1] if each.chosen]


def annotated(portal: Portal, *texts: str) -> list[Visitor]:
    who = [visitor(portal, "annotator") for _ in texts]
    for each, text in zip(who, texts, strict=True):
        task = task_on(each)
        assert task is not None and sent(each, task, text) == 201
    return who


def test_two_annotators_and_a_verifier_make_one_result(portal: Portal) -> None:
    put(portal)
    verifier, late = visitor(portal, "reviewer"), visitor(portal, "reviewer", "annotator")
    assert task_on(verifier, "/verify/post-edit") is None
    first, second = annotated(portal, ONE, OTHER)
    assert results(portal) == []  # nothing before the verifier has decided
    page = verifier.client.get("/verify/post-edit").text
    assert "Mauersegler" in page and "Annotator 2" in page and '"base": "/verify"' in page
    assert "hlen Mauersegler." in verifier.client.get("/verify/post-edit?from=2").text.partition('"answers"')[2]
    assert task_on(late, "/verify/post-edit") is None and task_on(late) is None  # the first one is at it
    assert sent(late, 1, ONE, "/verify") == 409
    check = {"x-form-token": verifier.token, "accept": "application/json"}
    answer = verifier.client.post("/verify/post-edit/1/check", json={"answers": {"text": "x"}}, headers=check)
    assert answer.status_code == 200 and not answer.json()["passes"]
    assert sent(verifier, 1, "only one line", "/verify") == 422
    decision = OTHER.replace("Dächern", "Kirchendächern")
    assert sent(verifier, 1, decision, "/verify", "a-verifiers-decision") == 201
    assert sent(verifier, 1, decision, "/verify", "a-verifiers-decision") == 201  # after a receipt that was lost
    assert results(portal) == [decision]
    assert len([each for each in Local(portal).results("post-edit")[1] if not each.chosen]) == 2
    withdraw(portal.database, portal.blobs, verifier.id, verifier.id)
    assert results(portal) == [] and task_on(late, "/verify/post-edit") == 1
    assert first.id != second.id


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "This can't be done: this task is not yours to verify."),
        ("zh-CN", "无法完成：该任务不由您核对。"),
    ],
)
def test_a_refusal_and_its_reason_are_in_one_language(portal: Portal, language: str, message: str) -> None:
    put(portal)
    annotated(portal, ONE, OTHER)
    first, late = visitor(portal, "reviewer"), visitor(portal, "reviewer")
    assert task_on(first, "/verify/post-edit") == 1
    headers = {"x-form-token": late.token, "accept": "application/json", "accept-language": language}
    work = {"answers": {"text": ONE}, "seconds": 60}
    answer = late.client.put("/verify/post-edit/1/a-late-decision-01", json=work, headers=headers)
    assert (answer.status_code, answer.json()["message"]) == (409, message)


def yours(who: Visitor, task: int) -> bool:
    headers = {"x-form-token": who.token, "accept": "application/json"}
    answer = who.client.post(f"/verify/post-edit/{task}/check", json={"answers": {"text": ONE}}, headers=headers)
    assert answer.status_code == 200
    return bool(answer.json()["yours"])


def test_a_verifiers_page_keeps_the_task_and_says_when_it_is_somebody_elses(portal: Portal) -> None:
    put(portal)
    annotated(portal, ONE, OTHER)
    one, other = visitor(portal, "reviewer"), visitor(portal, "reviewer", "annotator")
    assert task_on(one, "/verify/post-edit") == 1
    assert yours(one, 1) and not yours(other, 1)
    with portal.database.writing() as connection:  # nearly two hours later
        connection.execute(update(leases).values(expires_at=leases.c.expires_at - LEASE_MS + 60_000))
        before = connection.execute(select(leases.c.expires_at)).scalar_one()
    assert yours(one, 1)
    with portal.database.writing() as connection:
        assert connection.execute(select(leases.c.expires_at)).scalar_one() > before
        connection.execute(update(leases).values(expires_at=1))
    assert task_on(other, "/verify/post-edit") == 1 and yours(other, 1) and not yours(one, 1)
    assert sent(other, 1, ONE, "/verify", "a-verifiers-decision") == 201 and not yours(other, 1)


@pytest.mark.parametrize("version", ["00012", "99999", "²", "-1", "3", "x"])
def test_another_version_than_there_is_shows_the_first(small: Portal, version: str) -> None:
    put(small)
    annotated(small, ONE, OTHER)
    page = visitor(small, "reviewer").client.get("/verify/post-edit", params={"from": version})
    assert page.status_code == 200 and "hlen Segler." in page.text.partition('"answers"')[2]


def test_a_decision_looks_at_its_task_alone(small: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    put(small, 3, slots=1)
    annotated(small, ONE)
    asked: list[int | None] = []
    own = verifying.tasks_to_verify
    monkeypatch.setattr(verifying, "tasks_to_verify", lambda *given: [asked.append(given[3:]), own(*given)][1])
    who = visitor(small, "reviewer")
    assert task_on(who, "/verify/post-edit") == 1 and sent(who, 1, ONE, "/verify", "a-verifiers-decision") == 201
    assert asked == [(), (1,), (1,)]


def test_nobody_verifies_their_own_or_sees_others_before(portal: Portal) -> None:
    put(portal)
    both = visitor(portal, "annotator", "reviewer")
    other = visitor(portal, "annotator", "reviewer")
    task = task_on(both)
    assert task and sent(both, task, ONE) == 201
    assert "Segler" not in other.client.get("/annotations/post-edit").text
    assert "Segler" in visitor(portal, "admin").client.get("/annotations/post-edit").text
    task = task_on(other)
    assert task and sent(other, task, OTHER) == 201
    assert task_on(both, "/verify/post-edit") is None and sent(both, task, ONE, "/verify", "not-a-verifier-0001") == 409
    assert task_on(visitor(portal, "admin"), "/verify/post-edit") == task


def test_a_native_speaker_passes_each_text(portal: Portal) -> None:
    put(portal, slots=1, native=True)
    annotated(portal, ONE)
    chinese, german = visitor(portal, "reviewer"), visitor(portal, "reviewer")
    with portal.database.writing() as connection:
        connection.execute(update(people).where(people.c.id == german.id).values(native_language="Deutsch"))
    assert task_on(chinese, "/verify/post-edit") is None and task_on(german, "/verify/post-edit") == 1
    assert "in other languages" in chinese.client.get("/verify/post-edit").text
    assert sent(german, 1, ONE, "/verify", "a-native-speaker-01") == 201 and results(portal) == [ONE]


def test_a_task_that_is_verified_is_not_annotated_by_the_same_person(portal: Portal) -> None:
    put(portal, 2, slots=1)
    annotated(portal, ONE)
    both = visitor(portal, "annotator", "reviewer")
    assert task_on(both, "/verify/post-edit") == 1 and task_on(both) == 2 and task_on(both, "/verify/post-edit") == 1


def asked(**more: Any) -> dict[str, Any] | None:
    task = Task("talk/talk/de", "d", "post-edit", {"text": "text"}, {"source": SOURCE}, "Translate.")
    wanted = {"kind": "annotation", "reviewers": 0, "verify": False, "native": False, **more}
    return _settings_of(tasks=[task], **wanted)


def test_what_is_pushed_says_who_verifies() -> None:
    assert asked() == {}
    assert asked(verify=True) == {**PLAIN, "slots": ("1",), "verified": True}
    assert asked(reviewers=2) == {**PLAIN, "slots": ("1", "2"), "verified": True}
    assert asked(native=True) == {**PLAIN, "slots": ("1",), "verified": True, "native": True}
    assert asked(kind="review", reviewers=2) == {**PLAIN, "slots": ("1", "2"), "decided": True}
