"""Modules of other packages that add metrics, Conditions or stages: one that can't be imported takes no other away."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType


def loaded(group: str) -> Iterator[tuple[ModuleType, str]]:
    """The modules of an entry point group, each with the package that it came from. What can't be imported is left out:
    see `broken`."""
    for point in entry_points(group=group):
        module = _imported(point)
        if isinstance(module, ModuleType):
            yield module, origin_of(point)


def broken(group: str) -> dict[str, str]:
    """What can't be imported: the name of the entry point -> the package that it came from, and what is wrong."""
    found = ((point, _imported(point)) for point in entry_points(group=group))
    return {point.name: f"{origin_of(point)}: {why}" for point, why in found if isinstance(why, str)}


def origin_of(point: EntryPoint) -> str:
    """The package that offers it."""
    return point.dist.name if point.dist else "?"


def why_not(error: BaseException) -> str:
    """What is wrong with another package's code, in one line that a terminal can show."""
    told = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return "".join(c if c.isprintable() else "?" for c in told)


def _imported(point: EntryPoint) -> ModuleType | str:
    try:
        return import_module(point.value)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - another package's code: whatever it does is told
        return why_not(error)
