"""`triptych list stages`: the stages on one or two lines each, and one with its fields and parameters."""

from __future__ import annotations

import inspect
import json
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from triptych.construction.parameters import Field, fields_of
from triptych.construction.text_checks.number import number_for
from triptych.errors import SpecError, nearest

if TYPE_CHECKING:
    from triptych.construction.listing import ListedStage
    from triptych.construction.stage import Stage

_WIDEST = 100


def stages_named(name: str | None) -> list[ListedStage]:
    """Return all stages, or those with a name: recipes may have stages of their own with the same one.

    Raises SpecError for an unknown name.
    """
    from triptych.construction.listing import listed_stages

    stages = listed_stages()
    stage_names = {each.stage.name for each in stages}
    if name is not None and name not in stage_names:
        raise SpecError(
            f"no stage {name!r}", fix=nearest(name, stage_names), expected="a name of `triptych list stages`"
        )
    return [each for each in stages if name in (None, each.stage.name)]


def list_stages(name: str | None) -> None:
    """Print the names with what the stages do; or all about one stage."""
    stages = stages_named(name)
    width = min(_WIDEST, shutil.get_terminal_size((_WIDEST, 24)).columns) if sys.stdout.isatty() else _WIDEST
    if name is not None:
        for number, each in enumerate(stages):
            if number:
                print("\n" + "-" * width + "\n")
            _show(each, width)
        return
    longest = max(len(each.stage.name) for each in stages)
    _print_about([each for each in stages if each.shared], longest, width)
    recipe_stages = [each for each in stages if not each.shared]
    for recipe in dict.fromkeys(each.recipes[0] for each in recipe_stages):
        print(f"\nstages of the recipe {recipe} itself, in their order:\n")
        _print_about([each for each in recipe_stages if each.recipes[0] == recipe], longest, width)
    print("\n[in brackets: the recipes that use a stage, and the package of one that isn't Triptych's]")
    print("`triptych list stages NAME` shows the fields that a stage reads and writes, and its parameters.")


def _print_about(stages: Sequence[ListedStage], longest: int, width: int) -> None:
    """Print each name with what the stage does."""
    for each in stages:
        used = [*(each.recipes if each.shared else ()), *([] if each.origin == "triptych" else [each.origin])]
        about = summary(each.stage) + (f" [{', '.join(used)}]" if used else "")
        lines = textwrap.wrap(about, max(20, width - longest - 2), break_on_hyphens=False) or [""]
        print(f"{each.stage.name:{longest}}  {lines[0]}")
        for line in lines[1:]:
            print(f"{'':{longest}}  {line}")


def _show(each: ListedStage, width: int) -> None:
    stage = each.stage
    checks = f", checks of texts {number}" if (number := number_for(stage)) else ""
    print(f"{stage.name}, version {stage.version}{checks}, {stage.kind}, from {each.origin}\n")
    for paragraph in paragraphs(stage):
        print(textwrap.fill(paragraph, width, break_on_hyphens=False) + "\n")
    for what, names in (("used by", each.recipes), ("reads", stage.reads), ("writes", stage.writes)):
        text = ", ".join(names) or ("no recipe of this installation" if what == "used by" else "nothing")
        print(textwrap.fill(f"{what}: {text}", width, subsequent_indent="  ", break_on_hyphens=False))
    if any(field.endswith("?") for field in stage.reads):
        print("  (? may be missing)")
    parameters = fields_of(stage.parameters)
    print(f"\nparameters, set by [stages.{stage.name}]:" if parameters else "\nparameters: none")
    for parameter in parameters:
        _show_field(parameter, width)


def _show_field(field: Field, width: int) -> None:
    """Print a parameter: its name and default, then what it may be, then its meaning."""
    first = f"  {field.name} = {_text(field.default)}"
    print(textwrap.fill(first, width, subsequent_indent="      ", break_on_hyphens=False, break_long_words=False))
    for line in (field.meaning, field.expected):
        if line:
            print(textwrap.fill(line, width, initial_indent="      ", subsequent_indent="      "))


def summary(stage: Stage) -> str:
    """Return the first sentence about the stage."""
    first = paragraphs(stage)[0]
    return stage.about if stage.about.endswith(".") else first.partition(". ")[0].removesuffix(".") + "."


def paragraphs(stage: Stage) -> list[str]:
    """Return paragraphs about the stage: the docstring of its function if that begins with the same words."""
    doc = inspect.getdoc(stage.run) or ""
    text = doc if doc.startswith(stage.about[:20]) else stage.about
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text)]


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
