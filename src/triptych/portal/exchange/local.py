"""An exchange with the project folder on this computer; the server's HTTP API does the same with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import msgspec
from sqlalchemy import Connection, insert

from triptych.construction.asking.questions import Result
from triptych.construction.people.stage import Task
from triptych.errors import DataError
from triptych.media.sniff import sniff
from triptych.portal.exchange.ends import Accepted, Batch, PortalPeople, Pushed, copy_stream
from triptych.portal.exchange.push import work_of
from triptych.portal.people.records import Person, all_people
from triptych.portal.project import Portal
from triptych.portal.review.storing import decided_submissions
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import exported, exports
from triptych.portal.survey.document import KIND, Survey
from triptych.portal.survey.document import Results as Answers
from triptych.portal.survey.keeping import get_results, put_survey
from triptych.portal.work.audit import note
from triptych.portal.work.gold import Rule, apply_rules
from triptych.portal.work.keeping import Medium, storing
from triptych.portal.work.queues import Live, NewTask, Queue, live_submissions, put_queue, put_tasks, queue_of
from triptych.portal.work.reopening import send_back

FOLDER = "portal"  # of media, below the build's results/
AGES = {
    "under-18": "child",
    "18-25": "young",
    "26-30": "young",
    "31-40": "young",
    "41-50": "middle-aged",
    "51-60": "middle-aged",
    "over-60": "old",
}


class Local:
    """The portal of a project folder."""

    def __init__(self, portal: Portal) -> None:
        self.portal = portal

    def put_medium(self, path: Path, sha256: str, size: int) -> None:
        """Store a file. Raises DataError if it has another SHA-256."""
        with path.open("rb") as source, self.portal.blobs.incoming_file() as part_folder:
            copy_stream(source, part_folder)
            self.keep(part_folder, sha256, size)

    def keep(self, path: Path, sha256: str, size: int) -> None:
        """Store a file of `incoming`, and write it down with its type. Raises DataError if it has another SHA-256."""
        with path.open("rb") as file:
            medium = Medium("", sha256, size, sniff(file.read(64)) or "application/octet-stream")
        database = self.portal.database
        with storing(database, self.portal.blobs, path, medium) as keep, database.writing() as connection:
            keep(connection, medium)

    def put_tasks(self, queue: str, batch: Batch) -> Pushed:
        """Make these the open tasks of a queue."""
        with self.portal.database.writing() as connection:
            settings = _queue(connection, queue).settings if batch.settings is None else batch.settings
            made = put_queue(connection, queue, batch.kind, settings, None)
            back = send_back(connection, made, batch.again, None)
            of_run = bool(made.settings.get("run"))  # in the order that was drawn
            numbered = [_new_task(task) for task in batch.tasks] if of_run else _numbered(batch.tasks)
            # any reviewer may do any task, also if the one who began the work has left
            if batch.kind == "review" or made.settings.get("verified"):
                numbered = [replace(each, work="", position=0) for each in numbered]
            counts = put_tasks(connection, made, numbered, back.tasks)
        return Pushed(queue, batch.kind, counts["added"], counts["open"], counts["closed"], back.number)

    def put_survey(self, queue: str, survey: Survey) -> Pushed:
        """Put a survey into a queue."""
        counts = put_survey(self.portal, queue, survey)
        return Pushed(queue, KIND, counts["added"], counts["open"], counts["closed"])

    def answers(self, queue: str) -> Answers:
        """The answers to a survey."""
        return get_results(self.portal, queue)

    def results(self, queue: str) -> tuple[PortalPeople, Iterator[Accepted]]:
        """Everybody's pseudonyms, and the accepted results one by one; first the rule of gold tasks is applied."""
        with self.portal.database.reading() as connection:
            number = _queue(connection, queue).id
        apply_rules(self.portal.database, number, self.portal.settings.gold.get(queue, Rule()))
        with self.portal.database.reading() as connection:
            work_queue = _queue(connection, queue)
            people_by_id = {person.id: person for person in all_people(connection)}
            is_decided = work_queue.kind == "review" or work_queue.settings.get("verified")
            chosen = decided_submissions(connection, work_queue) if is_decided else None
        gone = [person.pseudonym for person in people_by_id.values() if person.withdrawn_at]
        return PortalPeople(
            sorted(person.pseudonym for person in people_by_id.values()), sorted(gone)
        ), self._live_results(work_queue, people_by_id, chosen)

    def _live_results(
        self, queue: Queue, people_by_id: Mapping[str, Person], chosen: set[str] | None
    ) -> Iterator[Accepted]:
        with self.portal.database.reading() as connection:
            for row in live_submissions(connection, queue):
                if person := people_by_id.get(row.person_id):  # somebody who came in the meantime is in the next export
                    yield _accepted_result(row, person, chosen is None or row.id in chosen)

    def medium(self, sha256: str) -> AbstractContextManager[IO[bytes]]:
        """A file, open for reading."""
        return self.portal.blobs.open_file(sha256)

    def confirm(self, queue: str, ids: Collection[str], target: str) -> set[str]:
        """Write down an export of what is still accepted."""
        with self.portal.database.writing() as connection:
            work_queue = _queue(connection, queue)
            still = {row.id for row in live_submissions(connection, work_queue)} & set(ids)
            made = (
                insert(exports).values(queue_id=work_queue.id, target=target, made_at=now_ms()).returning(exports.c.id)
            )
            number = connection.execute(made).scalar_one()
            if still:
                rows = [{"export_id": number, "submission_id": id} for id in sorted(still)]
                connection.execute(insert(exported), rows)
            note(connection, "exported", None, work_queue.name, target=target, results=len(still))
        return still


