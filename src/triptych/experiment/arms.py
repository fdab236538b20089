"""A paper's experiment carried out: every arm of a preset is a Run below one folder."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from triptych.benchmarks import load_benchmark
from triptych.benchmarks.presets import Arm, Preset, fill_slots, find_preset, narrow_preset, waits_for
from triptych.errors import BudgetExceeded, SpecError
from triptych.experiment.as_in import catalogue_row, modality_in
from triptych.experiment.execution import RunResult, check_plan
from triptych.experiment.judging import JudgePlan
from triptych.experiment.known_texts import Answerable, answerable
from triptych.experiment.plan import Plan
from triptych.experiment.planning import plan
from triptych.experiment.series import Step, execute_series
from triptych.models.adapter import DECODING, OURS
from triptych.running.estimate import RunEstimate, estimate

if TYPE_CHECKING:
    from triptych.running.loop import RunOptions


@dataclass(frozen=True)
class NamedModel:
    """A model, as the command line names it."""

    model: str
    settings: Mapping[str, Any]
    base_url: str | None = None
    name: str = ""


@dataclass(frozen=True)
class PartOfPreset:
    """The questions of a preset that are asked: those of every arm that these Tasks, facets and sample also select."""

    tasks: Sequence[str] = ()
    filters: Mapping[str, Iterable[str]] = field(default_factory=dict)
    sample: str = ""

    @property
    def suffix(self) -> str:
        """Return what the folder's name has after it; empty for the whole preset."""
        filters = sorted((facet, sorted(values)) for facet, values in self.filters.items())
        description = repr((sorted(self.tasks), filters, self.sample))
        is_complete = not (self.tasks or self.filters or self.sample)
        return "" if is_complete else f"-{hashlib.sha256(description.encode()).hexdigest()[:8]}"


def second_model(
    first: NamedModel, model: str, settings: Mapping[str, Any] | None = None, base_url: str | None = None
) -> NamedModel:
    """Return the second model of a preset.

    It takes over the first one's decoding settings (temperature …), and its endpoint and adapter settings if both have
    the same adapter. `settings` and `base_url` take precedence.
    """
    alike = model.partition("/")[0] == first.model.partition("/")[0]
    shared = {key: value for key, value in first.settings.items() if alike or key in (*DECODING, *OURS)}
    return NamedModel(model, {**shared, **(settings or {})}, base_url or (first.base_url if alike else None))


def run_arms(
    benchmark: str,
    preset: Preset,
    named_model: NamedModel,
    base: NamedModel | None = None,
    *,
    folder: Path,
    reader: str = "local/ocr",
    texts: Path | None = None,
    options: RunOptions | None = None,
    judges: JudgePlan | None = None,
    protocols: Sequence[str] | None = None,
    **what: Any,
) -> Iterator[tuple[Arm, RunResult]]:
    """Run every arm of a preset below `folder`, resuming an earlier session, and yield each arm when it is done.

    If an arm ends early, it is the last one. `base`: the second model, if the preset names one; by default the first.
    `reader`: what reads media for arms that don't specify it: a model, or a JSON file of texts. `texts`: a JSON file
    of texts about media whose true text the data lacks; questions without any text leave all arms. `what`:
    keywords of `plan` for every arm (data, limit, repeats, seed …). Every arm is planned and checked before the first
    request: SpecError or DataError are raised before anything is paid for. The budget is over all arms.
    """
    from triptych.running.loop import RunOptions

    arm_values = _slot_values(preset, folder, reader, texts)
    answers = _answerable(benchmark, preset, named_model, base or named_model, arm_values, what)
    plans = {
        arm.label: _planned(benchmark, arm, named_model, base or named_model, arm_values, folder, what, answers)
        for arm in preset.arms
    }
    for arm in preset.arms:
        if judges and arm.compared:
            judges.check(plans[arm.label], folder / arm.label, same_model=bool(options and options.same_model))

    def step(arm: Arm) -> Step:
        def make_plan() -> Plan:  # the texts that it reads exist by then
            return _plan(benchmark, arm, named_model, base or named_model, arm_values, what, answers)

        ready = plans[arm.label]
        return Step(
            arm.title,
            folder / arm.label,
            ready.count(),
            make_plan if waits_for(arm) else ready,
            judges if arm.compared else None,
        )

    steps = [step(arm) for arm in preset.arms]
    series = execute_series(steps, options=options or RunOptions(), protocols=protocols)
    for arm, ended in zip(preset.arms, series, strict=True):
        if ended.error is not None:
            raise ended.error
        if ended.result is None:
            raise BudgetExceeded(f"{arm.label} was not asked: {ended.skipped}", fix="resume with a larger budget")
        yield arm, ended.result
        if ended.result.outcome.interrupted or ended.result.outcome.stopped:
            return


