"""Check that a person has not withdrawn, in the transaction that does something in their name.

A withdrawal locks the person first (`leave`), and whoever stores something of theirs locks them too (`stay`). So one
waits for the other: what was stored before is erased, and what comes later is refused.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from triptych.errors import TriptychError
from triptych.portal.store.tables import people


class Withdrawn(TriptychError):
    """The person has withdrawn, or is not known. No page that refuses bad data takes it for that: the gate answers."""


def hold_person(connection: Connection, person: str) -> None:
    """Hold a person here until the transaction ends. Raises Withdrawn."""
    row = connection.execute(select(people.c.withdrawn_at).where(people.c.id == person).with_for_update(read=True))
    presence_row = row.one_or_none()
    if presence_row is None or presence_row.withdrawn_at is not None:
        raise Withdrawn("the person has withdrawn", where=person)


def leave(connection: Connection, person: str) -> None:
    """Wait until nothing is stored for a person any more, and let nobody begin until the transaction ends."""
    connection.execute(select(people.c.id).where(people.c.id == person).with_for_update())
