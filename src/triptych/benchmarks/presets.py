"""Presets: a paper's experiment as data, in `presets.toml` next to the specification (`run BENCH --preset NAME`).

A preset has arms; each is a Run. An arm may use a different model from the one under test, and the results of earlier
arms: `{label}` in a Condition is that arm's folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import structs

from triptych.benchmarks.registry import Benchmark
from triptych.conditions.condition import known_conditions
from triptych.errors import SpecError, nearest
from triptych.records import Kind
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason

FILE = "presets.toml"
# Slots of a Condition that are filled from the command line
READING_KEYS = ("reader", "reading", "texts")
_SLOT = re.compile(r"\{(\w+)\}")
_LABEL = re.compile(r"[a-z0-9][a-z0-9_-]*")


class Arm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One Run of a preset.

    `label`: its folder's name. `model`: empty for the model under test, `base` for the other one named on the command
    line, or `ADAPTER/NAME`. `compared`: False for an intermediate step that no table shows. `against`: the arm with
    which this one is compared, if it isn't the preset's.
    """

    label: str
    title: str
    tasks: tuple[str, ...] = ()
    filters: dict[str, tuple[str, ...]] = {}
    conditions: tuple[str, ...] = ()
    prompt: str = ""
    sample: str = ""
    model: str = ""
    compared: bool = True
    against: str = ""


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An experiment: its arms, in order, and the arm with which the others are compared.

    `paper`: section, figure or table. `against`: a label; empty: arms are paired only if they say so. `note`:
    differences from the paper, or other notes for the reader. `tables`: the layouts of the benchmark that show it;
    none: the overview. `two_models`: it needs two models, so the base model must be named. `one_of`: a facet; each
    model is asked in one of its values: the one in which the paper asked it, otherwise the first whose kinds of content
    (`needs`) the model takes.
    """

    name: str
    title: str
    paper: str
    arms: tuple[Arm, ...]
    against: str = ""
    note: str = ""
    tables: tuple[str, ...] = ()
    two_models: bool = False
    one_of: str = ""
    needs: dict[str, tuple[Kind, ...]] = {}

    def pairs(self) -> dict[str, str]:
        """Compared arm -> the arm with which it is compared."""
        pairs_by_label = {arm.label: arm.against or self.against for arm in self.arms if arm.compared}
        return {label: other for label, other in pairs_by_label.items() if other and other != label}


class PresetFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    presets: tuple[Preset, ...]


def load_presets(bench: Benchmark) -> dict[str, Preset]:
    """Return a benchmark's presets by name; empty if it has none. Raises SpecError if the file is malformed."""
    path = bench.folder / FILE
    if not path.is_file():
        return {}
    try:
        preset_file = msgspec.convert(parse_toml(path.read_text(encoding="utf-8")), PresetFile)
    except (OSError, *NO_TOML, msgspec.ValidationError) as error:
        raise SpecError("the presets can't be read", where=path, got=reason(error)) from None
    for preset in preset_file.presets:
        _check(preset, bench, path)
    return {preset.name: preset for preset in preset_file.presets}


def find_preset(bench: Benchmark, name: str) -> Preset:
    """Return the preset of that name. Raises SpecError with the most similar name."""
    presets = load_presets(bench)
    if name not in presets:
        raise SpecError(f"{bench.name} has no preset {name!r}", fix=nearest(name, presets))
    return presets[name]