def estimate_preset(
    benchmark: str,
    name: str,
    named_model: NamedModel,
    base: NamedModel | None = None,
    *,
    out: Path | str | None = None,
    reader: str = "local/ocr",
    texts: Path | None = None,
    options: RunOptions,
    part: PartOfPreset | None = None,
    **what: Any,
) -> Iterator[tuple[Arm, Plan | None, RunEstimate | None]]:
    """Estimate every arm before anything is asked; None for an arm that reads replies that another has yet to give."""
    from triptych.media.payload import MediaReader
    from triptych.running.prices import load_prices

    preset, data = chosen_preset(benchmark, name, named_model, base, out, what, part)
    prices = load_prices(options.prices, options.price)
    arm_values = _slot_values(preset, data, reader, texts)
    answers = _answerable(benchmark, preset, named_model, base or named_model, arm_values, what)
    for arm in preset.arms:
        if not all((data / label / "manifest.json").is_file() for label in waits_for(arm)):
            yield arm, None, None
            continue
        ready = _plan(benchmark, arm, named_model, base or named_model, arm_values, what, answers)
        media = MediaReader(ready.data)
        yield arm, ready, estimate(ready.requests(), ready.adapter, media, prices, options.concurrency)


def _answerable(
    benchmark: str,
    preset: Preset,
    named_model: NamedModel,
    base: NamedModel,
    arguments: Mapping[str, str],
    what: Mapping[str, Any],
) -> Answerable:
    """Return the questions that all arms can ask."""
    without_limit = {**what, "limit": None}
    if not any(_reads_data(arm, arguments) for arm in preset.arms):
        return Answerable()
    return answerable(
        {
            arm.label: _plan(benchmark, _without_readings(arm), named_model, base, arguments, without_limit)
            for arm in preset.arms
        }
    )


def _reads_data(arm: Arm, arguments: Mapping[str, str]) -> bool:
    """Return whether an arm adds texts of the data or of a file, which may lack some."""
    conditions = [fill_slots(condition, dict(arguments)) for condition in arm.conditions]
    return any("from=data" in condition or "table=" in condition for condition in conditions)


def _planned(
    benchmark: str,
    arm: Arm,
    named_model: NamedModel,
    base: NamedModel,
    arguments: Mapping[str, str],
    path: Path,
    what: Mapping[str, Any],
    answers: Answerable,
) -> Plan:
    """Return an arm's checked plan; if it reads replies that another arm has yet to give, without that Condition."""
    foreseen = _without_readings(arm)
    ready = _plan(benchmark, foreseen, named_model, base, arguments, what, answers)
    check_plan(ready, path / arm.label if foreseen == arm else None)
    return ready


def _without_readings(arm: Arm) -> Arm:
    """Return the arm without the Conditions that read the replies of another."""
    alone = tuple(c for c in arm.conditions if not waits_for(structs.replace(arm, conditions=(c,))))
    return structs.replace(arm, conditions=alone)


def _plan(
    benchmark: str,
    arm: Arm,
    named_model: NamedModel,
    base: NamedModel,
    arguments: Mapping[str, str],
    what: Mapping[str, Any],
    answers: Answerable | None = None,
) -> Plan:
    """Return an arm's plan over the questions that all arms can ask."""
    items = answers.items.get(arm.label) if answers else None
    ready = plan(
        benchmark, **{**_arguments(arm, named_model, base, arguments), **_arm_keywords(arm, what), "item_ids": items}
    )
    if answers and answers.note:
        ready.problems[answers.note] = None
    return ready


