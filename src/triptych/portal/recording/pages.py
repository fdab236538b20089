"""Pages of recording: the clip to read, the upload, and the list of recordings with their faults."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import Connection, func, select

from triptych.errors import DataError
from triptych.media.sniff import sniff
from triptych.portal.people.finishing import finish_of
from triptych.portal.recording.rules import Facts, Settings, ruby, slot_of
from triptych.portal.site.around import rule_of, surrounding_values
from triptych.portal.site.languages import guide_of
from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import go, problem, show
from triptych.portal.site.titles import title_of
from triptych.portal.store.tables import LIVE, people, submission_blobs, submissions, tasks
from triptych.portal.store.tables import checks as checks_table
from triptych.portal.work.claims import Claim, claim
from triptych.portal.work.gold import repeated_by
from triptych.portal.work.keeping import Medium, storing
from triptych.portal.work.listing import next_page_start, page_of
from triptych.portal.work.queues import Queue, done_by, progress, queue_of
from triptych.portal.work.submitting import Conflict, Sent, set_state, submit
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE

if TYPE_CHECKING:
    from starlette.responses import Response

KIND = "recording"
MAX_RECORDING_BYTES = 16 << 20  # 30 seconds of 16-bit mono at 192 kHz are 11.6 MB
PAGE_SIZE = 100  # recordings on one page
STATES = ("again", "received", "accepted", "rejected")
REASONS = (
    "misread",
    "noise",
    "silent",
    "clipped",
    "frames-missing",
    "too-short",
    "too-long",
    "low-rate",
    "unreadable",
    "other",
)


def record(visit: Visit) -> Response:
    """The next clip to read."""
    queue = _queue(visit)
    if queue is None:
        return problem(visit, 404, "not-found")
    slot = slot_of(_settings(queue).slots, visit.person.gender)
    if slot is None:
        return problem(visit, 409, "no-slot-for-you", slots=", ".join(_settings(queue).slots))
    limit = visit.portal.settings.most.get(queue.name)
    before = surrounding_values(visit, queue)
    waits = before["feedback"] is not None and before["feedback"].share is None  # for the check of a practice take
    rule = rule_of(visit, queue)
    claimed = None if waits else claim(visit.portal.database, queue, visit.person.id, slot, max_tasks=limit, rule=rule)
    with visit.portal.database.reading() as connection:
        values: dict[str, Any] = _clip(connection, queue, claimed, visit.language) if claimed else {"clip": None}
        done = done_by(connection, queue, visit.person.id)
    return show(
        visit,
        "recording/record.html",
        queue=queue,
        wanted=_settings(queue),
        done=done,
        most=limit,
        finish=finish_of(visit, queue.name),
        waits=waits,
        **surrounding_values(visit, queue),
        **values,
    )


def upload(visit: Visit) -> Response:
    """Take a recording and return its receipt as JSON; sending it again returns the same one."""
    from starlette.responses import JSONResponse

    queue, received = _queue(visit), visit.upload
    slot = slot_of(_settings(queue).slots, visit.person.gender) if queue else None
    if queue is None or slot is None or not _is_task_of(visit, queue):
        return problem(visit, 404, "not-found")
    assert received is not None
    if received.sha256 != visit.request.headers.get("x-content-sha256", ""):
        return problem(visit, 422, "damaged-on-the-way")
    with received.path.open("rb") as file:
        type_ = sniff(file.read(64))
    if type_ != "audio/wav":
        return problem(visit, 415, "not-a-recording")
    try:
        facts = decode_once(visit.request.headers.get("x-facts", ""), Facts)
    except UNREADABLE:
        return problem(visit, 400, "form-is-wrong")
    medium = Medium("audio", received.sha256, received.size, type_)
    answers = {"facts": msgspec.to_builtins(facts)}
    sent = Sent(visit.part("id"), visit.part("task"), slot, visit.person.id, answers, facts.worked, (medium,))
    portal = visit.portal
    try:
        with storing(portal.database, portal.blobs, received.path, medium) as keep:
            return JSONResponse(submit(portal.database, sent, checked=True, keep=keep), 201)
    except Conflict as error:
        return problem(visit, 409, "cannot-be-done", why=error.problem)
    except DataError:
        return problem(visit, 400, "form-is-wrong")


def recordings(visit: Visit) -> Response:
    """The recordings of a queue by state: those to be made again first, with their reasons."""
    queue = _queue(visit)
    if queue is None:
        return problem(visit, 404, "not-found")
    state = visit.request.query_params.get("state", "again")
    before = visit.request.query_params.get("before", "")
    with visit.portal.database.reading() as connection:
        rows = _listed(connection, queue, state, before)
        counts = progress(connection, queue)
    return show(
        visit,
        "recording/list.html",
        queue=queue,
        found=rows,
        title_of=title_of,
        state=state,
        states=STATES,
        counts=counts,
        reasons=REASONS,
        older=next_page_start(rows, PAGE_SIZE),
    )


def decide(visit: Visit) -> Response:
    """Accept a recording, or have it made again for a reason."""
    queue = _queue(visit)
    state, reason, id = (visit.form.get(name, "") for name in ("state", "reason", "id"))
    if queue is None or state not in ("accepted", "again") or (state == "again" and reason not in REASONS):
        return problem(visit, 400, "form-is-wrong")
    with visit.portal.database.writing() as connection:
        row = connection.execute(
            select(submissions.c.state, submissions.c.task_id, submissions.c.slot)
            .join(tasks)
            .where(submissions.c.id == id, tasks.c.queue_id == queue.id)
        ).one_or_none()
        if row is None or row.state == "erased":
            return problem(visit, 404, "not-found")
        live = submissions.c.state.in_(LIVE) & (submissions.c.id != id)
        same = (submissions.c.task_id == row.task_id) & (submissions.c.slot == row.slot)
        newer = connection.execute(select(submissions.c.id).where(same & live)).scalar()
        if state == "accepted" and newer is not None:
            return problem(visit, 409, "recorded-again-already")
        set_state(connection, id, state, [reason] if state == "again" else [], visit.person.id)
    return go(f"/recordings/{queue.name}?state={row.state}")


def sound(visit: Visit) -> Response:
    """A recording, for its own reader, reviewers and administrators; the browser may ask for a range."""
    from starlette.responses import FileResponse

    column = submission_blobs.c
    which = (column.submission_id == visit.part("id")) & (column.form == visit.part("form"))
    with visit.portal.database.reading() as connection:
        query = select(column.sha256, submissions.c.person_id).join(submissions).where(which)
        row = connection.execute(query).one_or_none()
    others = visit.person.roles & {"admin", "reviewer"}
    if row is None or (row.person_id != visit.person.id and not others):
        return problem(visit, 404, "not-found")
    with visit.portal.blobs.local(row.sha256) as path:
        headers = {"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "private, no-cache"}
        return FileResponse(path, media_type="audio/wav", headers=headers)


def _queue(visit: Visit) -> Queue | None:
    with visit.portal.database.reading() as connection:
        queue = queue_of(connection, visit.part("queue"))
    return queue if queue and queue.kind == KIND and queue.closed_at is None else None


def _settings(queue: Queue) -> Settings:
    return msgspec.convert(queue.settings, Settings)


def _is_task_of(visit: Visit, queue: Queue) -> bool:
    with visit.portal.database.reading() as connection:
        same = (tasks.c.id == visit.part("task")) & (tasks.c.queue_id == queue.id)
        return connection.execute(select(tasks.c.id).where(same)).scalar() is not None


def _clip(connection: Connection, queue: Queue, claim: Claim, language: str) -> dict[str, Any]:
    shows = claim.body.get("shows", {})
    text = str(shows.get("text", ""))
    if claim.purpose == "gold" and (usual := repeated_by(connection, claim.id)) is not None:
        claim = replace(claim, work=usual[0], position=usual[1])  # the page is that of the usual task
    same = (tasks.c.queue_id == queue.id) & (tasks.c.work == claim.work) & tasks.c.closed_at.is_(None)
    of = connection.execute(select(func.count()).select_from(tasks).where(same)).scalar() if claim.work else 1
    again = connection.execute(
        select(submissions.c.reasons)
        .where(submissions.c.task_id == claim.id, submissions.c.slot == claim.slot, submissions.c.state == "again")
        .order_by(submissions.c.received_at.desc())
        .limit(1)
    ).scalar()
    return {
        "clip": claim,
        "lines": ruby(text, shows.get("pinyin")),
        "of": of,
        "again": [] if claim.purpose == "practice" else again or [],
        "title": title_of({"shows": {name: shows.get(name) for name in ("title", "author")}}, ""),
        "guide": guide_of(language, claim.body),
    }


def _listed(connection: Connection, queue: Queue, state: str, before: str) -> list[dict[str, Any]]:
    query = select(
        submissions.c.id,
        submissions.c.slot,
        submissions.c.reasons,
        submissions.c.received_at,
        tasks.c.key,
        tasks.c.body,
        people.c.pseudonym,
        checks_table.c.measures,
        checks_table.c.state.label("checked"),
    ).select_from(
        submissions.join(tasks)
        .join(people, people.c.id == submissions.c.person_id)
        .outerjoin(checks_table, checks_table.c.submission_id == submissions.c.id)
    )
    return [dict(row._mapping) for row in connection.execute(page_of(query, queue, state, before, PAGE_SIZE))]
