"""The engine: runs the stages in order, decides each record once per key, and writes the benchmark at the end.

A build is a loop over stages. Decisions of an earlier build about a record with the same key are kept. Everything that
a stage writes is derived from its inputs and its journals, so a build that is killed at any moment and started again
ends with the same files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.asking import stage as asking
from triptych.construction.asking.questions import Result
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.folder import (
    MATERIAL,
    PASSED_BY,
    BuildFolder,
    DecisionLine,
    EarlierDecisions,
    StageCounts,
)
from triptych.construction.engine.funnel import Tally
from triptych.construction.engine.identity import as_json, record_key, stage_identity, whole_key
from triptych.construction.held_records import HeldRecords
from triptych.construction.people import reviews
from triptych.construction.people import stage as people
from triptych.construction.people.reviews import Distinct
from triptych.construction.people.sent_back import AGAIN, returned_media
from triptych.construction.record import Child, Maker, Outcome, Record, dropped, failed, pending
from triptych.construction.stage import Stage
from triptych.errors import MediaError, SpecError, TriptychError
from triptych.media.paths import resolve_inside
from triptych.running.loop import RunOptions, RunOutcome
from triptych.store.journals.journal import Journal, JournalWriter

_FINAL = frozenset({"kept", "revised", "dropped"})
_MANY = 4_096  # texts of a field that are compared, so that equal ones are in memory once
_GOES_ON = Outcome()  # one for all records that a stage doesn't concern


@dataclass(frozen=True)
class Engine:
    """Runs the stages in a build folder; the caller must hold its lock."""

    folder: BuildFolder
    context: Context
    models: asking.Roles = field(default_factory=dict)
    options: RunOptions = field(default_factory=RunOptions)
    ask: bool = True
    withdrawn: frozenset[str] = frozenset()
    budgets: Mapping[str, asking.Budget] = field(default_factory=dict)
    writers: dict[str, dict[str, set[str]]] = field(default_factory=dict)  # record -> person -> fields

    def run(
        self,
        stages: Sequence[Stage],
        records: Iterable[Record],
        progress: Callable[[StageCounts], None] | None = None,
        before: Sequence[StageCounts] = (),
    ) -> Passed:
        """Put the records through all stages; stop after a stage whose Requests ended early. `before`: counts of the
        raw material, if some of it can't be used.

        `records` is read once, so that a caller who gives an iterator doesn't keep the raw material in memory.
        """
        check_names(stages)
        self.folder.retire(stage.name for stage in stages)
        counts = list(before)
        self.folder.write_json("funnel.json", counts)
        if progress:
            for each in before:
                progress(each)
        held = HeldRecords(records)
        for number, stage in enumerate(stages, 1):
            stage_folder = self.folder.stage(stage.name, number)
            lines, ended = self._stage(stage, stage_folder, held)
            tally = Tally()
            lines = self._with_writers(stage, lines) if stage.kind == "ask" else lines
            with self.folder.written_lines(stage_folder, tally.counted(lines)) as written:
                held = HeldRecords(advance(held.take_records(), written))
            counts.append(tally.counts(stage, len(held)))
            self.folder.write_json("funnel.json", counts)
            if progress:
                progress(counts[-1])
            if ended is not None:
                return Passed((), tuple(counts), ended)
        for stage in stages:
            self._ask_again(stage)
        return Passed(held, tuple(counts), None)

    def _ask_again(self, stage: Stage) -> None:
        """Add the Tasks of recordings that a later stage sends back to the open ones, each with the reason."""
        files = [name for name, kind in stage.tasks.form.items() if kind == "media"] if stage.tasks else []
        if not files or not (again := returned_media(self.folder, stage.name)):
            return
        path = self.folder.path / "tasks" / f"{stage.name}.jsonl"
        open_tasks = {(task.id, task.shown): task for task in Journal(path, people.Task)}
        returned = people.results_of(self.folder.path / "results" / f"{stage.name}.jsonl")
        context = replace(self.context, parameters=stage.parameters)
        for task in Journal(self.folder.stage(stage.name) / people.TASKS, people.Task):
            key = (task.id, task.shown)
            media = [
                each for result in returned.get(key, ()) for each in self._store_files(result, files, context).values()
            ]
            notes = [note for sha, note in again.items() if any(sha in name for name in media)]
            if notes and key not in open_tasks:
                open_tasks[key] = msgspec.structs.replace(task, again=notes[0] or AGAIN)
        people.write_tasks(path, list(open_tasks.values()))

    def _stage(
        self, stage: Stage, path: Path, records: Sequence[Record]
    ) -> tuple[Iterator[DecisionLine], RunOutcome | None]:
        """Return the Lines, one for each record, and the outcome of the Requests if they ended early.

        Each Line is made when it is taken, so that those of a long stage are never in memory together.
        """
        context = replace(self.context, parameters=stage.parameters)
        kinds = {"whole": self._decide_together, "ask": self._ask, "people": self._people}
        if stage.kind == "each":
            return self._decide_each(stage, path, records, context), None
        usable = [Values(stage, record.id, record.fields) for record in records if not _missing_field(stage, record)]
        decided, ended = kinds[stage.kind](stage, path, usable, context)
        return self._all_lines(stage, records, decided), ended

    def _all_lines(
        self, stage: Stage, records: Sequence[Record], decided: Iterator[DecisionLine]
    ) -> Iterator[DecisionLine]:
        """Yield the Line of every record: those of a stage's decisions, and those of records that it doesn't see."""
        for record in records:
            lack = _missing_field(stage, record)
            yield _passed_by_line(record.id, lack) if lack else self._without_withdrawn(next(decided))
        next(decided, None)  # what the stage does after its last record

    def _decide_each(
        self, stage: Stage, path: Path, records: Sequence[Record], context: Context
    ) -> Iterator[DecisionLine]:
        """Yield the Lines of a stage that decides record by record."""
        identity = stage_identity(stage, context)
        writer = _Writer(path / "work.jsonl") if stage.costly else None
        try:
            with self._earlier_decisions(stage) as earlier:
                for record in records:
                    if lack := _missing_field(stage, record):
                        yield _passed_by_line(record.id, lack)
                        continue
                    values = Values(stage, record.id, record.fields)
                    key = record_key(identity, values)
                    line = earlier.decision_on(values.id, key)
                    if line is None:
                        outcome = self._decide(stage, values, partial(stage.run, values, context))
                        line = DecisionLine(values.id, key, outcome)
                        if writer:
                            writer.append(line)
                    yield self._without_withdrawn(line)
        finally:
            if writer:
                writer.close()

    def _decide_together(
        self, stage: Stage, path: Path, records: Sequence[Values], context: Context
    ) -> tuple[Iterator[DecisionLine], None]:
        key = whole_key(stage_identity(stage, context), records)
        with self._earlier_decisions(stage) as earlier:
            if records and all(earlier.decision_on(values.id, key) for values in records):
                return self._as_before(stage, records, key), None
        outcomes = list(stage.run(records, context)) if records else []
        if len(outcomes) != len(records):
            raise SpecError(f"stage {stage.name!r} must decide about {len(records)} records", got=len(outcomes))
        return (
            DecisionLine(values.id, key, self._decide(stage, values, partial(_unchanged_outcome, outcome)))
            for values, outcome in zip(records, _drain(outcomes), strict=True)
        ), None

    def _as_before(self, stage: Stage, records: Sequence[Values], key: str) -> Iterator[DecisionLine]:
        with self._earlier_decisions(stage) as earlier:
            for values in records:
                line = earlier.decision_on(values.id, key)
                assert line is not None
                yield line

    def _ask(
        self, stage: Stage, path: Path, records: Sequence[Values], context: Context
    ) -> tuple[Iterator[DecisionLine], RunOutcome | None]:
        assert stage.asks is not None
        if not records:  # nothing is asked, so the models need not be there
            people.write_tasks(self.folder.path / "tasks" / f"{stage.name}.jsonl", [])
            return iter(()), None
        identity = stage_identity(stage, context, asking.identity(stage.asks, self.models))
        returned = people.results_of(self.folder.path / "results" / f"{stage.name}.jsonl")
        sitting = asking.Sitting(stage, stage.asks, self.models, path, context, returned)
        keys = [
            record_key(identity, v, as_json({"results": r}) if (r := sitting.results(v)) else None) for v in records
        ]
        with self._earlier_decisions(stage) as earlier:
            new = [v for v, key in zip(records, keys, strict=True) if earlier.decision_on(v.id, key) is None]
        ended = sitting.ask(new, self._within_budget(stage)) if self.ask and new else None
        return self._from_replies(stage, sitting, zip(records, keys, strict=True), returned), ended

    def _from_replies(
        self,
        stage: Stage,
        sitting: asking.Sitting,
        records: Iterable[tuple[Values, str]],
        returned: asking.Returned,
    ) -> Iterator[DecisionLine]:
        """Yield the Lines about records from the replies in the journals; then write the Tasks of people who are asked
        in place of a model."""
        open_tasks: dict[tuple[str, str], people.Task] = {}
        with self._earlier_decisions(stage) as earlier, sitting.reader() as read:
            for values, key in records:
                line = earlier.decision_on(values.id, key)
                if line is None:
                    line = DecisionLine(values.id, key, self._decide(stage, values, partial(read, values)))
                    if line.outcome.decision == "pending":
                        tasks = (task for task in sitting.tasks(values) if (task.id, task.shown) not in returned)
                        open_tasks.update({(task.id, task.shown): task for task in tasks})
                yield line
        people.write_tasks(self.folder.path / "tasks" / f"{stage.name}.jsonl", list(open_tasks.values()))

    def _within_budget(self, stage: Stage) -> RunOptions:
        """The options with the stage's own budget, if it has one."""
        budget = self.budgets.get(stage.name)
        return replace(self.options, budget_usd=budget.usd, budget_tokens=budget.tokens) if budget else self.options

    def _people(
        self, stage: Stage, path: Path, records: Sequence[Values], context: Context
    ) -> tuple[Iterator[DecisionLine], None]:
        return self._from_results(stage, path, records, context), None

    def _from_results(
        self, stage: Stage, path: Path, records: Sequence[Values], context: Context
    ) -> Iterator[DecisionLine]:
        """Yield the Lines about records from people's results; then write the Tasks."""
        identity = stage_identity(stage, context)
        returned = people.results_of(self.folder.path / "results" / f"{stage.name}.jsonl")
        open_tasks: dict[tuple[str, str], people.Task] = {}
        every: dict[tuple[str, str], people.Task] = {}
        tasks = [self._not_by_writers(people.task_of(stage, values), values.id) for values in records]
        distinct = people.distinct_texts(tasks)
        for values, task in zip(records, tasks, strict=True):
            every[task.id, task.shown] = task
            results = returned.get((task.id, task.shown), [])
            returns = partial(self._returned, stage, task, values, results, context, distinct)
            outcome = self._decide(stage, values, returns)
            if outcome.decision == "pending":
                open_tasks.setdefault((task.id, task.shown), task)
            yield DecisionLine(values.id, record_key(identity, values, as_json({"results": results})), outcome)
        people.write_tasks(self.folder.path / "tasks" / f"{stage.name}.jsonl", list(open_tasks.values()))
        people.write_tasks(path / people.TASKS, list(every.values()))

    def _with_writers(self, stage: Stage, lines: Iterator[DecisionLine]) -> Iterator[DecisionLine]:
        """Yield the lines of a stage that asks makers; note which people wrote which fields in place of a model."""
        people_write = any(isinstance(model, asking.Group) for model in self.models.values())
        models = {model.adapter.name for model in self.models.values() if isinstance(model, asking.Model)}
        for line in lines:
            if people_write and line.outcome.by is not None:
                for name in {*line.outcome.by.name.split(" + ")} - models:
                    self.writers.setdefault(line.id, {}).setdefault(name, set()).update(stage.writes)
            yield line

    def _not_by_writers(self, task: people.Task, id: str) -> people.Task:
        """Return a Task of which those can't give the verdict who wrote, in place of a model, what it shows."""
        if not self.writers or not reviews.has_verdict(task.form):
            return task
        names = [
            name
            for above in ("/".join(id.split("/")[:number]) for number in range(1, id.count("/") + 2))
            for name, fields in self.writers.get(above, {}).items()
            if not fields.isdisjoint(task.shows)
        ]
        not_by = list(dict.fromkeys([*(task.checks.get("not_by") or ()), *names]))
        return msgspec.structs.replace(task, checks={**task.checks, "not_by": not_by}) if names else task

    def _returned(
        self,
        stage: Stage,
        task: people.Task,
        values: Values,
        results: Sequence[Result],
        context: Context,
        distinct: Distinct,
    ) -> Outcome:
        """Return the outcome of people's results; files among these are first copied to the media store.

        While a result can't be used, its task stays open."""
        assert stage.tasks is not None
        form = stage.tasks.form
        results = [msgspec.structs.replace(r, values=people.tidied(r.values, form)) for r in results]
        results, why = people.usable_results(task, results, distinct)
        if why:
            return pending(people.REFUSED, why)
        for result in results:
            distinct.add(task.id, {**task.shows, **result.values}, task.checks)
        files = [name for name, kind in stage.tasks.form.items() if kind == "media"]
        taken = (
            [msgspec.structs.replace(r, values={**r.values, **self._store_files(r, files, context)}) for r in results]
            if files
            else results
        )
        return people.decide(stage, values, taken, context)

    def _store_files(self, result: Result, files: Sequence[str], context: Context) -> dict[str, str]:
        path = self.folder.path / "results"
        return {
            n: context.media.add(resolve_inside(path, str(result.values[n]))) for n in files if result.values.get(n)
        }

    def _without_withdrawn(self, line: DecisionLine) -> DecisionLine:
        """Return the line without additions from a withdrawn source (such as a speaker)."""
        outcome = line.outcome
        if self.withdrawn.intersection(outcome.sources):
            return DecisionLine(line.id, line.key, dropped("withdrawn"))
        children = tuple(c for c in outcome.children if not self.withdrawn.intersection(c.sources))
        if len(children) == len(outcome.children):
            return line
        if not children:
            return DecisionLine(line.id, line.key, dropped("withdrawn"))
        by = outcome.by and self._without_names(outcome.by)
        return DecisionLine(line.id, line.key, msgspec.structs.replace(outcome, children=children, by=by))

    def _without_names(self, by: Maker) -> Maker:
        """Return the people of an outcome without withdrawn speakers."""
        names = [name for name in by.name.split(" + ") if f"speaker:{name}" not in self.withdrawn]
        return msgspec.structs.replace(by, name=" + ".join(names))

    def _earlier_decisions(self, stage: Stage) -> AbstractContextManager[EarlierDecisions]:
        """Return earlier decisions by record and key; records that failed or waited are decided again."""
        files = ("work.jsonl", "records.jsonl") if stage.costly else ("records.jsonl",)
        path = self.folder.stage(stage.name)
        return closing(EarlierDecisions([path / file for file in files], _FINAL))

    def _decide(self, stage: Stage, values: Values, outcome: Callable[[], Outcome]) -> Outcome:
        """Return an outcome as it will be read from disk. An error in one record affects only that record: `failed`."""
        try:
            decided = stage.checked(outcome(), values.id)
            return _as_stored(decided, stage, values.id)
        except SpecError:
            raise  # the fault is in the stage, not in the record
        except MediaError as error:
            return dropped("unreadable-media", str(error).replace("\n", " "))
        except (TriptychError, OSError) as error:
            return failed("error", f"{type(error).__name__}: {error}".replace("\n", " "))


