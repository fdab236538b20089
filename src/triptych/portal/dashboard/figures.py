"""Figures of the dashboard, without a page: results by day and person, forecasts, gold tasks, disk."""

from __future__ import annotations

import math
import shutil
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select, text

from triptych.portal.people.hours import hours_of
from triptych.portal.project import Portal
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import (
    DECISION,
    LIVE,
    PERSON_SLOT,
    blobs,
    people,
    queues,
    submission_blobs,
    submissions,
)
from triptych.portal.work.gold import Standing, standings_of
from triptych.portal.work.queues import Queue, all_queues, progress

DAY_MS = 86_400_000
DAYS = 14  # shown, today among them
RATED = 7  # whole days before today that a forecast is made of
MEASURED = 1000  # recordings of a queue whose sizes say how large the next ones will be
FAR_DAYS = 3650  # a forecast behind this says nothing


class Forecast(msgspec.Struct, frozen=True):
    """When a queue is done if people go on as in the last days, in milliseconds since 1970. `early`, `late`: the 95%
    interval of the mean per day; `late` is None if that includes 0."""

    per_day: float
    at: int
    early: int
    late: int | None


class QueueFigures(msgspec.Struct, frozen=True):
    """A queue. `days`: results that count, by day, today last; `people`: who sent one of these; `gold`: share of right
    gold tasks, None without any, of `judged`; `barred`: number of people who get no more tasks."""

    name: str
    kind: str
    wanted: int
    done: int
    received: int
    again: int
    open: int
    days: tuple[int, ...]
    people: int
    forecast: Forecast | None
    gold: float | None
    judged: int
    barred: int


class PersonFigures(msgspec.Struct, frozen=True):
    """A person. `days`: results that count, by day, today last; `hours`: of all their work; `again`: submissions that
    don't count; `last`: when they last sent a result, None if before these days; `gold`: as of a queue."""

    id: str
    pseudonym: str
    label: str
    days: tuple[int, ...]
    accepted: int
    submitted: int
    hours: float
    last: int | None
    gold: float | None
    judged: int


class Disk(msgspec.Struct, frozen=True):
    """Bytes. `free`: on the disk of the project folder, None if media are in a bucket; `needed`: of the recordings that
    are still wanted, None if none was made yet."""

    media: int
    files: int
    database: int
    free: int | None
    needed: int | None


class Figures(msgspec.Struct, frozen=True):
    """Everything. `days`: the days, as numbers since 1970 (UTC), today last."""

    days: tuple[int, ...]
    queues: tuple[QueueFigures, ...]
    people: tuple[PersonFigures, ...]
    disk: Disk


def figures(portal: Portal) -> Figures:
    """Return the figures of a portal."""
    today = now_ms() // DAY_MS
    days = tuple(range(today - DAYS + 1, today + 1))
    with portal.database.reading() as connection:
        open_queues = [queue for queue in all_queues(connection) if queue.closed_at is None]
        sent = {queue.id: _by_day(connection, queue, days[0]) for queue in open_queues}
        golds = {queue.id: standings_of(connection, queue.id) for queue in open_queues}
        made = tuple(_queue(connection, queue, sent[queue.id], golds[queue.id], days) for queue in open_queues)
        who = _people(connection, list(golds.values()), list(sent.values()), days)
        disk = _disk(connection, portal, made)
    return Figures(days, made, who, disk)


Sent = dict[tuple[str, int], tuple[int, int]]  # person, day -> results, time of the last one


def _by_day(connection: Connection, queue: Queue, first: int) -> Sent:
    """Results that count since a day; a decision is none, but somebody was at work."""
    column = submissions.c
    day = column.received_at // DAY_MS
    which = (column.queue_id == queue.id) & column.state.in_(LIVE) & (column.received_at >= first * DAY_MS)
    number = func.count().filter(column.slot != DECISION)
    query = select(column.person_id, day, number, func.max(column.received_at)).where(
        which, column.slot.not_like(f"{PERSON_SLOT}%")
    )
    rows = connection.execute(query.group_by(column.person_id, day))
    return {(person, int(day)): (int(number), int(last)) for person, day, number, last in rows}


def _queue(
    connection: Connection, queue: Queue, sent: Sent, golds: Mapping[str, Standing], days: Sequence[int]
) -> QueueFigures:
    counts = progress(connection, queue)
    by_day = Counter[int]()
    for (_, day), (number, _) in sent.items():
        by_day[day] += number
    per_day = tuple(by_day[day] for day in days)
    left = counts["wanted"] - counts["done"] - counts["received"]
    standings = golds.values()
    judged = sum(each.judged for each in standings)
    right = sum(each.judged * each.right for each in standings if each.right is not None)
    return QueueFigures(
        queue.name,
        queue.kind,
        counts["wanted"],
        counts["done"],
        counts["received"],
        counts["again"],
        counts["leased"],
        per_day,
        len({person for person, _ in sent}),
        forecast(per_day, left, days[-1]),
        right / judged if judged else None,
        judged,
        sum(each.barred for each in standings),
    )


