"""Lists of submissions by state and time, over any number of them."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the index."""
    op.create_index("ix_submissions_state_received_at", "submissions", ["state", "received_at"])
