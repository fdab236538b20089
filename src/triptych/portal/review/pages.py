"""Pages of reviewing: the next task, taking a review, agreement and disagreements, a decision."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from triptych.errors import DataError
from triptych.portal.people.finishing import finish_of
from triptych.portal.people.records import all_people, pseudonyms
from triptych.portal.review.fields import Field, Unfit, check_answer, check_changes, values_of
from triptych.portal.review.overview import overview_of, rated_fields
from triptych.portal.review.rules import label, why_undefined
from triptych.portal.review.storing import (
    Reviewed,
    body_of,
    disagrees,
    distinct_texts,
    fields,
    is_whole,
    next_task,
    reviewed_tasks,
    slot_for,
)
from triptych.portal.review.texts import choice_name, field_name, shown_values
from triptych.portal.site.around import rule_of, surrounding_values
from triptych.portal.site.languages import guide_of, say
from triptych.portal.site.media_access import media_of
from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import problem, show
from triptych.portal.site.titles import title_of
from triptych.portal.store.tables import DECISION
from triptych.portal.work.queues import Queue, done_by, progress, queue_of
from triptych.portal.work.submitting import Conflict, Sent, submit
from triptych.portal.work.undoing import earlier_answers
from triptych.records.harmless import harmless
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE

if TYPE_CHECKING:
    from starlette.responses import Response

KIND = "review"
MAX_REVIEW_BYTES = 1 << 20  # bytes of a review with its texts
PART = 64 * 1024  # characters of a file that are sent at once
MEASURES = ("observed", "kappa", "fleiss", "ac1", "nominal", "interval")


class SubmittedReview(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A review as a browser sends it."""

    values: dict[str, Any]
    seconds: int = 0


def review(visit: Visit) -> Response:
    """The next task to review."""
    queue = _queue(visit)
    if queue is None:
        return problem(visit, 404, "not-found")
    limit = visit.portal.settings.most.get(queue.name)
    task = next_task(visit.portal.database, queue, visit.person.id, limit, rule_of(visit, queue))
    with visit.portal.database.reading() as connection:
        done = done_by(connection, queue, visit.person.id)
        before = earlier_answers(connection, task.id, visit.person.id) if task else None
    values = _desk(visit, task.id, task.body) if task else {"task": None}
    address = f"/review/{queue.name}/{task.id}" if task else ""
    return show(
        visit,
        "review/review.html",
        queue=queue,
        done=done,
        address=address,
        most=limit,
        finish=finish_of(visit, queue.name),
        purpose=task.purpose if task else "",
        before=before,
        **_names(visit),
        **surrounding_values(visit, queue),
        **values,
    )


def take(visit: Visit) -> Response:
    """Take a review and return its receipt as JSON; sending it again returns the same one."""
    return _accept_review(visit, decides=False)


def check(visit: Visit) -> Response:
    """Say what is wrong with the texts that a reviewer has changed so far."""
    from starlette.responses import JSONResponse

    queue = _queue(visit)
    with visit.portal.database.reading() as connection:
        body = body_of(connection, queue, visit.part("task")) if queue else None
    if queue is None or body is None:
        return problem(visit, 404, "not-found")
    assert visit.upload is not None
    try:
        check_changes(fields(body), decode_once(visit.upload.path.read_bytes(), SubmittedReview).values, body)
    except Unfit as error:
        return JSONResponse({"message": say(visit.language, error.name, field=field_name(visit.language)(error.field))})
    except UNREADABLE:
        return problem(visit, 400, "form-is-wrong")
    return JSONResponse({"message": ""})


def decide(visit: Visit) -> Response:
    """Take the decision on a disagreement, from somebody who did not review the task."""
    return _accept_review(visit, decides=True)


def reviews(visit: Visit) -> Response:
    """Progress, agreement and open disagreements of a queue."""
    queue = _queue(visit)
    if queue is None:
        return problem(visit, 404, "not-found")
    overview = overview_of(visit.portal.database, queue)
    with visit.portal.database.reading() as connection:
        people = {person for pair in overview.pairs for person in (pair.one, pair.other)} if overview else set()
        names = pseudonyms(connection, people)
        counts = progress(connection, queue)
    return show(
        visit,
        "review/reviews.html",
        queue=queue,
        counts=counts,
        found=overview,
        names=names,
        why=why_undefined,
        measures=MEASURES,
        exact=_exact,
        field_name=field_name(visit.language),
    )


def ratings(visit: Visit) -> Response:
    """All votes as a file of ratings: item, rater, field, value, with pseudonyms; decisions are not votes.

    A task that somebody still has to review is left out for reviewers: nobody sees an answer before giving their own.
    """
    from starlette.responses import StreamingResponse

    queue = _queue(visit)
    if queue is None:
        return problem(visit, 404, "not-found")
    headers = {"Content-Disposition": 'attachment; filename="ratings.csv"'}
    return StreamingResponse(_rated(visit, queue), media_type="text/csv; charset=utf-8", headers=headers)


