"""The kinds of error of stored Runs, from their folders: rules, what judges said of the rest, what people noted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import structs

from triptych.analysis.errors.characters import errors_by_character
from triptych.analysis.errors.judging import judge_kinds, read_corrections, unknown_kinds
from triptych.analysis.errors.kinds import Diagnosis, Entry, diagnose, error_kinds, with_words
from triptych.analysis.errors.questions import BY, errors_by
from triptych.analysis.forms.hard_cases import hard_cases
from triptych.analysis.observed import Observed, observe
from triptych.errors import SpecError, nearest
from triptych.records import Annotation, Section
from triptych.scoring.judging import JudgeSession, last_session
from triptych.store.folder import RunFolder


def asked_last(folder: RunFolder) -> JudgeSession | None:
    """The judges that a Run's verdicts are of: what they said is read, and nobody is asked."""
    return last_session(folder.verdicts_path)


def errors_of(
    folders: Sequence[RunFolder],
    protocol: str | None = None,
    *,
    by: str = "",
    tasks: Sequence[str] = (),
    corrections: Path | None = None,
    session: Callable[[RunFolder], JudgeSession | None] = asked_last,
) -> Section:
    """The kinds of error of one or several Runs of a benchmark, as one Section; see `error_kinds`.

    `by`: the facet that is the category; `answer` or `item`: error rates by reference answer or by question, as means
    over the Runs (see `errors_by`). `tasks`: only these. `corrections`: people's words on all Runs; None: each Run's
    own annotations. `session`: the judges of a Run. Raises SpecError for a facet that no Item has, and what
    `observe` and `read_corrections` raise.
    """
    runs = [_of_tasks(run, tasks) for run in observe(folders, protocol)]
    if by == "character":
        pairs = [(run, folder.all_responses()) for run, folder in zip(runs, folders, strict=True)]
        return errors_by_character(pairs)
    if by in BY:
        return errors_by(runs, by)
    return errors_in(runs, folders, by=by, corrections=corrections, session=session)


def cases_of(
    folders: Sequence[RunFolder], protocol: str | None, right: str, wrong: str, *, tasks: Sequence[str] = ()
) -> Section:
    """Return the Instances that Runs have right in one form and wrong in another: see `hard_cases`."""
    if not (right and wrong):
        raise SpecError("two forms are needed", got=f"--right {right or 'none'}, --wrong {wrong or 'none'}",
                        fix="--right audio_text --wrong text_audio")  # fmt: skip
    return hard_cases([_of_tasks(run, tasks) for run in observe(folders, protocol)], right, wrong)


def _of_tasks(run: Observed, tasks: Sequence[str]) -> Observed:
    """Return the Run with the Scores of these Tasks (patterns as in `triptych run`); none: of all."""
    if not tasks:
        return run
    chosen = {run.benchmark.spec.full_id(task) for task in run.benchmark.spec.select(tasks)}
    return replace(run, scores=tuple(score for score in run.scores if score.task in chosen))


def errors_in(
    runs: Sequence[Observed],
    folders: Sequence[RunFolder],
    *,
    by: str = "",
    corrections: Path | None = None,
    session: Callable[[RunFolder], JudgeSession | None] = asked_last,
) -> Section:
    """`errors_of` for Runs that were read already, in the folders' order."""
    if by:
        facets = {name for run in runs for item in run.item_list for name in item.facets} | {"task"}
        if by not in facets:
            raise SpecError(f"these Items have no facet {by!r}", fix=nearest(by, facets))
    found: dict[str, list[Diagnosis]] = {}
    people: list[Annotation] = []
    notes: list[str] = []
    for folder, run in zip(folders, runs, strict=True):
        own = read_corrections(corrections or folder.path)
        found[run.label], told = _diagnosed(run, folder, by, own, session(folder))
        people += own
        notes += told
    if strange := unknown_kinds(people):
        notes.append(f"unknown kinds in people's corrections: {', '.join(strange)}")
    section = error_kinds(found, signatures={run.label: run.signature for run in runs})
    first = runs[0]
    return structs.replace(
        section, notes=(*section.notes, *notes), benchmark=first.benchmark.name, protocol=first.protocol.name
    )


def _diagnosed(
    run: Observed, folder: RunFolder, by: str, people: Sequence[Annotation], session: JudgeSession | None
) -> tuple[list[Diagnosis], list[str]]:
    """A Run's diagnoses, and what a reader should know of the judging."""
    plain = diagnose(run, folder.all_responses(), others=list(run.under_others()), by=by)
    said: dict[Entry, str] = {}
    notes: list[str] = []
    if session is not None:
        said, judging = judge_kinds(plain, {item.id: item for item in run.item_list}, session)
        if said or session.adapters is not None:
            notes.append(f"{run.label}: {_judged(sum(one.kind == 'content' for one in plain), len(said))}")
        if judging.stopped or judging.interrupted:
            notes.append(f"{run.label}: judging ended early: {judging.stopped or 'interrupted'}")
    return with_words(plain, said, people), notes


def _judged(asked: int, told: int) -> str:
    left = f"; {asked - told:,} have no readable verdict, or no majority" if asked > told else ""
    return f"judges classified {told:,} of {asked:,} wrong answers without a visible sign{left}"
