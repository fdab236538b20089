"""A volunteer's own progress and goal: results by day, week and altogether."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, func, select, update

from triptych.errors import DataError
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import LIVE, PERSON_SLOT, people, submissions
from triptych.portal.work.presence import hold_person

MAX_GOAL = 10_000
DAY_MS = 86_400_000


@dataclass(frozen=True)
class Progress:
    """Results of a person that count: today, since Monday (UTC), altogether; the days of this week with one; and the
    number a week that they want to reach, None without a goal."""

    today: int
    week: int
    all: int
    days: int
    goal: int | None


def progress_of(connection: Connection, person: str) -> Progress:
    """Return how far a person is."""
    at = now_ms()
    monday = at // DAY_MS - datetime.fromtimestamp(at / 1000, UTC).weekday()
    sent, day = submissions.c, submissions.c.received_at // DAY_MS
    is_own = (sent.person_id == person) & sent.state.in_(LIVE) & sent.slot.not_like(f"{PERSON_SLOT}%")
    counts: Mapping[int, int] = {
        int(on): int(number)
        for on, number in connection.execute(
            select(day, func.count()).where(is_own, sent.received_at >= monday * DAY_MS).group_by(day)
        )
    }
    every = int(connection.execute(select(func.count()).select_from(submissions).where(is_own)).scalar() or 0)
    goal = connection.execute(select(people.c.goal).where(people.c.id == person)).scalar()
    return Progress(counts.get(at // DAY_MS, 0), sum(counts.values()), every, len(counts), goal)


def set_goal(connection: Connection, person: str, goal: int | None) -> None:
    """Set the number of results a week that a person wants to reach; None for no goal. Raises DataError."""
    hold_person(connection, person)
    if goal is not None and not 0 < goal <= MAX_GOAL:
        raise DataError("not a goal", got=goal, expected=f"1 to {MAX_GOAL} results a week")
    connection.execute(update(people).where(people.c.id == person).values(goal=goal))
