"""Run a paper's experiment: every arm is a Run below one folder, and then the arms are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.benchmarks.presets import Arm, Preset
from triptych.experiment.arms import NamedModel, PartOfPreset, chosen_preset, run_arms
from triptych.experiment.execution import RunResult
from triptych.experiment.judging import JudgePlan

if TYPE_CHECKING:
    from triptych.analysis.comparing.comparison import Comparison
    from triptych.running.loop import RunOptions


@dataclass(frozen=True)
class PresetResult:
    """The arms that were run, in order, with their outcomes; `comparisons`: arm label -> comparison with the reference.

    If an arm ended early, it is the last one, and nothing is compared.
    """

    preset: Preset
    path: Path
    arms: tuple[tuple[Arm, RunResult], ...]
    comparisons: Mapping[str, Comparison]


def run_preset(
    benchmark: str,
    name: str,
    model: NamedModel,
    base: NamedModel | None = None,
    *,
    out: Path | str | None = None,
    reader: str = "local/ocr",
    texts: Path | None = None,
    options: RunOptions | None = None,
    judges: JudgePlan | None = None,
    protocols: Sequence[str] | None = None,
    part: PartOfPreset | None = None,
    **what: Any,
) -> PresetResult:
    """Run every arm of a preset, resuming an earlier session, and compare them: see `experiment.arms.run_arms`.

    `texts`: a JSON file, media path or SHA-256 -> text, for media whose true text the data lacks. `part`: only these
    Tasks, facets or sample of it; arms without any such question are left out.
    """
    from triptych.analysis.comparing.arms import compare_arms
    from triptych.reports.report import write_tables

    preset, data = chosen_preset(benchmark, name, model, base, out, what, part)
    done: list[tuple[Arm, RunResult]] = []
    for arm, result in run_arms(
        benchmark,
        preset,
        model,
        base,
        folder=data,
        reader=reader,
        texts=texts,
        options=options,
        judges=judges,
        protocols=protocols,
        **what,
    ):
        if result.scores:
            write_tables(result.folder, result.scores)
        done.append((arm, result))
    ended = done[-1][1].outcome
    is_complete = not (ended.interrupted or ended.stopped)
    compared = compare_arms(preset, done, protocols[0] if protocols else None) if is_complete else {}
    return PresetResult(preset, data, tuple(done), compared)