@dataclass(frozen=True)
class Passed:
    """The records that came through, the counts of all stages, and the outcome of the Requests if they ended early."""

    records: Sequence[Record]
    counts: tuple[StageCounts, ...]
    ended: RunOutcome | None

    @property
    def waiting(self) -> int:
        """Number of records that may still come through: they wait for people, replies or another attempt."""
        return sum(each.decisions.get("pending", 0) + each.decisions.get("failed", 0) for each in self.counts)


def _drain(outcomes: list[Outcome]) -> Iterator[Outcome]:
    """Yield the outcomes, each of which the list then no longer holds."""
    for number, outcome in enumerate(outcomes):
        outcomes[number] = _GOES_ON
        yield outcome


def advance(records: Iterable[Record], lines: Iterable[DecisionLine]) -> Iterator[Record]:
    """Yield the records that go on after a stage. Raises SpecError if two of them would have the same id."""
    seen, shared = set[str](), _Shared()
    for record, line in zip(records, lines, strict=True):
        for made in apply_outcome(record, line.outcome, shared):
            if made.id in seen:
                raise SpecError("two records have the same id", got=made.id)
            seen.add(made.id)
            yield made


def child_id(parent: str, child: Child) -> str:
    """Return `work/clip`: a child's id begins with its parent's id."""
    return f"{parent}/{child.suffix}"


