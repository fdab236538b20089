"""Gold tasks, practice, who gets no more tasks, and people's own goals."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the columns and the table."""
    op.add_column("people", sa.Column("goal", sa.Integer(), nullable=True))
    op.add_column("tasks", sa.Column("purpose", sa.Text(), nullable=False, server_default=""))
    op.add_column("tasks", sa.Column("expected", sa.JSON(), nullable=True))
    op.add_column("submissions", sa.Column("gold", sa.Float(), nullable=True))
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "standings",
        sa.Column("queue_id", number, nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("barred_at", sa.BigInteger(), nullable=True),
        sa.Column("since", sa.BigInteger(), nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(["queue_id"], ["queues.id"], name=op.f("fk_standings_queue_id")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_standings_person_id")),
        sa.PrimaryKeyConstraint("queue_id", "person_id", name=op.f("pk_standings")),
    )
