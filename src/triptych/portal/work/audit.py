"""The audit trail: who did what, when. Entries are added in the transaction of the change and never altered."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert, select

from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import audit


def note(connection: Connection, action: str, person: str | None, subject: str = "", /, **detail: Any) -> None:
    """Add an entry. `person`: the id of who acted, None for the command line; `subject`: what it was about."""
    row = {"at": now_ms(), "person_id": person, "action": action, "subject": subject, "detail": detail}
    connection.execute(insert(audit), row)


def latest_entries(connection: Connection, before: int | None = None, number: int = 100) -> list[dict[str, Any]]:
    """Return the latest entries, newest first; `before`: only those with a smaller id."""
    query = select(audit).order_by(audit.c.id.desc()).limit(number)
    if before is not None:
        query = query.where(audit.c.id < before)
    return [dict(row._mapping) for row in connection.execute(query)]
