"""Participants of surveys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "participants",
        sa.Column("queue_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("cells", sa.JSON(), nullable=False),
        sa.Column("sequence", sa.JSON(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state IN ('open', 'valid', 'invalid')", name=op.f("ck_participants_known_state")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_participants_person_id")),
        sa.ForeignKeyConstraint(["queue_id"], ["queues.id"], name=op.f("fk_participants_queue_id")),
        sa.PrimaryKeyConstraint("queue_id", "person_id", name=op.f("pk_participants")),
    )
