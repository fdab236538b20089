"""An administrator's acts about people, none of which erases anything: pause, roles, sessions, links, tasks, works."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, delete, func, select, update

from triptych.errors import DataError
from triptych.portal.site.jobs import JOBS
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import (
    GENDERS,
    LIVE,
    holders,
    invitations,
    leases,
    people,
    queues,
    roles,
    sessions,
    submissions,
    tasks,
)
from triptych.portal.work.audit import note
from triptych.portal.work.presence import hold_person
from triptych.portal.work.queues import hold_tasks, recount

MOVED = "work-moved"  # the reason of results that don't count any more, since somebody else does the whole work


@dataclass(frozen=True)
class OpenWork:
    """Everything that a person has open.

    sessions  rows of `sessions` that have not ended
    tasks     open tasks: id, queue, key, until when
    works     works that they hold: queue, work, slot, since, number of results that count
    """

    sessions: list[Mapping[str, Any]]
    tasks: list[Mapping[str, Any]]
    works: list[Mapping[str, Any]]


def held_by(connection: Connection, person: str) -> OpenWork:
    """Return the sessions, tasks and works of a person."""
    live = (sessions.c.person_id == person) & sessions.c.ended_at.is_(None) & (sessions.c.expires_at > now_ms())
    opened = select(tasks.c.id, queues.c.name.label("queue"), tasks.c.key, tasks.c.body, leases.c.expires_at)
    opened = opened.select_from(leases.join(tasks).join(queues)).where(leases.c.person_id == person)
    done = (
        select(func.count())
        .select_from(submissions.join(tasks))
        .where(
            tasks.c.queue_id == holders.c.queue_id,
            tasks.c.work == holders.c.work,
            submissions.c.person_id == person,
            submissions.c.state.in_(LIVE),
        )
        .scalar_subquery()
    )
    works = select(queues.c.name.label("queue"), holders.c.work, holders.c.slot, holders.c.since, done.label("done"))
    works = works.select_from(holders.join(queues)).where(holders.c.person_id == person).order_by(holders.c.since)
    return OpenWork(
        _rows(connection, select(sessions).where(live).order_by(sessions.c.created_at)),
        _rows(connection, opened.order_by(leases.c.taken_at)),
        _rows(connection, works),
    )


def _rows(connection: Connection, query: Select[Any]) -> list[Mapping[str, Any]]:
    return [dict(row._mapping) for row in connection.execute(query)]


def pause(connection: Connection, person: str, by: str | None) -> None:
    """Let a person do no more work until `resume`. What they did stays; tasks that they have open are free."""
    hold_person(connection, person)
    connection.execute(update(people).where(people.c.id == person).values(paused_at=now_ms()))
    connection.execute(delete(leases).where(leases.c.person_id == person))
    note(connection, "paused", by, person)


def resume(connection: Connection, person: str, by: str | None) -> None:
    """End a pause."""
    hold_person(connection, person)
    connection.execute(update(people).where(people.c.id == person).values(paused_at=None))
    note(connection, "resumed", by, person)


def take_role(connection: Connection, person: str, role: str, by: str | None) -> None:
    """Take a role from a person. Raises DataError for one that they don't have, or for the last administrator."""
    connection.execute(select(roles.c.person_id).where(roles.c.role == "admin").with_for_update())
    held = (roles.c.person_id == person) & (roles.c.role == role)
    if connection.execute(select(roles.c.role).where(held)).scalar() is None:
        raise DataError("the person doesn't have this role", got=role)
    number = connection.execute(select(func.count()).select_from(roles).where(roles.c.role == "admin")).scalar()
    if role == "admin" and number == 1:
        raise DataError("a portal needs an administrator", fix="give somebody else the role first")
    connection.execute(delete(roles).where(held))
    note(connection, "role taken", by, person, role=role)


def end_sessions(connection: Connection, person: str, by: str | None, only: str = "") -> int:
    """End all sessions of a person and their open links, or `only` one session, and return the number of sessions."""
    which = (sessions.c.person_id == person) & sessions.c.ended_at.is_(None)
    if only:
        which &= sessions.c.id == only
    else:  # nor does a link open a new one
        theirs = (invitations.c.person_id == person) & invitations.c.used_at.is_(None)
        connection.execute(update(invitations).where(theirs).values(ended_at=now_ms()))
    number = int(connection.execute(update(sessions).where(which).values(ended_at=now_ms())).rowcount)
    note(connection, "sessions ended", by, person, number=number)
    return number


