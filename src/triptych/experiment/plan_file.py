"""A plan of several Runs as a file: `triptych.toml`, with a table `[[runs]]` for each group of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks import Benchmark
from triptych.errors import SpecError, nearest
from triptych.experiment.several import WantedRun, crossed, fit_settings
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason
from triptych.store.files.text_files import read_text_input

PLAN = "triptych.toml"
RUNS = "runs"
EXAMPLE = """[[runs]]
benchmark = ["xmodbench", "sounds.csv"]
model = "openai/gpt-4o"
conditions = [[], ["blind"]]"""


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Runs of every `model` on every `benchmark` under every list of `conditions`; the rest is for all of them.

    `settings`: what `-M` gives; `map`: what `--map` gives for a question file.
    """

    benchmark: str | tuple[str, ...] = ()
    model: str | tuple[str, ...] = ()
    conditions: tuple[tuple[str, ...], ...] = ()
    tasks: tuple[str, ...] = ()
    settings: dict[str, str | float | int | bool] = {}
    base_url: str = ""
    data: str = ""
    map: dict[str, str] = {}
    instance: str = ""
    filters: dict[str, str | tuple[str, ...]] = {}
    limit: int | None = None
    sample: str = ""
    items: str = ""
    prompt: str = ""
    repeats: int | None = None
    seed: int | None = None
    name: str = ""
    as_in: str = ""
    packing: str = ""


class _File(msgspec.Struct, frozen=True):
    runs: tuple[Group, ...]


def read_plan(path: Path | str) -> tuple[Group, ...]:
    """Return the groups of a plan file. Raises SpecError for a file that can't be read, or an unknown key."""
    path = Path(path)
    try:
        document = parse_toml(read_text_input(path))
    except OSError as error:
        raise SpecError(f"the plan can't be read ({error.strerror})", where=path) from None
    except NO_TOML as error:
        raise SpecError("the plan is not valid TOML", where=path, got=reason(error)) from None
    shown = "".join(f"\n    {line}" for line in EXAMPLE.splitlines())
    if not isinstance(document.get(RUNS), list) or not document[RUNS]:
        raise SpecError("the plan has no [[runs]]", where=path, expected=f"a table for each group of Runs:{shown}")
    _check_keys(document[RUNS], path)
    try:
        groups = msgspec.convert(document, _File, strict=True).runs
    except msgspec.ValidationError as error:
        raise SpecError("the plan is malformed", where=path, got=str(error), expected=f"such as{shown}") from None
    return groups


def _check_keys(groups: Sequence[Any], path: Path) -> None:
    fields = [field.name for field in msgspec.structs.fields(Group)]
    for number, group in enumerate(groups, 1):
        for key in group if isinstance(group, dict) else ():
            if key not in fields:
                where = f"{path}, [[runs]] {number}"
                raise SpecError(f"unknown key {key!r}", where=where, fix=nearest(key, fields))


def wanted_runs(
    groups: Sequence[Group],
    usual: Mapping[str, Any],
    opened: Callable[[str, Mapping[str, str]], str | Benchmark],
    models: Sequence[str] = (),
) -> list[WantedRun]:
    """Return the Runs of a plan. `usual`: keywords of `plan` for groups that don't set them; `models`: for groups that
    name none. `opened`: opens a question file with its mapping; another name is returned as it is.
    """
    wanted: list[WantedRun] = []
    for number, group in enumerate(groups, 1):
        names, own_models = _as_tuple(group.benchmark), _as_tuple(group.model) or tuple(models)
        if not names or not own_models:
            lacking = "benchmark" if not names else "model"
            raise SpecError(f"[[runs]] {number} names no {lacking}", expected=f'{lacking} = "NAME" or a list of names')
        stated = group.map | ({"instance": group.instance} if group.instance else {})
        benchmarks = [opened(name, stated) for name in names]
        for model in own_models:
            wanted += crossed(
                benchmarks,
                [model],
                conditions=group.conditions or (usual.get("conditions") or (),),
                **_keywords(group, model, usual),
            )
    return wanted


def _keywords(group: Group, model: str, usual: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of `plan` of a group and one of its models."""
    settings = {**usual.get("settings", {}), **group.settings}
    settings |= {"packing": group.packing} if group.packing else {}
    what = {key: value for key, value in usual.items() if key not in ("conditions", "settings", "base_url")}
    for key in ("tasks", "data", "limit", "sample", "prompt", "repeats", "seed", "name", "as_in"):
        if (value := getattr(group, key)) not in ("", None, ()):
            what[key] = value
    if group.items:
        what["items_file"] = group.items
    if group.filters:
        what["filters"] = {facet: _as_tuple(values) for facet, values in group.filters.items()}
    return {**what, **fit_settings(model, settings, group.base_url or usual.get("base_url"))}


def _as_tuple(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) and value else tuple(value)
