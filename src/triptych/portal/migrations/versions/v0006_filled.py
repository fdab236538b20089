"""The number of results of each task: what is left to do is found without looking at what is done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

LIVE = "submissions.task_id = tasks.id AND submissions.state IN ('received', 'accepted')"


def upgrade() -> None:
    """Add the column, fill it, and put it into the index of open tasks."""
    op.add_column("tasks", sa.Column("filled", sa.Integer(), nullable=False, server_default="0"))
    op.execute(
        f"UPDATE tasks SET filled = (SELECT count(*) FROM submissions WHERE {LIVE} AND submissions.slot <> 'decision')"
    )
    op.drop_index("ix_tasks_queue_id_closed_at_id_wanted", "tasks")
    columns = ["queue_id", "closed_at", "filled", "id", "wanted"]
    op.create_index(f"ix_tasks_{'_'.join(columns)}", "tasks", columns)
