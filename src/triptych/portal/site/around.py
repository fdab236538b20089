"""What every page of work shows around a task: practice with feedback, changing the last answer, and why there is
nothing to do."""

from __future__ import annotations

from typing import Any

from triptych.portal.site.page import Visit
from triptych.portal.site.titles import title_of
from triptych.portal.work.gold import Rule, feedback_of, standing_of
from triptych.portal.work.queues import Queue
from triptych.portal.work.undoing import last_of


def rule_of(visit: Visit, queue: Queue) -> Rule:
    """Return the rule of a queue's gold tasks."""
    return visit.portal.settings.gold.get(queue.name, Rule())


def surrounding_values(visit: Visit, queue: Queue) -> dict[str, Any]:
    """Return the values: `feedback` on practice, `last` submission that can be changed, `barred`."""
    with visit.portal.database.reading() as connection:
        last = last_of(connection, queue, visit.person.id)
        return {
            "feedback": feedback_of(connection, queue.id, visit.person.id),
            "last": last,
            "barred": standing_of(connection, queue.id, visit.person.id).barred,
            "last_title": title_of(last.body, last.key) if last else "",
        }
