"""Pages of the administrator about one person, open links, links for many, and remarks of people."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from triptych.errors import DataError
from triptych.portal.people import managing
from triptych.portal.people.hours import hours_of
from triptych.portal.people.records import MAX_NAME_LENGTH, Person, all_people, person_of, pseudonyms
from triptych.portal.people.sessions import INVITATION_DAYS, invite, token_of
from triptych.portal.site.jobs import JOBS
from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import go, problem, show
from triptych.portal.site.titles import title_of, titles_of_works
from triptych.portal.store.tables import ROLES
from triptych.portal.work.gold import let_in, standing_of
from triptych.portal.work.queues import all_queues, queue_of
from triptych.portal.work.remarks import latest_remarks, remark, reopen, settle, sources_of
from triptych.portal.work.undoing import undo
from triptych.records.separators import separator_of
from triptych.web.qr import qr_svg

if TYPE_CHECKING:
    from starlette.responses import Response

MAX_LINKS = 200  # made at once on a page
PAGE_SIZE = 100
EXPECTED = "a heading line with label and role, then a line for each person"


def person(visit: Visit) -> Response:
    """One person: roles, sessions, open tasks, works, hours."""
    with visit.portal.database.reading() as connection:
        person = person_of(connection, visit.part("person"))
        if person is None:
            return problem(visit, 404, "not-found")
        held = managing.held_by(connection, person.id)
        hours = hours_of(connection, person.id)
        golds = [
            (queue.name, standing)
            for queue in all_queues(connection)
            if (standing := standing_of(connection, queue.id, person.id)).judged or standing.barred
        ]
        works = titles_of_works(connection, {(each["queue"], each["work"]) for each in held.works})
    here = visit.session.id if visit.session else ""
    return show(
        visit,
        "person.html",
        person=person,
        held=held,
        hours=hours,
        mine=here,
        title_of=title_of,
        golds=golds,
        work_titles=works,
    )


def manage(visit: Visit) -> Response:
    """Do one of the acts of the page."""
    try:
        with visit.portal.database.writing() as connection:
            person = person_of(connection, visit.part("person"))
            if person is None or person.withdrawn_at:
                return problem(visit, 404, "not-found")
            _act(connection, visit, person)
    except DataError as error:
        return problem(visit, 409, "cannot-be-done", why=error.problem)
    return go(f"/person/{person.id}")


def _act(connection: Any, visit: Visit, person: Person) -> None:
    form, by = visit.form, visit.person.id
    act = form.get("act", "")
    if act == "pause":
        managing.pause(connection, person.id, by)
    elif act == "resume":
        managing.resume(connection, person.id, by)
    elif act == "take-role":
        managing.take_role(connection, person.id, form.get("role", ""), by)
    elif act == "end-sessions":
        managing.end_sessions(connection, person.id, by, form.get("session", ""))
    elif act == "release":
        managing.release(connection, person.id, _number(form.get("task", "")), by)
    elif act == "let-in":
        let_in(connection, form.get("queue", ""), person.id, by)
    elif act == "give-work":
        to = _named(connection, form["to"]) if form.get("to", "").strip() else ""
        managing.give_work(connection, person.id, form.get("queue", ""), form.get("work", ""), to, by)
    else:
        raise DataError("unknown act", got=act[:40])


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else -1


def _named(connection: Any, name: str) -> str:
    person = next((each for each in all_people(connection) if each.pseudonym == name.strip()), None)
    if person is None or person.withdrawn_at or person.paused_at:
        raise DataError("there is nobody with this pseudonym who can work now", got=name.strip()[:40])
    return person.id


def links(visit: Visit) -> Response:
    """The links that still work, each with its QR code."""
    return _links(visit)


def _links(visit: Visit, made: tuple[str, ...] = (), wrong: str = "") -> Response:
    with visit.portal.database.reading() as connection:
        links = managing.open_links(connection)
    shown = [{**row, "link": _address(visit, row["id"])} for row in links]
    return show(
        visit,
        "links.html",
        links=[{**each, "code": qr_svg(each["link"])} for each in shown[:MAX_LINKS]],
        made=made,
        wrong=wrong,
        roles=ROLES,
        days=INVITATION_DAYS,
        most=MAX_LINKS,
        status=400 if wrong else 200,
    )


def change_links(visit: Visit) -> Response:
    """Revoke a link, or make several: one for each line of a table, or one for many people."""
    try:
        with visit.portal.database.writing() as connection:
            if revoked := visit.form.get("end", ""):
                managing.end_link(connection, revoked, visit.person.id)
                return go("/links")
            made = [
                invite(
                    connection, visit.portal.secret, role, label=label, by=visit.person.id, days=days, max_people=uses
                )
                for label, role, days, uses in _requested_invitations(visit)
            ]
    except DataError as error:
        return _links(visit, wrong=str(error))
    return _links(visit, tuple(str(visit.request.url_for("link", token=token)) for token in made))


def _requested_invitations(visit: Visit) -> list[tuple[str, str, int, int]]:
    form = visit.form
    days = _number(form.get("days", "") or str(INVITATION_DAYS))
    if form.get("table", "").strip():
        return [(label, role, days, 1) for label, role in read_invitations(form["table"])]
    return [
        (form.get("label", "").strip()[:MAX_NAME_LENGTH], form.get("role", ""), days, _number(form.get("most", "1")))
    ]


def read_invitations(text: str, max_invitations: int = MAX_LINKS) -> list[tuple[str, str]]:
    """Return label and role of each line of a CSV table with these columns. Raises DataError.

    >>> read_invitations("label,role\\nWang,recorder\\n")
    [('Wang', 'recorder')]
    """
    rows = csv.DictReader(io.StringIO(text.lstrip("\ufeff")), delimiter=separator_of(text.partition("\n")[0]))
    heads = {str(name).strip().lower(): name for name in rows.fieldnames or ()}
    if not {"label", "role"} <= heads.keys():
        raise DataError(
            "the table has no usable heading", got=", ".join(map(str, rows.fieldnames or ())), expected=EXPECTED
        )
    invitations: list[tuple[str, str]] = []
    lines: dict[tuple[str, str], int] = {}
    for line, row in enumerate(rows, 2):
        label, role = ((row[heads[name]] or "").strip() for name in ("label", "role"))
        role = role.lower()
        if not label and not role:
            continue
        if role not in ROLES:
            raise DataError("unknown role", where=f"line {line}", got=role, expected=", ".join(ROLES))
        if not label:
            raise DataError("a person has no name or note", where=f"line {line}", expected=EXPECTED)
        if (first := lines.setdefault((label[:MAX_NAME_LENGTH], role), line)) != line:
            raise DataError(
                "a line occurs twice",
                where=f"lines {first} and {line}",
                got=f"{label}, {role}",
                fix="remove one, or add a number or a class to the labels of two people with the same name",
            )
        invitations.append((label[:MAX_NAME_LENGTH], role))
    if not 0 < len(invitations) <= max_invitations:
        raise DataError(
            "the table has no people, or too many", got=len(invitations), expected=f"1 to {max_invitations}"
        )
    return invitations


def _address(visit: Visit, invitation: str) -> str:
    return str(visit.request.url_for("link", token=token_of(visit.portal.secret, invitation)))


def say_something(visit: Visit) -> Response:
    """A comment on a task, or a reason for skipping it."""
    form = visit.form
    queue, task = form.get("queue", ""), _number(form.get("task", ""))
    try:
        with visit.portal.database.writing() as connection:
            remark(connection, visit.person.id, queue, task, form.get("kind", ""), form.get("text", ""))
    except DataError as error:
        return problem(visit, 409, "cannot-be-done", why=error.problem)
    job = next((job for job in JOBS.values() if job.path == form.get("job", "")), None)
    return go(f"{job.path}/{queue}?said=yes" if job else "/")


def undo_last(visit: Visit) -> Response:
    """Open the task of one's last answer again."""
    form = visit.form
    try:
        with visit.portal.database.writing() as connection:
            queue = queue_of(connection, form.get("queue", ""))
            if queue is None or not visit.person.roles & {JOBS[queue.kind].role}:
                return problem(visit, 404, "not-found")
            undo(connection, queue, visit.person.id, form.get("id", ""))
    except DataError as error:
        return problem(visit, 409, "cannot-be-done", why=error.problem)
    return go(f"{JOBS[queue.kind].path}/{queue.name}")


def remarks(visit: Visit) -> Response:
    """Comments of people on tasks."""
    before = visit.request.query_params.get("before", "")
    with visit.portal.database.reading() as connection:
        rows = latest_remarks(connection, _number(before) if before else None, PAGE_SIZE)
        names = pseudonyms(connection, [row["person_id"] for row in rows])
        sources = sources_of(connection, rows)
    older = rows[-1]["id"] if len(rows) == PAGE_SIZE else None
    return show(
        visit, "remarks.html", found=rows, names=names, older=older, title_of=title_of, jobs=JOBS, sources=sources
    )


def settle_remark(visit: Visit) -> Response:
    """Mark a remark as done."""
    try:
        with visit.portal.database.writing() as connection:
            id, source = _number(visit.form.get("id", "")), visit.form.get("reopen", "")
            if source:
                reopen(connection, id, source, visit.person.id)
            else:
                settle(connection, id, visit.person.id)
    except DataError:
        return problem(visit, 400, "form-is-wrong")
    return go("/remarks")
