"""Kinds of errors in stored Runs; nothing is asked again, unless a judge is named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.experiment.judging import JudgePlan
from triptych.records.checked_calls import checked_arguments
from triptych.scoring.stored.opened import sound_runs
from triptych.store.decoded import keep_files

if TYPE_CHECKING:
    from triptych.records import Section


@checked_arguments
@keep_files()
def analyse_errors(
    runs: PathLike[str] | str | Iterable[PathLike[str] | str],
    *,
    protocol: str | None = None,
    by: str = "",
    right: str = "",
    wrong: str = "",
    tasks: Sequence[str] = (),
    corrections: Path | str | None = None,
    judges: JudgePlan | None = None,
    data: Path | str | None = None,
) -> Section:
    """Return the kinds of error in one or several Runs of a benchmark, with counts, intervals and examples.

    Args:
        runs: Run folders, or folders of them.
        protocol: None for the benchmark's headline protocol.
        by: The facet used as category; `answer` or `item` for the error rate of each reference answer or question, as
            a mean over the Runs, the worst first.
        right: A form of the questions, such as `audio_text`. With `wrong`, the Instances that a Run answered correctly
            in this form and wrongly in the other are returned instead.
        wrong: The other form.
        tasks: Only these Tasks.
        corrections: People's corrections, a CSV or JSONL file; by default each Run's `annotations.jsonl`.
        judges: Asked about wrong answers that no rule classifies; earlier verdicts in the Run are always read.
            `plan_judges(…, media="known")` sends the media to judges that take them.
        data: The folder with the benchmark's media, for judges; by default the mini set, or the folder that the Run
            names, if the Run states the hash of each file.

    Returns:
        One Section with tables of the kinds and examples of each; with `right` and `wrong`, of the Instances.

    Raises:
        SpecError: If an argument is wrong.
        DataError: If the corrections can't be read.
        RunFolderError: If no folder is a Run.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     run = triptych.run("cmdar/main", "baseline/longest", limit=8, out=folder)
        ...     section = triptych.analyse_errors([folder])
        >>> section.title
        'Kinds of error'
    """
    from triptych.analysis.errors.stored import cases_of, errors_of, last_judge_session

    folders = sound_runs(runs)
    if right or wrong:
        return cases_of(folders, protocol, right, wrong, tasks=tasks)
    session = last_judge_session if judges is None else lambda folder: judges.after(folder).at(folder.verdicts_path)
    corrections_path = Path(corrections) if corrections else None
    named = {folder.manifest.benchmark: Path(data) for folder in folders} if data else {}
    return errors_of(folders, protocol, by=by, tasks=tasks, corrections=corrections_path, session=session, data=named)
