"""`triptych run --preset`: a paper's experiment in one command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.cli.arguments import ended_early, print_json, say, settings_of, tell
from triptych.cli.messages import tell_estimate, tell_failures, tell_rules
from triptych.errors import SpecError

if TYPE_CHECKING:
    from triptych.api.presets import PresetResult
    from triptych.experiment.arms import NamedModel, PartOfPreset
    from triptych.experiment.judging import JudgePlan
    from triptych.running.loop import RunOptions


def check_alone(preset: str, **others: object) -> None:
    """Raise SpecError if options that a preset's arms set, or that name single Items, come with it."""
    if options := [f"--{name}" for name, value in others.items() if value]:
        fix = f"leave {' and '.join(options)} out; BENCH/TASK, --filter, --sample and --limit ask a part of a preset"
        raise SpecError(f"--preset can't be combined with {' or '.join(options)}", got=f"--preset {preset}", fix=fix)


def models_of(
    model: str,
    settings: dict[str, str],
    base_url: str | None,
    name: str,
    second: str,
    second_settings: list[str] | None,
    second_url: str | None,
) -> tuple[NamedModel, NamedModel | None]:
    """Return the models that the options name: the first, and the second or None."""
    from triptych.experiment.arms import NamedModel, second_model

    model_settings = settings_of(second_settings, "--base-setting")
    named_model = NamedModel(model, settings, base_url, name)
    return named_model, second_model(named_model, second, model_settings, second_url) if second else None


def preset_command(
    benchmark: str,
    name: str,
    models: tuple[NamedModel, NamedModel | None],
    *,
    out: Path | None,
    reader: str,
    texts: Path | None,
    options: RunOptions,
    judges: JudgePlan | None,
    protocols: list[str] | None,
    json: bool,
    only_estimate: bool,
    part: PartOfPreset,
    what: dict[str, Any],
) -> int:
    """Run a preset or only estimate its cost, show its arms next to each other, and return the exit code."""
    from triptych.api.presets import run_preset

    if what["data"] is None:
        say(f"no --data given: this is the built-in mini set of {benchmark}, not the benchmark itself")
    part = _in_one_value(benchmark, name, models[0], part)
    _say_left_out(benchmark, name, part)
    if only_estimate:
        return _dry_run(
            benchmark, name, models, options=options, json=json, out=out, reader=reader, texts=texts, part=part, **what
        )
    result = run_preset(
        benchmark,
        name,
        *models,
        out=out,
        reader=reader,
        texts=texts,
        options=options,
        judges=judges,
        protocols=protocols,
        part=part,
        **what,
    )
    _show(result, json)
    for problem in dict.fromkeys(problem for _, run in result.arms for problem in run.problems):
        say(problem)
    for _, run in result.arms:
        tell_failures(run)
    if (code := ended_early(result.arms[-1][1].outcome, result.path)) is not None:
        return code
    return int(any(arm.outcome.counts.get("failed") for _, arm in result.arms))


def _in_one_value(benchmark: str, name: str, named_model: NamedModel, part: PartOfPreset) -> PartOfPreset:
    """Return the part of a preset in which the model is asked, and say so if the options don't choose it."""
    from triptych.experiment.arms import in_one_value

    chosen, notice = in_one_value(benchmark, name, named_model, part)
    if notice:
        say(notice)
    return chosen


def _say_left_out(benchmark: str, name: str, part: PartOfPreset) -> None:
    """Print the arms that ask none of the chosen questions."""
    from triptych.benchmarks import load_benchmark
    from triptych.benchmarks.presets import find_preset, narrow_preset

    bench = load_benchmark(benchmark)
    preset = find_preset(bench, name)
    labels = {arm.label for arm in narrow_preset(preset, bench, part.tasks, part.filters, part.sample).arms}
    if left := [arm.label for arm in preset.arms if arm.label not in labels]:
        say(f"without {', '.join(left)}: these arms have no question that the options select")


def _dry_run(
    benchmark: str,
    name: str,
    models: tuple[NamedModel, NamedModel | None],
    *,
    options: RunOptions,
    json: bool,
    **what: Any,
) -> int:
    """Print what every arm would ask and an estimate of its cost; nothing is sent."""
    import msgspec

    from triptych.benchmarks.presets import waits_for
    from triptych.experiment.arms import estimate_preset
    from triptych.running.estimate import RunEstimate

    parts = []
    problems: dict[str, None] = {}
    for arm, ready, run_estimate in estimate_preset(benchmark, name, *models, options=options, **what):
        about: dict[str, Any] = {"label": arm.label, "title": arm.title, "after": waits_for(arm)}
        if ready and run_estimate:
            problems |= dict.fromkeys(ready.problems)
            about |= {
                "model": ready.manifest.model,
                "read_first": list(ready.unread),
                **msgspec.to_builtins(run_estimate),
            }
        parts.append(about)
        if json:
            continue
        tell(f"{arm.label}: {arm.title}")
        if ready and run_estimate:
            tell(f"{run_estimate.requests:,} Requests about {run_estimate.items:,} Items to {ready.manifest.model}")
            tell_estimate(run_estimate, options.concurrency, ready.unread)
        else:
            tell(f"not estimated: it reads the replies of {' and '.join(waits_for(arm))}")
        tell()
    for problem in problems:
        say(problem)
    if json:
        print_json({"preset": name, "benchmark": benchmark, "concurrency": options.concurrency, "arms": parts})
    else:
        tell_rules(RunEstimate())
    return 0


def _show(result: PresetResult, json: bool) -> None:
    compared = [(arm, run) for arm, run in result.arms if arm.compared]
    bench = result.arms[0][1].folder.manifest.benchmark
    if json:
        from triptych.scoring.documents import as_document

        arms = [
            {"label": arm.label, "title": arm.title, "run": str(run.folder.path), **as_document(bench, run.scores)}
            for arm, run in compared
        ]
        comparisons = dict(result.comparisons)
        print_json({"preset": result.preset.name, "benchmark": bench, "arms": arms, "comparisons": comparisons})
    else:
        from triptych.benchmarks import load_benchmark
        from triptych.reports.arms import show_arms

        scores = {arm.title: run.scores for arm, run in compared}
        folders = {arm.title: run.folder for arm, run in result.arms}
        show_arms(load_benchmark(bench), result.preset, scores, folders, result.comparisons)
    say(f"Runs: {result.path}")
