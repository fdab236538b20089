"""Portals for the load test, filled without their pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CONSENT = {"en": "Your voice is recorded.", "zh": "我们将录制您的声音。"}
BATCH = 5000
SIZE = 576_044  # bytes of a recording
FACTS = {"frames": 288_000, "rate": 48_000, "blocks": 100, "lost": 0, "milliseconds": 6000, "worked": 9}


@contextmanager
def filled(folder: Path, url: str) -> Iterator[Any]:
    """The portal of a folder, opened, with a consent form."""
    from triptych.portal.people import consent
    from triptych.portal.project import open_portal

    portal = open_portal(folder, url, create=True)
    with portal.database.writing() as connection:
        if not consent.current(connection):
            consent.publish(connection, CONSENT, None)
    try:
        yield portal
    finally:
        portal.close()


def emptied(url: str) -> None:
    """Drop everything in a database."""
    import sqlalchemy

    engine = sqlalchemy.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    engine.dispose()


def people_with_sessions(portal: Any, number: int, *roles: str, cookies: bool = True) -> list[str]:
    """New people who agreed and described themselves, half of them men: their cookies, or their ids."""
    from triptych.portal.people import consent
    from triptych.portal.people.records import add_person, describe
    from triptych.portal.people.sessions import grant, open_session

    made = []
    with portal.database.writing() as connection:
        found = consent.text_of(connection, 1, "en")
        assert found
        for n in range(number):
            person = add_person(connection, label=f"person {n}")
            for role in roles:
                grant(connection, person, role, by=None)
            consent.agree(connection, person, 1, found[0], found[2])
            gender = "man" if n % 2 else "woman"
            describe(connection, person, gender=gender, age_band="18-25", native_language="zh", major="")
            made.append(open_session(connection, person) if cookies else person)
    return made


def tasks_of(portal: Any, *, works: int, clips: int, kind: str = "recording", done: int = 0) -> Any:
    """A queue `record` of `works` works with `clips` clips each (or, with 0 works, of single tasks); `done`: so many of
    them have an accepted result by one of 50 other people."""
    from triptych.portal.work.queues import NewTask, put_queue, put_tasks

    shows = {"text": "床前明月光，疑是地上霜。", "pinyin": "chuáng qián míng yuè guāng yí shì dì shàng shuāng"}
    body = {"shows": shows, "form": {"audio": "media", "gender": ["man", "woman"]}, "guide": "Read."}
    named = [(f"w{w:05}/{c:03}", f"w{w:05}", c) for w in range(works) for c in range(clips)]
    named = named or [(f"t{n:06}", "", 0) for n in range(clips)]
    settings = {"slots": ["man", "woman"]} if kind == "recording" else {}
    with portal.database.writing() as connection:
        queue = put_queue(connection, "record", kind, settings, None)
        put_tasks(connection, queue, [NewTask(key, "d", body, work, place, 2) for key, work, place in named])
    if done:
        _submit(portal, queue, done)
    return queue


def _submit(portal: Any, queue: Any, number: int) -> None:
    """Accepted results of the first tasks, as rows."""
    from hashlib import sha256

    from sqlalchemy import insert, select

    from triptych.portal.store.engine import current_milliseconds
    from triptych.portal.store.tables import (
        audit,
        blobs,
        checks,
        holders,
        receipts,
        submission_blobs,
        submissions,
        tasks,
    )
    from triptych.portal.work.queues import recount

    people = people_with_sessions(portal, 50, "recorder", cookies=False)
    with portal.database.writing() as connection:
        rows = connection.execute(select(tasks.c.id, tasks.c.work).where(tasks.c.queue_id == queue.id)).all()[:number]
        at, held = current_milliseconds() - number, {}
        for begin in range(0, len(rows), BATCH):
            made: dict[Any, list[dict[str, Any]]] = {}
            for n, (task, work) in enumerate(rows[begin : begin + BATCH], begin):
                held[work] = people[n // 10 % 50]
                id, sha, moment = f"filled-{n:012}", sha256(str(n).encode()).hexdigest(), at + n
                own = {
                    "id": id,
                    "task_id": task,
                    "queue_id": queue.id,
                    "slot": "man",
                    "person_id": held[work],
                    "digest": sha,
                }
                said = {"answers": {"facts": FACTS}, "seconds": 9, "words": 10, "state": "accepted", "reasons": []}
                measures = {"seconds": 6.0, "level_db": -20.0}
                given = {
                    blobs: {"sha256": sha, "size": SIZE, "type": "audio/wav", "created_at": at},
                    submissions: {**own, **said, "received_at": moment},
                    submission_blobs: {"submission_id": id, "field": "audio", "form": "original", "sha256": sha},
                    receipts: {"submission_id": id, "sha256": sha, "size": SIZE, "issued_at": moment},
                    checks: {"submission_id": id, "state": "passed", "measures": measures, "changed_at": moment},
                    audit: {"at": moment, "person_id": held[work], "action": "submitted", "subject": id},
                }
                for table, row in given.items():
                    made.setdefault(table, []).append(row)
            for table, several in made.items():
                connection.execute(insert(table), several)
        slot = {"queue_id": queue.id, "slot": "man", "since": at}
        connection.execute(insert(holders), [{**slot, "work": w, "person_id": p} for w, p in held.items()])
        recount(connection, tasks.c.queue_id == queue.id)
        connection.exec_driver_sql("ANALYZE")  # PostgreSQL does so by itself within a minute
