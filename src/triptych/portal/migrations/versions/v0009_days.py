"""Hours and days are read from one index, which has the slot and the time of a submission, too."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"

BEFORE = ("queue_id", "person_id", "state", "seconds", "words")
NOW = ("queue_id", "person_id", "state", "slot", "received_at", "seconds", "words")


def upgrade() -> None:
    """Replace the index."""
    op.create_index("ix_submissions_days", "submissions", NOW)
    op.drop_index(f"ix_submissions_{'_'.join(BEFORE)}", "submissions")
