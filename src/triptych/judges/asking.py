"""From cases to Requests, through the run loop, and from replies to Verdicts.

A Request to a judge contains only the rubric's text, the question, the reference and the reply, and for judges that
take them the media of the question: no Item, and no name of a model. Its journal entry is (subject, order and hash of
the content, 2 x evaluation + attempt). A reply that has changed since has another entry, so a verdict is never used
for another text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec
from msgspec import structs

from triptych.judges.cases import Case
from triptych.judges.panel import ALL_MEDIA, Judge, Panel
from triptych.judges.parsers import read_verdict
from triptych.judges.rubric import Order, Rubric, messages
from triptych.judges.verdicts import Verdict
from triptych.media.payload import MediaReader
from triptych.models.adapter import Adapter
from triptych.records import Message, Request, Response
from triptych.running.attempts import ask_twice, entries
from triptych.running.budget import remaining_budget
from triptych.running.loop import RunOptions, RunOutcome
from triptych.running.other_endpoint import check_journal_endpoint, journal_at_endpoint
from triptych.store.files.lock import locked
from triptych.store.folder import Entry
from triptych.store.journals.replies import Reopened, ReplyJournal, make_place

LOCK = ".judging.lock"
# a judge that declines, or is truncated before its score, has given no verdict
_SPOKE = frozenset({"answered", "truncated", "refused"})
_READ = frozenset({"answered", "truncated"})
# In the place of a description for judges that are sent the media themselves
BEFORE = "(what the model was given comes before this text)"
UNPARSED = "unparsed"  # in `retry_statuses`: a verdict that could not be parsed


@dataclass(frozen=True, slots=True)
class Judging:
    """The outcome of asking judges: how each judge's sessions ended, attempt by attempt."""

    outcomes: tuple[RunOutcome, ...] = ()

    @property
    def interrupted(self) -> bool:
        """Whether a signal interrupted it; the same command resumes."""
        return any(outcome.interrupted for outcome in self.outcomes)

    @property
    def stopped(self) -> str | None:
        """The reason if it ended early."""
        return next((outcome.stopped for outcome in self.outcomes if outcome.stopped), None)

    @property
    def fatal(self) -> bool:
        """Whether no judge can answer in the present configuration."""
        return any(outcome.fatal for outcome in self.outcomes)


def ask_panel(
    cases: Sequence[Case],
    panel: Panel,
    adapters: Sequence[Adapter],
    path: Path,
    options: RunOptions,
    media: MediaReader | None = None,
) -> Judging:
    """Ask every judge about every case without a verdict, then once more about replies that could not be parsed.

    A verdict that could not be parsed twice is `unparsed`. It is asked again only if `options.retry_statuses` contains
    `unparsed`, and from the judge itself, since the cache would return the same text. Stored replies are first parsed
    by the current parser.

    One process asks at a time; another waits, and then finds the verdicts of the first. `adapters`: the panel's judges,
    in its order. `media`: reads what judges are sent besides texts. Raises RunFolderError if the journals can't be
    written.
    """
    rubrics = {case.rubric.name: case.rubric for case in cases}
    check_endpoints(panel, adapters, rubrics.values(), path, same_model=options.same_model)
    for case in cases:  # each can be asked about, before any is paid for
        messages(case.rubric, case.slots)
    make_place(path)
    with locked(path, LOCK, wait=True, why="waiting for the judges that another process asks"):
        panel.save(path)
        return _ask_all(cases, rubrics.values(), panel, adapters, path, options, media or MediaReader(None))


def _ask_all(
    cases: Sequence[Case],
    rubrics: Iterable[Rubric],
    panel: Panel,
    adapters: Sequence[Adapter],
    path: Path,
    options: RunOptions,
    media: MediaReader,
) -> Judging:
    outcomes: list[RunOutcome] = []
    others: list[ReplyJournal] = []
    for judge, adapter in zip(panel.judges, adapters, strict=True):
        for rubric in rubrics:
            mine = [case for case in cases if case.rubric.name == rubric.name]
            journal = ReplyJournal(path, judge.signature(rubric))
            outcomes += _ask(mine, judge, adapter, journal, panel, remaining_budget(options, others), media)
            others.append(journal)
            if outcomes and (outcomes[-1].interrupted or outcomes[-1].stopped):
                return Judging(tuple(outcomes))
    return Judging(tuple(outcomes))


def check_endpoints(
    panel: Panel, adapters: Sequence[Adapter], rubrics: Iterable[Rubric], path: Path, *, same_model: bool = False
) -> None:
    """Raises SpecError where a judge's verdicts here come from another endpoint than it would be asked at now."""
    for rubric in rubrics:
        for judge, adapter in zip(panel.judges, adapters, strict=True):
            check_journal_endpoint(ReplyJournal(path, judge.signature(rubric)), adapter, same_model=same_model)


def verdicts_of(cases: Iterable[Case], panel: Panel, path: Path) -> Iterator[tuple[Case, tuple[Verdict, ...]]]:
    """Return every case with its verdicts, from the journals alone."""
    reader = VerdictReader(panel, path)
    return ((case, reader.verdicts_on(case)) for case in cases)