def narrow_preset(
    preset: Preset,
    bench: Benchmark,
    tasks: Iterable[str] = (),
    filters: Mapping[str, Iterable[str]] | None = None,
    sample: str = "",
) -> Preset:
    """Return the preset over a part of its questions: what an arm selects and what is selected here, both.

    Arms without any such question are left out, and so are arms that read their replies; what would be compared with
    them isn't compared. Raises SpecError for an unknown Task, if no arm remains, or if an arm has another sample.
    """
    wanted, chosen = tuple(tasks), {facet: tuple(values) for facet, values in (filters or {}).items()}
    remaining: list[Arm] = []
    for arm in preset.arms:
        if sample and arm.sample not in ("", sample):
            got = f"--sample {sample}, and {arm.sample} of the arm {arm.label}"
            raise SpecError(f"the preset {preset.name!r} has a sample of its own", got=got, fix="remove --sample")
        of_arm = _tasks_of(arm, bench, wanted)
        of_filters = _common_values(arm.filters, chosen)
        if of_arm is None or not all(of_filters.values()) or not set(waits_for(arm)) <= {k.label for k in remaining}:
            continue
        remaining.append(structs.replace(arm, tasks=of_arm, filters=of_filters, sample=sample or arm.sample))
    if not remaining:
        got = " ".join([*wanted, *(f"{facet}={','.join(values)}" for facet, values in chosen.items())])
        fix = "select fewer facets or Tasks; `triptych list presets --json` shows what each arm asks"
        raise SpecError(f"no arm of the preset {preset.name!r} asks such questions", got=got, fix=fix)
    labels = {arm.label for arm in remaining}
    arms = tuple(structs.replace(a, against=a.against if a.against in labels else "") for a in remaining)
    return structs.replace(preset, arms=arms, against=preset.against if preset.against in labels else "")


def _tasks_of(arm: Arm, bench: Benchmark, wanted: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the Tasks of an arm that `wanted` names, as the arm writes them if nothing is named; None: there are none.

    An arm that names no Task asks those that are named, as a Run does.
    """
    if not wanted:
        return arm.tasks
    named = (bench.spec.select if arm.tasks else bench.spec.chosen_tasks)(wanted)
    tasks = {task.id for task in bench.spec.chosen_tasks(arm.tasks)} if arm.tasks else {task.id for task in named}
    return tuple(task.id for task in named if task.id in tasks) or None


def _common_values(
    filters: Mapping[str, tuple[str, ...]], chosen: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return the values that both allow by facet; empty: none."""
    wanted = {**filters, **chosen}
    for facet in filters.keys() & chosen.keys():
        wanted[facet] = tuple(value for value in filters[facet] if value in chosen[facet])
    return wanted


def waits_for(arm: Arm) -> list[str]:
    """Return the arms whose Runs this one reads."""
    return [slot for condition in arm.conditions for slot in _SLOT.findall(condition) if slot not in READING_KEYS]


def fill_slots(condition: str, arguments: dict[str, str]) -> str:
    """Return a Condition with its slots filled."""
    return _SLOT.sub(lambda slot: arguments.get(slot[1], slot[0]), condition)


def _check(preset: Preset, bench: Benchmark, path: Path) -> None:
    """Check what types can't express: labels, tasks, prompts, Conditions and references exist."""
    labels: list[str] = []
    for arm in preset.arms:
        where = f"{path}, preset {preset.name}, arm {arm.label}"
        if arm.label in labels or not _LABEL.fullmatch(arm.label):
            raise SpecError("an arm's label is repeated, or can't be a folder's name", where=where)
        bench.spec.select(arm.tasks)
        if arm.prompt and arm.prompt not in bench.spec.prompts:
            raise SpecError(f"no prompt {arm.prompt!r}", where=where, fix=nearest(arm.prompt, bench.spec.prompts))
        for condition in arm.conditions:
            name, slots = condition.partition(":")[0], _SLOT.findall(condition)
            if name not in known_conditions():
                raise SpecError(f"no condition {name!r}", where=where, fix=nearest(name, known_conditions()))
            if wrong := [slot for slot in slots if slot not in (*labels, *READING_KEYS)]:
                raise SpecError(f"{{{wrong[0]}}} is not an earlier arm", where=where, fix=nearest(wrong[0], labels))
        labels.append(arm.label)
    if preset.one_of and preset.one_of not in {variation.facet for variation in bench.spec.variations}:
        raise SpecError(f"no facet {preset.one_of!r}", where=f"{path}, preset {preset.name}, one_of")
    layouts = [layout.id for layout in bench.spec.layouts]
    for table in preset.tables:
        if table not in layouts:
            raise SpecError(f"no table {table!r}", where=f"{path}, preset {preset.name}", fix=nearest(table, layouts))
    if not preset.arms or not set(filter(None, (preset.against, *(arm.against for arm in preset.arms)))) <= set(labels):
        raise SpecError("`against` names no arm, or is missing", where=f"{path}, preset {preset.name}")
