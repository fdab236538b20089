"""Stages that recipes share, one subject per module. A `Stage` at the top level of a module is found by its name."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from triptych.construction.stage import Stage
from triptych.records.plug_ins import broken_plug_ins, load_plug_ins

GROUP = "triptych.stages"


def known_stages() -> dict[str, tuple[Stage, str]]:
    """Return every shared stage: name -> (the stage, its origin). Other packages add theirs by entry points; they
    can't take a built-in name."""
    built_in = (import_module(f"{__name__}.{path.stem}") for path in sorted(Path(__file__).parent.glob("[a-z]*.py")))
    stages_by_name = {stage.name: (stage, "triptych") for module in built_in for stage in _stages(module)}
    for module, origin in load_plug_ins(GROUP):
        stages_by_name = {stage.name: (stage, origin) for stage in _stages(module)} | stages_by_name
    return stages_by_name


def broken_stages() -> dict[str, str]:
    """Return plug-ins that can't be used: the name of the entry point -> where it comes from, and the reason."""
    return broken_plug_ins(GROUP, _require_stage)


def _require_stage(module: ModuleType) -> None:
    if not list(_stages(module)):
        raise TypeError("the module has no Stage at its top level")


def _stages(module: ModuleType) -> Iterator[Stage]:
    yield from (value for value in vars(module).values() if isinstance(value, Stage))
