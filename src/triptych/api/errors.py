"""Kinds of errors in stored Runs; nothing is asked again, unless a judge is named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.experiment.judging import JudgePlan
from triptych.scoring.opened import sound_runs
from triptych.store.kept import files_kept

if TYPE_CHECKING:
    from triptych.records import Section


@files_kept()
def error_kinds(
    runs: Sequence[Path | str],
    *,
    protocol: str | None = None,
    by: str = "",
    right: str = "",
    wrong: str = "",
    tasks: Sequence[str] = (),
    corrections: Path | str | None = None,
    judges: JudgePlan | None = None,
) -> Section:
    """Return the kinds of error in one or several Runs of a benchmark, with counts, intervals and examples.

    `right`, `wrong`: two forms of a question (`audio_text`, `text_audio`); then the Instances that a Run answered
    correctly in the first and wrongly in the second are returned instead.

    `by`: the facet used as category; `answer` or `item`: the error rate of each reference answer or question, as a mean
    over the Runs, the worst first. `tasks`: only these Tasks. `corrections`: people's corrections, a CSV or
    JSONL file; by default each Run's `annotations.jsonl`, if it exists. `judges`: asked about wrong answers that no
    rule classifies; earlier verdicts in the Run are always read. Raises SpecError, DataError or RunFolderError.
    """
    from triptych.analysis.errors.stored import asked_last, cases_of, errors_of

    folders = sound_runs(runs)
    if right or wrong:
        return cases_of(folders, protocol, right, wrong, tasks=tasks)
    session = asked_last if judges is None else lambda folder: judges.after(folder).at(folder.verdicts_path)
    own = Path(corrections) if corrections else None
    return errors_of(folders, protocol, by=by, tasks=tasks, corrections=own, session=session)
