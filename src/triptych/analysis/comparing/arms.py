"""Compare the arms of a paper's experiment with their references."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.analysis.comparing.comparison import Comparison, compare_runs
from triptych.analysis.observed import observe
from triptych.benchmarks.presets import Arm, Preset
from triptych.experiment.execution import RunResult
from triptych.scoring.stored.opened import sound_runs
from triptych.store.decoded import keep_files


@keep_files()
def compare_arms(
    preset: Preset, arms: Sequence[tuple[Arm, RunResult]], protocol: str | None = None
) -> dict[str, Comparison]:
    """Compare each arm with its reference over the questions that both were asked.

    Returns arm label -> Comparison, in which the Runs have the arms' titles. `protocol`: None for the headline one.
    """
    results = {arm.label: (arm, result) for arm, result in arms}
    comparisons = {}
    for label, other in preset.pairs().items():
        (mine, result), (theirs, reference) = results[label], results[other]
        folders = sound_runs([result.folder.path, reference.folder.path])
        comparisons[label] = compare_runs(observe(folders, protocol, [mine.title, theirs.title]))
    return comparisons
