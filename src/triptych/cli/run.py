"""`triptych run`: one model on one benchmark under one Condition, or several of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triptych.cli.arguments import tell
from triptych.cli.messages import FIRST, tell_estimate, tell_failures, tell_rules
from triptych.cli.options import (
    Json,
    JudgeCombine,
    JudgeDescriptions,
    JudgeMedia,
    JudgeRepeats,
    Judges,
    JudgeSettings,
    JudgeUrls,
    OwnCatalogue,
    PriceIn,
    PriceOut,
    Prices,
    Rubrics,
    judges_of,
)
from triptych.cli.plan_name import plan_file
from triptych.cli.questions import questions_of, show_questions

if TYPE_CHECKING:
    from triptych.api import JudgePlan, Plan, RunResult
    from triptych.running.loop import RunOptions

HELP = (
    "Run a model on a benchmark; the same command resumes an interrupted Run and asks nothing twice. With "
    "several benchmarks or models, each pair is one Run, and all share one budget; `triptych.toml` can be such a plan."
)


def command(
    benchmark: Annotated[
        str, typer.Argument(help="BENCH, BENCH/TASK (xmodbench/linguistic, cmdar/main), or a file of questions")
    ] = "",
    tasks: Annotated[
        list[str] | None, typer.Argument(help="further tasks of it, or further benchmarks and files, each a Run")
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="ADAPTER/NAME: openai/gpt-4o, local/cascade, baseline/random; repeated: a Run of each"),
    ] = None,
    model_base_url: Annotated[
        list[str] | None,
        typer.Option(help="base URL of the endpoint, for openai/…; repeated: endpoints that share the Requests"),
    ] = None,
    name: Annotated[str, typer.Option(help="name of the Run in tables; another name makes another Run")] = "",
    same_model: Annotated[
        bool,
        typer.Option("--same-model", help="confirm that another endpoint serves the same model, and resume the Run"),
    ] = False,
    setting: Annotated[
        list[str] | None, typer.Option("-M", help="key=value: a setting of the model; may be repeated")
    ] = None,
    packing: Annotated[
        str,
        typer.Option(help="how media are sent: a name, key=value,… or FILE.toml#NAME [files as they are; the card's]"),
    ] = "",
    as_in: Annotated[
        str, typer.Option(help="ask the model as a paper did: mcif, xmodbench … (packing, decoding, system prompt)")
    ] = "",
    plan: Annotated[
        Path | None, typer.Option(help="file with several Runs [triptych.toml, if no benchmark is given]")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(help="data folder [the built-in mini set]; of several benchmarks: a folder of folders named so"),
    ] = None,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", help="role=COLUMN: what a column of a question file is (answer=gold, id=, …)"),
    ] = None,
    instance: Annotated[
        str, typer.Option(help="column of a question file whose equal values mark forms of one question")
    ] = "",
    benchmarks: Annotated[Path | None, typer.Option(help="folder of benchmarks made by `triptych new`")] = None,
    condition: Annotated[
        list[str] | None,
        typer.Option(help="a change to the Items (`triptych list conditions`); repeated: applied in order"),
    ] = None,
    prompt: Annotated[str | None, typer.Option(help="a prompt of the benchmark, FILE.toml or FILE.toml#NAME")] = None,
    limit: Annotated[int | None, typer.Option(help="number of whole Instances per task [all]")] = None,
    filter_: Annotated[
        list[str] | None, typer.Option("--filter", help="facet=value: only questions with it; may be repeated")
    ] = None,
    items: Annotated[Path | None, typer.Option(help="file of the ids of the Items to ask, one per line [all]")] = None,
    sample: Annotated[str, typer.Option(help="named sample of the benchmark, such as lite")] = "",
    shard: Annotated[
        str, typer.Option(help="k/n: ask only the k-th of n parts of the Items; `triptych merge` joins the shards")
    ] = "",
    repeats: Annotated[int, typer.Option(help="number of times each Item is asked")] = 1,
    retry_status: Annotated[
        list[str] | None, typer.Option(help="statuses asked again on resume [failed]; `unparsed` applies to verdicts")
    ] = None,
    concurrency: Annotated[int, typer.Option(help="number of concurrent Requests")] = 16,
    timeout: Annotated[float, typer.Option(help="seconds for one attempt")] = 120.0,
    retries: Annotated[int, typer.Option(help="number of retries of a failed Request")] = 5,
    rate: Annotated[
        float | None, typer.Option(help="maximum number of Requests per minute to one endpoint [no limit]")
    ] = None,
    trust_remote_code: Annotated[
        bool,
        typer.Option("--trust-remote-code", help="allow worker/NAME to run code from the Hub, or a runner of your own"),
    ] = False,
    engine: Annotated[
        str, typer.Option(help="what asks the model: local (this process), or ray (workers on a Ray cluster)")
    ] = "local",
    workers: Annotated[int | None, typer.Option(help="number of workers of --engine ray [as many as fit]")] = None,
    worker_gpus: Annotated[
        float | None, typer.Option(help="GPUs of each worker, such as 0.5 [1 if the cluster has GPUs]")
    ] = None,
    worker_cpus: Annotated[float | None, typer.Option(help="CPUs of each worker [1]")] = None,
    ray_address: Annotated[
        str, typer.Option(help="address of the Ray cluster [RAY_ADDRESS, or a cluster on this computer]")
    ] = "",
    batch: Annotated[
        bool,
        typer.Option("--batch", help="send through the batch interface of OpenAI, Anthropic or Gemini, at half price"),
    ] = False,
    poll: Annotated[float, typer.Option(help="seconds between two looks at the batches")] = 30.0,
    out: Annotated[Path | None, typer.Option(help="Run folder [runs/BENCH/MODEL-…]")] = None,
    track: Annotated[
        list[str] | None,
        typer.Option(
            help="send progress and figures to jsonl[:FILE], wandb[:PROJECT], mlflow[:EXPERIMENT] or "
            "tensorboard[:DIR]; may be repeated"
        ),
    ] = None,
    budget_usd: Annotated[float | None, typer.Option(help="budget in USD; stops when it is spent [no limit]")] = None,
    budget_tokens: Annotated[
        int | None, typer.Option(help="budget in tokens; stops when it is used [no limit]")
    ] = None,
    prices: Prices = None,
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    catalogue: OwnCatalogue = None,
    cache: Annotated[Path | None, typer.Option(help="folder of cached replies shared by Runs")] = None,
    seed: Annotated[
        int | None, typer.Option(help="seed of baselines, Conditions and models that accept one [0]")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="print the first Request and an estimate of the cost, and stop")
    ] = False,
    preset: Annotated[str, typer.Option(help="run a paper's experiment (`triptych list presets`)")] = "",
    base_model: Annotated[str, typer.Option(help="the second model of a preset")] = "",
    base_model_base_url: Annotated[
        str | None, typer.Option(help="base URL of the second model's endpoint, for openai/…")
    ] = None,
    base_setting: Annotated[
        list[str] | None, typer.Option("-B", "--base-setting", help="key=value: a setting of the second model")
    ] = None,
    reader: Annotated[
        str, typer.Option(help="model that reads pictures for a preset, or a JSON file of texts (path -> text)")
    ] = "local/ocr",
    texts: Annotated[
        Path | None, typer.Option(help="JSON file of texts (path -> text) about media that the data has no text of")
    ] = None,
    reader_base_url: Annotated[
        str | None,
        typer.Option(help="base URL of --reader, or of a Condition's model (from=openai/…)"),
    ] = None,
    reader_setting: Annotated[
        list[str] | None, typer.Option("-R", "--reader-setting", help="key=value: a setting of --reader")
    ] = None,
    protocol: Annotated[list[str] | None, typer.Option(help="protocol to score with; may be repeated [all]")] = None,
    judge: Judges = None,
    judge_base_url: JudgeUrls = None,
    judge_setting: JudgeSettings = None,
    judge_repeats: JudgeRepeats = 1,
    judge_combine: JudgeCombine = "mean",
    judge_descriptions: JudgeDescriptions = None,
    judge_media: JudgeMedia = "none",
    rubric: Rubrics = None,
    json: Json = False,
) -> int:
    """See HELP."""
    from triptych import api
    from triptych.cli.arguments import filters_of, ray_of, retried_statuses, settings_of, split_values
    from triptych.errors import SpecError
    from triptych.experiment.several import group_benchmarks
    from triptych.models.catalogue import use_catalogue
    from triptych.models.worker.trust import allow_foreign_code
    from triptych.running.loop import RunOptions

    models = list(model or ())
    file = plan_file(benchmark, plan)
    if not benchmark and file is None:
        raise SpecError(
            "no benchmark is given",
            expected="triptych run BENCH --model ADAPTER/NAME, or a triptych.toml",
            fix="see `triptych list benchmarks`",
        )
    if not models and file is None:
        raise SpecError("no model is given", expected="--model ADAPTER/NAME", fix="see `triptych list models`")
    allow_foreign_code(trust_remote_code)
    use_catalogue(catalogue)
    filters = filters_of(filter_)
    options = RunOptions(
        concurrency=concurrency,
        retries=retries,
        timeout_s=timeout,
        rate_per_minute=rate,
        budget_usd=budget_usd,
        budget_tokens=budget_tokens,
        retry_statuses=retried_statuses(retry_status),
        prices=prices,
        cache=cache,
        progress=True,
        price=_price(price_in, price_out, several=bool(preset or file) or len(models) > 1),
        same_model=same_model,
        ray=ray_of(engine, workers, worker_gpus, worker_cpus, ray_address),
        batch=batch,
        poll_s=poll,
        track=tuple(track or ()),
    )
    judges = judges_of(
        judge,
        judge_base_url,
        judge_setting,
        replace(options, price=None, track=()),
        evaluations=judge_repeats,
        combine=judge_combine,
        descriptions=judge_descriptions,
        media=judge_media,
        rubrics=rubric,
    )
    settings = settings_of(setting, "-M")
    settings |= {"packing": packing} if packing else {}
    base_url = " ".join(model_base_url) if model_base_url else None
    protocols = split_values(protocol) or None
    what: dict[str, Any] = {
        "as_in": as_in,
        "data": data,
        "limit": limit,
        "repeats": repeats,
        "seed": seed,
        "reader_base_url": reader_base_url,
        "reader_settings": settings_of(reader_setting, "-R"),
    }
    groups = [] if preset or file else group_benchmarks([benchmark, *(tasks or ())])
    if file or len(models) > 1 or len(groups) > 1:
        from triptych.cli.several import check_options, several_command, wanted_of_plan, wanted_on_command_line

        check_options(models, preset=preset, shard=shard, name=name if len(models) > 1 else "")
        more = {
            **what,
            "settings": settings,
            "base_url": base_url,
            "conditions": condition or (),
            "prompt": prompt,
            "filters": filters,
            "items_file": items,
            "sample": sample,
            "name": name,
        }
        if file:
            wanted = wanted_of_plan(file, models, benchmarks, more)
        else:
            wanted = wanted_on_command_line(
                groups, models, lambda word: questions_of(word, benchmarks, map_, instance), more
            )
        return several_command(
            wanted, out=out, options=options, judges=judges, protocols=protocols, json=json, dry_run=dry_run
        )
    questions_file, model_name = questions_of(benchmark, benchmarks, map_, instance), models[0]
    if preset and not isinstance(questions_file, str):
        raise SpecError("a question file has no presets", got=preset)
    if texts and not preset:
        fix = f"--condition ocr:from=data,table={texts}"
        raise SpecError("--texts is an option of presets", got=f"--texts {texts}", fix=fix)
    if preset:
        from triptych.cli.preset import check_alone, models_of, preset_command
        from triptych.experiment.arms import PartOfPreset

        check_alone(preset, condition=condition, prompt=prompt, items=items, shard=shard)
        benchmark, _, path = benchmark.partition("/")
        part = PartOfPreset([*filter(None, [path]), *(tasks or ())], filters, sample)
        named = models_of(model_name, settings, base_url, name, base_model, base_setting, base_model_base_url)
        return preset_command(
            benchmark,
            preset,
            named,
            out=out,
            reader=reader,
            texts=texts,
            options=options,
            judges=judges,
            protocols=protocols,
            json=json,
            only_estimate=dry_run,
            part=part,
            what=what,
        )
    if not isinstance(questions_file, str):
        show_questions(questions_file, data, prompt=prompt, conditions=condition or (), seed=seed or 0)

    def planned(address: str | None) -> Plan:
        return api.plan(
            questions_file,
            model_name,
            tasks=tasks or (),
            conditions=condition or (),
            settings=settings,
            base_url=address,
            prompt=prompt,
            filters=filters,
            items_file=items,
            sample=sample,
            name=name,
            shard=shard,
            **what,
        )

    ready = _planned_unserved(planned) if dry_run and not base_url else planned(base_url)
    _print_preview(ready, data, filters, judges)
    return _dry_run(ready, options, json) if dry_run else finish(ready, options, out, protocols, json, judges)


def _price(price: float | None, made: float | None, *, several: bool) -> tuple[float, float] | None:
    """Return the prices of --price-in and --price-out. Raises SpecError if one is missing, or for several models."""
    from triptych.errors import SpecError

    if price is None and made is None:
        return None
    if price is None or made is None:
        lacking = "--price-in" if price is None else "--price-out"
        raise SpecError(
            "a price needs both --price-in and --price-out", got=f"no {lacking}", fix=f"add {lacking} 0 if it is free"
        )
    if not (0 <= price < inf and 0 <= made < inf):
        raise SpecError("a price is 0 or more", got=f"{price:g} and {made:g}")
    if several:
        raise SpecError("several models are asked, whose prices differ", fix="--prices FILE (docs/limits.md)")
    return price, made


def _print_preview(
    ready: Plan, data: str | None, filters: Mapping[str, Sequence[str]], judges: JudgePlan | None
) -> None:
    """Print what the options left open: the data, the filters that apply by default, judges that aren't needed."""
    from triptych.cli.arguments import say

    if data is None and ready.benchmark.home is not None:
        pass  # the questions and their folder were printed
    elif data is None and ready.manifest.data == "mini":
        say(f"no --data given: this is the built-in mini set of {ready.benchmark.name}, not the benchmark itself")
    elif data is None:
        say("no --data given: questions and reference answers come from the results; others are not counted")
    if ready.manifest.benchmark_version != ready.benchmark.spec.version:
        say(f"the data is the release {ready.manifest.benchmark_version} of {ready.benchmark.name}")
    if unnamed := ready.unnamed:
        say(
            f"asked without {', '.join(unnamed)}, which a Run has only by name: {ready.benchmark.name}/*/*/{unnamed[0]}"
        )
    for facet, values in ready.benchmark.spec.default_filters.items():
        if facet not in filters and facet in ready.manifest.filters:
            say(f"asked with {facet}={','.join(values)}; --filter {facet}=… selects others")
    if judges and not any(task.rubrics for task in ready.tasks):
        say("--judge is not used: no metric of these tasks needs one")


