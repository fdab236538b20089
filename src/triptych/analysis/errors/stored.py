"""The kinds of error of stored Runs, from their folders: rules, what judges said of the rest, what people noted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import structs

from triptych.analysis.errors.characters import errors_by_character
from triptych.analysis.errors.judging import judge_kinds, read_corrections, unknown_kinds
from triptych.analysis.errors.kinds import Diagnosis, Entry, diagnose, error_kinds, with_words
from triptych.analysis.errors.questions import BY, errors_by
from triptych.analysis.forms.hard_cases import hard_cases
from triptych.analysis.observed import Observed, observe
from triptych.benchmarks.data_folders import data_folder
from triptych.errors import SpecError, nearest
from triptych.protocols.judged import media_of
from triptych.records import Annotation, Item, Section
from triptych.scoring.judging import JudgeSession, last_session
from triptych.store.folder import RunFolder


def last_judge_session(folder: RunFolder) -> JudgeSession | None:
    """The judges that a Run's verdicts are of: what they said is read, and nobody is asked."""
    return last_session(folder.verdicts_path)


def errors_of(
    folders: Sequence[RunFolder],
    protocol: str | None = None,
    *,
    by: str = "",
    tasks: Sequence[str] = (),
    corrections: Path | None = None,
    session: Callable[[RunFolder], JudgeSession | None] = last_judge_session,
    data: Mapping[str, Path] | None = None,
) -> Section:
    """The kinds of error of one or several Runs of a benchmark, as one Section; see `error_kinds`.

    `by`: the facet that is the category; `answer` or `item`: error rates by reference answer or by question, as means
    over the Runs (see `errors_by`). `tasks`: only these. `corrections`: people's words on all Runs; None: each Run's
    own annotations. `session`: the judges of a Run. `data`: benchmark -> folder with the media that judges are sent.
    Raises SpecError for a facet that no Item has, and what
    `observe` and `read_corrections` raise.
    """
    runs = [_of_tasks(run, tasks) for run in observe(folders, protocol)]
    if by == "character":
        pairs = [(run, folder.all_responses()) for run, folder in zip(runs, folders, strict=True)]
        return errors_by_character(pairs)
    if by in BY:
        return errors_by(runs, by)
    return errors_in(runs, folders, by=by, corrections=corrections, session=session, data=data)


def cases_of(
    folders: Sequence[RunFolder], protocol: str | None, right: str, wrong: str, *, tasks: Sequence[str] = ()
) -> Section:
    """Return the Instances that Runs have right in one form and wrong in another: see `hard_cases`."""
    if not (right and wrong):
        raise SpecError(
            "two forms are needed",
            got=f"--right {right or 'none'}, --wrong {wrong or 'none'}",
            fix="--right audio_text --wrong text_audio",
        )
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
    session: Callable[[RunFolder], JudgeSession | None] = last_judge_session,
    data: Mapping[str, Path] | None = None,
) -> Section:
    """`errors_of` for Runs that were read already, in the folders' order."""
    if by:
        facets = {name for run in runs for item in run.item_list for name in item.facets} | {"task"}
        if by not in facets:
            raise SpecError(f"these Items have no facet {by!r}", fix=nearest(by, facets))
    diagnoses: dict[str, list[Diagnosis]] = {}
    people: list[Annotation] = []
    notes: list[str] = []
    for folder, run in zip(folders, runs, strict=True):
        corrected = read_corrections(corrections or folder.path)
        diagnoses[run.label], all_notes = _diagnosed(run, folder, by, corrected, session(folder), data or {})
        people += corrected
        notes += all_notes
    if strange := unknown_kinds(people):
        notes.append(f"unknown kinds in people's corrections: {', '.join(strange)}")
    section = error_kinds(diagnoses, signatures={run.label: run.signature for run in runs})
    first = runs[0]
    return structs.replace(
        section, notes=(*section.notes, *notes), benchmark=first.benchmark.name, protocol=first.protocol.name
    )


def _diagnosed(
    run: Observed,
    folder: RunFolder,
    by: str,
    people: Sequence[Annotation],
    session: JudgeSession | None,
    data: Mapping[str, Path],
) -> tuple[list[Diagnosis], list[str]]:
    """A Run's diagnoses, and what a reader should know of the judging."""
    plain = diagnose(run, folder.all_responses(), others=list(run.under_others()), by=by)
    words_by_entry: dict[Entry, str] = {}
    notes: list[str] = []
    if session is not None:
        items = {item.id: item for item in run.item_list}
        wrong = [items[one.item] for one in plain if one.kind == "content"]
        session, without = with_media(session, folder, run.benchmark.mini, data, wrong)
        words_by_entry, judging = judge_kinds(plain, items, session)
        if words_by_entry or session.adapters is not None:
            notes.append(f"{run.label}: {_judged(len(wrong), len(words_by_entry))}")
            notes += [
                f"{run.label}: {diagnosis}" for diagnosis in (without, *_media_counts(session, wrong)) if diagnosis
            ]
        if judging.stopped or judging.interrupted:
            notes.append(f"{run.label}: judging ended early: {judging.stopped or 'interrupted'}")
    return with_words(plain, words_by_entry, people), notes


def with_media(
    session: JudgeSession, folder: RunFolder, mini: Path | None, named: Mapping[str, Path], items: Sequence[Item]
) -> tuple[JudgeSession, str]:
    """Return the session with the media that its judges are sent, or without media and the reason: a folder that only
    the Run names is not read, unless the Run states the hash of each file."""
    if session.adapters is None or not any(judge.media for judge in session.panel.judges):
        return session, ""
    root = data_folder(folder.manifest, mini, named)
    parts = [part for item in items for part in media_of(item) if part.is_media]
    if root is not None and (root.named or all(part.sha256 for part in parts)):
        return replace(session, media=root.reader()), ""
    judges = tuple(structs.replace(judge, media=()) for judge in session.panel.judges)
    why = "the media are not on this computer" if root is None else "the folder of the media is named by the Run alone"
    return (
        replace(session, panel=structs.replace(session.panel, judges=judges)),
        f"judges were sent texts alone, since {why}: --data DIR" if parts else "",
    )


def _media_counts(session: JudgeSession, items: Sequence[Item]) -> Iterator[str]:
    """Yield for each judge how many of the questions it was sent with their media."""
    have = [parts for item in items if (parts := media_of(item))]
    for judge in session.panel.judges if have else ():
        sent = sum(judge.can_take(parts) for parts in have)
        yield f"{judge.model} was sent the media of {sent:,} of {len(have):,} questions that have any"


def _judged(total: int, number: int) -> str:
    left = f"; {total - number:,} have no readable verdict, or no majority" if total > number else ""
    return f"judges classified {number:,} of {total:,} wrong answers without a visible sign{left}"
