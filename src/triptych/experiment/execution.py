"""Carry out a plan: let models read media first if a Condition needs it, send the Requests, score the Responses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.errors import DataError, MediaError, SpecError, nearest
from triptych.experiment.engines import asking, check_engine
from triptych.experiment.judging import JudgePlan
from triptych.experiment.plan import Plan
from triptych.experiment.readings import made_ready
from triptych.experiment.same_questions import check_same_requests
from triptych.media.payload import MediaReader
from triptych.records import Aggregate, Item, RunManifest
from triptych.running.plan import facet_of
from triptych.store.folder import RunFolder

if TYPE_CHECKING:
    from triptych.running.loop import RunOptions, RunOutcome

_NOTED = 20  # notes about replayed results that the manifest keeps


@dataclass(frozen=True, repr=False)
class RunResult:
    """The outcome of a Run.

    Attributes:
        folder: The Run folder.
        outcome: How the session ended, with counts by status. If a model that reads media first ended early, this is
            its outcome, and no question was asked.
        scores: Protocol -> its figures; empty if not scored.
        problems: Rows of the data that could not become Items, and other faults of the data; `check` reports all of
            them.
        readings: The outcomes of reading media first, if a Condition needs it.
    """

    folder: RunFolder
    outcome: RunOutcome
    scores: dict[str, list[Aggregate]]
    problems: tuple[str, ...] = ()
    readings: tuple[RunOutcome, ...] = ()

    def __fspath__(self) -> str:
        """The path of the Run folder: a result can be given wherever the path of a Run can."""
        return str(self.folder.path)

    def __repr__(self) -> str:
        """The result in one line; all figures would fill pages of a notebook."""
        figures = {name: f"{len(every)} figures" for name, every in self.scores.items()}
        return f"RunResult({str(self.folder.path)!r}, {self.outcome.counts}, scores={figures})"


def execute_plan(
    ready: Plan,
    *,
    out: Path | str | None = None,
    options: RunOptions | None = None,
    protocols: Sequence[str] | None = None,
    scored: bool = True,
    judges: JudgePlan | None = None,
    finished: bool = False,
) -> RunResult:
    """Send the Requests of a plan, resuming an earlier session, and score the Responses.

    `finished`: all Requests have a reply, so the model isn't opened. Raises SpecError or DataError before anything is
    asked.
    """
    from triptych.running.budget import remaining_budget
    from triptych.running.loop import RunOptions, RunOutcome, run_sync
    from triptych.running.other_endpoint import at_endpoint
    from triptych.running.progress import choose_progress
    from triptych.running.readings import journals
    from triptych.running.replaced import check_media_unchanged
    from triptych.running.tracking.tracking import tracking
    from triptych.scoring.early import EarlyScores, modules_for
    from triptych.scoring.notes.labels import label_of
    from triptych.scoring.outcome import choose
    from triptych.scoring.runs import score_run

    options = options or RunOptions()
    check_engine(ready, options)
    planned = check_plan(ready)
    if scored:
        choose(ready.benchmark, protocols)  # an unknown protocol is an error now, not after the Run
    path = Path(out or ready.default_folder())
    if judges:
        judges.check(ready, path, same_model=options.same_model)
    folder = RunFolder.create(path, _final_manifest(ready, planned))
    folder = at_endpoint(folder, ready.adapter, same_model=options.same_model)
    reads = getattr(ready.adapter, "reads_media", True)
    sent = check_media_unchanged(folder, ready.data) if reads else {}
    media = MediaReader(ready.data, extra=ready.extra_files, sent=sent)
    ready, readings = _read_first(ready, folder, media, options)
    if ready.unread:
        return RunResult(folder, readings[-1], {}, tuple(ready.problems), readings)
    folder = check_same_requests(ready, folder)
    _teach(ready)
    remaining = remaining_budget(replace(options, planned=planned, in_data=ready.in_data), journals(folder))
    with tracking(options.track, folder, f"{ready.benchmark.name}: {label_of(folder)}") as track:
        if track is not None:
            remaining = replace(remaining, progress=track.display(choose_progress(remaining.progress)))
        early = EarlyScores(folder, protocols)
        if scored:
            remaining = replace(remaining, imports=(*modules_for(ready.benchmark), *remaining.imports))
        if scored and not judges and early.is_possible(ready.benchmark):
            remaining = replace(remaining, meanwhile=early.score)
        outcome = (
            RunOutcome(already=planned, cost_usd=0.0) if finished else run_sync(asking(ready, folder, media, remaining))
        )
        scores: dict[str, list[Aggregate]] = {}
        if scored:
            ended = outcome.interrupted or outcome.stopped
            session = judges.after(folder).at(folder.verdicts_path, media) if judges and not ended else None
            scores = early.valid_scores() or score_run(folder, protocols, session)
        if track is not None:
            track.figures(scores)
            stopped = f"stopped: {outcome.stopped}" if outcome.stopped else "done"
            track.end("interrupted" if outcome.interrupted else stopped)
    return RunResult(folder, outcome, scores, tuple(ready.problems), readings)


def check_plan(ready: Plan, out: Path | None = None) -> int:
    """Check the plan and return its number of Requests. `out`: may contain this Run already, but no other.

    Raises SpecError if nothing is selected, DataError if media are missing, RunFolderError if `out` has another Run.
    """
    planned = ready.count()
    if not planned:
        raise nothing_selected(ready)
    _check_media(ready)
    if out is not None and (out / "manifest.json").exists():
        RunFolder.open(out).check_same(ready.manifest)
    return planned


def _read_first(
    ready: Plan, folder: RunFolder, media: MediaReader, options: RunOptions
) -> tuple[Plan, tuple[RunOutcome, ...]]:
    """Return the plan with its Conditions made ready; unchanged if reading the media ended early."""
    if not ready.unread:
        return ready, ()
    conditions, outcomes = made_ready(ready, folder, media, options)
    return (ready if len(conditions) < len(ready.conditions) else replace(ready, conditions=conditions)), outcomes


def _final_manifest(ready: Plan, planned: int) -> RunManifest:
    """Return the manifest with the number of Requests and the rows left out, known once the files were read."""
    import msgspec

    note = f"{len(ready.problems)} problems with the data, the first: {next(iter(ready.problems), '')}"
    if ready.replayed is not None:
        note = "; ".join(list(ready.problems)[:_NOTED])
    planned_units = ready.all_shards().count() if ready.shard else None
    return msgspec.structs.replace(
        ready.manifest, planned=planned, planned_whole=planned_units, note=note if ready.problems else ""
    )


def _check_media(ready: Plan) -> None:
    """Raise DataError if all media of the first Items are missing, which means a wrong --data."""
    if not getattr(ready.adapter, "reads_media", True):
        return
    reader = MediaReader(ready.data)
    first = [part for request in islice(ready.requests(), 5) for part in request.media_parts]
    missing: list[MediaError] = []
    for part in first:
        try:
            reader.resolve(part)
        except MediaError as error:
            missing.append(error)
    if first and len(missing) == len(first):
        raise DataError(
            "the first Items' media are missing",
            where=ready.data,
            got=missing[0].problem + f" ({first[0].path})",
            fix="pass --data with the folder that holds them, or ask without media: --condition blind",
        )


def _teach(ready: Plan) -> None:
    """Pass the Items to an adapter that learns from them (the most frequent target).

    The Items are those after the Conditions, which may have moved the correct option; of all shards, so that each
    shard learns the same.
    """
    learn: Callable[[Iterable[Item]], None] | None = getattr(ready.adapter, "learn", None)
    if learn is not None:
        learn(request.item for request in ready.all_shards().requests() if request.item and not request.unaskable)


def nothing_selected(ready: Plan) -> SpecError:
    """Return the error for a selection without questions, or for data of which no row could be read."""
    if ready.problems and not ready.selection.filters and ready.selection.items is None:
        first = next(iter(ready.problems))
        fix = f"`triptych check {ready.benchmark.name} --data {ready.manifest.data}` lists all of them"
        got = f"{len(ready.problems):,} problems with the data, the first: {first}"
        return SpecError("none of the data's questions can be asked", got=got, fix=fix)
    fix = "select more with --filter, --items or the task; for several values of one facet repeat --filter"
    return SpecError("nothing is selected", got=_selection_words(ready), expected=_values_there(ready), fix=fix)


def _values_there(ready: Plan) -> str | None:
    """Return the values that exist of every filtered facet of which no wanted value exists; None if all have one."""
    there: dict[str, set[str]] = {name: set() for name in ready.selection.filters}
    items = ready.benchmark.items(ready.data, ready.tasks, lambda problem: None) if ready.replayed is None else None
    for item in ready.replayed or items or ():
        for name in there:
            there[name].add(facet_of(item, name))
    parts = []
    for name, values in there.items():
        if others := sorted(values - {""}) if not values & ready.selection.filters[name] else []:
            more = f" … ({len(others)} values)" if len(others) > _VALUES else ""
            close = [nearest(wanted, others) for wanted in sorted(ready.selection.filters[name])]
            meant = next((f"; {one}" for one in close if one.startswith("did you mean")), "")
            parts.append(f"{name}={', '.join(others[:_VALUES])}{more}{meant}")
    return "; ".join(parts) or None


_VALUES = 20  # values of a facet in a message


def _selection_words(ready: Plan) -> str:
    texts = [f"{k}={','.join(sorted(v))}" for k, v in ready.selection.filters.items()]
    if ready.selection.items is not None:
        ids = sorted(ready.selection.items)
        texts.append("no Item ids" if not ids else f"{len(ids):,} Item ids, such as {ids[0]!r}")
    return ", ".join(texts) or f"{len(ready.tasks)} tasks of {ready.benchmark.name} in {ready.data}"
