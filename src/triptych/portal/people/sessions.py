"""Sessions and invitations. There are no passwords: a signed link, which works once, opens a session.

The database holds only the SHA-256 of a session's cookie. The token of forms is made of the secret and the session, so
it holds as long as the session does, and a restart of the server spoils no page that somebody has open.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update

from triptych.errors import DataError
from triptych.portal.people.records import Person, add_person, person_of
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import ROLES, invitations, people, roles, sessions
from triptych.portal.work.audit import note
from triptych.portal.work.presence import hold_person

DAY = 24 * 3600 * 1000
SESSION_DAYS = 30
INVITATION_DAYS = 14
MAX_DAYS = 365
MAX_PEOPLE = 10_000  # of one link
PARAMETERS = 10  # of an address by which somebody comes
_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_LONG = 200


@dataclass(frozen=True)
class Session:
    """A person's session in one browser. `id` is the SHA-256 of the cookie."""

    id: str
    person: Person


def invite(
    connection: Connection,
    secret: bytes,
    role: str,
    *,
    label: str = "",
    person: str | None = None,
    by: str | None = None,
    days: int = INVITATION_DAYS,
    max_people: int = 1,
) -> str:
    """Return the token of a new invitation link. `person`: for a new session of somebody who is known already;
    `max_people`: number of people who may use it, each for an account of their own.

    Raises DataError for an unknown role, or numbers out of range; Withdrawn for somebody who has left.
    """
    if role not in ROLES:
        raise DataError("unknown role", got=role, expected=", ".join(ROLES))
    if not 1 <= days <= MAX_DAYS or not 1 <= max_people <= MAX_PEOPLE:
        raise DataError(
            "a link can't be made",
            got=f"{days} days, {max_people} people",
            expected=f"1 to {MAX_DAYS} days, 1 to {MAX_PEOPLE:,} people",
        )
    if max_people > 1 and (role == "admin" or person is not None):
        raise DataError("a link for many people can't open one account, or make administrators", got=role)
    if person is not None:
        hold_person(connection, person)
    made = secrets.token_urlsafe(12)
    begun = now_ms()
    row = {"id": made, "role": role, "label": label, "person_id": person, "created_by": by, "created_at": begun}
    connection.execute(insert(invitations), {**row, "expires_at": begun + days * DAY, "most": max_people})
    note(
        connection,
        "invited",
        by,
        made,
        role=role,
        person=person or "",
        **({"most": max_people} if max_people > 1 else {}),
    )
    return token_of(secret, made)


def token_of(secret: bytes, invitation: str) -> str:
    """Return the token of an invitation's link."""
    return str(_signer(secret).dumps(invitation))


def invitation_of(connection: Connection, secret: bytes, token: str) -> str | None:
    """Return the id of the invitation of a link; None if it was forged, used, or is too old."""
    from itsdangerous import BadSignature

    try:
        invitation = str(_signer(secret).loads(token))
    except BadSignature:
        return None
    column = invitations.c
    usable = (
        (column.id == invitation)
        & column.used_at.is_(None)
        & (column.expires_at > now_ms())
        & column.ended_at.is_(None)
    )
    return connection.execute(select(column.id).where(usable)).scalar()


def fault_of(connection: Connection, secret: bytes, token: str) -> str:
    """Return why a link doesn't work: used, full (a link for several people), revoked, expired, or incomplete."""
    from itsdangerous import BadSignature

    try:
        invitation_id = str(_signer(secret).loads(token))
    except BadSignature:
        return "incomplete"
    row = connection.execute(select(invitations).where(invitations.c.id == invitation_id)).one_or_none()
    if row is None:
        return "incomplete"
    if row.used_at is not None:
        return "full" if row.most > 1 else "used"
    return "revoked" if row.ended_at is not None else "expired"


def is_for_many(connection: Connection, invitation: str) -> bool:
    """Return whether several people may use a link."""
    return int(connection.execute(select(invitations.c.most).where(invitations.c.id == invitation)).scalar() or 1) > 1


