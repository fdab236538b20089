"""Claiming a task: each slot of a task goes to one person, and all tasks of a work to the same person.

The database's constraints decide, not this code: two processes that claim at once never get the same slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, exists, func, insert, select, tuple_, update
from sqlalchemy.exc import IntegrityError

from triptych.portal.store.engine import Database, now_ms
from triptych.portal.store.tables import DECISION, LIVE, UNCOUNTED, holders, leases, people, submissions, tasks
from triptych.portal.work.gold import Rule, apply_rule, next_known, not_seen_as_known, own_slot
from triptych.portal.work.presence import Withdrawn, hold_person
from triptych.portal.work.queues import Queue, hold_tasks
from triptych.portal.work.remarks import is_skipped

LEASE_MS = 2 * 3600 * 1000
RENEWED_MS = 10 * 60 * 1000  # a lease is written again at most this often
TRIES = 50
IDLE_MS = 24 * 3600 * 1000  # who did nothing for so long loses a work without a result


@dataclass(frozen=True)
class Claim:
    """A task that a person may do, and the slot that they fill. `purpose`: empty, `gold` or `practice`."""

    id: int
    key: str
    shown: str
    body: Any
    work: str
    position: int
    slot: str
    purpose: str = ""


def claim_any(
    database: Database,
    queue: Queue,
    person: str,
    slots: Sequence[str],
    *,
    max_tasks: int | None = None,
    rule: Rule | None = None,
) -> Claim | None:
    """Return the next task for a person in the first slot that is free; None if there is none.

    Tasks that somebody else has done in another slot come first, so that people soon have tasks in common and their
    agreement is known.
    """
    orders = [(slot, begun) for begun in ((True, False) if len(slots) > 1 else (False,)) for slot in slots]
    claims = (
        claim(database, queue, person, slot, max_tasks=max_tasks, begun=begun, rule=rule) for slot, begun in orders
    )
    return next((each for each in claims if each is not None), None)


def claim(
    database: Database,
    queue: Queue,
    person: str,
    slot: str,
    *,
    max_tasks: int | None = None,
    begun: bool = False,
    rule: Rule | None = None,
) -> Claim | None:
    """Return the next task of a queue for a person; None if nothing is left for them at present.

    First the task that they have open, then the works that they hold, then a new work or task, unless they have
    `max_tasks` tasks of the slot already. `begun`: of new tasks, only those that somebody else has done in another
    slot. `rule`: of the queue's gold tasks; practice comes first, and gold tasks between the others. If another process
    was faster, the next free task is tried.
    """
    for _ in range(TRIES):
        try:
            with database.writing() as connection:
                hold_person(connection, person)
                return _claim(connection, queue, person, slot, max_tasks, begun, rule or Rule())
        except Withdrawn:
            return None
        except (IntegrityError, _Missed):
            continue
    return None


def renew(database: Database, queue: Queue, task: int, person: str, slot: str) -> bool:
    """Reserve an open task for two more hours; False if it is closed, done, or somebody else's meanwhile."""
    is_lease = (leases.c.task_id == task) & (leases.c.person_id == person) & (leases.c.slot == slot)
    with database.reading() as connection:
        query = select(leases.c.expires_at).select_from(tasks.join(leases)).where(is_lease, ~_has_result(person))
        until = connection.execute(query).scalar()
    if until is not None and until - now_ms() > LEASE_MS - RENEWED_MS:
        return True
    try:
        with database.writing() as connection:
            hold_person(connection, person)
            hold_tasks(connection, tasks.c.id == task)
            connection.execute(delete(leases).where(leases.c.expires_at <= now_ms(), leases.c.task_id == task))
            query = select(leases.c.slot).select_from(tasks.join(leases)).where(is_lease, ~_has_result(person))
            held = connection.execute(query).scalar() is not None
            free = select(tasks.c.id).where(_is_free(queue, person, slot) & (tasks.c.id == task))
            if held or connection.execute(free).scalar() is not None:
                _lease(connection, task, person, slot)
                return True
    except (IntegrityError, Withdrawn):  # somebody else took it at this moment, or the person has left
        pass
    return False


class _Missed(Exception):
    """Another process took the task between the search and the lock."""


