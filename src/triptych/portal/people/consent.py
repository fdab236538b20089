"""Consent: a form with a version and a text, agreed to before anything is recorded."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from sqlalchemy import Connection, func, insert, select, update

from triptych.errors import DataError
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import consent_forms, consents
from triptych.portal.work.audit import note
from triptych.portal.work.presence import hold_person

MAX_CONSENT_LENGTH = 40_000  # characters


def publish(connection: Connection, texts: Mapping[str, str], by: str | None) -> int:
    """Publish a new version of the form, by language; everybody is asked again. Returns its number.

    Raises DataError for an empty or very long text.
    """
    for language, text in texts.items():
        if not text.strip() or len(text) > MAX_CONSENT_LENGTH:
            expected = f"1 to {MAX_CONSENT_LENGTH:,} characters"
            raise DataError(f"the consent form has no usable text in {language!r}", got=len(text), expected=expected)
    version = current(connection) + 1
    for language, text in texts.items():
        body = text.replace("\r\n", "\n").strip()
        row = {
            "version": version,
            "language": language,
            "text": body,
            "sha256": _hash(body),
            "created_at": now_ms(),
        }
        connection.execute(insert(consent_forms), row)
    note(connection, "consent form published", by, str(version), languages=sorted(texts))
    return version


def current(connection: Connection) -> int:
    """Return the number of the current version; 0 before one is published."""
    return int(connection.execute(select(func.max(consent_forms.c.version))).scalar() or 0)


def text_of(connection: Connection, version: int, language: str) -> tuple[str, str, str] | None:
    """Return language, text and SHA-256 of a form, in this language if possible; None if there is no such version."""
    column = consent_forms.c
    rows = connection.execute(select(consent_forms).where(column.version == version).order_by(column.language)).all()
    text_row = next((row for row in rows if row.language == language), rows[0] if rows else None)
    return (text_row.language, text_row.text, text_row.sha256) if text_row else None


def agree(connection: Connection, person: str, version: int, language: str, sha256: str) -> None:
    """Write down that a person agrees to the text that they read.

    Raises DataError if this is not the current version, or not its text: the form changed while the page was open.
    """
    hold_person(connection, person)
    text = text_of(connection, version, language)
    if version != current(connection) or text is None or text[2] != sha256:
        raise DataError("the consent form has changed", fix="read the new form and agree to it")
    held = consents.c
    same = (held.person_id == person) & (held.version == version)
    if connection.execute(select(held.version).where(same)).scalar() is None:
        row = {
            "person_id": person,
            "version": version,
            "language": text[0],
            "sha256": sha256,
            "agreed_at": now_ms(),
        }
        connection.execute(insert(consents), row)
        note(connection, "agreed", person, str(version), language=text[0], sha256=sha256)


def has_agreed(connection: Connection, person: str) -> bool:
    """Return True if a person agreed to the current version and didn't withdraw. Without a form nobody has."""
    held = consents.c
    same = (held.person_id == person) & (held.version == current(connection)) & held.withdrawn_at.is_(None)
    return connection.execute(select(held.version).where(same)).scalar() is not None


def end_all(connection: Connection, person: str) -> None:
    """Write down that a person takes all consent back."""
    held = consents.c
    withdrawal = update(consents).where(held.person_id == person, held.withdrawn_at.is_(None))
    connection.execute(withdrawal.values(withdrawn_at=now_ms()))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
