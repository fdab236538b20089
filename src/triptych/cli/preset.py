"""`triptych run --preset`: a paper's experiment in one command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triptych.api.judging import JudgePlan
    from triptych.api.presets import Asked, PresetResult
    from triptych.running.loop import RunOptions


def run_preset(
    benchmark: str,
    name: str,
    models: tuple[Asked, Asked | None],
    *,
    out: Path | None,
    reader: str,
    options: RunOptions,
    judges: JudgePlan | None,
    protocols: list[str] | None,
    json: bool,
    what: dict[str, Any],
) -> int:
    """Run it, show the arms against each other, and say how it ended by the exit code."""
    from triptych.api.presets import run_preset as carry_out
    from triptych.cli.arguments import say

    result = carry_out(
        benchmark, name, *models, out=out, reader=reader, options=options, judges=judges, protocols=protocols, **what
    )
    _show(result, json)
    outcome = result.arms[-1][1].outcome
    if outcome.interrupted:
        say(f"interrupted; the same command goes on where it was ({result.place})")
        return 130
    if outcome.stopped:
        say(f"stopped: {outcome.stopped}")
        return 2 if outcome.fatal else 1
    return int(any(arm.outcome.counts.get("failed") for _, arm in result.arms))


def _show(result: PresetResult, json: bool) -> None:
    from triptych.cli.arguments import print_json, say

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
    say(f"Runs: {result.place}")
