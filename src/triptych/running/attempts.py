"""Two attempts per question: if a reply can't be parsed, the question is asked once more.

The caller decides what can be parsed: a judge's verdict, a recipe's JSON. All attempts are entries of one journal, so
an interrupted session can be resumed, and if the parser is improved, stored replies are parsed again without asking.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

from triptych.media.payload import MediaReader
from triptych.models.adapter import Adapter
from triptych.records import Request, Response
from triptych.running.loop import RunOptions, RunOutcome, execute, run_sync
from triptych.store.folder import Entry
from triptych.store.journals.replies import ReplyJournal

ATTEMPTS = 2


def entries(subject: str, condition: str, evaluation: int = 0, attempts: int = ATTEMPTS) -> tuple[Entry, ...]:
    """Return the journal entries of a question's attempts, in order; each `evaluation` has its own."""
    return tuple((subject, condition, attempts * evaluation + attempt) for attempt in range(attempts))


class Planned(Iterable[Request]):
    """A plan whose Requests are made when they are sent, so that it takes little memory whatever they contain.

    Iterating gives the Requests of all entries.
    """

    def __init__(self, entries: Sequence[Entry], make: Callable[[int], Request]) -> None:
        self.entries = entries
        self._make = make

    def __iter__(self) -> Iterator[Request]:
        return map(self._make, range(len(self.entries)))

    def requests_without(self, done: Container[Entry]) -> Iterator[Request]:
        """Return the Requests of the entries that are not done."""
        return (self._make(number) for number, entry in enumerate(self.entries) if entry not in done)


def ask_rest(
    plan: Sequence[Request] | Planned, adapter: Adapter, journal: ReplyJournal, media: MediaReader, options: RunOptions
) -> RunOutcome | None:
    """Send the Requests that the journal lacks, and return the outcome; None if the journal is complete.

    Progress counts all entries of the journal, so that a resumed session doesn't start at 0.
    """
    done = journal.settled(options.retry_statuses)
    entries = plan.entries if isinstance(plan, Planned) else [(r.id, r.condition, r.repeat) for r in plan]
    missing = len({entry for entry in entries if entry not in done})
    if not missing:
        return None
    options = replace(options, planned=len(done) + missing)
    rest = plan.requests_without(done) if isinstance(plan, Planned) else plan
    return run_sync(execute(rest, adapter, journal, media, options))


def ask_twice(
    requests: Callable[[int, Mapping[Entry, Response]], Iterable[Request] | Planned],
    adapter: Adapter,
    journal: ReplyJournal,
    media: MediaReader,
    options: RunOptions,
    attempts: int = ATTEMPTS,
) -> Iterator[RunOutcome]:
    """Yield the outcome of each session: all first attempts, then the second ones, and so on up to `attempts`; none
    after a session that ended early.

    `requests(attempt, heard)` returns the Requests of an attempt. For the second attempt, `heard` contains the first
    replies, and the Requests are those whose first reply can't be parsed.
    """
    for attempt in range(attempts):
        with closing(journal.on_disk()) as earlier:
            plan = requests(attempt, earlier if attempt else {})
            plan = plan if isinstance(plan, Planned) else list(plan)
            outcome = ask_rest(plan, adapter, journal, media, options)
        if outcome is not None:
            yield outcome
            if outcome.interrupted or outcome.stopped:
                return