def _queue(connection: Connection, name: str) -> Queue:
    queue = queue_of(connection, name)
    if queue is None:
        raise DataError(f"the portal has no queue {name!r}", fix="triptych portal push")
    return queue


def _accepted_result(row: Live, person: Person, chosen: bool) -> Accepted:
    values: dict[str, Any] = {name: value for name, value in row.answers.items() if name != "facts"}
    values |= {field: f"{FOLDER}/{sha}.wav" for field, sha in row.files.items()}
    values |= _described(person, row.body.get("form", {}))
    at = datetime.fromtimestamp(row.received_at / 1000, UTC).isoformat(timespec="seconds")
    result = Result(row.key, row.shown, person.pseudonym, values, at)
    return Accepted(row.id, result, {sha: f"{FOLDER}/{sha}.wav" for sha in row.files.values()}, chosen)


def _described(person: Person, form: Mapping[str, Any]) -> dict[str, str]:
    """Values that the form asks about the reader and the portal knows already; a review's form asks about somebody
    else."""
    if "media" not in form.values():
        return {}
    fields = {"gender": person.gender, "age": AGES.get(person.age_band, "")}
    chosen = {name: value for name, value in fields.items() if isinstance(form.get(name), list) and value in form[name]}
    words = {"years": person.age_band, "major": person.major}
    return chosen | {name: value for name, value in words.items() if form.get(name) == "text" and value}


def _new_task(task: Task) -> NewTask:
    return NewTask(task.id, task.shown, msgspec.to_builtins(task), wanted=task.people)


def _numbered(tasks: Sequence[Task]) -> list[NewTask]:
    """Places in a work count from 0, whatever the clips are named."""
    places: dict[str, list[int]] = {}
    for task in tasks:
        work, number = work_of(task.id)
        places.setdefault(work, []).append(number)
    order = {
        work: {number: index for index, number in enumerate(sorted(work_places))}
        for work, work_places in places.items()
    }
    made = []
    for task in sorted(tasks, key=lambda each: work_of(each.id)):
        work, number = work_of(task.id)
        body = msgspec.to_builtins(task)
        made.append(NewTask(task.id, task.shown, body, work, order[work][number] if work else 0, task.people))
    return made