def _claim(
    connection: Connection, queue: Queue, person: str, slot: str, limit: int | None, begun: bool, rule: Rule
) -> Claim | None:
    _end_leases(connection)
    if apply_rule(connection, queue.id, person, rule).barred:
        return None
    fresh = ~is_skipped(person)
    row = _open(connection, queue, person) or next_known(connection, queue.id, person, rule, fresh)
    row = row or _free(connection, queue, person, slot, _holds_slot(queue, person, slot))
    if row is None and (limit is None or load(connection, queue, person, slot) < limit):
        which = _is_slot_free(queue, person, slot)
        row = _free(connection, queue, person, slot, which, begun)
        if row is None and not begun and _give_up(connection, queue, slot):
            row = _free(connection, queue, person, slot, which)
    if row is None:
        return None
    if row.work:
        _hold(connection, queue, row.work, person, slot)
    if row.filled == UNCOUNTED:
        slot = own_slot(person)
    _lease(connection, row.id, person, slot)
    key = row.body.get("id", row.key) if row.filled == UNCOUNTED else row.key
    return Claim(row.id, key, row.shown, row.body, row.work, row.place, slot, row.purpose)


def _end_leases(connection: Connection) -> None:
    """End leases whose time is over. Those that another process is just looking at it ends itself: nobody waits."""
    over = select(leases.c.task_id, leases.c.slot).where(leases.c.expires_at <= now_ms())
    over = over.with_for_update(skip_locked=True)
    connection.execute(delete(leases).where(tuple_(leases.c.task_id, leases.c.slot).in_(over)))


def _give_up(connection: Connection, queue: Queue, slot: str) -> bool:
    """Take one work from a person who has held it for IDLE_MS without a result or an open task; True if there is one.

    A work with a result stays with its person, since all of it is done by the same one.
    """
    work = (tasks.c.queue_id == queue.id) & (tasks.c.work == holders.c.work)
    same = work & (submissions.c.slot == slot) & submissions.c.state.in_((*LIVE, "again"))
    done = exists().where(same, submissions.c.task_id == tasks.c.id, submissions.c.person_id == holders.c.person_id)
    opened = exists().where(work, leases.c.task_id == tasks.c.id, leases.c.person_id == holders.c.person_id)
    old = (holders.c.queue_id == queue.id) & (holders.c.slot == slot) & (holders.c.since < now_ms() - IDLE_MS)
    query = select(holders.c.work, holders.c.person_id).where(old, ~done, ~opened).order_by(holders.c.since).limit(1)
    row = connection.execute(query.with_for_update(of=holders, skip_locked=True)).one_or_none()
    if row is None:
        return False
    same = (holders.c.queue_id == queue.id) & (holders.c.work == row.work) & (holders.c.slot == slot)
    connection.execute(delete(holders).where(same, holders.c.person_id == row.person_id))
    return True


def load(connection: Connection, queue: Queue, person: str, slot: str) -> int:
    """Return how many open tasks of a slot a person has: those of their works, and those that they did of others."""
    same = (tasks.c.queue_id == queue.id) & tasks.c.closed_at.is_(None)
    works = holders.join(tasks, and_(holders.c.queue_id == tasks.c.queue_id, holders.c.work == tasks.c.work))
    mine = same & (holders.c.person_id == person) & (holders.c.slot == slot)
    in_works = connection.execute(select(func.count()).select_from(works).where(mine)).scalar()
    is_own = (submissions.c.person_id == person) & submissions.c.state.in_(LIVE) & (submissions.c.slot == slot)
    alone = same & is_own & (tasks.c.work == "")
    done = connection.execute(select(func.count()).select_from(submissions.join(tasks)).where(alone)).scalar()
    return int(in_works or 0) + int(done or 0)


def _open(connection: Connection, queue: Queue, person: str) -> Row[Any] | None:
    """Return the task that a person has open, locked; never one that they have done.

    Their result may be on its way. So the task is locked first, as `submit` does, and then looked at again.
    """
    is_own_lease = (tasks.c.queue_id == queue.id) & (leases.c.person_id == person) & tasks.c.closed_at.is_(None)
    is_own_lease &= leases.c.slot != DECISION  # a task that they verify is on another page
    for _ in range(TRIES):
        query = select(tasks.c.id).join(leases).where(is_own_lease).order_by(leases.c.taken_at).limit(1)
        id = connection.execute(query).scalar()
        if id is None:
            return None
        hold_tasks(connection, tasks.c.id == id)
        again = select(tasks).join(leases).where(is_own_lease & (tasks.c.id == id) & ~_has_result(person))
        if (row := connection.execute(again).one_or_none()) is not None:
            return row
        connection.execute(delete(leases).where(leases.c.task_id == id, leases.c.person_id == person))
    return None


