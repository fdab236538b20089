"""Run, score and report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.experiment.carrying import RunResult
from triptych.experiment.carrying import carry_out as carried_out
from triptych.experiment.judging import JudgePlan
from triptych.experiment.plan import Plan
from triptych.experiment.planning import plan
from triptych.records import Aggregate
from triptych.scoring.opened import sound_runs
from triptych.store.folder import RunFolder
from triptych.store.kept import files_kept

if TYPE_CHECKING:
    from triptych.models.encoders.settings import EncoderSettings
    from triptych.running.loop import RunOptions


def run(
    benchmark: str,
    model: str,
    *,
    out: Path | str | None = None,
    options: RunOptions | None = None,
    protocols: Sequence[str] | None = None,
    scored: bool = True,
    judges: JudgePlan | None = None,
    **what: Any,
) -> RunResult:
    """Run a model on a benchmark, resuming an earlier session, and score the Responses.

    `what`: the keywords of `plan`; `judges`: see `plan_judges`. Raises SpecError or DataError before anything is
    asked; failures of single Items are in the outcome's counts and in their Responses.
    """
    ready = plan(benchmark, model, **what)
    return carry_out(ready, out=out, options=options, protocols=protocols, scored=scored, judges=judges)


def carry_out(
    ready: Plan,
    *,
    out: Path | str | None = None,
    options: RunOptions | None = None,
    protocols: Sequence[str] | None = None,
    scored: bool = True,
    judges: JudgePlan | None = None,
) -> RunResult:
    """Carry out a plan: see `run`."""
    from triptych.reports.report import write_tables
    from triptych.scoring.runs import load_summary

    result = carried_out(ready, out=out, options=options, protocols=protocols, scored=scored, judges=judges)
    if result.scores:
        write_tables(result.folder, load_summary(result.folder))
    return result


def score(
    target: str | Path,
    *,
    predictions: Sequence[Path | str] = (),
    data: Path | str | None = None,
    reference: Path | str | None = None,
    protocols: Sequence[str] | None = None,
    judges: JudgePlan | None = None,
    verdicts: Path | str | None = None,
    recover: bool = False,
    queue: Path | str | None = None,
    encoders: EncoderSettings | None = None,
) -> dict[str, list[Aggregate]]:
    """Score a Run folder again, or outputs made elsewhere, and return the aggregates by protocol in display order.

    `predictions`: outputs in the authors' own formats (files, folders, or archives of them: tar, tar.gz, zip …).
    `judges`: asked for missing verdicts. Verdicts are kept in the Run, or next to the predictions (`verdicts`:
    another folder); without `judges` those of the panel that was asked last are used. `recover`: read damaged
    prediction files as far as possible, if the format supports it. `queue`: a file of ambiguous replies for people:
    their decisions in it are used, and undecided replies are added. `encoders`: the text encoders and their locations.
    """
    waiting = Path(queue) if queue else None
    if predictions:
        from triptych.experiment.elsewhere import score_elsewhere

        return score_elsewhere(
            str(target), [Path(path) for path in predictions], data, Path(reference) if reference is not None else None,
            protocols, judges, Path(verdicts) if verdicts else None, waiting, recover=recover, encoders=encoders,
        )  # fmt: skip
    from triptych.reports.report import write_tables
    from triptych.scoring.runs import load_summary, score_run

    folder = RunFolder.open(Path(target))
    own = judges.at(folder.verdicts_path) if judges else None
    scored = score_run(folder, protocols, own, waiting, encoders)
    write_tables(folder, load_summary(folder))
    return scored


@files_kept()
def report(
    runs: Sequence[Path | str],
    *,
    to: Path | str | None = None,
    formats: Sequence[str] = ("terminal",),
    with_published: bool = False,
    protocol: str | None = None,
    data: Mapping[str, Path | str] | None = None,
    title: str = "",
    public: bool = False,
    highlight: Sequence[str] = (),
    progress: Callable[[str], None] = lambda _: None,
) -> list[Path]:
    """Write tables over one or several Runs, or all below a folder; return the files written (none for the terminal).

    `data`: benchmark -> the folder of its media, for examples in HTML; `title`: the HTML file's; `public`: the HTML
    file without paths and addresses of this machine; `highlight`: Runs with a
    colour of their own in figures of more than eight; `progress` receives the name of each step: see `write_report`.
    """
    from triptych.reports.report import write_report

    return write_report(
        sound_runs(runs), to=Path(to) if to else None, formats=formats, with_published=with_published,
        protocol=protocol,
        data={name: Path(folder) for name, folder in (data or {}).items()}, title=title, public=public,
        highlight=highlight, progress=progress,
    )  # fmt: skip
