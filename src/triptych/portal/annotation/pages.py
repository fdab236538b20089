"""Pages of annotation: the next task with its editor, checks while somebody writes, and sending."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import func, select

from triptych.errors import DataError
from triptych.portal.annotation.editors import state_of
from triptych.portal.annotation.rules import Checked, check
from triptych.portal.annotation.verifying import (
    claim_verification,
    count_unverified,
    is_verified,
    may_verify,
    renew_verification,
    versions,
)
from triptych.portal.people.finishing import finish_of
from triptych.portal.review.texts import field_name
from triptych.portal.site.around import rule_of, surrounding_values
from triptych.portal.site.languages import guide_of, say, words
from triptych.portal.site.media_access import KINDS, entries_of, label_of, media_of
from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import go, problem, show
from triptych.portal.site.titles import title_of
from triptych.portal.store.tables import DECISION, LIVE, UNCOUNTED, leases, people, submissions, tasks
from triptych.portal.work import opening
from triptych.portal.work.claims import Claim, claim_any, renew
from triptych.portal.work.listing import next_page_start, page_of
from triptych.portal.work.queues import Queue, done_by, progress, queue_of
from triptych.portal.work.submitting import Conflict, Sent, set_state, submit
from triptych.portal.work.undoing import earlier_answers
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE, reason

if TYPE_CHECKING:
    from starlette.responses import Response

KIND = "annotation"
MAX_ANSWER_BYTES = 4 << 20  # a transcript of two hours has about 120 kB
PAGE_SIZE = 50  # annotations on one page
STATES = ("accepted", "again", "rejected")
MAX_REASON_LENGTH = 300
SHOWS: dict[str, Any] = {"title": None, "summaries": None, "language_name": None, "media": {}}  # what the page may lack


class Work(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Answers as the page sends them. `seconds`: for how long somebody worked on it."""

    answers: dict[str, Any]
    seconds: int = 0


def annotate(visit: Visit) -> Response:
    """The next task."""
    queue = _queue(visit)
    if queue is None:
        return problem(visit, 404, "not-found")
    claimed_task = _claimed(visit, queue)
    with visit.portal.database.reading() as connection:
        done = done_by(connection, queue, visit.person.id)
        again = _redo_reasons(connection, claimed_task) if claimed_task and not claimed_task.purpose else []
        before = earlier_answers(connection, claimed_task.id, visit.person.id) if claimed_task else None
    values = _shown(visit, queue, claimed_task, before) | surrounding_values(visit, queue)
    values["most"] = visit.portal.settings.most.get(queue.name)
    values["finish"] = finish_of(visit, queue.name)
    return show(visit, "annotation/annotate.html", queue=queue, done=done, again=again, verifying=False, **values)


def check_answers(visit: Visit) -> Response:
    """Say what is wrong with answers so far, and keep the task reserved."""
    return _checked(visit, verifying=False)


def open_talk(visit: Visit) -> Response:
    """Open the talk of a task to somebody who has written the questions from its abstract."""
    from starlette.responses import JSONResponse

    queue, task = _queue(visit), _task(visit)
    if queue is None or task is None:
        return problem(visit, 404, "not-found")
    try:
        answers = _received(visit).answers
        check(task.body, answers)
    except DataError as error:
        return problem(visit, 400, "cannot-be-done", why=error.problem)
    written, wanted = opening.from_abstract(answers), opening.wanted_first(task.body)
    if written < wanted:
        return problem(visit, 409, "abstract-comes-first", number=wanted)
    with visit.portal.database.writing() as connection:
        if wanted:
            opening.open_talk(connection, task.id, visit.person.id, queue.name, written)
    return JSONResponse({"open": True})


def check_verification(visit: Visit) -> Response:
    """Say what is wrong with a verifier's answers so far, and keep the task reserved."""
    return _checked(visit, verifying=True)


def _checked(visit: Visit, *, verifying: bool) -> Response:
    from starlette.responses import JSONResponse

    queue, task = _queue(visit), _task(visit)
    if queue is None or task is None:
        return problem(visit, 404, "not-found")
    try:
        checked = check(task.body, _received(visit).answers)
    except DataError as error:
        return problem(visit, 400, "cannot-be-done", why=error.problem)
    if verifying:
        yours = is_verified(queue) and renew_verification(visit.portal.database, queue, task.id, visit.person)
        return JSONResponse({**_remark_texts(visit, checked), "yours": yours})
    slot = _slot_of(visit, queue)
    yours = bool(slot) and slot != DECISION and renew(visit.portal.database, queue, task.id, visit.person.id, slot)
    return JSONResponse({**_remark_texts(visit, checked), "yours": yours})


def send(visit: Visit) -> Response:
    """Take answers and return their receipt; sending them again returns the same one. Faulty answers are refused."""
    return _accept_work(visit, verifying=False)