def _has_result(person: str) -> ColumnElement[bool]:
    """Whether a person has a result of a task that counts."""
    sent = submissions.c
    return exists().where(sent.task_id == tasks.c.id, sent.person_id == person, sent.state.in_(LIVE))


def _holds_slot(queue: Queue, person: str, slot: str) -> ColumnElement[bool]:
    is_held = (holders.c.queue_id == queue.id) & (holders.c.person_id == person) & (holders.c.slot == slot)
    return tasks.c.work.in_(select(holders.c.work).where(is_held))


def _is_slot_free(queue: Queue, person: str, slot: str) -> ColumnElement[bool]:
    """A work of which nobody has this slot, and this person no other; or a task on its own."""
    same = (holders.c.queue_id == queue.id) & (holders.c.work == tasks.c.work)
    taken = exists().where(same, (holders.c.slot == slot) | (holders.c.person_id == person))
    return (tasks.c.work == "") | ~taken


def _free(
    connection: Connection, queue: Queue, person: str, slot: str, which: ColumnElement[bool], begun: bool = False
) -> Row[Any] | None:
    """Lock the first task that is free for this person; PostgreSQL passes over those that somebody is just claiming.

    Tasks with all their results are not looked at, so that a nearly finished queue takes no longer than a new one: an
    index finds those with 0, 1 … results. (They are all open; they are ordered by `closed_at` first, since PostgreSQL
    would otherwise expect such a task soon in any part of the table, and read all of it.) `begun`: only those with
    one. Whether it is still free is asked again once it is locked.
    """
    free, first = _is_free(queue, person, slot) & which, None
    for filled in range(int(begun), _max_results(connection, queue)):
        query = select(tasks).where(free, tasks.c.filled == filled).order_by(tasks.c.closed_at, tasks.c.id).limit(1)
        row = connection.execute(query.with_for_update(of=tasks, skip_locked=True)).one_or_none()
        first = row if first is None or (row is not None and row.id < first.id) else first
    if first is not None:
        still = select(tasks.c.id).where(free, tasks.c.id == first.id)
        if connection.execute(still).scalar() is None:
            raise _Missed
    return first


def _max_results(connection: Connection, queue: Queue) -> int:
    """The number of results that a task of a queue can have."""
    if slots := queue.settings.get("slots"):
        return len(slots)
    query = select(func.max(tasks.c.wanted)).where(tasks.c.queue_id == queue.id)
    return int(connection.execute(query).scalar() or 1)


def _is_free(queue: Queue, person: str, slot: str) -> ColumnElement[bool]:
    sent, leased = submissions.c, leases.c
    done = exists().where(
        sent.task_id == tasks.c.id, sent.state.in_(LIVE), (sent.slot == slot) | (sent.person_id == person)
    )
    taken = exists().where(leased.task_id == tasks.c.id, (leased.slot == slot) | (leased.person_id == person))
    usual = (tasks.c.queue_id == queue.id) & tasks.c.closed_at.is_(None) & (tasks.c.filled != UNCOUNTED)
    return (
        usual & ~done & ~taken & ~is_skipped(person) & not_seen_as_known(queue.id, person) & ~_is_about_own_work(person)
    )


def _is_about_own_work(person: str) -> ColumnElement[bool]:
    """Whether a task is about what a person made or reviewed before, so that somebody else must check it."""
    names = func.coalesce(tasks.c.body[("checks", "not_by")].as_string(), "")
    pseudonym = select(people.c.pseudonym).where(people.c.id == person).scalar_subquery()
    return names.contains('"' + pseudonym + '"')


def _hold(connection: Connection, queue: Queue, work: str, person: str, slot: str) -> None:
    values = {"queue_id": queue.id, "work": work, "slot": slot, "person_id": person}
    same = and_(*(holders.c[name] == value for name, value in values.items()))
    if connection.execute(select(holders.c.since).where(same)).scalar() is None:
        connection.execute(insert(holders), {**values, "since": now_ms()})


def _lease(connection: Connection, task: int, person: str, slot: str) -> None:
    until = now_ms() + LEASE_MS
    is_own_lease = (leases.c.task_id == task) & (leases.c.person_id == person)
    if not connection.execute(update(leases).where(is_own_lease).values(expires_at=until)).rowcount:
        row = {
            "task_id": task,
            "slot": slot,
            "person_id": person,
            "taken_at": now_ms(),
            "expires_at": until,
        }
        connection.execute(insert(leases), row)
