"""Withdrawal: a person's work leaves the next export, their media are erased, and earlier exports are listed."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, select, update

from triptych.portal.blobs.store import Blobs
from triptych.portal.people.consent import end_all
from triptych.portal.store.engine import Database, now_ms
from triptych.portal.store.tables import (
    blobs,
    checks,
    exported,
    exports,
    holders,
    invitations,
    leases,
    overviews,
    participants,
    people,
    receipts,
    remarks,
    roles,
    sessions,
    standings,
    submission_blobs,
    submissions,
    tasks,
)
from triptych.portal.work.audit import note
from triptych.portal.work.keeping import erase_unnamed
from triptych.portal.work.presence import leave
from triptych.portal.work.queues import hold_tasks, recount


@dataclass(frozen=True)
class Withdrawn:
    """The result of a withdrawal.

    pseudonym    the person in earlier exports
    submissions  number of results that left
    erased       SHA-256 of the media that were erased
    exports      earlier exports that hold results of this person: where they were written, when, how many
    """

    pseudonym: str
    submissions: int
    erased: tuple[str, ...]
    exports: tuple[tuple[str, int, int], ...]


def withdraw(database: Database, media: Blobs, person: str, by: str | None) -> Withdrawn:
    """Take a person's work out. What they did is done when this returns; the files are erased after the database says
    so, and again by `erase_leftovers` if the process is killed in between. `Database.overwrite` removes what was
    deleted from the database's own files."""
    with database.writing() as connection:
        made = _take_out(connection, person, by)
    erase_unnamed(database, media, made.erased)
    media.parts.forget(person)
    database.overwrite()
    return made


def erase_leftovers(database: Database, media: Blobs) -> int:
    """Erase files that the database says are erased, and return their number; a killed process may have left some."""
    with database.reading() as connection:
        names = connection.execute(select(blobs.c.sha256).where(blobs.c.erased_at.is_not(None))).scalars().all()
    return erase_unnamed(database, media, names)


def _take_out(connection: Connection, person: str, by: str | None) -> Withdrawn:
    leave(connection, person)
    at = now_ms()
    is_own = submissions.c.person_id == person
    ids = select(submissions.c.id).where(is_own)
    theirs = tasks.c.id.in_(select(submissions.c.task_id).where(is_own))
    hold_tasks(connection, theirs)
    earlier = _earlier_exports(connection, person)
    names = _exclusive_media(connection, person)
    number = connection.execute(
        update(submissions)
        .where(is_own, submissions.c.state != "erased")
        .values(state="erased", answers={}, reasons=["withdrawn"], digest="")
    ).rowcount
    recount(connection, theirs)
    for table in (submission_blobs, checks, receipts):
        connection.execute(delete(table).where(table.c.submission_id.in_(ids)))
    connection.execute(update(blobs).where(blobs.c.sha256.in_(names)).values(erased_at=at))
    for table in (leases, holders, roles, remarks, standings):
        connection.execute(delete(table).where(table.c.person_id == person))
    _forget(connection, person, at)
    connection.execute(update(sessions).where(sessions.c.person_id == person).values(ended_at=at))
    end_all(connection, person)
    pseudonym = str(connection.execute(select(people.c.pseudonym).where(people.c.id == person)).scalar_one())
    nothing = {
        "label": "",
        "gender": "undisclosed",
        "age_band": "",
        "native_language": "",
        "major": "",
        "arrived": None,
        "arrived_key": None,
        "goal": None,
    }
    gone = {**nothing, "subject": None, "described_at": None, "withdrawn_at": at}
    connection.execute(update(people).where(people.c.id == person).values(**gone))
    note(connection, "withdrawn", by, person, submissions=number, erased=sorted(names), exports=[e[0] for e in earlier])
    return Withdrawn(pseudonym, number, tuple(sorted(names)), earlier)


def _forget(connection: Connection, person: str, at: int) -> None:
    """Erase what else says something about a person: their questions in surveys and their time there, and the
    administrator's note in their invitations. That they took part stays: `pull` takes them out of earlier Runs."""
    values: dict[str, list[object]] = {"cells": [], "sequence": [], "reasons": []}
    gone = {**values, "state": "invalid", "began_at": at, "ended_at": None}
    connection.execute(update(participants).where(participants.c.person_id == person).values(**gone))
    connection.execute(delete(overviews))  # they are counted again, without this person
    links = (invitations.c.person_id == person) | (invitations.c.used_by == person)
    connection.execute(update(invitations).where(links).values(label=""))


def _exclusive_media(connection: Connection, person: str) -> set[str]:
    """Media of this person that nobody else's submission names."""
    column = submission_blobs.c
    named = select(column.sha256).join(submissions)
    mine = set(connection.execute(named.where(submissions.c.person_id == person)).scalars())
    others = named.where(submissions.c.person_id != person, column.sha256.in_(mine))
    return mine - set(connection.execute(others).scalars())


def _earlier_exports(connection: Connection, person: str) -> tuple[tuple[str, int, int], ...]:
    query = (
        select(exports.c.target, exports.c.made_at, func.count())
        .select_from(exports.join(exported).join(submissions))
        .where(submissions.c.person_id == person)
        .group_by(exports.c.id, exports.c.target, exports.c.made_at)
        .order_by(exports.c.id)
    )
    return tuple((target, at, number) for target, at, number in connection.execute(query))
