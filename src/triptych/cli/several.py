"""`triptych run` with several benchmarks or models, or with a plan: one budget, one display, one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.cli.arguments import print_json, say, scoring_exit_code, tell
from triptych.cli.messages import tell_failures, tell_rules
from triptych.cli.questions import questions_of, show_questions
from triptych.errors import SpecError

if TYPE_CHECKING:
    from triptych.api import Benchmark, JudgePlan, SeveralResult, WantedRun
    from triptych.experiment.series import Ended
    from triptych.running.loop import RunOptions


def check_options(models: Sequence[str], **others: object) -> None:
    """Raise SpecError if options that are about one Run come with several."""
    why = {
        "preset": "a preset asks one model; its --base-model is the second",
        "shard": "give the shards in a command for each Run",
        "name": "the Runs of several models can't have one name; a plan (triptych.toml) names each",
    }
    for option, value in others.items():
        if value:
            raise SpecError(
                f"--{option} can't be combined with several Runs", got=f"--{option} {value}", fix=why[option]
            )
    if twice := [model for number, model in enumerate(models) if model in models[:number]]:
        raise SpecError("--model names the same model twice", got=twice[0], fix="leave one out")


def wanted_on_command_line(
    groups: Iterable[tuple[str, tuple[str, ...]]],
    models: Sequence[str],
    opened: Callable[[str], str | Benchmark],
    what: Mapping[str, Any],
) -> list[WantedRun]:
    """Return a Run of every model on every benchmark. `what`: keywords of `plan` that the options give."""
    from triptych.experiment.several import crossed, fit_settings, own_data

    groups, wanted = list(groups), []
    for word, tasks in groups:
        bench = opened(word)
        data = own_data(bench, what["data"]) if len(groups) > 1 else what["data"]
        for model in models:
            run_wanted = {
                **what,
                "tasks": tasks,
                "data": data,
                **fit_settings(model, what["settings"], what["base_url"]),
            }
            conditions = run_wanted.pop("conditions")
            wanted += crossed([bench], [model], conditions=[conditions], **run_wanted)
    return wanted


def wanted_of_plan(
    path: Path, models: Sequence[str], benchmarks: Path | None, what: Mapping[str, Any]
) -> list[WantedRun]:
    """Return the Runs of a plan file. `what`: keywords of `plan` for groups that don't set them."""
    from triptych.api import plan_of_file

    def opened(name: str, stated: Mapping[str, str]) -> str | Benchmark:
        pairs = [f"{role}={column}" for role, column in stated.items() if role != "instance"]
        return questions_of(name, benchmarks, pairs, stated.get("instance", ""))

    return plan_of_file(path, models=models, opened=opened, **what)


def several_command(
    wanted: Sequence[WantedRun],
    *,
    out: Path | None,
    options: RunOptions,
    judges: JudgePlan | None,
    protocols: list[str] | None,
    json: bool,
    dry_run: bool,
) -> int:
    """Carry out the Runs or only estimate them, print one table, and return the exit code."""
    from triptych import api

    _show_own(wanted)
    if dry_run:
        return _dry_run(wanted, out, options, json)
    result = api.run_many(wanted, out=out, options=options, protocols=protocols, judges=judges)
    if json:
        print_json(_document(result))
    else:
        from triptych.reports.several import show_several

        show_several(result.runs)
    return _tell_ends(result)


def _show_own(wanted: Sequence[WantedRun]) -> None:
    """Print what was recognised in each question file, once, and which benchmarks are asked on their mini sets."""
    from triptych.benchmarks import Benchmark

    shown: set[str] = set()
    for run in wanted:
        bench, data = run.benchmark, run.what.get("data")
        name = bench.name if isinstance(bench, Benchmark) else bench.partition("/")[0]
        if name in shown:
            continue
        shown.add(name)
        if isinstance(bench, Benchmark):
            show_questions(
                bench,
                data if data is None else str(data),
                prompt=run.what.get("prompt"),
                conditions=run.conditions,
                seed=run.what.get("seed") or 0,
            )
        elif data is None:
            say(f"no data given for {name}: this is its built-in mini set, not the benchmark itself")


def _dry_run(wanted: Sequence[WantedRun], out: Path | None, options: RunOptions, json: bool) -> int:
    """Print an estimate of each Run and of all; nothing is sent."""
    import msgspec

    from triptych import api
    from triptych.cli.estimates import show_estimates
    from triptych.running.estimate import RunEstimate

    estimates = api.estimate_many(wanted, out=out, options=options)
    problems = dict.fromkeys(problem for _, ready, _ in estimates for problem in ready.problems)
    for problem in problems:
        say(problem)
    if json:
        runs = [
            {
                "label": step.label,
                "run": str(step.out),
                "model": ready.manifest.model,
                "read_first": list(ready.unread),
                **msgspec.to_builtins(run_estimate),
            }
            for step, ready, run_estimate in estimates
        ]
        print_json({"runs": runs, "concurrency": options.concurrency})
        return 0
    show_estimates([(step.label, estimate) for step, _, estimate in estimates])
    for step, ready, _ in estimates:
        if ready.unread:
            tell(f"{step.label}: media are read first for {', '.join(ready.unread)}, which is not counted here")
    tell_rules(RunEstimate())
    return 0


def _document(result: SeveralResult) -> dict[str, Any]:
    """Return the Runs as one JSON document."""
    return {"runs": [_row(one) for one in result.runs], "usd": result.cost_usd, "code": result.code}


def _row(one: Ended) -> dict[str, Any]:
    from triptych.scoring.documents import as_document

    about: dict[str, Any] = {"label": one.step.label, "run": str(one.step.out), "code": one.code}
    if one.result is None:
        return {**about, "error": str(one.error) if one.error else "", "skipped": one.skipped}
    manifest, outcome = one.result.folder.manifest, one.result.outcome
    how = {"already": outcome.already, "statuses": outcome.counts, "usd": outcome.cost_usd}
    how |= {"stopped": outcome.stopped} if outcome.stopped else {}
    scores = as_document(manifest.benchmark, one.result.scores)
    return {**about, "model": manifest.model, "conditions": list(manifest.conditions), **how, **scores}


def _tell_ends(result: SeveralResult) -> int:
    """Print what failed in each Run, and return the exit code of all."""
    code = result.code
    for problem in dict.fromkeys(p for one in result.runs if one.result for p in one.result.problems):
        say(problem)
    for one in result.runs:
        if one.result is None:
            say(f"{one.step.label}: {one.error or f'not asked: {one.skipped}'}")
            continue
        if one.result.outcome.counts.get("failed"):
            say(f"{one.step.label}:")
            tell_failures(one.result)
        if one.result.outcome.stopped:
            say(f"{one.step.label}: stopped: {one.result.outcome.stopped}")
        code = max(code, scoring_exit_code(one.result.scores))
    if any(one.code for one in result.runs):
        say("the same command resumes; finished Runs are not asked again")
    return code