def _accept_work(visit: Visit, *, verifying: bool) -> Response:
    from starlette.responses import JSONResponse

    queue, task = _queue(visit), _task(visit)
    if queue is None or task is None:
        return problem(visit, 404, "not-found")
    try:
        work = _received(visit)
        checked = check(task.body, work.answers)
        if not checked.passes:
            return JSONResponse(
                {**_remark_texts(visit, checked), "message": say(visit.language, "annotate-correct-first")}, 422
            )
        slot = DECISION if verifying else _slot_of(visit, queue) or "1"
        with visit.portal.database.reading() as connection:
            if verifying and not may_verify(connection, queue, task.id, visit.person, visit.part("id")):
                return problem(visit, 409, "cannot-be-done", why="this task is not yours to verify")
        sent = Sent(visit.part("id"), task.id, slot, visit.person.id, work.answers, work.seconds)
        return JSONResponse(submit(visit.portal.database, sent, checked=False), 201)
    except Conflict as error:
        return problem(visit, 409, "cannot-be-done", why=error.problem)
    except DataError as error:
        return problem(visit, 400, "cannot-be-done", why=error.problem)


def verify(visit: Visit) -> Response:
    """The next task to verify, beginning with what one annotator wrote; all versions are on the page."""
    queue = _queue(visit)
    if queue is None or not is_verified(queue):
        return problem(visit, 404, "not-found")
    claimed = claim_verification(visit.portal.database, queue, visit.person)
    start = visit.request.query_params.get("from", "1")
    with visit.portal.database.reading() as connection:
        every = versions(connection, claimed.id) if claimed else []
        left = count_unverified(connection, queue)
        done = done_by(connection, queue, visit.person.id)
    is_number = start.isascii() and start.isdecimal() and len(start) < 5
    chosen = int(start) - 1 if is_number and 0 < int(start) <= len(every) else 0
    values = _shown(visit, queue, claimed, every[chosen].answers if every else None, "/verify")
    return show(
        visit,
        "annotation/annotate.html",
        queue=queue,
        done=done,
        again=[],
        most=None,
        finish=None,
        feedback=None,
        last=None,
        last_title="",
        barred=False,
        verifying=True,
        versions=[each.answers for each in every],
        chosen=chosen,
        left=left,
        **values,
    )


def take_verification(visit: Visit) -> Response:
    """Take a verifier's decision and return its receipt; sending it again returns the same one."""
    return _accept_work(visit, verifying=True)


def listed(visit: Visit) -> Response:
    """The annotations of a queue by state, newest first."""
    queue = _queue(visit)
    if queue is None:
        return problem(visit, 404, "not-found")
    state = visit.request.query_params.get("state", "accepted")
    before = visit.request.query_params.get("before", "")
    query = select(
        submissions.c.id,
        submissions.c.answers,
        submissions.c.reasons,
        submissions.c.received_at,
        submissions.c.seconds,
        tasks.c.key,
        tasks.c.body,
        people.c.pseudonym,
    ).select_from(submissions.join(tasks).join(people, people.c.id == submissions.c.person_id))
    if "admin" not in visit.person.roles:  # nobody sees an answer while somebody else is still asked for one
        query = query.where((tasks.c.filled >= tasks.c.wanted) & (tasks.c.filled != UNCOUNTED))
    with visit.portal.database.reading() as connection:
        rows = [dict(row._mapping) for row in connection.execute(page_of(query, queue, state, before, PAGE_SIZE))]
        counts = progress(connection, queue)
        left = count_unverified(connection, queue) if is_verified(queue) else 0
    return show(
        visit,
        "annotation/list.html",
        left=left,
        queue=queue,
        found=rows,
        state=state,
        states=STATES,
        counts=counts,
        title_of=title_of,
        older=next_page_start(rows, PAGE_SIZE),
    )


def decide(visit: Visit) -> Response:
    """Accept an annotation, or have it made again, with a reason in the administrator's words."""
    queue = _queue(visit)
    state, reason, id = (visit.form.get(name, "").strip() for name in ("state", "reason", "id"))
    if queue is None or state not in ("accepted", "again") or (state == "again" and not reason):
        return problem(visit, 400, "form-is-wrong")
    with visit.portal.database.writing() as connection:
        which = (submissions.c.id == id) & (tasks.c.queue_id == queue.id) & (submissions.c.state != "erased")
        columns = (submissions.c.state, submissions.c.task_id, submissions.c.slot)
        row = connection.execute(select(*columns).join(tasks).where(which)).one_or_none()
        if row is None:
            return problem(visit, 404, "not-found")
        other = (submissions.c.id != id) & submissions.c.state.in_(LIVE) & (submissions.c.slot == row.slot)
        newer = select(submissions.c.id).where(submissions.c.task_id == row.task_id, other)
        if state == "accepted" and connection.execute(newer).scalar() is not None:
            return problem(visit, 409, "annotated-again-already")
        reasons = [reason[:MAX_REASON_LENGTH]] if state == "again" else []
        set_state(connection, id, state, reasons, visit.person.id)
    return go(f"/annotations/{queue.name}?state={row.state}")


def _queue(visit: Visit) -> Queue | None:
    with visit.portal.database.reading() as connection:
        queue = queue_of(connection, visit.part("queue"))
    return queue if queue and queue.kind == KIND and queue.closed_at is None else None


