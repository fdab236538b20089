"""A paper's experiment carried out: every arm a Run below one folder, then the arms held against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.api.judging import JudgePlan
from triptych.api.planning import plan
from triptych.api.runs import RunResult, carry_out
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.presets import Arm, Preset, filled, find_preset
from triptych.errors import SpecError

if TYPE_CHECKING:
    from triptych.analysis.comparing import Comparison
    from triptych.running.loop import RunOptions


@dataclass(frozen=True)
class Asked:
    """A model, as the command line names it."""

    model: str
    settings: Mapping[str, Any]
    base_url: str | None = None


@dataclass(frozen=True)
class PresetResult:
    """The arms that were run, in order, with what became of them; `comparisons`: arm label -> against the reference.

    Where an arm ended early it is the last one, and nothing is compared.
    """

    preset: Preset
    place: Path
    arms: tuple[tuple[Arm, RunResult], ...]
    comparisons: Mapping[str, Comparison]


def run_preset(
    benchmark: str,
    name: str,
    asked: Asked,
    base: Asked | None = None,
    *,
    out: Path | str | None = None,
    reader: str = "local/ocr",
    options: RunOptions | None = None,
    judges: JudgePlan | None = None,
    protocols: Sequence[str] | None = None,
    **what: Any,
) -> PresetResult:
    """Run every arm of a preset, resume what an earlier sitting left, and compare.

    `base`: the second model, where the preset names one; without it, the first. `reader`: what reads media for arms
    that leave that open. `what`: keywords of `plan` that hold for every arm (data, limit, repeats, seed …).
    Raises SpecError or DataError before anything is asked.
    """
    bench = load_benchmark(benchmark)
    preset = find_preset(bench, name)
    place = Path(out or Path("runs") / bench.name / f"preset-{name}-{asked.model.replace('/', '-')}")
    if preset.name == "reasoning" and base is None:
        raise SpecError(f"the preset {name!r} compares two models", fix="--base-model ADAPTER/NAME")
    given = {"reader": reader, **{arm.label: str(place / arm.label) for arm in preset.arms}}
    done: list[tuple[Arm, RunResult]] = []
    for arm in preset.arms:
        ready = plan(benchmark, **_arguments(arm, asked, base or asked, given), **what)
        told = replace(options, progress=options.progress) if options else None
        result = carry_out(ready, out=place / arm.label, options=told, judges=judges if arm.compared else None,
                           protocols=protocols)  # fmt: skip
        done.append((arm, result))
        if result.outcome.interrupted or result.outcome.stopped:
            return PresetResult(preset, place, tuple(done), {})
    return PresetResult(preset, place, tuple(done), _compared(preset, done, protocols))


def _arguments(arm: Arm, asked: Asked, base: Asked, given: Mapping[str, str]) -> dict[str, Any]:
    """What an arm asks of whom."""
    who = {"": asked, "base": base}.get(arm.model) or Asked(arm.model, {})
    return {
        "model": who.model,
        "settings": who.settings,
        "base_url": who.base_url,
        "tasks": arm.tasks,
        "filters": arm.filters,
        "conditions": [filled(condition, dict(given)) for condition in arm.conditions],
        "prompt": arm.prompt or None,
        "sample": arm.sample,
    }


def _compared(
    preset: Preset, done: Sequence[tuple[Arm, RunResult]], protocols: Sequence[str] | None
) -> dict[str, Comparison]:
    """Every compared arm against its reference, over the questions that both were asked, by their titles."""
    from triptych.api.analysing import compare

    results = {arm.label: (arm, result) for arm, result in done}
    protocol = protocols[0] if protocols else None
    found = {}
    for label, other in preset.pairs().items():
        (mine, result), (theirs, reference) = results[label], results[other]
        paths = [result.folder.path, reference.folder.path]
        found[label] = compare(paths, protocol=protocol, labels=[mine.title, theirs.title])
    return found
