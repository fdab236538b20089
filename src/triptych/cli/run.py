"""`triptych run`: one model on one benchmark under one Condition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triptych.api import JudgePlan, Plan, RunResult
    from triptych.running.loop import RunOptions

HELP = "Run a model on a benchmark; the same command resumes an interrupted Run and asks nothing twice."
_SELECT, _ASK, _KEEP = "What is asked", "How it is asked", "What is kept"


def command(
    benchmark: Annotated[str, typer.Argument(help="BENCH or BENCH/TASK: xmodbench, xmodbench/linguistic, cmdar/main")],
    tasks: Annotated[list[str] | None, typer.Argument(help="more tasks of the same benchmark")] = None,
    model: Annotated[str, typer.Option(help="ADAPTER/NAME: openai/gpt-4o, local/cascade, baseline/random")] = "",
    model_base_url: Annotated[str | None, typer.Option(help="the endpoint, for openai/…")] = None,
    setting: Annotated[list[str] | None, typer.Option("-M", help="key=value: a setting of the model")] = None,
    data: Annotated[str | None, typer.Option(help="the data folder; without it the built-in mini set")] = None,
    condition: Annotated[list[str] | None, typer.Option(help="a change to the Items: blind, no_context")] = None,
    prompt: Annotated[str | None, typer.Option(help="a named prompt of the benchmark, or a TOML file")] = None,
    limit: Annotated[int | None, typer.Option(help="so many whole Instances of each task")] = None,
    filter_: Annotated[list[str] | None, typer.Option("--filter", help="facet=value; may be repeated")] = None,
    items: Annotated[Path | None, typer.Option(help="a file of Item ids, one a line")] = None,
    sample: Annotated[str, typer.Option(help="a named sample of the benchmark: lite")] = "",
    repeats: Annotated[int, typer.Option(help="ask each Item so often")] = 1,
    retry_status: Annotated[list[str] | None, typer.Option(help="statuses asked again on resume [failed]")] = None,
    concurrency: Annotated[int, typer.Option(help="Requests under way at once")] = 16,
    timeout: Annotated[float, typer.Option(help="seconds for one attempt")] = 120.0,
    retries: Annotated[int, typer.Option(help="attempts after the first")] = 5,
    rate: Annotated[float | None, typer.Option(help="Requests a minute to one endpoint")] = None,
    engine: Annotated[str, typer.Option(help="local (ray comes later)")] = "local",
    out: Annotated[Path | None, typer.Option(help="the Run folder; without it runs/BENCH/MODEL-…")] = None,
    budget_usd: Annotated[float | None, typer.Option(help="stop when so much money is spent")] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="stop when so many tokens are used")] = None,
    prices: Annotated[Path | None, typer.Option(help="a price file instead of the built-in one")] = None,
    cache: Annotated[Path | None, typer.Option(help="a folder of answers shared by Runs")] = None,
    seed: Annotated[int | None, typer.Option(help="for baselines, Conditions and models that take one")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="show what would be asked, and stop")] = False,
    protocol: Annotated[list[str] | None, typer.Option(help="score with these only")] = None,
    judge: Annotated[list[str] | None, typer.Option(help="a judge, for metrics that need one; or several")] = None,
    judge_base_url: Annotated[list[str] | None, typer.Option(help="the judge's endpoint, for openai/…")] = None,
    judge_setting: Annotated[list[str] | None, typer.Option("-J", help="key=value: a setting of the judges")] = None,
    judge_repeats: Annotated[int, typer.Option(help="evaluations by each judge in each order")] = 1,
    judge_combine: Annotated[str, typer.Option(help="several judges: mean, median or majority")] = "mean",
    judge_descriptions: Annotated[Path | None, typer.Option(help="JSON: what is heard in each Item's media")] = None,
    json: Annotated[bool, typer.Option("--json", help="one JSON document on standard output")] = False,
) -> int:
    """See HELP."""
    from triptych import api
    from triptych.cli.arguments import listed, pairs, say
    from triptych.errors import SpecError
    from triptych.records import RESPONSE_STATUSES
    from triptych.running.loop import RunOptions

    if not model:
        raise SpecError("which model?", expected="--model ADAPTER/NAME", fix="see `triptych list models`")
    if engine != "local":
        raise SpecError(f"no engine {engine!r} yet", expected="local")
    filters: dict[str, list[str]] = {}
    for key, value in pairs(filter_ or [], "--filter"):
        filters.setdefault(key, []).append(value)
    retry = listed(retry_status) or ["failed"]
    if unknown := set(retry) - set(RESPONSE_STATUSES):
        raise SpecError(f"no status {sorted(unknown)[0]!r}", expected=", ".join(RESPONSE_STATUSES))
    ready = api.plan(
        benchmark,
        model,
        tasks=tasks or (),
        data=data,
        conditions=condition or (),
        settings=dict(pairs(setting or [], "-M")),
        base_url=model_base_url,
        prompt=prompt,
        limit=limit,
        filters=filters,
        items_file=items,
        sample=sample,
        repeats=repeats,
        seed=seed,
    )
    if data is None:
        say(f"no --data given: this is the built-in mini set of {ready.benchmark.name}, not the benchmark itself")
    for facet, values in ready.benchmark.spec.default_filters.items():
        if facet not in filters and facet in ready.manifest.filters:
            say(f"asked with {facet}={','.join(values)}; --filter {facet}=… asks others")
    if dry_run:
        return _dry_run(ready, json)
    options = RunOptions(
        concurrency=concurrency,
        retries=retries,
        timeout_s=timeout,
        rate_per_minute=rate,
        budget_usd=budget_usd,
        budget_tokens=budget_tokens,
        retry_statuses=frozenset(retry),
        prices=prices,
        cache=cache,
        progress=True,
    )
    judges = api.plan_judges(
        judge or (), base_urls=judge_base_url or (), settings=dict(pairs(judge_setting or [], "-J")),
        evaluations=judge_repeats, combine=judge_combine, descriptions=judge_descriptions, options=options,
    )  # fmt: skip
    return finish(ready, options, out, listed(protocol) or None, json, judges)


def finish(
    ready: Plan,
    options: RunOptions,
    out: Path | None,
    protocols: list[str] | None,
    json: bool,
    judges: JudgePlan | None = None,
) -> int:
    """Run the plan, show the tables, and say how it ended by the exit code."""
    from triptych import api
    from triptych.cli.arguments import ended, say

    result = api.carry_out(ready, out=out, options=options, protocols=protocols, judges=judges)
    for read in result.readings:
        say(f"media read first: {', '.join(f'{n:,} {status}' for status, n in read.counts.items()) or 'none'}")
    if json or not (result.outcome.fatal or result.outcome in result.readings):
        _show(result, json)
    if result.problems:
        say(f"{len(result.problems)} problems with the data: rows left out, or not as expected; the first ones:")
        for problem in result.problems[:3]:
            say(f"  {problem}")
        say("  `triptych check` tells all")
    outcome = result.outcome
    if outcome.interrupted:
        say(f"interrupted; the same command goes on where it was ({result.folder.path})")
        return 130
    if outcome.stopped:
        say(f"stopped: {outcome.stopped}")
        return 2 if outcome.fatal else 1
    return 1 if outcome.counts.get("failed") else ended(result.scores)


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


def _dry_run(ready: Plan, json: bool) -> int:
    """What would be asked: counts by task, and the first Request in full."""
    from collections import Counter

    from triptych.cli.arguments import print_json

    tasks: Counter[str] = Counter()
    first = None
    for request in ready.requests():
        tasks[request.item.task if request.item else ""] += 1
        first = first or request
    shown = (
        [f"[{p.kind}: {p.path}]" if p.is_media else p.text for m in first.messages for p in m.parts] if first else []
    )
    if json:
        print_json(
            {"requests": sum(tasks.values()), "tasks": dict(tasks), "model": ready.manifest.model, "first": shown}
        )
        return 0
    for task, count in sorted(tasks.items()):
        print(f"{count:7,}  {task}")
    print(f"{sum(tasks.values()):7,}  Requests to {ready.manifest.model}; the first one:\n")
    print("\n".join(shown))
    return 0
