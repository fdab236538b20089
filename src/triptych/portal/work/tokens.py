"""Tokens of the HTTP API: made on the command line, shown once; the database holds their SHA-256."""

from __future__ import annotations

import hashlib
import secrets

from sqlalchemy import Connection, insert, select, update

from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import tokens
from triptych.portal.work.audit import note


def add_token(connection: Connection, label: str) -> str:
    """Return a new token."""
    made = f"tpt_{secrets.token_urlsafe(32)}"
    connection.execute(insert(tokens), {"id": _hash(made), "label": label, "created_at": now_ms()})
    note(connection, "token made", None, label)
    return made


def token_is_known(connection: Connection, token: str) -> bool:
    """Return True for a token that was made here and not ended."""
    usable = (tokens.c.id == _hash(token)) & tokens.c.ended_at.is_(None)
    return connection.execute(select(tokens.c.id).where(usable)).scalar() is not None


def end_tokens(connection: Connection, label: str) -> int:
    """End all tokens with a label; returns how many those were."""
    usable = (tokens.c.label == label) & tokens.c.ended_at.is_(None)
    number = connection.execute(update(tokens).where(usable).values(ended_at=now_ms())).rowcount
    note(connection, "token ended", None, label, number=number)
    return int(number)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