def open_links(connection: Connection) -> list[Mapping[str, Any]]:
    """Return the invitations whose links still work, newest first."""
    column = invitations.c
    usable = column.used_at.is_(None) & column.ended_at.is_(None) & (column.expires_at > now_ms())
    query = select(invitations, people.c.pseudonym).select_from(
        invitations.outerjoin(people, people.c.id == column.person_id)
    )
    return [dict(row._mapping) for row in connection.execute(query.where(usable).order_by(column.created_at.desc()))]


def end_link(connection: Connection, invitation: str, by: str | None) -> None:
    """Revoke a link; accounts that were made by it stay. Raises DataError for one that is used up or unknown."""
    which = (invitations.c.id == invitation) & invitations.c.used_at.is_(None) & invitations.c.ended_at.is_(None)
    if not connection.execute(update(invitations).where(which).values(ended_at=now_ms())).rowcount:
        raise DataError("there is no such open link", got=invitation[:40])
    note(connection, "link revoked", by, invitation)


def release(connection: Connection, person: str, task: int, by: str | None) -> None:
    """Free a task that a person has open. Their result is still taken if nobody else has begun it."""
    is_lease = (leases.c.person_id == person) & (leases.c.task_id == task)
    if not connection.execute(delete(leases).where(is_lease)).rowcount:
        raise DataError("the person doesn't have this task open", got=task)
    note(connection, "task released", by, person, task=task)


def give_work(connection: Connection, person: str, queue: str, work: str, to: str, by: str | None) -> int:
    """Give a work to another person, or free it for whoever comes next, and return how many results don't count any
    more: those of the person before, since all of a work is done by one person. They stay in hours and in the database.

    `to`: the id of the person; empty for whoever comes next. Raises DataError if that person can't have it.
    """
    row = connection.execute(select(queues.c.id, queues.c.kind).where(queues.c.name == queue)).one_or_none()
    number = row.id if row is not None else None
    same = (holders.c.queue_id == number) & (holders.c.work == work)
    slot = connection.execute(
        select(holders.c.slot).where(same, holders.c.person_id == person).with_for_update()
    ).scalar()
    if slot is None:
        raise DataError("the person doesn't hold this work", got=work, where=queue)
    if to and row is not None:
        _check_fits(connection, to, row.kind, same, slot)
    theirs = tasks.c.id.in_(select(tasks.c.id).where(tasks.c.queue_id == number, tasks.c.work == work))
    hold_tasks(connection, theirs)
    is_submission = (
        (submissions.c.person_id == person) & (submissions.c.slot == slot) & submissions.c.state.in_((*LIVE, "again"))
    )
    mine = is_submission & submissions.c.task_id.in_(select(tasks.c.id).where(theirs))
    moved = int(connection.execute(update(submissions).where(mine).values(state="rejected", reasons=[MOVED])).rowcount)
    recount(connection, theirs)
    connection.execute(
        delete(leases).where(leases.c.person_id == person, leases.c.task_id.in_(select(tasks.c.id).where(theirs)))
    )
    held = same & (holders.c.person_id == person)
    if to:
        connection.execute(update(holders).where(held).values(person_id=to, since=now_ms()))
    else:
        connection.execute(delete(holders).where(held))
    note(connection, "work moved", by, person, queue=queue, work=work, to=to, results=moved)
    return moved


def _check_fits(connection: Connection, to: str, kind: str, same: Any, slot: str) -> None:
    hold_person(connection, to)
    role = JOBS[kind].role
    person_roles = connection.execute(select(roles.c.role).where(roles.c.person_id == to)).scalars().all()
    if role not in person_roles:  # they couldn't open it, and nobody else would get it
        raise DataError(
            "this person doesn't have the role for the work", expected=role, got=", ".join(sorted(person_roles))
        )
    if connection.execute(select(people.c.paused_at).where(people.c.id == to)).scalar() is not None:
        raise DataError("this person is paused", fix="end the pause first")
    if connection.execute(select(holders.c.slot).where(same, holders.c.person_id == to)).scalar() is not None:
        raise DataError("this person has the work already")
    gender = connection.execute(select(people.c.gender).where(people.c.id == to)).scalar()
    if slot in GENDERS and gender != slot:
        raise DataError("the place is for a person of another gender", expected=slot, got=gender)
