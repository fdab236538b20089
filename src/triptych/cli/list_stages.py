"""`triptych list stages`: the stages on one or two lines each, and one with its fields and parameters."""

from __future__ import annotations

import inspect
import json
import re
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Any

from triptych.construction.parameters import Field, fields_of
from triptych.errors import SpecError, nearest

if TYPE_CHECKING:
    from triptych.construction.stage import Stage

_WIDEST = 100


def chosen(name: str | None) -> list[tuple[str, tuple[Stage, str]]]:
    """Return (name, (stage, origin)) of all stages, or of one. Raises SpecError for an unknown name."""
    from triptych.construction.stages import known_stages

    known = known_stages()
    if name is not None and name not in known:
        raise SpecError(f"no stage {name!r}", fix=nearest(name, known), expected="a name of `triptych list stages`")
    return [(name, known[name])] if name is not None else sorted(known.items())


def list_stages(name: str | None) -> None:
    """Print the names with what the stages do; or all about one stage."""
    stages = chosen(name)
    width = min(_WIDEST, shutil.get_terminal_size((_WIDEST, 24)).columns) if sys.stdout.isatty() else _WIDEST
    if name is not None:
        _show(*stages[0], width)
        return
    longest = max(len(each) for each, _ in stages)
    for each, (stage, origin) in stages:
        about = stage.about + (f" [{origin}]" if origin != "triptych" else "")
        lines = textwrap.wrap(about, max(20, width - longest - 2)) or [""]
        print(f"{each:{longest}}  {lines[0]}")
        for line in lines[1:]:
            print(f"{'':{longest}}  {line}")
    print("\n`triptych list stages NAME` shows the fields that a stage reads and writes, and its parameters.")


def _show(name: str, stage: tuple[Stage, str], width: int) -> None:
    stage_, origin = stage
    print(f"{name}, version {stage_.version}, {stage_.kind}, from {origin}\n")
    for paragraph in _paragraphs(stage_):
        print(textwrap.fill(paragraph, width, break_on_hyphens=False) + "\n")
    for what, fields in (("reads", stage_.reads), ("writes", stage_.writes)):
        field_names = ", ".join(fields) or "nothing"
        print(textwrap.fill(f"{what}: {field_names}", width, subsequent_indent="  ", break_on_hyphens=False))
    if any(field.endswith("?") for field in stage_.reads):
        print("  (? may be missing)")
    parameters = fields_of(stage_.parameters)
    print(f"\nparameters, set by [stages.{name}]:" if parameters else "\nparameters: none")
    for parameter in parameters:
        _show_field(parameter, width)


def _show_field(field: Field, width: int) -> None:
    """Print a parameter: its name and default, then what it may be, then its meaning."""
    first = f"  {field.name} = {_text(field.default)}"
    print(textwrap.fill(first, width, subsequent_indent="      ", break_on_hyphens=False, break_long_words=False))
    for line in (field.meaning, field.expected):
        if line:
            print(textwrap.fill(line, width, initial_indent="      ", subsequent_indent="      "))


def _paragraphs(stage: Stage) -> list[str]:
    """Return paragraphs about the stage: the docstring of its function if that begins with the same words."""
    doc = inspect.getdoc(stage.run) or ""
    text = doc if doc.startswith(stage.about[:20]) else stage.about
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text)]


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
