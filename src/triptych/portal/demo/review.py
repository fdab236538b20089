"""Reviews in the demo: questions of the CMDAR mini set, some reviewed by two people who don't always agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.people.stage import Task
from triptych.construction.recipes.cmdar import REVIEW
from triptych.portal.demo.content import content, mini, put_medium
from triptych.portal.exchange.ends import Batch
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.push import review_settings
from triptych.portal.project import Portal
from triptych.portal.work.claims import claim
from triptych.portal.work.queues import queue_of
from triptych.portal.work.submitting import Sent, submit

QUEUE = "scenes-review"
NUMBER = 8


def fill(portal: Portal, reviewers: list[str]) -> None:
    """Make the queue, and review its first questions."""
    rows: list[dict[str, Any]] = msgspec.json.decode((mini("cmdar") / "MDAR-main.json").read_bytes())
    tasks = [_task(portal, row) for row in rows[:NUMBER]]
    settings = review_settings(tasks, len(reviewers))
    Local(portal).put_tasks(QUEUE, Batch("review", settings, tasks))
    with portal.database.reading() as connection:
        queue = queue_of(connection, QUEUE)
    assert queue is not None
    for number, votes in enumerate(content()["review"]["verdicts"]):
        for index, (person, values) in enumerate(zip(reviewers, votes, strict=True)):
            slot = str(index + 1)  # so that both review the same tasks
            if task := claim(portal.database, queue, person, slot):
                sent = Sent(f"demo-review-{index}-{number:04}", task.id, task.slot, person, values, 40)
                submit(portal.database, sent, checked=False)


def _task(portal: Portal, row: dict[str, Any]) -> Task:
    path: Path = mini("cmdar") / row["audio_path"]
    sha = put_medium(portal, path)
    shows = {
        "task": "main",
        "question": row["question"],
        "options": row["chosens"],
        "answer": row["answer"],
        "category": row["category"],
        "audio": f"media/{sha[:2]}/{sha}{path.suffix}",
        "media": {"audio": sha},
    }
    return Task(
        f"main-{row['id']}", "demo", "review", dict(REVIEW.form), shows, REVIEW.guide, 2, guides=dict(REVIEW.guides)
    )
