"""Whom to remind, as a table. The portal knows no addresses: they are added on the administrator's computer, from a
file that the portal never sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from triptych.errors import DataError
from triptych.portal.people.records import all_people
from triptych.portal.site.jobs import JOBS
from triptych.portal.site.languages import say
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import LIVE, holders, submissions
from triptych.portal.work.queues import all_queues, progress

DAY_MS = 86_400_000
IDLE_DAYS = 3
HEAD = ("pseudonym", "label", "queues", "left", "begun", "idle_days")


@dataclass(frozen=True)
class Reminder:
    """Somebody who could work and has not for some days. `left`: results that their queues still need; `begun`: works
    that they have begun and not finished; `idle_days`: None if they have never sent anything."""

    id: str
    pseudonym: str
    label: str
    queues: tuple[str, ...]
    left: int
    begun: int
    idle_days: int | None

    @property
    def row(self) -> tuple[object, ...]:
        """The cells below HEAD."""
        idle = "" if self.idle_days is None else self.idle_days
        return (self.pseudonym, self.label, " ".join(self.queues), self.left, self.begun, idle)


def idle_people(connection: Connection, idle_days: int = IDLE_DAYS) -> list[Reminder]:
    """Return the people whose queues need results and who sent none for some days, longest idle first; not those who
    withdrew, are paused, or do no work."""
    open_ = {}
    for queue in all_queues(connection):
        counts = progress(connection, queue) if queue.closed_at is None else {}
        left = counts.get("wanted", 0) - counts.get("done", 0) - counts.get("received", 0)
        if left > 0 and queue.kind in JOBS:
            open_[queue.id] = (queue.name, JOBS[queue.kind].role, left)
    sent = submissions.c
    last = {
        who: int(at)
        for who, at in connection.execute(
            select(sent.person_id, func.max(sent.received_at))
            .where(sent.state.in_((*LIVE, "again")))
            .group_by(sent.person_id)
        )
    }
    works = _begun_counts(connection)
    made = []
    for person in all_people(connection):
        persons_tasks = [(name, left) for name, role, left in open_.values() if role in person.roles]
        idle = (now_ms() - last[person.id]) // DAY_MS if person.id in last else None
        if persons_tasks and not person.withdrawn_at and not person.paused_at and (idle is None or idle >= idle_days):
            names = tuple(name for name, _ in persons_tasks)
            made.append(
                Reminder(
                    person.id,
                    person.pseudonym,
                    person.label,
                    names,
                    sum(left for _, left in persons_tasks),
                    works.get(person.id, 0),
                    idle,
                )
            )
    return sorted(made, key=lambda each: (each.idle_days is None, -(each.idle_days or 0), each.pseudonym))


def _begun_counts(connection: Connection) -> Mapping[str, int]:
    rows = connection.execute(select(holders.c.person_id, func.count()).group_by(holders.c.person_id))
    return {person: int(number) for person, number in rows}


def addressed(reminders: Sequence[Reminder], rows: Sequence[Mapping[str, str]]) -> list[tuple[Reminder, str]]:
    """Return reminders with an address each. `rows`: of a table with the columns `address`, and `label` or `pseudonym`;
    people without an address are left out. Raises DataError if two people have one label that the table names."""
    if not rows or "address" not in rows[0] or not {"label", "pseudonym"} & rows[0].keys():
        raise DataError(
            "the table of addresses has no usable heading",
            got=", ".join(rows[0]) if rows else "no rows",
            expected="address, and label or pseudonym",
        )
    by_name: dict[str, str] = {}
    for line, row in enumerate(rows, 2):
        name, address = _name(row), row["address"].strip()
        if address and "@" not in address:
            raise DataError("not an address", where=f"line {line}", got=address, expected="name@example.org")
        if by_name.setdefault(name, address) != address:
            raise DataError("one person has two addresses", where=f"line {line}", got=name)
    labels = [each.label for each in reminders if each.label]
    if twice := sorted({label for label in labels if labels.count(label) > 1 and label in by_name}):
        raise DataError("two people have the same note", got=twice[0], fix="name them by their pseudonyms")
    named = [(each, by_name.get(each.pseudonym) or by_name.get(each.label or "\0") or "") for each in reminders]
    return [(each, address) for each, address in named if address]


def without_person(connection: Connection, rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the names of rows that are the label or pseudonym of nobody who takes part."""
    names = {name for each in all_people(connection) if not each.withdrawn_at for name in (each.pseudonym, each.label)}
    return [name or "(no name)" for row in rows if (name := _name(row)) not in names - {""}]


def _name(row: Mapping[str, str]) -> str:
    return (row.get("pseudonym") or row.get("label") or "").strip()


def letter(language: str, each: Reminder, title: str, link: str, contact: str) -> tuple[str, str]:
    """Return subject and text of a reminder."""
    values = {
        "title": title,
        "left": each.left,
        "queues": ", ".join(each.queues),
        "link": link,
        "contact": contact,
        "begun": each.begun,
    }
    names = ["letter-text", "letter-begun" * bool(each.begun), "letter-link", "letter-contact" * bool(contact)]
    return say(language, "letter-subject", **values), "\n\n".join(
        say(language, name, **values) for name in names if name
    )
