"""Judges asked about a Run that goes on: nothing is lost, nothing is asked twice, and the last summary is whole."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support.strange import Exchange, Fault, Strange
from tests.support.waiting import HANGS_S, until
from triptych import api
from triptych.scoring.outcome import Scored
from triptych.scoring.runs import is_outdated, load_summary
from triptych.store.files import lock
from triptych.store.folder import RunFolder
from triptych.store.journals.replies import ReplyJournal

QUESTIONS = 8  # in the mini set's open part


class Held:
    """An endpoint that gives its first `first` answers, and the others when it is told to."""

    def __init__(self, answer: str, first: int) -> None:
        self.answer, self.first, self.given = answer, first, 0
        self.opened = threading.Event()

    def server(self) -> Strange:
        fault: Fault = self.reply
        return Strange(fault, share=1.1, times=10**6, latency=0, read=lambda body: json.dumps(body["messages"]))

    async def reply(self, exchange: Exchange) -> None:
        self.given += 1
        if self.given > self.first:
            while not self.opened.is_set():
                await asyncio.sleep(0.001)
        choice = {"index": 0, "message": {"content": self.answer}, "finish_reason": "stop"}
        await exchange.body(json.dumps({"model": "m", "choices": [choice]}).encode())


@pytest.fixture
def model() -> Iterator[tuple[Held, Strange]]:
    held = Held("A short story.", first=3)
    with held.server() as server:
        yield held, server


def lines(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("*.jsonl"))


class Both:
    """A Run with a judge, and scoring with the same judge beside it."""

    def __init__(self, out: Path, model: Strange, judge: Strange) -> None:
        self.out, self.model, self.judge = out, model, judge
        self.pool = ThreadPoolExecutor(2)

    def judges(self) -> Any:
        return api.plan_judges(["openai/j"], base_urls=[self.judge.base_url])

    def run(self) -> Future[Any]:
        told = {"base_url": self.model.base_url, "conditions": ["blind"], "out": self.out}
        return self.pool.submit(lambda: api.run("cmdar/open", "openai/m", judges=self.judges(), **told))

    def score(self, *, judged: bool = True) -> Future[Any]:
        return self.pool.submit(lambda: api.score(self.out, judges=self.judges() if judged else None))

    def answers(self, number: int) -> None:
        place = self.out / "responses.jsonl"
        until(lambda: place.exists() and place.read_bytes().count(b"\n") >= number, f"{number} answers")


def check_whole(both: Both, others: int = 0) -> None:
    """`others`: verdicts that don't belong to the Run."""
    folder = RunFolder.open(both.out)
    assert not is_outdated(folder)
    summary = load_summary(folder)
    assert summary.counts == {"answered": QUESTIONS}
    (figure,) = (a for a in summary["official"] if a.metric == "judge_score" and not a.slice)
    assert figure.counts.get("scored", figure.n) == figure.n == QUESTIONS, figure
    assert set(both.model.asked.values()) == {1} and len(both.model.asked) == QUESTIONS
    (journal,) = (ReplyJournal(p.parent, p.stem) for p in (both.out / "verdicts").glob("*.jsonl"))
    entries = [response.entry for response in journal.history()]
    assert len(entries) == len(set(entries)) == 2 * QUESTIONS + others
    assert set(both.judge.asked.values()) <= {1, 2} and both.judge.asked.total() == 2 * QUESTIONS + others
    responses = [response.entry for response in folder.responses()]
    assert len(responses) == len(set(responses)) == QUESTIONS


def test_a_judge_is_asked_while_the_run_goes_on(tmp_path: Path, model: tuple[Held, Strange]) -> None:
    held, server = model
    with Held("8 4", first=10**6).server() as judge:
        both = Both(tmp_path / "run", server, judge)
        running = both.run()
        both.answers(3)
        partly: Scored = both.score().result(HANGS_S)
        assert partly.counts["answered"] == 3 and lines(both.out / "verdicts") == 6
        both.score(judged=False).result(HANGS_S)
        held.opened.set()
        running.result(HANGS_S)
        check_whole(both)


def test_a_run_that_ends_while_its_judge_is_asked_waits_for_that(
    tmp_path: Path, model: tuple[Held, Strange], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has been paid for, so it doesn't end in an error: the judge's other half is asked when the first is there."""
    waits = threading.Event()
    monkeypatch.setattr(lock.warnings, "warn", lambda text, *_, **__: "judges" in text and waits.set())
    held, server = model
    asked = Held("8 4", first=1)
    with asked.server() as judge:
        both = Both(tmp_path / "run", server, judge)
        running = both.run()
        both.answers(3)
        scoring = both.score()
        until(lambda: asked.given > 1 or scoring.done(), "a judge that is asked")
        held.opened.set()
        assert waits.wait(HANGS_S)
        both.answers(QUESTIONS)
        assert not running.done()
        asked.opened.set()
        scoring.result(HANGS_S)
        running.result(HANGS_S)
        check_whole(both)


@pytest.mark.filterwarnings("ignore:waiting for the judges")
def test_a_judge_is_calibrated_in_the_same_folder_meanwhile(tmp_path: Path, model: tuple[Held, Strange]) -> None:
    held, server = model
    ratings = tmp_path / "ratings.jsonl"
    slots = {
        "description": "-",
        "question": "Why?",
        "first": "So.",
        "second": "Thus.",
        "reference": "So.",
        "system": "s",
    }
    ratings.write_text("".join(json.dumps({"id": f"r{n}", "human": [n, 5], **slots}) + "\n" for n in (3, 4)), "utf-8")
    asked = Held("8 4", first=1)
    with asked.server() as judge:
        both = Both(tmp_path / "run", server, judge)
        running = both.run()
        both.answers(3)
        calibrating = both.pool.submit(
            lambda: api.calibrate(ratings, both.judges(), rubric="pair", verdicts=both.out / "verdicts")
        )
        until(lambda: asked.given > 1 or calibrating.done(), "a judge that is asked")
        held.opened.set()
        both.answers(QUESTIONS)
        asked.opened.set()
        assert calibrating.result(HANGS_S).overall.n == 2
        running.result(HANGS_S)
        check_whole(both, others=4)
