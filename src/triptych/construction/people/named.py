"""Checks of results that belong to one recipe, by name, so that a Task can carry them to a sheet or the portal.

A Task is data: it names a check (`checks = {"check": "caption", …}`), and this table says which function that is. No
other function is ever imported for a Task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

Check = Callable[[Mapping[str, Any], Mapping[str, Any]], "Iterator[str] | list[str]"]
CHECKS = {
    "abstract-questions": "triptych.construction.recipes._mcif_asking:abstract_faults",
    "caption": "triptych.construction.recipes.mcga:caption_faults",
    "classical-translation": "triptych.construction.recipes.mcga:translation_faults",
    "reader": "triptych.construction.recipes.mcga:reader_faults",
    "line-for-line": "triptych.construction.recipes.mcif:line_faults",
    "option-texts": "triptych.construction.recipes._xmodbench_asking:option_faults",
    "picture-answer": "triptych.construction.recipes.mcs_bench:answer_faults",
    "talk-question": "triptych.construction.recipes._mcif_checks:question_faults",
    "talk-questions": "triptych.construction.recipes._mcif_asking:talk_faults",
    "transcript": "triptych.construction.recipes.mcif:transcript_faults",
    "translation": "triptych.construction.recipes.mcif:translation_faults",
}


def named_fault(name: str, values: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the check says about the values of a record after a person's changes. An unknown name checks nothing:
    the Task was written by a later version, and the build checks again."""
    if address := CHECKS.get(name):
        module, _, function = address.partition(":")
        check: Check = getattr(import_module(module), function)
        yield from check(values, checks)