class VerdictReader:
    """Reads verdicts from the journals alone; each journal is read once."""

    def __init__(self, panel: Panel, path: Path) -> None:
        self._panel, self._path = panel, path
        self._journals: dict[str, dict[Entry, Response]] = {}

    def verdicts_on(self, case: Case) -> tuple[Verdict, ...]:
        """Return the verdicts on a case, of every judge.

        A judge's verdicts on a case with media are those that it gave with the media if it is sent any, otherwise those
        that it gave without, or the other way round: the panel that was asked last can be about something else.
        """
        verdicts: list[Verdict] = []
        for judge in self._panel.judges:
            name = judge.signature(case.rubric)
            if name not in self._journals:
                self._journals[name] = ReplyJournal(self._path, name).latest_replies()
            ways = [judge, *(structs.replace(judge, media=kinds) for kinds in (ALL_MEDIA, ()) if case.media)]
            verdict_lists = [tuple(_verdicts(case, way, self._panel.evaluations, self._journals[name])) for way in ways]
            verdicts += next(
                (one for one in verdict_lists if any(v.status != "missing" for v in one)), verdict_lists[0]
            )
        return tuple(verdicts)


def _ask(
    cases: Sequence[Case],
    judge: Judge,
    adapter: Adapter,
    journal: ReplyJournal,
    panel: Panel,
    options: RunOptions,
    media: MediaReader,
) -> Iterator[RunOutcome]:
    """Yield the outcome of two sessions: all first attempts, then second attempts for replies that can't be parsed."""
    if UNPARSED in options.retry_statuses:
        given_up = _given_up(cases, judge, panel.evaluations, journal.latest_replies())
        journal, options = Reopened(journal, given_up), replace(options, cache=None) if given_up else options
    if not cases:
        return
    journal_at_endpoint(journal, adapter, same_model=options.same_model)
    requests = partial(_requests, cases, judge, panel.evaluations)
    yield from ask_twice(requests, adapter, journal, media, options)


def _given_up(
    cases: Iterable[Case], judge: Judge, evaluations: int, latest: Mapping[Entry, Response]
) -> frozenset[Entry]:
    """Return the entries of evaluations in which every attempt was answered and none can be parsed."""
    unit_entries: set[Entry] = set()
    for case in cases:
        for order in case.orders:
            condition = _condition(case, judge, order)
            for evaluation in range(evaluations):
                own_entries = entries(case.subject, condition, evaluation)
                if all(_in_vain(latest.get(entry), case.rubric) for entry in own_entries):
                    unit_entries.update(own_entries)
    return frozenset(unit_entries)


def _requests(
    cases: Iterable[Case], judge: Judge, evaluations: int, attempt: int, latest: Mapping[Entry, Response]
) -> Iterator[Request]:
    """Yield the Requests of one attempt; for the second attempt, only those whose first reply can't be parsed."""
    seen: set[Entry] = set()
    for case in cases:
        settings = judge.request_settings(case.rubric)
        for order in case.orders:
            condition = _condition(case, judge, order)
            for evaluation in range(evaluations):
                unit_entries = entries(case.subject, condition, evaluation)
                entry = unit_entries[attempt]
                if entry in seen or (attempt and not _in_vain(latest.get(unit_entries[attempt - 1]), case.rubric)):
                    continue
                seen.add(entry)  # two repeats of a Run with the same reply share a verdict
                words = _words(case, judge, order, again=attempt > 0)
                yield Request(case.subject, words, settings, condition, entry[2])


def _words(case: Case, judge: Judge, order: Order, *, again: bool = False) -> tuple[Message, ...]:
    """Return what a judge is sent about a Case: the rubric's text, after the media if the judge takes them."""
    if not judge.can_take(case.media):
        return messages(case.rubric, case.slots, order, again=again)
    described = "\n".join(filter(None, (case.slots.get("description", ""), BEFORE)))
    *system, user = messages(case.rubric, {**case.slots, "description": described}, order, again=again)
    return (*system, Message(user.role, (*case.media, *user.parts)))


def _condition(case: Case, judge: Judge, order: Order) -> str:
    """Return the order and a hash of what is sent to the judge."""
    return f"{order}/{_digest(_words(case, judge, order))}"


def _digest(words: tuple[Message, ...]) -> str:
    return hashlib.sha256(msgspec.json.encode(words)).hexdigest()[:16]


def _in_vain(response: Response | None, rubric: Rubric) -> bool:
    """Return whether the judge replied with a text that can't be parsed."""
    return response is not None and response.status in _SPOKE and not _readable(response, rubric)


def _readable(response: Response, rubric: Rubric) -> bool:
    return response.status in _READ and read_verdict(response.text, rubric) is not None


def _verdicts(case: Case, judge: Judge, evaluations: int, journal: Mapping[Entry, Response]) -> Iterator[Verdict]:
    name = judge.signature(case.rubric)
    for order in case.orders:
        condition = _condition(case, judge, order)
        for evaluation in range(evaluations):
            replies = [journal.get(entry) for entry in entries(case.subject, condition, evaluation)]
            yield _verdict(case, name, order, evaluation, replies)


def _verdict(case: Case, judge: str, order: Order, evaluation: int, replies: Sequence[Response | None]) -> Verdict:
    """Return the first verdict that can be parsed, otherwise the reason why there is none."""
    matching_replies = [reply for reply in replies if reply is not None]
    make = partial(Verdict, judge, case.metric, case.rubric.name, order, evaluation)
    for reply in matching_replies:
        reading = read_verdict(reply.text, case.rubric) if reply.status in _READ else None
        if reading is not None:
            values = reading.values if order == "straight" else tuple(reversed(reading.values))
            return make("given", values=values, label=reading.label, text=reply.text)
    if not matching_replies:
        return make("missing", note="not judged yet")
    last = matching_replies[-1]
    if last.status in _SPOKE and len(matching_replies) == len(replies):
        return make("unparsed", text=last.text, note="the judge's reply could not be parsed, twice")
    if last.status in _SPOKE:
        return make("unparsed", text=last.text, note="the judge's reply could not be parsed; not asked again yet")
    problem = last.error.message if last.error else last.status
    return make("failed", note=f"no answer from the judge: {problem}")
