"""Links for several people, people who pause, and remarks on tasks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the columns and the table."""
    op.add_column("people", sa.Column("paused_at", sa.BigInteger(), nullable=True))
    op.add_column("people", sa.Column("arrived", sa.JSON(), nullable=True))
    op.add_column("people", sa.Column("arrived_key", sa.Text(), nullable=True))
    op.create_index("ix_people_arrived_key", "people", ["arrived_key"], unique=True)
    op.add_column("invitations", sa.Column("most", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("invitations", sa.Column("uses", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("invitations", sa.Column("ended_at", sa.BigInteger(), nullable=True))
    op.execute("UPDATE invitations SET uses = 1 WHERE used_at IS NOT NULL")
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "remarks",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("task_id", number, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("kind IN ('comment', 'skip')", name=op.f("ck_remarks_known_kind")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_remarks_person_id")),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_remarks_task_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_remarks")),
    )
    op.create_index("ix_remarks_task_id_person_id_kind", "remarks", ["task_id", "person_id", "kind"])