def _rated(visit: Visit, queue: Queue) -> Iterator[str]:
    """The lines of the file, in parts: a queue may have more votes than fit into the memory."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["item", "rater", "field", "value"])
    with visit.portal.database.reading_long() as connection:
        names = {person.id: person.pseudonym for person in all_people(connection)}
        rated = rated_fields(connection, queue)
        blind = "reviewer" in visit.person.roles
        for each in reviewed_tasks(connection, queue):
            for field in rated if not blind or is_whole(queue, each) else ():
                for person, values in each.votes.items():
                    if (value := label(field, values.get(field.name))) is not None:
                        writer.writerow([harmless(each.key), names[person], field.name, harmless(str(value))])
            if out.tell() > PART:
                yield out.getvalue()
                out.seek(0)
                out.truncate()
    yield out.getvalue()


def disagreement(visit: Visit) -> Response:
    """A task on which reviewers disagree, with what they said, and the form for the decision."""
    opened = _open(visit)
    if opened is None:
        return problem(visit, 404, "not-found")
    queue, task, body = opened
    if visit.person.id in task.votes:
        return problem(visit, 409, "disagreements-voted")
    all_fields = fields(body)
    votes = [[(field, vote[field.name]) for field in all_fields if field.name in vote] for vote in task.votes.values()]
    address = f"/reviews/{queue.name}/{task.id}"
    return show(
        visit,
        "review/decision.html",
        queue=queue,
        votes=votes,
        address=address,
        before=None,
        **_names(visit),
        **_desk(visit, task.id, body),
    )


def _accept_review(visit: Visit, *, decides: bool) -> Response:
    from starlette.responses import JSONResponse

    queue, id_ = _queue(visit), visit.part("id")
    with visit.portal.database.reading() as connection:
        body = body_of(connection, queue, visit.part("task")) if queue else None
    if queue is None or body is None:
        return problem(visit, 404, "not-found")
    assert visit.upload is not None
    try:
        submitted = decode_once(visit.upload.path.read_bytes(), SubmittedReview)
        values = values_of(fields(body), submitted.values)
        with visit.portal.database.reading() as connection:
            distinct = distinct_texts(connection, queue, body, values)
        check_answer(values, body, visit.person.pseudonym, distinct)
    except Unfit as error:
        return problem(visit, 422, error.name, field=field_name(visit.language)(error.field))
    except UNREADABLE:
        return problem(visit, 400, "form-is-wrong")
    with visit.portal.database.reading() as connection:
        slot = DECISION if decides else slot_for(connection, queue, visit.part("task"), visit.person.id, id_)
    sent = Sent(id_, visit.part("task"), slot, visit.person.id, values, submitted.seconds)
    if decides and not _may_decide(visit, sent):
        return problem(visit, 409, "cannot-be-done", why="nobody disagrees about it any more")
    try:
        return JSONResponse(submit(visit.portal.database, sent, checked=False), 201)
    except Conflict as error:
        return problem(visit, 409, "cannot-be-done", why=error.problem)
    except DataError:
        return problem(visit, 400, "form-is-wrong")


def _may_decide(visit: Visit, sent: Sent) -> bool:
    """Whether a disagreement is open to this person, or they sent this very decision before."""
    queue = _queue(visit)
    assert queue is not None
    with visit.portal.database.reading() as connection:
        task = next(reviewed_tasks(connection, queue, sent.task), None)
        repeated = slot_for(connection, queue, sent.task, sent.person, sent.id) == DECISION
        disputed = task is not None and disagrees(connection, queue, task)
    return repeated or (task is not None and disputed and sent.person not in task.votes)


def _names(visit: Visit) -> dict[str, Any]:
    return {"field_name": field_name(visit.language), "choice_name": choice_name(visit.language)}


def _desk(visit: Visit, task: int, body: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a page on which a task is done."""
    media = media_of(task, body)
    all_fields: list[Field] = fields(body)
    medium = next((each for each in media if each.kind != "image"), None)
    return {
        "task": task,
        "title": title_of(body, str(task)),
        "body": body,
        "media": media,
        "fields": all_fields,
        "heard": medium,
        "shown": shown_values(body, media, all_fields),
        "guide": guide_of(visit.language, body),
        "times": next((field for field in all_fields if field.kind == "spans"), None),
    }


def _queue(visit: Visit) -> Queue | None:
    with visit.portal.database.reading() as connection:
        queue = queue_of(connection, visit.part("queue"))
    return queue if queue and queue.kind == KIND and queue.closed_at is None else None


def _open(visit: Visit) -> tuple[Queue, Reviewed, Mapping[str, Any]] | None:
    queue = _queue(visit)
    if queue is None:
        return None
    with visit.portal.database.reading() as connection:
        task = next(reviewed_tasks(connection, queue, visit.part("task")), None)
        body = body_of(connection, queue, visit.part("task"))
        disputed = task is not None and disagrees(connection, queue, task)
    return (queue, task, body) if task is not None and body is not None and disputed else None


def _exact(value: float) -> str:
    """A figure as the page shows it; the whole number is in the cell's title."""
    return f"{value:.3f}"