def chosen_preset(
    benchmark: str,
    name: str,
    named_model: NamedModel,
    base: NamedModel | None,
    out: Path | str | None,
    what: Mapping[str, Any],
    part: PartOfPreset | None = None,
) -> tuple[Preset, Path]:
    """Return the preset, or the chosen part of it, and the folder of its Runs: each part has one of its own."""
    bench = load_benchmark(benchmark)
    part, _ = in_one_value(benchmark, name, named_model, part or PartOfPreset())
    preset = narrow_preset(find_preset(bench, name), bench, part.tasks, part.filters, part.sample)
    if preset.two_models and base is None:
        raise SpecError(f"the preset {name!r} compares two models", fix="--base-model ADAPTER/NAME")
    if any(value for key, value in what.items() if key.startswith("reader_")) and not any(
        map(_has_reader, preset.arms)
    ):
        raise SpecError(
            f"no arm of the preset {name!r} has a reader", got="--reader-base-url or -R", fix="remove the option"
        )
    folder = f"preset-{name}-{_as_folder(named_model.name or named_model.model)}{part.suffix}"
    return preset, Path(out or Path("runs") / bench.name / folder)


def in_one_value(benchmark: str, name: str, named_model: NamedModel, part: PartOfPreset) -> tuple[PartOfPreset, str]:
    """Return the part of a preset that a model is asked, in one value of the facet that the preset names, and a
    sentence about it; the part itself and an empty text for other presets, and if a filter chooses values.
    """
    preset = find_preset(load_benchmark(benchmark), name)
    facet = preset.one_of
    if not facet or facet in part.filters:
        return part, ""
    values, why = modality_in(benchmark, named_model.model, facet), "as in the paper"
    if not values and (row := catalogue_row(named_model.model)) is not None and row.takes:
        fitting = [value for value, kinds in preset.needs.items() if set(kinds) <= set(row.takes)]
        values, why = tuple(fitting[:1]), f"since it takes {', '.join(row.takes)}"
    if not values:
        return part, (
            f"it isn't known what {named_model.model} takes, so it is asked in each {facet}; "
            f"--filter {facet}=… chooses one, as in the paper"
        )
    text = f"{named_model.model} is asked with {facet}={','.join(values)}, {why}; --filter {facet}=… chooses another"
    return replace(part, filters={**part.filters, facet: values}), text


def _as_folder(words: str) -> str:
    return re.sub(r"[:/\\\s]+", "-", words).lstrip(".")


def _slot_values(preset: Preset, path: Path, reader: str, texts: Path | None = None) -> dict[str, str]:
    """Return the values for the slots of Conditions. A reader that is a file is a table of texts made elsewhere.

    Raises SpecError for texts if no arm takes any.
    """
    if texts and not any("{texts}" in condition for arm in preset.arms for condition in arm.conditions):
        raise SpecError(f"no arm of the preset {preset.name!r} adds texts", got=f"--texts {texts}", fix="remove it")
    more = f",table={texts}" if texts else ""
    how = f"table={reader}" if _is_table(reader) else f"from={reader}"
    arms = {arm.label: str(path / arm.label) for arm in preset.arms}
    return {"reader": reader, "reading": how, "texts": more, **arms}


def _is_table(reader: str) -> bool:
    return reader.endswith(".json")


def _has_reader(arm: Arm) -> bool:
    return any(slot in condition for condition in arm.conditions for slot in ("{reader}", "{reading}"))


def _arm_keywords(arm: Arm, what: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords for this arm; those about the reader only if the arm has one."""
    return {key: value for key, value in what.items() if _has_reader(arm) or not key.startswith("reader_")}


def _arguments(arm: Arm, named_model: NamedModel, base: NamedModel, arguments: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments with which an arm is planned."""
    who = {"": named_model, "base": base}.get(arm.model) or NamedModel(arm.model, {})
    return {
        "model": who.model,
        "settings": who.settings,
        "base_url": who.base_url,
        "tasks": arm.tasks,
        "filters": arm.filters,
        "conditions": [fill_slots(condition, dict(arguments)) for condition in arm.conditions],
        "prompt": arm.prompt or None,
        "sample": arm.sample,
        "name": who.name,
    }
