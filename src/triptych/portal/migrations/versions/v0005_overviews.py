"""Agreement in large queues, counted in the background."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "overviews",
        sa.Column("queue_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("took", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["queue_id"], ["queues.id"], name=op.f("fk_overviews_queue_id")),
        sa.PrimaryKeyConstraint("queue_id", name=op.f("pk_overviews")),
    )
