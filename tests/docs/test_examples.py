"""Examples in docstrings run, and public functions of the rooms listed here have one."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

ROOMS = ("triptych.metrics", "triptych.analysis")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# Functions whose result depends on an optional package, or is shown by another function's example.
WITHOUT = {"installed_converter", "words", "most_likely_path", "unit_vectors", "known_metrics", "find_metric"}


def modules(room: str) -> list[str]:
    return sorted(info.name for info in pkgutil.walk_packages(import_module(room).__path__, f"{room}."))


def functions(module: ModuleType) -> Iterator[Callable[..., Any]]:
    for name, value in inspect.getmembers(module, inspect.isfunction):
        if value.__module__ == module.__name__ and not name.startswith("_"):
            yield value


@pytest.mark.parametrize("name", [name for room in ROOMS for name in modules(room)])
def test_the_examples_of_a_module_print_what_they_show(name: str) -> None:
    assert doctest.testmod(import_module(name), optionflags=OPTIONS).failed == 0


@pytest.mark.parametrize("name", modules("triptych.metrics"))
def test_every_public_metric_has_an_example(name: str) -> None:
    every = {f.__name__ for f in functions(import_module(name)) if ">>>" not in (f.__doc__ or "")}
    assert every <= WITHOUT