def accept(connection: Connection, invitation: str, arrived: Mapping[str, str] | None = None) -> str | None:
    """Use an invitation: return the cookie of a new session; None if it was used up or revoked, or expired.

    `arrived`: parameters of the address (see `parameters_of`). Raises DataError if somebody came by this link with the
    same first parameter before: it is the same participant, who has an account.
    """
    column = invitations.c
    row = connection.execute(select(invitations).where(column.id == invitation).with_for_update()).one_or_none()
    if row is None or row.used_at is not None or row.ended_at is not None or row.expires_at <= now_ms():
        return None
    person = row.person_id or add_person(connection, label=row.label)
    if arrived and row.person_id is None:
        _arrive(connection, invitation, person, arrived)
    last = {"used_at": now_ms(), "used_by": person} if row.uses + 1 >= row.most else {}
    used = update(invitations).where(column.id == invitation, column.used_at.is_(None), column.uses == row.uses)
    if connection.execute(used.values(uses=row.uses + 1, **last)).rowcount != 1:
        raise DataError("two people used one invitation")
    if row.created_by != person:  # a link that a person made for themselves gives no role that was taken meanwhile
        grant(connection, person, row.role, by=person)
    note(connection, "entered", person, invitation)
    return open_session(connection, person)


def parameters_of(parameters: Mapping[str, str]) -> dict[str, str]:
    """Return those parameters of an address that are kept: the first ten with a plain name and a short value.

    >>> parameters_of({"PROLIFIC_PID": "5f", "a b": "x", "long": "y" * 999})
    {'PROLIFIC_PID': '5f'}
    """
    parameters_taken = {
        name: value for name, value in parameters.items() if _NAME.fullmatch(name) and 0 < len(value) <= _LONG
    }
    return dict(list(parameters_taken.items())[:PARAMETERS])


def _arrive(connection: Connection, invitation: str, person: str, arrived: Mapping[str, str]) -> None:
    name, value = next(iter(arrived.items()))
    key = hashlib.sha256(f"{invitation} {name} {value}".encode()).hexdigest()
    if connection.execute(select(people.c.id).where(people.c.arrived_key == key)).scalar() is not None:
        raise DataError("somebody came by this link with the same parameter before", got=f"{name}={value}")
    changed = update(people).where(people.c.id == person)
    connection.execute(changed.values(arrived=dict(arrived), arrived_key=key))


def grant(connection: Connection, person: str, role: str, *, by: str | None) -> None:
    """Give a person a role; nothing happens if they have it."""
    if role not in ROLES:
        raise DataError("unknown role", got=role, expected=", ".join(ROLES))
    hold_person(connection, person)
    held = connection.execute(select(roles.c.role).where(roles.c.person_id == person)).scalars().all()
    if role not in held:
        connection.execute(insert(roles), {"person_id": person, "role": role})
        note(connection, "role given", by, person, role=role)


def open_session(connection: Connection, person: str) -> str:
    """Return the cookie of a new session."""
    hold_person(connection, person)
    cookie = secrets.token_urlsafe(32)
    begun = now_ms()
    row = {"id": _hash(cookie), "person_id": person, "created_at": begun, "expires_at": begun + SESSION_DAYS * DAY}
    connection.execute(insert(sessions), row)
    return cookie


def session_of(connection: Connection, cookie: str) -> Session | None:
    """Return the session of a cookie; None if it ended, expired or never existed, or its person has withdrawn."""
    if not cookie:
        return None
    column, id = sessions.c, _hash(cookie)
    usable = (column.id == id) & column.ended_at.is_(None) & (column.expires_at > now_ms())
    person = connection.execute(select(column.person_id).where(usable)).scalar()
    signed_in_person = person_of(connection, person) if person else None
    return Session(id, signed_in_person) if signed_in_person and signed_in_person.withdrawn_at is None else None


def end_session(connection: Connection, session: Session) -> None:
    """Log out."""
    connection.execute(update(sessions).where(sessions.c.id == session.id).values(ended_at=now_ms()))
    note(connection, "left", session.person.id)


def form_token(secret: bytes, session: Session) -> str:
    """Return the token that each form of a session must contain."""
    return hmac.new(secret, f"form {session.id}".encode(), hashlib.sha256).hexdigest()


def token_fits(secret: bytes, session: Session, token: str) -> bool:
    """Compare a form's token in constant time."""
    return hmac.compare_digest(form_token(secret, session).encode(), token.encode("utf-8", "replace"))


def _hash(cookie: str) -> str:
    return hashlib.sha256(cookie.encode("utf-8", "replace")).hexdigest()


def _signer(secret: bytes) -> Any:
    from itsdangerous import URLSafeSerializer

    return URLSafeSerializer(secret, salt="invitation", signer_kwargs={"digest_method": hashlib.sha256})
