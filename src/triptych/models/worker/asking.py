"""Jobs for a worker that may die: no job is lost, and only the one that kills it fails."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from triptych.errors import ProviderError, TriptychError
from triptych.models.worker.process import WorkerDied, WorkerProcess

_IDS = count(1)
TIMED_OUT = "it was stopped, since the time limit of a Request had passed (--timeout)"


@dataclass(frozen=True, eq=False)
class Job:
    """A Request as a worker takes it. `media_files` keeps the files of its media."""

    messages: list[dict[str, Any]]
    settings: dict[str, Any]
    length: float
    media_files: Any = None


class Asking:
    """Runs batches in a worker, which is started again after it died: at most `restarts` times in a row without any
    answer in between, after which nothing more is asked."""

    def __init__(self, start: Callable[[], WorkerProcess], *, answer_s: float, restarts: int) -> None:
        self._start, self._answer_s, self._restarts = start, answer_s, restarts
        self._worker: WorkerProcess | None = None
        self._deaths, self._ended = 0, False
        self._lock = threading.Lock()
        self._sent: set[Job] = set()  # not answered yet
        self._given_up: weakref.WeakSet[Job] = weakref.WeakSet()

    def open(self) -> WorkerProcess:
        """Start the worker, and return it."""
        if self._worker is None:
            self._worker = self._start()
        return self._worker

    def end(self) -> None:
        """Kill the worker and start no other; `close` must follow, once nothing is asked any more."""
        with self._lock:
            self._ended = True
            if self._worker is not None:
                self._worker.kill("the Run ended")

    def close(self) -> None:
        """Release the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def give_up(self, job: Job) -> None:
        """Nobody waits for this job any more. If the worker is busy with it, it is killed. Called from any thread."""
        with self._lock:
            self._given_up.add(job)
            if job in self._sent and self._worker is not None:
                self._worker.kill(TIMED_OUT)

    def answers(self, jobs: Sequence[Job]) -> list[Any]:
        """Return for each job the worker's message, or the exception that belongs to it.

        If the worker dies with several unanswered jobs, each is asked again alone.
        """
        answers: dict[Job, Any] = {}
        why = self._batch(jobs, answers)
        for job in jobs:
            if job in answers or why is None:
                continue
            if len(jobs) > 1:
                why = self._batch([job], answers) or why
            if job not in answers:
                answers[job] = _failure(why)
        return [answers.get(job) or _failure("nobody waits for the answer") for job in jobs]

    def _batch(self, jobs: Sequence[Job], answers: dict[Job, Any]) -> str | None:
        """Ask the jobs, and put what comes into `answers`. Returns why the worker died; None if all are answered."""
        self._check_restarts()
        if self._worker is not None and self._worker.stopped:  # because of an earlier job
            self.close()
        try:
            worker = self.open()
        except TriptychError as error:
            self._deaths += 1
            return str(error)
        with self._lock:
            wanted = [job for job in jobs if job not in self._given_up]
            self._sent = set(wanted)
        if not wanted:
            return None
        ids = {next(_IDS): job for job in wanted}
        lines = [{"id": key, "messages": job.messages, "settings": job.settings} for key, job in ids.items()]
        try:
            for message in worker.ask(lines, self._answer_s):
                answers[ids[message["id"]]] = message
                self._deaths = 0
                with self._lock:
                    self._sent.discard(ids[message["id"]])
        except WorkerDied as error:
            self._deaths += 1
            self.close()
            return str(error)
        finally:
            with self._lock:
                self._sent = set()
        return None

    def _check_restarts(self) -> None:
        if self._ended:
            raise ProviderError("the Run ended", kind="internal")
        if self._deaths > self._restarts:
            raise ProviderError(
                f"the worker died {self._deaths} times without an answer in between",
                kind="internal",
                fatal=True,
                fix="see the messages of the failed Responses; the Run can be resumed",
            )


def _failure(why: str) -> ProviderError:
    return ProviderError(f"the worker died while it answered: {why}", kind="internal")