def forecast(per_day: Sequence[int], left: int, today: int) -> Forecast | None:
    """Return when `left` results are done at the mean of the last RATED whole days; None if nothing is left, nobody did
    anything in these days, or it would take ten years.

    Days before the first result are not counted, so that a queue of yesterday is not judged by a week without it.

    Example:
        >>> found = forecast([0, 0, 0, 0, 0, 0, 10, 10, 10, 10, 10, 10, 10, 3], 50, 20000)
        >>> found.per_day, found.at // 86_400_000 - 20000, found.early == found.late == found.at
        (10.0, 5, True)
    """
    days = list(per_day[:-1])[-RATED:]
    while days and not days[0] and len(days) > 1:
        days.pop(0)
    mean = fmean(days) if days else 0.0
    if left <= 0 or mean <= 0 or left / mean > FAR_DAYS:
        return None
    spread = 1.96 * stdev(days) / math.sqrt(len(days)) if len(days) > 1 else 0.0
    begin = today * DAY_MS

    def end(rate: float) -> int:
        return begin + math.ceil(left / rate) * DAY_MS

    slow = mean - spread
    late = end(slow) if slow > 0 and left / slow <= FAR_DAYS else None
    return Forecast(mean, end(mean), end(mean + spread), late)


def _people(
    connection: Connection, standings: Sequence[Mapping[str, Standing]], sent: Sequence[Sent], days: Sequence[int]
) -> tuple[PersonFigures, ...]:
    by_day: dict[str, Counter[int]] = defaultdict(Counter)
    last: dict[str, int] = {}
    for one in sent:
        for (person, day), (number, at) in one.items():
            by_day[person][day] += number
            last[person] = max(at, last.get(person, 0))
    seconds, submitted, accepted = Counter[str](), Counter[str](), Counter[str]()
    for row in hours_of(connection):
        seconds[row.person] += row.seconds
        submitted[row.person] += row.submitted
        accepted[row.person] += row.accepted
    golds: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for one_queue in standings:
        for person, standing in one_queue.items():
            golds[person].append((standing.judged, standing.right or 0.0))
    names = connection.execute(
        select(people.c.id, people.c.pseudonym, people.c.label).where(people.c.withdrawn_at.is_(None))
    )
    made = []
    for person, pseudonym, label in names:
        judged = sum(number for number, _ in golds[person])
        right = sum(number * share for number, share in golds[person]) / judged if judged else None
        if submitted[person]:
            made.append(
                PersonFigures(
                    person,
                    pseudonym,
                    label,
                    tuple(by_day[person][day] for day in days),
                    accepted[person],
                    submitted[person],
                    seconds[person] / 3600,
                    last.get(person),
                    right,
                    judged,
                )
            )
    return tuple(sorted(made, key=lambda each: (-sum(each.days), -each.submitted, each.pseudonym)))


def _disk(connection: Connection, portal: Portal, made: Sequence[QueueFigures]) -> Disk:
    there = blobs.c.erased_at.is_(None)
    files, size = connection.execute(select(func.count(), func.sum(blobs.c.size)).where(there)).one()
    left = sum(max(each.wanted - each.done - each.received, 0) for each in made if each.kind == "recording")
    local = not portal.settings.media.startswith("s3://")
    return Disk(
        int(size or 0),
        int(files),
        _database(connection, portal),
        shutil.disk_usage(portal.path).free if local else None,
        _needed_bytes(connection, left),
    )


def _needed_bytes(connection: Connection, left: int) -> int | None:
    """The bytes of as many recordings, each as large as the last ones, with its 16 kHz version."""
    if not left:
        return 0
    sent = submissions.c
    size = number = 0
    for queue in connection.execute(select(queues.c.id).where(queues.c.kind == "recording")).scalars():
        last = (
            select(sent.id)
            .where(sent.queue_id == queue, sent.state == "accepted")
            .order_by(sent.received_at.desc(), sent.id.desc())
            .limit(MEASURED)
            .subquery()
        )
        recorded = (
            select(func.sum(blobs.c.size), func.count(func.distinct(last.c.id)))
            .select_from(last.join(submission_blobs, submission_blobs.c.submission_id == last.c.id).join(blobs))
            .where(blobs.c.erased_at.is_(None))
        )
        bytes_, persons = connection.execute(recorded).one()
        size, number = size + int(bytes_ or 0), number + int(persons)
    return size * left // number if number else None


def _database(connection: Connection, portal: Portal) -> int:
    if connection.dialect.name == "postgresql":
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar() or 0)
    name = portal.database.url.database or ""
    return sum(path.stat().st_size for path in (Path(name), Path(f"{name}-wal")) if path.is_file())


def rows_by_day(connection: Connection) -> list[tuple[Any, ...]]:
    """Return pseudonym, queue, day (ISO), results, those that count, and seconds: a row for each day of a person."""
    column = submissions.c
    day = column.received_at // DAY_MS
    query = (
        select(
            people.c.pseudonym,
            queues.c.name,
            day,
            func.count(),
            func.count().filter(column.state.in_(LIVE) & column.slot.not_like(f"{PERSON_SLOT}%")),
            func.sum(column.seconds),
        )
        .select_from(
            submissions.join(people, people.c.id == column.person_id).join(queues, queues.c.id == column.queue_id)
        )
        .group_by(people.c.pseudonym, queues.c.id, queues.c.name, day)
        .order_by(day, queues.c.id, people.c.pseudonym)
    )
    rows = connection.execute(query)
    return [
        (who, queue, datetime.fromtimestamp(int(on) * 86_400, UTC).date().isoformat(), sent, live, int(time or 0))
        for who, queue, on, sent, live, time in rows
    ]
