"""Run, score and report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.benchmarks import Benchmark, load_benchmark
from triptych.benchmarks.data_folders import data_folder
from triptych.errors import SpecError, nearest
from triptych.experiment.data import data_folder as existing_folder
from triptych.experiment.execution import RunResult, execute_plan
from triptych.experiment.judging import JudgePlan
from triptych.experiment.plan import Plan
from triptych.experiment.planning import plan
from triptych.records import Aggregate
from triptych.records.checked_calls import checked_arguments
from triptych.scoring.stored.opened import sound_runs
from triptych.store.decoded import keep_files
from triptych.store.folder import RunFolder

if TYPE_CHECKING:
    from triptych.models.encoders.settings import EncoderSettings
    from triptych.running.loop import RunOptions


@checked_arguments
def run(
    benchmark: str | Path | Benchmark,
    model: str,
    *,
    tasks: Sequence[str] = (),
    data: Path | str | None = None,
    conditions: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    base_url: str | None = None,
    prompt: str | None = None,
    limit: int | None = None,
    filters: Mapping[str, Iterable[str]] | None = None,
    items_file: Path | str | None = None,
    item_ids: Iterable[str] | None = None,
    sample: str = "",
    repeats: int = 1,
    seed: int | None = None,
    name: str = "",
    shard: str = "",
    reader_base_url: str | None = None,
    reader_settings: Mapping[str, Any] | None = None,
    as_in: str = "",
    out: Path | str | None = None,
    options: RunOptions | None = None,
    protocols: Sequence[str] | None = None,
    scored: bool = True,
    judges: JudgePlan | None = None,
) -> RunResult:
    """Run a model on a benchmark, resuming an earlier session, and score the Responses.

    Args:
        benchmark: `BENCH`, `BENCH/TASK`, the path of questions of your own, or a loaded Benchmark.
        model: `ADAPTER/NAME`, such as `openai/gpt-4o`, `hf/Qwen/Qwen2.5-Omni-7B` or `baseline/random`.
        tasks: Tasks to ask; none for those that the benchmark asks by default.
        data: The folder of the released files; None for the built-in mini set.
        conditions: Changes to every Item, such as `blind` or `shuffled`.
        settings: Settings of the adapter and of decoding, as `-M KEY=VALUE` gives them.
        base_url: Address of the endpoint, if it isn't the adapter's own.
        prompt: Name of one of the benchmark's prompts, or a TOML file with prompts.
        limit: Number of whole Instances per Task, from the first.
        filters: Facet -> values; only Items with one of these values are asked.
        items_file: A file with one Item id per line; only these are asked.
        item_ids: Ids of the Items to ask; an alternative to `items_file`.
        sample: A sample that the benchmark defines, such as `lite`.
        repeats: How often each Item is asked.
        seed: Seed of everything that is drawn, also sent to models that take one.
        name: Name of the Run in tables; another name makes another Run.
        shard: `k/n` asks the k-th of n parts of the Items.
        reader_base_url: Endpoint of the model that a Condition names (`ocr:from=openai/NAME`).
        reader_settings: Settings of that model.
        as_in: A benchmark whose paper says how the model is asked; the other arguments have precedence.
        out: The Run folder; by default below `runs/`.
        options: Concurrency, retries, time-outs, budgets, engine.
        protocols: Protocols to score by; None for all of the benchmark.
        scored: False to ask without scoring.
        judges: Judges for Tasks that need one: see `plan_judges`.

    Returns:
        The Run folder, the counts by status, and the scores by protocol (empty if not scored).

    Raises:
        SpecError: If an argument is wrong; before anything is asked.
        DataError: If data are missing or malformed; before anything is asked.
        RunFolderError: If `out` contains another Run.

    Failures of single Items raise nothing: they are in the outcome's counts and in their Responses.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     result = run("cmdar/main", "baseline/longest", limit=4, out=folder)
        >>> result.outcome.counts
        {'answered': 4}
    """
    ready = plan(
        benchmark,
        model,
        tasks=tasks,
        data=data,
        conditions=conditions,
        settings=settings,
        base_url=base_url,
        prompt=prompt,
        limit=limit,
        filters=filters,
        items_file=items_file,
        item_ids=item_ids,
        sample=sample,
        repeats=repeats,
        seed=seed,
        name=name,
        shard=shard,
        reader_base_url=reader_base_url,
        reader_settings=reader_settings,
        as_in=as_in,
    )
    return run_plan(ready, out=out, options=options, protocols=protocols, scored=scored, judges=judges)


@checked_arguments
def run_plan(
    plan: Plan,
    *,
    out: Path | str | None = None,
    options: RunOptions | None = None,
    protocols: Sequence[str] | None = None,
    scored: bool = True,
    judges: JudgePlan | None = None,
) -> RunResult:
    """Send the Requests of a plan, resuming an earlier session, and score the Responses.

    Args:
        plan: What the function `plan` returned.
        out, options, protocols, scored, judges: As for `run`.

    Returns:
        The same as `run`.

    Raises:
        SpecError, DataError: Before anything is asked.
        RunFolderError: If `out` contains another Run.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> ready = plan("cmdar/main", "baseline/constant", settings={"letter": "A"}, limit=2)
        >>> with TemporaryDirectory() as folder:
        ...     run_plan(ready, out=folder).outcome.counts
        {'answered': 2}
    """
    from triptych.running.loop import RunOptions

    options = options or RunOptions()
    if scored:
        options = replace(options, imports=(*options.imports, "triptych.reports.report"))
    result = execute_plan(plan, out=out, options=options, protocols=protocols, scored=scored, judges=judges)
    if result.scores:
        from triptych.reports.report import write_tables  # imported here, so that the first question is asked earlier
        from triptych.scoring.runs import load_summary

        write_tables(result.folder, load_summary(result.folder))
    return result


@checked_arguments
def score(
    target: PathLike[str] | str,
    *,
    predictions: Iterable[Path | str] = (),
    data: Path | str | None = None,
    reference: Path | str | None = None,
    protocols: Sequence[str] | None = None,
    judges: JudgePlan | None = None,
    verdicts: Path | str | None = None,
    recover: bool = False,
    queue: Path | str | None = None,
    encoders: EncoderSettings | None = None,
) -> dict[str, list[Aggregate]]:
    """Score a Run folder again, or outputs made elsewhere.

    Args:
        target: A Run: its folder, or what `run` returned; with `predictions` the name of the benchmark.
        predictions: Outputs in the authors' own formats: files, folders, or archives of them (tar, tar.gz, zip …).
        data: The folder of the questions that the predictions answer, or of the media that judges of a Run are sent;
            None for the built-in mini set.
        reference: A file of reference answers, if the format keeps them apart from the questions.
        protocols: Protocols to score by; None for all of the benchmark.
        judges: Judges that are asked for missing verdicts; without them, those of the panel that was asked last are
            used. Verdicts are kept in the Run, or next to the predictions.
        verdicts: Another folder for the verdicts on predictions.
        recover: Read damaged prediction files as far as possible, if the format supports it.
        queue: A file of ambiguous replies for people: decisions in it are used, undecided replies are added.
        encoders: The text encoders and their locations.

    Returns:
        Protocol -> its figures, in the order in which tables print them.

    Raises:
        SpecError: If the benchmark or a protocol is unknown, or an argument is given that is for predictions alone.
        DataError: If a file is missing or malformed.
        RunFolderError: If `target` isn't a Run folder.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     run = triptych.run("cmdar/main", "baseline/longest", limit=8, out=folder)
        ...     figures = triptych.score(folder, protocols=["official"])["official"]
        >>> figures[0].metric, figures[0].n
        ('acc', 8)
    """
    waiting = Path(queue) if queue else None
    if predictions:
        from triptych.experiment.external_results import score_elsewhere

        return score_elsewhere(
            str(target),
            [Path(path) for path in predictions],
            data,
            Path(reference) if reference is not None else None,
            protocols,
            judges,
            Path(verdicts) if verdicts else None,
            waiting,
            recover=recover,
            encoders=encoders,
        )
    from triptych.reports.report import write_tables
    from triptych.scoring.runs import load_summary, score_run

    folder = RunFolder.open(Path(target))
    for name, value in {"reference": reference, "verdicts": verdicts, "recover": recover or None}.items():
        if value is not None:
            fix = f"leave {name} out, or give the predictions"
            raise SpecError(f"{name} is for predictions, and a Run is scored", where=folder.path, fix=fix)
    if data is not None:
        existing_folder(load_benchmark(folder.manifest.benchmark), data)
    verdicts_session = None
    if judges:
        named = {folder.manifest.benchmark: Path(data)} if data is not None else {}
        mini = folder.manifest.data == "mini"
        data_path = data_folder(
            folder.manifest, load_benchmark(folder.manifest.benchmark).mini if mini else None, named
        )
        if judges.panel.takes_media and (data_path is None or not data_path.named):
            raise SpecError("judges can't be sent the media: their folder is not named", fix="add --data DIR")
        verdicts_session = judges.at(folder.verdicts_path, data_path.reader() if data_path else None)
    scored = score_run(folder, protocols, verdicts_session, waiting, encoders)
    write_tables(folder, load_summary(folder))
    return scored


def _check_named(data: Mapping[str, Path | str], benchmarks: Collection[str]) -> None:
    """Raise SpecError for data of a benchmark that no Run is of, DataError for a folder that doesn't exist."""
    for name, folder in data.items():
        if name not in benchmarks:
            raise SpecError(f"data names {name!r}, and no Run is of this benchmark", fix=nearest(name, benchmarks))
        existing_folder(load_benchmark(name), folder)


