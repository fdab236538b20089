"""Lists and counts from indexes alone; and what earlier withdrawals left about people is erased."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from triptych.portal.work.words import words_of

revision = "0004"
down_revision = "0003"

_tasks = sa.table("tasks", sa.column("id"), sa.column("body", sa.JSON()))
_audit = sa.table("audit", sa.column("id"), sa.column("action"), sa.column("subject"), sa.column("detail", sa.JSON()))
WITHDRAWN = "SELECT id FROM people WHERE withdrawn_at IS NOT NULL"


def upgrade() -> None:
    """Add the columns and indexes, fill the columns, and erase."""
    op.add_column("submissions", sa.Column("queue_id", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("submissions", sa.Column("words", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE submissions SET queue_id = (SELECT queue_id FROM tasks WHERE tasks.id = submissions.task_id)")
    _count_words()
    op.drop_index("ix_submissions_state_received_at", "submissions")
    for columns in (
        ["queue_id", "state", "received_at", "id"],
        ["queue_id", "task_id", "state", "slot"],
        ["queue_id", "person_id", "state", "seconds", "words"],
    ):
        op.create_index(f"ix_submissions_{'_'.join(columns)}", "submissions", columns)
    op.create_index("ix_tasks_queue_id_closed_at_id_wanted", "tasks", ["queue_id", "closed_at", "id", "wanted"])
    _erase()


def _count_words() -> None:
    connection = op.get_bind()
    last = 0
    counted = sa.text("UPDATE submissions SET words = :words WHERE task_id = :id")
    while rows := connection.execute(
        sa.select(_tasks.c.id, _tasks.c.body).where(_tasks.c.id > last).order_by(_tasks.c.id).limit(1000)
    ).all():
        last = rows[-1].id
        if rows_with_words := [{"id": row.id, "words": words} for row in rows if (words := words_of(row.body))]:
            connection.execute(counted, rows_with_words)


def _erase() -> None:
    """Erase what a withdrawal erases since this version. The audit trail held the administrator's notes and, of single
    sign-on, the issuer's names."""
    connection = op.get_bind()
    for line in (
        "DELETE FROM receipts WHERE submission_id IN (SELECT id FROM submissions WHERE state = 'erased')",
        "UPDATE submissions SET digest = '' WHERE state = 'erased'",
        f"UPDATE invitations SET label = '' WHERE person_id IN ({WITHDRAWN}) OR used_by IN ({WITHDRAWN})",
        "UPDATE participants SET cells = '[]', sequence = '[]', reasons = '[]', state = 'invalid', ended_at = NULL, "
        f"began_at = (SELECT withdrawn_at FROM people WHERE id = person_id) WHERE person_id IN ({WITHDRAWN})",
        "UPDATE audit SET subject = 'sign-in' WHERE action = 'entered' AND subject LIKE '%://%'",
    ):
        connection.execute(sa.text(line))
    invited = connection.execute(sa.select(_audit.c.id, _audit.c.detail).where(_audit.c.action == "invited")).all()
    for id, detail in invited:
        remaining = {name: value for name, value in detail.items() if name != "label"}
        connection.execute(sa.update(_audit).where(_audit.c.id == id).values(detail=remaining))