_FOR_TABLES = ("triptych.reports.terminal.tables", "rich.console", "rich.table")  # imported while answers are awaited


def finish(
    ready: Plan,
    options: RunOptions,
    out: Path | None,
    protocols: list[str] | None,
    json: bool,
    judges: JudgePlan | None = None,
) -> int:
    """Run the plan, print the tables, and return the exit code."""
    from triptych import api
    from triptych.cli.arguments import ended_early, say, scoring_exit_code

    if not json:
        options = replace(options, imports=_FOR_TABLES)
    result = api.run_plan(ready, out=out, options=options, protocols=protocols, judges=judges)
    for read in result.readings:
        say(f"media read first: {', '.join(f'{n:,} {status}' for status, n in read.counts.items()) or 'none'}")
    if json or not (result.outcome.fatal or result.outcome in result.readings):
        _show(result, json)
    tell_failures(result)
    _tell_problems(result.problems, ready)
    if (code := ended_early(result.outcome, result.folder.path)) is not None:
        return code
    return 1 if result.outcome.counts.get("failed") else scoring_exit_code(result.scores)


def _tell_problems(problems: Sequence[str], ready: Plan) -> None:
    """Print problems with the data; more of them for replayed results, which `check` does not read."""
    from triptych.cli.arguments import say

    replayed = ready.replayed is not None
    shown = problems[: 4 * FIRST if replayed else FIRST]
    if problems and replayed:
        say("problems with the replayed results:")
    elif problems:
        count = "1 problem" if len(problems) == 1 else f"{len(problems):,} problems"
        say(f"{count} with the data or the prompt: rows left out, or not as expected; the first ones:")
    for problem in shown:
        say(f"  {problem}")
    if len(problems) > len(shown):
        say(f"  `triptych check {ready.benchmark.name} --data {ready.manifest.data}` lists all")