def _task(visit: Visit) -> Any:
    """The task of the address, if it is in the queue of the address."""
    with visit.portal.database.reading() as connection:
        queue = queue_of(connection, visit.part("queue"))
        same = (tasks.c.id == visit.part("task")) & (tasks.c.queue_id == (queue.id if queue else 0))
        return connection.execute(select(tasks).where(same)).one_or_none()


def _received(visit: Visit) -> Work:
    assert visit.upload is not None
    try:
        return decode_once(visit.upload.path.read_bytes(), Work)
    except UNREADABLE as error:
        raise DataError("the answers can't be read", got=reason(error)) from None


def _claimed(visit: Visit, queue: Queue) -> Claim | None:
    """The next task for this person."""
    limit = visit.portal.settings.most.get(queue.name)
    rule = rule_of(visit, queue)
    return claim_any(visit.portal.database, queue, visit.person.id, _slots(visit, queue), max_tasks=limit, rule=rule)


def _slots(visit: Visit, queue: Queue) -> list[str]:
    """Slots are `1`, `2` … for as many people as a task of the queue needs."""
    with visit.portal.database.reading() as connection:
        slot_count = connection.execute(select(func.max(tasks.c.wanted)).where(tasks.c.queue_id == queue.id)).scalar()
    return [str(number) for number in range(1, int(slot_count or 1) + 1)]


def _slot_of(visit: Visit, queue: Queue) -> str:
    """The slot in which this person has the task of the address or may take it; empty if it has none left."""
    task = visit.part("task")
    taken = select(submissions.c.slot).where(submissions.c.task_id == task, submissions.c.state.in_(LIVE))
    with visit.portal.database.reading() as connection:
        is_own_lease = (leases.c.task_id == task) & (leases.c.person_id == visit.person.id)
        held = connection.execute(select(leases.c.slot).where(is_own_lease)).scalar()
        sent = (submissions.c.person_id == visit.person.id) & (submissions.c.id == visit.request.path_params.get("id"))
        earlier = connection.execute(select(submissions.c.slot).where(submissions.c.task_id == task, sent)).scalar()
        leased = select(leases.c.slot).where(leases.c.task_id == task)
        gone = {*connection.execute(taken).scalars(), *connection.execute(leased).scalars()}
    return str(held or earlier or next((slot for slot in _slots(visit, queue) if slot not in gone), ""))


def _redo_reasons(connection: Any, claim: Claim) -> list[str]:
    """Why this task has to be done again, in the words of whoever asked for it; empty for a new task."""
    same = (submissions.c.task_id == claim.id) & (submissions.c.slot == claim.slot) & (submissions.c.state == "again")
    query = select(submissions.c.reasons).where(same).order_by(submissions.c.received_at.desc()).limit(1)
    return list(connection.execute(query).scalar() or [])


def _shown(
    visit: Visit, queue: Queue, claim: Claim | None, before: Mapping[str, Any] | None, base: str = "/annotate"
) -> dict[str, Any]:
    """Values of the page; without a task the script still sends what this browser holds."""
    body = claim.body if claim else {}
    closed = False
    if claim and base == "/annotate" and opening.wanted_first(body):
        with visit.portal.database.reading() as connection:
            closed = not opening.has_opened(connection, claim.id, visit.person.id)
    every = media_of(claim.id, body) if claim and not closed else []
    media = dict.fromkeys(KINDS) | {each.kind: each for each in reversed(every)}
    more = [each for each in every if each not in media.values()]
    lists = {
        name: texts
        for name, value in body.get("shows", {}).items()
        if (texts := entries_of(name, value, every)) is not None
    }
    state = state_of(body) if claim else {"editor": None}
    if before is not None:
        state |= {"answers": before, "sent": base == "/annotate"}  # what the person sent, to be changed
    state |= {
        "task": claim.id if claim else None,
        "queue": queue.name,
        "person": visit.person.pseudonym,
        "token": visit.token,
        "labels": {name: field_name(visit.language)(name) for name in body.get("form", {})},
        "base": base,
        "say": {
            name.removeprefix("annotate-"): texts[visit.language]
            for name, texts in words().items()
            if name.startswith("annotate-")
        },
    }
    return {
        "task": claim,
        "title_of": title_of,
        "field_name": field_name(visit.language),
        "closed": closed,
        "media": media,
        "more": more,
        "lists": lists,
        "label_of": label_of,
        "state": state,
        "shows": {**SHOWS, **body.get("shows", {})},
        "guide": guide_of(visit.language, body),
    }


def _remark_texts(visit: Visit, checked: Checked) -> dict[str, Any]:
    """The remarks in the visitor's language."""
    remarks = [
        {
            "at": remark.at,
            "blocks": remark.blocks,
            "message": say(visit.language, f"annotate-fault-{remark.name}", **{"note": "", **remark.values}),
        }
        for remark in checked.remarks
    ]
    counters = [
        {"name": say(visit.language, f"annotate-count-{name}"), "count": count, "wanted": wanted}
        for name, (count, wanted) in checked.counters.items()
    ]
    return {"remarks": remarks, "counters": counters, "passes": checked.passes}
