"""The engine: runs the stages in order, decides each record once per key, and writes the benchmark at the end.

A build is a loop over stages. Decisions of an earlier build about a record with the same key are kept. Everything that
a stage writes is derived from its inputs and its journals, so a build that is killed at any moment and started again
ends with the same files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import msgspec

from triptych.construction.asking import stage as asking
from triptych.construction.asking.questions import Result
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.folder import MATERIAL, PASSED_BY, BuildFolder, DecisionLine, StageCounts
from triptych.construction.engine.funnel import count
from triptych.construction.engine.identity import as_json, record_key, stage_identity, whole_key
from triptych.construction.people import stage as people
from triptych.construction.people.reviews import Distinct
from triptych.construction.record import Child, Outcome, Record, dropped, failed, pending
from triptych.construction.stage import Stage
from triptych.errors import MediaError, SpecError, TriptychError
from triptych.media.paths import resolve_inside
from triptych.running.loop import RunOptions, RunOutcome
from triptych.store.journals.journal import JournalWriter

_FINAL = frozenset({"kept", "revised", "dropped"})
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

    def run(
        self,
        stages: Sequence[Stage],
        records: Sequence[Record],
        progress: Callable[[StageCounts], None] | None = None,
        before: Sequence[StageCounts] = (),
    ) -> Passed:
        """Put the records through all stages; stop after a stage whose Requests ended early. `before`: counts of the
        raw material, if some of it can't be used."""
        check_names(stages)
        self.folder.retire(stage.name for stage in stages)
        counts = list(before)
        self.folder.write_json("funnel.json", counts)
        if progress:
            for each in before:
                progress(each)
        for number, stage in enumerate(stages, 1):
            stage_folder = self.folder.stage(stage.name, number)
            lines, ended = self._stage(stage, stage_folder, records)
            self.folder.write_lines(stage_folder, lines)
            records_out = list(advance(records, lines))
            counts.append(count(stage, lines, len(records_out)))
            self.folder.write_json("funnel.json", counts)
            records = records_out
            if progress:
                progress(counts[-1])
            if ended is not None:
                return Passed((), tuple(counts), ended)
        return Passed(tuple(records), tuple(counts), None)

    def _stage(
        self, stage: Stage, path: Path, records: Sequence[Record]
    ) -> tuple[list[DecisionLine], RunOutcome | None]:
        """Return a Line for each record, and the outcome of the Requests if they ended early."""
        context = replace(self.context, parameters=stage.parameters)
        values, ready = [], []
        for record in records:
            concerned = stage.concerns(record.fields)
            missing = sorted(name for name in stage.required if concerned and record.fields.get(name) is None)
            values.append(Values(stage, record.id, record.fields))
            ready.append(PASSED_BY if not concerned else missing[0] if missing else "")
        kinds = {"each": self._each, "whole": self._decide_together, "ask": self._ask, "people": self._people}
        usable = [v for v, lack in zip(values, ready, strict=True) if not lack]
        decided, ended = kinds[stage.kind](stage, path, usable, context)
        all_lines = (self._without_withdrawn(line) for line in decided)
        lines = [next(all_lines) if not lack else _left_out(v.id, lack) for v, lack in zip(values, ready, strict=True)]
        return lines, ended

    def _each(
        self, stage: Stage, path: Path, records: Sequence[Values], context: Context
    ) -> tuple[list[DecisionLine], None]:
        identity, kept = stage_identity(stage, context), self._earlier_decisions(stage)
        writer = _Writer(path / "work.jsonl") if stage.costly else None
        lines = []
        try:
            for values in records:
                key = record_key(identity, values)
                line = kept.get((values.id, key))
                if line is None:
                    line = DecisionLine(
                        values.id, key, self._decide(stage, values, partial(stage.run, values, context))
                    )
                    if writer:
                        writer.append(line)
                lines.append(line)
        finally:
            if writer:
                writer.close()
        return lines, None

    def _decide_together(
        self, stage: Stage, path: Path, records: Sequence[Values], context: Context
    ) -> tuple[list[DecisionLine], None]:
        key = whole_key(stage_identity(stage, context), records)
        kept = self._earlier_decisions(stage)
        old = [kept.get((values.id, key)) for values in records]
        if records and all(old):
            return [line for line in old if line is not None], None
        outcomes = list(stage.run(records, context)) if records else []
        if len(outcomes) != len(records):
            raise SpecError(f"stage {stage.name!r} must decide about {len(records)} records", got=len(outcomes))
        return [
            DecisionLine(values.id, key, self._decide(stage, values, partial(_itself, outcome)))
            for values, outcome in zip(records, outcomes, strict=True)
        ], None

    def _ask(
        self, stage: Stage, path: Path, records: Sequence[Values], context: Context
    ) -> tuple[list[DecisionLine], RunOutcome | None]:
        assert stage.asks is not None
        if not records:  # nothing is asked, so the models need not be there
            people.write_tasks(self.folder.path / "tasks" / f"{stage.name}.jsonl", [])
            return [], None
        identity = stage_identity(stage, context, asking.identity(stage.asks, self.models))
        kept = self._earlier_decisions(stage)
        returned = people.results_of(self.folder.path / "results" / f"{stage.name}.jsonl")
        sitting = asking.Sitting(stage, stage.asks, self.models, path, context, returned)
        keys = {
            v.id: record_key(identity, v, as_json({"results": r}) if (r := sitting.results(v)) else None)
            for v in records
        }
        lines: dict[str, DecisionLine] = {id: kept[id, key] for id, key in keys.items() if (id, key) in kept}
        new = [values for values in records if values.id not in lines]
        ended = sitting.ask(new, self._within_budget(stage)) if self.ask and new else None
        read = sitting.reader()
        open_tasks: dict[tuple[str, str], people.Task] = {}
        for values in new:
            outcome = self._decide(stage, values, partial(read, values))
            lines[values.id] = DecisionLine(values.id, keys[values.id], outcome)
            if outcome.decision == "pending":
                tasks = (task for task in sitting.tasks(values) if (task.id, task.shown) not in returned)
                open_tasks.update({(task.id, task.shown): task for task in tasks})
        people.write_tasks(self.folder.path / "tasks" / f"{stage.name}.jsonl", list(open_tasks.values()))
        return [lines[values.id] for values in records], ended

    def _within_budget(self, stage: Stage) -> RunOptions:
        """The options with the stage's own budget, if it has one."""
        budget = self.budgets.get(stage.name)
        return replace(self.options, budget_usd=budget.usd, budget_tokens=budget.tokens) if budget else self.options

    def _people(
        self, stage: Stage, path: Path, records: Sequence[Values], context: Context
    ) -> tuple[list[DecisionLine], None]:
        identity = stage_identity(stage, context)
        returned = people.results_of(self.folder.path / "results" / f"{stage.name}.jsonl")
        lines: list[DecisionLine] = []
        open_tasks: dict[tuple[str, str], people.Task] = {}
        every: dict[tuple[str, str], people.Task] = {}
        tasks = [people.task_of(stage, values) for values in records]
        distinct = people.distinct_of(tasks)
        for values, task in zip(records, tasks, strict=True):
            every[task.id, task.shown] = task
            results = returned.get((task.id, task.shown), [])
            returns = partial(self._returned, stage, task, values, results, context, distinct)
            outcome = self._decide(stage, values, returns)
            if outcome.decision == "pending":
                open_tasks.setdefault((task.id, task.shown), task)
            lines.append(DecisionLine(values.id, record_key(identity, values, as_json({"results": results})), outcome))
        people.write_tasks(self.folder.path / "tasks" / f"{stage.name}.jsonl", list(open_tasks.values()))
        people.write_tasks(path / people.TASKS, list(every.values()))
        return lines, None

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
        results, why = people.usable(task, results, distinct)
        if why:
            return pending(people.REFUSED, why)
        for result in results:
            distinct.add(task.id, {**task.shows, **result.values}, task.checks)
        files = [name for name, kind in stage.tasks.form.items() if kind == "media"]
        taken = (
            [msgspec.structs.replace(r, values={**r.values, **self._taken(r, files, context)}) for r in results]
            if files
            else results
        )
        return people.decide(stage, values, taken, context)

    def _taken(self, result: Result, files: Sequence[str], context: Context) -> dict[str, str]:
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
        return DecisionLine(line.id, line.key, msgspec.structs.replace(outcome, children=children))

    def _earlier_decisions(self, stage: Stage) -> dict[tuple[str, str], DecisionLine]:
        """Return earlier decisions by record and key; records that failed or waited are decided again."""
        decisions: dict[tuple[str, str], DecisionLine] = {}
        for file in ("work.jsonl", "records.jsonl") if stage.costly else ("records.jsonl",):
            decisions |= {(x.id, x.key): x for x in self.folder.lines(stage.name, file) if x.outcome.decision in _FINAL}
        return decisions

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

    records: tuple[Record, ...]
    counts: tuple[StageCounts, ...]
    ended: RunOutcome | None

    @property
    def waiting(self) -> int:
        """Number of records that may still come through: they wait for people, replies or another attempt."""
        return sum(each.decisions.get("pending", 0) + each.decisions.get("failed", 0) for each in self.counts)