@checked_arguments
@keep_files()
def report(
    runs: PathLike[str] | str | Iterable[PathLike[str] | str],
    *,
    to: Path | str | None = None,
    formats: Sequence[str] | None = None,
    with_published: bool = False,
    protocol: str | None = None,
    data: Mapping[str, Path | str] | None = None,
    title: str = "",
    public: bool = False,
    highlight: Sequence[str] = (),
    viewer: str = "",
    details: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Path]:
    """Write tables over one or several Runs, in the terminal or to files.

    Args:
        runs: Run folders, or folders of them (all Runs below); also a single one, or what `run` returned.
        to: Folder of the files; by default the Run's own `tables/`, or `./tables` for several Runs.
        formats: Any of `terminal`, `html`, `csv`, `md`, `latex`, `svg`, `png`, `pdf`, `outputs`. None for the terminal;
            with `to`, for `html` (if its packages are installed), `csv` and `md`.
        with_published: Add the rows of the benchmark's paper.
        protocol: The protocol whose tables come first; None for the benchmark's first.
        data: Benchmark -> the folder of its media, for examples in HTML.
        title: Title of the HTML file; by default it names the models and benchmarks.
        public: Write all files without paths of this machine and addresses of endpoints.
        highlight: Runs with a colour of their own in figures of more than eight.
        viewer: Address of a running viewer that numbers link to; by default the usual one if it answers.
        details: In the terminal, all tables and analyses also of many Runs, below the matrix.
        progress: Receives the name of each step.

    Returns:
        The files written; none for the terminal.

    Raises:
        SpecError: If a format or protocol is unknown, or `data` names a benchmark that no Run is of.
        DataError: If a folder in `data` doesn't exist.
        RunFolderError: If no folder is a Run.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     run = triptych.run("cmdar/main", "baseline/longest", limit=8, out=folder)
        ...     files = triptych.report([folder], formats=["csv"])
        >>> sorted(file.name for file in files)
        ['main.csv', 'notes.csv', 'scores.csv']
    """
    from triptych.reports.report import html_lacks, write_report

    files = ["csv", "md"] if html_lacks() else ["html", "csv", "md"]
    folders = sound_runs(runs)
    _check_named(data or {}, {folder.manifest.benchmark for folder in folders})
    return write_report(
        folders,
        to=Path(to) if to else None,
        formats=formats or (files if to else ["terminal"]),
        with_published=with_published,
        protocol=protocol,
        data={name: Path(folder) for name, folder in (data or {}).items()},
        title=title,
        public=public,
        highlight=highlight,
        viewer=viewer,
        details=details,
        progress=progress,
    )
