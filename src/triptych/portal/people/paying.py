"""Pay: by weighted words, minutes of sound, hours of work, and results."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import select

from triptych.errors import MediaError
from triptych.media.lengths import media_seconds
from triptych.portal.people.hours import Hours
from triptych.portal.project import Pay, Portal
from triptych.portal.store.tables import UNCOUNTED, checks, queues, submissions, tasks

TIMED = ("audio", "video")


def amount(pay: Pay, row: Hours, accepted_seconds: float | None) -> float | None:
    """Return what a person gets for a queue; None if it is paid by the minute and a length is unknown.

    >>> from triptych.portal.people.hours import Hours
    >>> row = Hours("a", "p-1", "", "transcribe", "annotation", 3600, 2, 2, 400)
    >>> amount(Pay(per_minute=3.0), row, 600), amount(Pay(weight=1.5, per_word=0.1), row, 600)
    (30.0, 60.0)
    """
    if accepted_seconds is None and pay.per_minute:
        return None
    return round(
        pay.per_word * pay.weight * row.words
        + pay.per_minute * (accepted_seconds or 0.0) / 60
        + pay.per_hour * row.seconds / 3600
        + pay.per_result * row.accepted,
        2,
    )


def accepted_seconds(portal: Portal) -> Mapping[tuple[str, str], float | None]:
    """Return the seconds of sound or film in the accepted results of each person and queue: what was recorded, or what
    the task shows. Only queues that are paid by the minute are looked at; a clip of a talk counts by its own length.

    None where the length of one result is unknown: the sum would be too small, and nobody would see it.
    """
    paid = [name for name in portal.settings.pay if portal.settings.pay_of(name).per_minute]
    seconds_by_result: dict[tuple[str, str], float | None] = {}
    if not paid:
        return seconds_by_result
    sent = submissions.c
    query = (
        select(sent.person_id, queues.c.name, queues.c.kind, tasks.c.body, checks.c.measures)
        .select_from(
            submissions.join(tasks, tasks.c.id == sent.task_id)
            .join(queues, queues.c.id == tasks.c.queue_id)
            .outerjoin(checks, checks.c.submission_id == sent.id)
        )
        .where(queues.c.name.in_(paid), sent.state == "accepted", tasks.c.filled != UNCOUNTED)
    )
    with portal.database.reading() as connection:
        rows = connection.execute(query).all()
    for person, queue, kind, body, measures in rows:
        seconds = (measures or {}).get("seconds") if kind == "recording" else _shown(portal, body)
        before = seconds_by_result.get((person, queue), 0.0)
        seconds_by_result[person, queue] = None if seconds is None or before is None else before + float(seconds)
    return seconds_by_result


def _shown(portal: Portal, body: Mapping[str, Any]) -> float | None:
    """The seconds of the first sound or film that a task shows; 0 without one, None if no length is known."""
    media = body.get("shows", {}).get("media", {})
    names = sorted((name for name in media if name.split(".")[0].startswith(TIMED)), key=lambda name: name != "audio")
    for name in names:
        try:
            with portal.blobs.local(media[name]) as path:
                if (length := _seconds(media[name], str(path))) is not None:
                    return length
        except MediaError:
            continue
    return None if names else 0.0


@lru_cache(maxsize=4096)
def _seconds(sha256: str, path: str) -> float | None:
    return media_seconds(Path(path)) or None