def advance(records: Sequence[Record], lines: Sequence[DecisionLine]) -> Iterator[Record]:
    """Yield the records that go on after a stage. Raises SpecError if two of them would have the same id."""
    seen: set[str] = set()
    for record, line in zip(records, lines, strict=True):
        for after in _after(record, line.outcome):
            if after.id in seen:
                raise SpecError("two records have the same id", got=after.id)
            seen.add(after.id)
            yield after


def child_id(parent: str, child: Child) -> str:
    """Return `work/clip`: a child's id begins with its parent's id."""
    return f"{parent}/{child.suffix}"


def check_names(stages: Sequence[Stage]) -> None:
    """Raise SpecError if two stages have the same name."""
    names = [MATERIAL, *(stage.name for stage in stages)]
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        raise SpecError("two stages have the same name", got=doubled[0], fix="give one another: stage.named('…')")


def _after(record: Record, outcome: Outcome) -> Iterator[Record]:
    if outcome.decision not in ("kept", "revised"):
        return
    if not (outcome.fields or outcome.sources or outcome.children):
        yield record  # not a copy: most stages concern few of many records
        return
    fields = {**record.fields, **outcome.fields}
    sources = _joined(record.sources, outcome.sources)
    if not outcome.children:
        yield Record(record.id, fields, sources)
    for child in outcome.children:
        yield Record(child_id(record.id, child), {**fields, **child.fields}, _joined(sources, child.sources))


def _joined(*sources: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source for each in sources for source in each))


def _as_stored(outcome: Outcome, stage: Stage, id: str) -> Outcome:
    """Return the outcome as JSON types, so that a stage's input is the same whether just made or read again."""
    try:
        stored: Outcome = msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome)
    except (TypeError, msgspec.MsgspecError) as error:
        raise SpecError(f"stage {stage.name!r} wrote a value that JSON can't hold", where=id, got=str(error)) from None
    return stored


def _left_out(id: str, lack: str) -> DecisionLine:
    """Return the Line of a record that a stage doesn't apply to, or that lacks a required field."""
    if lack == PASSED_BY:
        return DecisionLine(id, PASSED_BY, _GOES_ON)
    return DecisionLine(id, "", dropped("missing-field", f"it has no {lack!r}"))


def _itself(outcome: Outcome) -> Outcome:
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
