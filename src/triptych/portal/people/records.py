"""People: what is known of them, their roles and their pseudonyms."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Connection, insert, select, true, tuple_, update

from triptych.errors import DataError
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import GENDERS, people, roles
from triptych.portal.work.audit import note
from triptych.portal.work.presence import hold_person

AGE_BANDS = ("under-18", "18-25", "26-30", "31-40", "41-50", "51-60", "over-60")
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without those that look alike
MAX_NAME_LENGTH = 80


@dataclass(frozen=True)
class Person:
    """A person as pages know them. `label` is the administrator's name for them, which no export contains."""

    id: str
    pseudonym: str
    label: str
    roles: frozenset[str]
    gender: str
    age_band: str
    native_language: str
    major: str
    described_at: int | None
    withdrawn_at: int | None
    paused_at: int | None = None
    arrived: Mapping[str, str] = field(default_factory=dict)


def add_person(connection: Connection, *, label: str = "", subject: str | None = None) -> str:
    """Return the id of a new person, who gets a pseudonym drawn at random: it says nothing about order or number."""
    taken = select(people.c.pseudonym)
    while (drawn := f"p-{''.join(secrets.choice(_LETTERS) for _ in range(6))}") in set(
        connection.execute(taken.where(people.c.pseudonym == drawn)).scalars()
    ):
        pass
    made = secrets.token_hex(8)
    row = {
        "id": made,
        "pseudonym": drawn,
        "label": label[:MAX_NAME_LENGTH],
        "subject": subject,
        "created_at": now_ms(),
    }
    connection.execute(insert(people), row)
    return made


def person_of(connection: Connection, id: str) -> Person | None:
    """Return a person; None for an unknown id."""
    person = _people(connection, people.c.id == id)
    return person[0] if person else None


def all_people(connection: Connection) -> list[Person]:
    """Return all people, those who came last first."""
    return _people(connection, true())


def people_page(connection: Connection, words: str, before: str, number: int) -> list[Person]:
    """Return a page of people, those who came last first.

    Args:
        connection: A connection to the database.
        words: Part of a pseudonym or label, in any case; empty for everybody.
        before: The id of the last person of the page before; empty for the first page.
        number: Length of the page.
    """
    which: ColumnElement[bool] = true()
    if words:
        which = people.c.pseudonym.icontains(words, autoescape=True) | people.c.label.icontains(words, autoescape=True)
    if at := connection.execute(select(people.c.created_at).where(people.c.id == before)).scalar():
        which &= tuple_(people.c.created_at, people.c.id) < (at, before)
    return _people(connection, which, number)


def pseudonyms(connection: Connection, ids: Iterable[str]) -> dict[str, str]:
    """Return the pseudonyms of these people; ids of nobody are left out."""
    query = select(people.c.id, people.c.pseudonym).where(people.c.id.in_(set(ids)))
    return {id: name for id, name in connection.execute(query)}  # noqa: C416 (rows aren't pairs to mypy)


def _people(connection: Connection, which: ColumnElement[bool], number: int | None = None) -> list[Person]:
    ordered = select(people).where(which).order_by(people.c.created_at.desc(), people.c.id.desc()).limit(number)
    rows = connection.execute(ordered).all()
    held: dict[str, set[str]] = {}
    mine = roles.c.person_id.in_([row.id for row in rows]) if number is not None or len(rows) == 1 else true()
    for person, role in connection.execute(select(roles.c.person_id, roles.c.role).where(mine)):
        held.setdefault(person, set()).add(role)
    return [
        Person(
            row.id,
            row.pseudonym,
            row.label,
            frozenset(held.get(row.id, ())),
            row.gender,
            row.age_band,
            row.native_language,
            row.major,
            row.described_at,
            row.withdrawn_at,
            row.paused_at,
            row.arrived or {},
        )
        for row in rows
    ]


def describe(
    connection: Connection, person: str, *, gender: str, age_band: str, native_language: str, major: str
) -> None:
    """Write down what a person states about themselves. Raises DataError for an unknown gender or age band."""
    hold_person(connection, person)
    if gender not in GENDERS:
        raise DataError("unknown gender", got=gender, expected=", ".join(GENDERS))
    if age_band and age_band not in AGE_BANDS:
        raise DataError("unknown age band", got=age_band, expected=", ".join(AGE_BANDS))
    values = {"gender": gender, "age_band": age_band, "native_language": native_language.strip()[:MAX_NAME_LENGTH]}
    changed = update(people).where(people.c.id == person)
    connection.execute(changed.values(**values, major=major.strip()[:MAX_NAME_LENGTH], described_at=now_ms()))
    note(connection, "described", person, person)
