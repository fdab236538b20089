"""`triptych score`: score a Run again, or outputs made elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triptych.cli.options import (
    Json,
    JudgeCombine,
    JudgeDescriptions,
    JudgeMedia,
    JudgeRepeats,
    Judges,
    JudgeSameModel,
    JudgeSettings,
    JudgeUrls,
    Prices,
    Rubrics,
    judges_of,
)

if TYPE_CHECKING:
    from triptych.models.encoders.settings import EncoderSettings

_REPLIES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".xlsx", ".parquet", ".txt", ".xml")
HELP = "Score a Run folder again, or (--predictions) outputs made elsewhere in the authors' own formats."


def command(
    target: Annotated[str, typer.Argument(help="a Run folder; with --predictions the benchmark's name")],
    more: Annotated[list[str] | None, typer.Argument(help="further prediction files (after --predictions)")] = None,
    predictions: Annotated[list[Path] | None, typer.Option(help="files or a folder of outputs")] = None,
    data: Annotated[
        str | None, typer.Option(help="data folder, if the predictions don't contain the reference answers")
    ] = None,
    reference: Annotated[Path | None, typer.Option(help="reference file, if the format has one")] = None,
    recover: Annotated[bool, typer.Option("--recover", help="read damaged prediction files up to the damage")] = False,
    protocol: Annotated[list[str] | None, typer.Option(help="official, paper or standard [all]")] = None,
    queue: Annotated[
        Path | None,
        typer.Option(
            help="file of ambiguous replies for people to decide; written, and read again with their decisions"
        ),
    ] = None,
    judge: Judges = None,
    judge_base_url: JudgeUrls = None,
    judge_setting: JudgeSettings = None,
    judge_repeats: JudgeRepeats = 1,
    judge_combine: JudgeCombine = "mean",
    judge_descriptions: JudgeDescriptions = None,
    judge_media: JudgeMedia = "none",
    rubric: Rubrics = None,
    retry_status: Annotated[
        list[str] | None,
        typer.Option(help="statuses of verdicts that are asked for again [failed]: unparsed, refused …"),
    ] = None,
    verdicts: Annotated[Path | None, typer.Option(help="folder for verdicts on predictions [next to them]")] = None,
    concurrency: Annotated[int, typer.Option(help="number of concurrent Requests to a judge")] = 16,
    budget_usd: Annotated[
        float | None, typer.Option(help="budget in USD; judging stops when it is spent [no limit]")
    ] = None,
    budget_tokens: Annotated[
        int | None, typer.Option(help="budget in tokens; judging stops when it is used [no limit]")
    ] = None,
    prices: Prices = None,
    cache: Annotated[Path | None, typer.Option(help="folder of cached replies shared by Runs and judges")] = None,
    encoders: Annotated[
        Path | None, typer.Option(help="folder of text encoders, each in a subfolder of its name [TRIPTYCH_ENCODERS]")
    ] = None,
    encoder: Annotated[
        list[str] | None, typer.Option(help="MEASURE[.LANGUAGE]=MODEL[@LAYER]: use another encoder than the default")
    ] = None,
    device: Annotated[str, typer.Option(help="device of the encoders: cpu or cuda [cuda if available]")] = "",
    make_comet: Annotated[
        bool, typer.Option("--make-comet", help="create COMET's environment if it is missing (downloads packages)")
    ] = False,
    with_published: Annotated[
        bool, typer.Option("--with-published", help="add the paper's rows to every table")
    ] = False,
    same_model: JudgeSameModel = False,
    json: Json = False,
) -> int:
    """See HELP."""
    from triptych import api
    from triptych.benchmarks import load_benchmark, own_questions
    from triptych.cli.arguments import print_json, retried_statuses, say, scoring_exit_code, split_values
    from triptych.errors import SpecError
    from triptych.running.loop import RunOptions
    from triptych.scoring.notes.labels import label_of
    from triptych.store.folder import RunFolder

    paths: list[Path | str] = [*(predictions or []), *(more or [])]
    if more and not predictions:
        raise SpecError("`score` takes one Run folder", got=" ".join([target, *more]), fix="triptych report RUN RUN …")
    if not paths and Path(target).is_file() and Path(target).suffix.lower() in _REPLIES:
        fix = f"triptych score BENCH --predictions {target} (BENCH: a benchmark, or its file of questions)"
        raise SpecError("this is a file, not a Run folder", where=target, fix=fix)
    if not paths and not Path(target).exists():
        fix = f"results made elsewhere: triptych score {target} --predictions FILE…"
        raise SpecError(f"no Run folder {target!r} here", fix=fix)
    options = RunOptions(
        concurrency=concurrency,
        budget_usd=budget_usd,
        budget_tokens=budget_tokens,
        prices=prices,
        cache=cache,
        progress=True,
        same_model=same_model,
        retry_statuses=retried_statuses(retry_status),
    )
    judges = judges_of(
        judge,
        judge_base_url,
        judge_setting,
        options,
        evaluations=judge_repeats,
        combine=judge_combine,
        descriptions=judge_descriptions,
        media=judge_media,
        rubrics=rubric,
    )
    scores = api.score(
        target,
        predictions=paths,
        data=data,
        reference=reference,
        protocols=split_values(protocol) or None,
        judges=judges,
        verdicts=verdicts,
        recover=recover,
        queue=queue,
        encoders=_encoders(encoders, encoder or [], device, make_comet),
    )
    folder = None if paths else RunFolder.open(Path(target))
    name = folder.manifest.benchmark if folder else target
    benchmark = None if folder else own_questions(name)
    benchmark = benchmark or load_benchmark(name)
    if judge and not any(task.rubrics for task in benchmark.spec.tasks):
        say(f"--judge is not used: no metric of {name} needs one")
    if json:
        from triptych.scoring.documents import as_document

        print_json(as_document(name, scores))
        return scoring_exit_code(scores)
    from triptych.reports.report import show_scores

    label = label_of(folder) if folder else Path(paths[0]).name
    show_scores(benchmark, {label: scores}, {label: folder} if folder else {}, with_published=with_published)
    return scoring_exit_code(scores)


def _encoders(folder: Path | None, models: list[str], device: str, make_comet: bool) -> EncoderSettings:
    """Return the encoders named by the options; progress goes to standard error."""
    import sys

    from triptych.models.encoders.settings import EncoderSettings, read_models

    usual = EncoderSettings()
    return EncoderSettings(
        folder or usual.folder, read_models(models), device, make_comet, lambda line: print(line, file=sys.stderr)
    )
