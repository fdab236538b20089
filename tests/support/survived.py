"""What becomes of Requests that are put to a strange server: rightly answered, mislabelled, lost, asked twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tests.support.skipping import SkippingLoop
from tests.support.strange import Strange, answer_to
from triptych.media.payload import MediaReader
from triptych.models.adapter import Adapter
from triptych.models.openai.adapter import make
from triptych.records import Message, Request, Response, text
from triptych.running.loop import RunOptions, RunOutcome, execute, run_sync
from triptych.store.journals.replies import ReplyJournal


@dataclass(frozen=True)
class Survived:
    """What came of it. `failed`: told to be so, with a reason."""

    fault: str
    requests: int
    met: int  # those whose first asking met the fault
    right: int
    mislabelled: int
    failed: int
    lost: int
    asked_twice: int
    seconds: float
    outcome: RunOutcome
    journal: list[Response]


def questions(number: int) -> Iterator[Request]:
    """Requests whose answers can be told apart."""
    for index in range(number):
        yield Request(f"q{index}", (Message("user", (text(f"question {index}"),)),), {"temperature": 0})


def survive(
    place: Path,
    server: Strange,
    name: str = "",
    number: int = 300,
    stream: bool = False,
    width: int = 16,
    adapter: Adapter | None = None,
    skip: bool = False,
    **options: Any,
) -> Survived:
    """Ask a server `number` questions, and look at what the journal says in the end.

    `skip`: once only such questions are left as the server doesn't answer, their timeout is not waited for.
    """
    journal = ReplyJournal(place, name or "replies")
    adapter = adapter or make("m", {"base_url": server.base_url, "stream": stream})
    told = RunOptions(concurrency=width, **{"timeout_s": 60.0, "retries": 6, **options})
    began = time.monotonic()
    asking = execute(questions(number), adapter, journal, MediaReader(None), told)
    if skip:
        with asyncio.Runner(loop_factory=SkippingLoop) as runner:
            server.skip_hangs(number, width, cast(SkippingLoop, runner.get_loop()))
            outcome = runner.run(asking)
    else:
        outcome = run_sync(asking)
    kept = journal.latest_replies()
    replies = {entry[0]: response for entry, response in kept.items()}
    given = [(f"question {id[1:]}", reply) for id, reply in replies.items() if reply.status == "answered"]
    right = sum(reply.text == answer_to(question) for question, reply in given)
    others = sum(reply.status not in ("answered", "failed") for reply in replies.values())
    return Survived(
        name,
        number,
        len(server.met),
        right,
        len(given) - right + others,
        sum(reply.status == "failed" for reply in replies.values()),
        number - len(replies),
        sum(count - 1 for count in server.asked.values()),
        time.monotonic() - began,
        outcome,
        list(journal.history()),
    )