def check_names(stages: Sequence[Stage]) -> None:
    """Raise SpecError if two stages have the same name."""
    names = [MATERIAL, *(stage.name for stage in stages)]
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        raise SpecError("two stages have the same name", got=doubled[0], fix="give one another: stage.named('…')")


def apply_outcome(record: Record, outcome: Outcome, shared: _Shared | None = None) -> Iterator[Record]:
    """Yield what a stage's outcome makes of a record: it, its children, or nothing. `shared`: texts to be kept once."""
    if outcome.decision not in ("kept", "revised"):
        return
    if not (outcome.fields or outcome.sources or outcome.children):
        yield record  # not a copy: most stages concern few of many records
        return
    once = shared.share_values if shared else _same_fields
    fields = {**record.fields, **once(outcome.fields)}
    sources = _joined(record.sources, outcome.sources)
    if not outcome.children:
        yield Record(record.id, fields, sources)
    for child in outcome.children:
        yield Record(child_id(record.id, child), {**fields, **once(child.fields)}, _joined(sources, child.sources))


def _same_fields(fields: dict[str, Any]) -> dict[str, Any]:
    return fields


def _joined(sources: tuple[str, ...], more: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*sources, *more))) if more else sources


class _Shared:
    """Texts that records share, such as names of splits and syllables: equal ones of a field are in memory once.

    A field keeps at most `_MANY` texts, so that one with a text of its own for each record costs nothing. Besides
    these, a record shares the value of the one before, such as the name of the work that both are about.
    """

    def __init__(self) -> None:
        self._texts: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self._last: dict[str, str | list[Any]] = {}

    def share_values(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields with shared values."""
        return {
            name: self._shared(name, value) if isinstance(value, str | list) else value
            for name, value in fields.items()
        }

    def _shared(self, name: str, value: str | list[Any]) -> Any:
        if (last := self._last.get(name)) is not None and _is_same(last, value):
            return last
        self._last[name] = shared = self._value(value, self._texts[name])
        return shared

    def _value(self, value: Any, texts: dict[str, str]) -> Any:
        if isinstance(value, str):
            return texts.get(value, value) if len(texts) >= _MANY else texts.setdefault(value, value)
        return [self._value(each, texts) for each in value] if isinstance(value, list) else value


def _is_same(one: str | list[Any], other: str | list[Any]) -> bool:
    """Return whether values are the same texts or lists of texts: 1, 1.0 and True are equal, and not the same."""
    if isinstance(one, str) or isinstance(other, str):
        return bool(one == other)
    return len(one) == len(other) and all(isinstance(a, str) and a == b for a, b in zip(one, other, strict=True))


def _as_stored(outcome: Outcome, stage: Stage, id: str) -> Outcome:
    """Return the outcome as JSON types, so that a stage's input is the same whether just made or read again."""
    try:
        stored: Outcome = msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome)
    except (TypeError, msgspec.MsgspecError) as error:
        raise SpecError(f"stage {stage.name!r} wrote a value that JSON can't hold", where=id, got=str(error)) from None
    return stored


def _missing_field(stage: Stage, record: Record) -> str:
    """Return why a stage doesn't see a record: PASSED_BY, or the first field that is missing; empty if it does."""
    fields = record.fields
    if not stage.concerns(fields):
        return PASSED_BY
    return min((name for name in stage.required if fields.get(name) is None), default="")


def _passed_by_line(id: str, lack: str) -> DecisionLine:
    """Return the Line of a record that a stage doesn't apply to, or that lacks a required field."""
    if lack == PASSED_BY:
        return DecisionLine(id, PASSED_BY, _GOES_ON)
    return DecisionLine(id, "", dropped("missing-field", f"it has no {lack!r}"))


def _unchanged_outcome(outcome: Outcome) -> Outcome:
    return outcome


class _Writer:
    """The journal of a costly stage, opened when there is something to write."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._journal: JournalWriter | None = None

    def append(self, line: DecisionLine) -> None:
        if self._journal is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._journal = JournalWriter(self.path)
        self._journal.append(line)

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()