def _show(result: RunResult, json: bool) -> None:
    from triptych.cli.arguments import print_json, say

    if json:
        from triptych.scoring.documents import as_document

        document = as_document(result.folder.manifest.benchmark, result.scores)
        return print_json({"run": str(result.folder.path), **document})
    from triptych.reports.report import show_run

    show_run(result.folder, result.scores)
    say(f"Run folder: {result.folder.path}")
    return None


def _planned_unserved(planned: Callable[[str | None], Plan]) -> Plan:
    """Return the plan of a dry run. A model that can't be asked now is planned as if an endpoint had it, and the reason
    is printed."""
    from triptych.cli.arguments import say
    from triptych.errors import SpecError

    try:
        return planned(None)
    except SpecError as error:
        try:
            ready = planned("http://localhost/v1")  # never opened
        except SpecError:
            raise error from None
        say(f"the model can't be asked now; this is what an OpenAI-compatible endpoint would be sent.\n{error}")
        return ready


def _dry_run(ready: Plan, options: RunOptions, json: bool) -> int:
    """Print what would be asked, an estimate of the cost, and the first Request in full; nothing is sent."""
    from itertools import islice

    import msgspec

    from triptych.cli.arguments import print_json
    from triptych.experiment.execution import nothing_selected
    from triptych.media.payload import MediaReader
    from triptych.running.estimate import estimate
    from triptych.running.prices import load_prices

    prices = load_prices(options.prices, options.price)
    prices = prices.in_batches() if options.batch else prices
    run_estimate = estimate(ready.requests(), ready.adapter, MediaReader(ready.data), prices, options.concurrency)
    if not run_estimate.requests:
        raise nothing_selected(ready)
    _tell_problems(tuple(ready.problems), ready)
    shown = [
        f"[{p.kind}: {p.path}{f' | {p.transform}' if p.transform else ''}]" if p.is_media else p.text
        for request in islice(ready.requests(), 1)
        for message in request.messages
        for p in message.parts
    ]
    manifest = ready.manifest
    packed = {"packing": manifest.packing, "as_in": manifest.note, "system": manifest.system}
    fields = {
        "model": ready.manifest.model,
        "concurrency": options.concurrency,
        "read_first": list(ready.unread),
        **packed,
    }
    if json:
        print_json({**msgspec.to_builtins(run_estimate), **fields, "first": shown})
        return 0
    for task, count in run_estimate.tasks.items():
        tell(f"{count:7,}  {task}")
    tell(f"{run_estimate.requests:7,}  Requests about {run_estimate.items:,} Items to {ready.manifest.model}\n")
    tell_estimate(run_estimate, options.concurrency, ready.unread)
    tell_rules(run_estimate)
    if manifest.packing:
        tell(f"media are sent with --packing {manifest.packing}")
    if manifest.note:
        tell(manifest.note.replace("; ", "\n  "))
    tell("\nthe first Request:\n")
    tell("\n".join(shown))
    return 0
