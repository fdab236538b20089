"""The portal's end of an exchange: this computer's project, or a server asked over HTTP (`remote`)."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, Any, Protocol

import msgspec

from triptych.construction.asking.questions import Result
from triptych.construction.people.stage import Task
from triptych.portal.survey.document import Results as Answers
from triptych.portal.survey.document import Survey


class Batch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All open tasks of a queue. `settings`: None keeps those that the queue has; `again`: results that the recipe
    sends back, by the SHA-256 of their medium, each with its reason."""

    kind: str
    settings: dict[str, Any] | None
    tasks: Sequence[Task]
    again: dict[str, str] = {}


class Pushed(msgspec.Struct, frozen=True):
    """The result of a push: the queue, and counts of tasks. `again`: results that have to be made again."""

    queue: str
    kind: str
    added: int
    open: int
    closed: int
    again: int = 0


class Accepted(msgspec.Struct, frozen=True):
    """An accepted result: the id of its submission, and its files (SHA-256 -> name below `results/`).

    chosen  False for a vote of a reviewer, where a build gets one result of several
    """

    id: str
    result: Result
    files: dict[str, str]
    chosen: bool = True


class PortalPeople(msgspec.Struct, frozen=True):
    """The pseudonyms of a portal: of everybody, and of those who left."""

    people: list[str]
    withdrawn: list[str]


class End(Protocol):
    """The operations of a portal that an exchange uses."""

    def put_medium(self, path: Path, sha256: str, size: int) -> None:
        """Store a file; nothing happens if it is stored already."""

    def put_tasks(self, queue: str, batch: Batch) -> Pushed:
        """Make these the open tasks of a queue."""

    def put_survey(self, queue: str, survey: Survey) -> Pushed:
        """Put a survey into a queue. Raises DataError if somebody has begun one with other questions."""

    def answers(self, queue: str) -> Answers:
        """The answers to a survey, of people who count. Raises DataError for an unknown survey."""

    def results(self, queue: str) -> tuple[PortalPeople, Iterator[Accepted]]:
        """Everybody's pseudonyms, and the accepted results one by one. Raises DataError for an unknown queue."""

    def medium(self, sha256: str) -> AbstractContextManager[IO[bytes]]:
        """A file, open for reading. Raises MediaError if it is not there (any more)."""

    def confirm(self, queue: str, ids: Collection[str], target: str) -> set[str]:
        """Write down an export; return the submissions that are still accepted, which alone may be exported."""


def copy_stream(source: IO[bytes], path: Path) -> None:
    """Copy a stream to a file."""
    with path.open("wb") as file:
        shutil.copyfileobj(source, file)
