"""Tests of `models/worker/asking.py`: when a worker dies, only what killed it has failed, and no job is lost."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.models.worker.test_worker import adapter, asked, questions, request, why
from triptych.errors import ProviderError, WeightsError
from triptych.media.payload import MediaReader
from triptych.models.worker.asking import TIMED_OUT, Asking, Job
from triptych.models.worker.process import WorkerDied
from triptych.records import text
from triptych.running.loop import RunOptions, execute, run_sync
from triptych.store.journals.replies import ReplyJournal

pytestmark = [
    pytest.mark.usefixtures("trusted"),
    pytest.mark.skipif(os.name == "nt", reason="worker processes need POSIX"),
]


# --- with a process


@pytest.mark.parametrize("word", ["die", "exit"])
def test_when_the_worker_dies_in_a_batch_only_the_cause_has_failed(word: str, tmp_path: Path) -> None:
    found = asked(adapter(tmp_path, batch=4), questions("a", "b", word, "c", "d", "e"), tmp_path)
    assert [name for name, one in found.items() if one.status != "answered"] == [f"2-{word}"]
    said = why(found[f"2-{word}"])
    assert ("killed by signal 9; its last message: CUDA error" in said) if word == "die" else ("exit code 3" in said)


def test_a_worker_that_dies_again_and_again_ends_the_run_and_nothing_is_lost(tmp_path: Path) -> None:
    journal = ReplyJournal(tmp_path, "replies")
    told = RunOptions(progress=False, retries=0, timeout_s=None, concurrency=2)
    model = adapter(tmp_path, restarts=2)
    outcome = run_sync(execute(questions("a", *["die"] * 9), model, journal, MediaReader(tmp_path), told))
    assert outcome.fatal and "died 3 times" in outcome.stopped
    statuses = [one.status for one in journal.latest_replies().values()]
    first = statuses[0] == "failed"  # of two that are prepared at once, either may be asked first
    assert statuses.count("answered") == 1 and statuses.count("failed") == 3 + first and len(statuses) == 4 + first


def test_a_question_that_hangs_fails_alone(tmp_path: Path) -> None:
    found = asked(adapter(tmp_path, answer_s=0.3), questions("a", "hang", "b"), tmp_path)
    assert [one.status for one in found.values()].count("answered") == 2
    assert "no answer within 0.3 s" in why(found["1-hang"])


def test_a_question_whose_time_is_over_stops_the_worker_and_the_next_is_answered(tmp_path: Path) -> None:
    async def ask() -> tuple[str, bool]:
        model = adapter(tmp_path)
        await model.open()
        reader = MediaReader(tmp_path)
        hangs = request("hang", text("hang"))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await model.respond(hangs, await model.prepare(hangs, reader))
        then = request("a", text("a"))
        reply = await model.respond(then, await model.prepare(then, reader))
        await model.close()
        return reply.text, reply.status == "answered"

    assert asyncio.run(ask()) == ("a|0|6", True)


# --- with a worker in this process that dies of some words


class Mortal:
    """A worker that answers each job with its text, and dies of `die`."""

    stopped = ""

    def __init__(self, births: list[int]) -> None:
        births.append(1)
        self.ended = False

    def ask(self, jobs: Sequence[dict[str, Any]], within_s: float) -> Iterator[dict[str, Any]]:
        for job in jobs:
            (message,) = job["messages"]
            if message["content"] == "die":
                raise WorkerDied("killed by signal 9")
            yield {"op": "answer", "id": job["id"], "text": message["content"]}

    def kill(self, why: str) -> None:
        self.stopped = why

    def close(self) -> None:
        self.ended = True


def job(words: str) -> Job:
    return Job([{"role": "user", "content": words}], {}, 1.0)


def shown(answers: list[Any]) -> list[str]:
    return [one["text"] if isinstance(one, dict) else str(one) for one in answers]


def asking(births: list[int], restarts: int = 9) -> Asking:
    return Asking(lambda: Mortal(births), answer_s=60, restarts=restarts)  # type: ignore[arg-type, return-value]


def test_what_was_not_answered_is_asked_again_alone() -> None:
    births: list[int] = []
    answers = asking(births).answers([job(words) for words in ("a", "b", "die", "c", "d")])
    assert shown(answers) == ["a", "b", "the worker died while it answered: killed by signal 9", "c", "d"]
    assert len(births) == 3, "one for the batch, one for the cause, one for what is left"


def test_jobs_that_do_no_harm_share_one_worker() -> None:
    births: list[int] = []
    one = asking(births)
    assert shown(one.answers([job("a"), job("b")])) == ["a", "b"] and shown(one.answers([job("c")])) == ["c"]
    assert births == [1]


def test_after_too_many_deaths_nothing_more_is_asked() -> None:
    births: list[int] = []
    one = asking(births, restarts=1)
    for _ in range(2):
        (error,) = one.answers([job("die")])
        assert isinstance(error, ProviderError) and not error.fatal
    with pytest.raises(ProviderError, match="died 2 times without an answer in between") as caught:
        one.answers([job("a")])
    assert caught.value.fatal and len(births) == 2


def test_an_answer_in_between_forgives() -> None:
    births: list[int] = []
    one = asking(births, restarts=1)
    for _ in range(4):
        one.answers([job("die")])
        assert shown(one.answers([job("a")])) == ["a"]
    assert len(births) == 5


def test_a_worker_that_can_not_be_started_is_each_jobs_failure() -> None:
    def start() -> Any:
        raise WeightsError("no such weights")

    (error,) = Asking(start, answer_s=60, restarts=3).answers([job("a")])
    assert isinstance(error, ProviderError) and "no such weights" in str(error)


def test_what_nobody_waits_for_is_not_asked() -> None:
    births: list[int] = []
    one = asking(births)
    late = job("die")
    one.give_up(late)
    answers = one.answers([job("a"), late, job("b")])
    assert [answers[0]["text"], answers[2]["text"]] == ["a", "b"] and births == [1]
    assert TIMED_OUT not in shown([answers[0], answers[2]])


def test_nothing_is_asked_after_the_end() -> None:
    births: list[int] = []
    one = asking(births)
    worker: Any = one.open()
    one.end()
    assert worker.stopped == "the Run ended"
    with pytest.raises(ProviderError, match="the Run ended"):
        one.answers([job("a")])
    one.close()
    assert worker.ended and births == [1]
