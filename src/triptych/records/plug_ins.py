"""Modules of other packages that add benchmarks, models, metrics, Conditions, stages or recipes.

One that can't be imported takes no other away, and an error that another package's code raises names that package.
"""

from __future__ import annotations

import inspect
import linecache
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from traceback import walk_tb
from types import ModuleType

from triptych.importing import allowed, importing

GROUPS = tuple(f"triptych.{kind}" for kind in ("benchmarks", "models", "metrics", "conditions", "stages", "recipes"))
Check = Callable[[ModuleType], object]


def points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, of all packages that the environment allows (`TRIPTYCH_PLUGINS`)."""
    return [point for point in _installed(_folders()).get(group, ()) if allowed(origin_of(point))]


def _folders() -> tuple[tuple[str, int], ...]:
    """Return the folders of modules, with the time of their last change: an installation changes it."""
    return tuple((path, _modified_ns(path)) for path in sys.path)


def _modified_ns(path: str) -> int:
    try:
        return Path(path).stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


@lru_cache(maxsize=4)
def _installed(folders: tuple[tuple[str, int], ...]) -> dict[str, tuple[EntryPoint, ...]]:
    """Return the entry points of all groups: one search, which opens a file of every package (7 ms)."""
    every = entry_points()
    return {group: tuple(every.select(group=group)) for group in GROUPS}


def load_plug_ins(group: str, check: Check = bool) -> Iterator[tuple[ModuleType, str]]:
    """Yield the modules of an entry point group, each with the package that it comes from.

    Modules that can't be imported, or for which `check` raises, are left out: see `broken`.
    """
    for point in points(group):
        module = _imported(point, check)
        if isinstance(module, ModuleType):
            yield module, origin_of(point)


def broken_plug_ins(group: str, check: Check = bool) -> dict[str, str]:
    """Return what can't be used: the name of the entry point -> the package that it comes from, and the reason."""
    problems = ((point, _imported(point, check)) for point in points(group))
    return {point.name: f"{origin_of(point)}: {why}" for point, why in problems if isinstance(why, str)}


def package_to_blame(error: BaseException | None) -> str:
    """Return the package whose plug-in raised an error, or the error that caused it; empty if none did.

    It is the package of the innermost module on the traceback that an entry point of Triptych leads to.
    """
    while error is not None:
        modules = [str(frame.f_globals.get("__name__", "")) for frame, _ in walk_tb(error.__traceback__)]
        if owners := list(filter(None, map(owner_of, modules))):
            return owners[-1]
        error = error.__cause__
    return ""


def line_of(error: BaseException | None) -> str:
    """Return the innermost line of a plug-in that an error, or the one that caused it, comes from; empty if none is."""
    while error is not None:
        for frame, number in reversed(list(walk_tb(error.__traceback__))):
            if owner_of(str(frame.f_globals.get("__name__", ""))):
                file = frame.f_code.co_filename
                words = linecache.getline(file, number).strip()
                return f"{Path(file).name}, line {number}" + (f": {words[:100]}" if words else "")
        error = error.__cause__
    return ""


def owner_of(module: str) -> str:
    """Return the package whose plug-ins a module belongs to; empty for modules that no entry point leads to."""
    root = module.partition(".")[0]
    every = (point for group in GROUPS for point in points(group))
    return next((origin_of(point) for point in every if point.value.partition(".")[0] == root != "triptych"), "")


def origin_of(point: EntryPoint) -> str:
    """Return the name of the package that provides an entry point."""
    return point.dist.name if point.dist else "?"


def shown(value: object) -> str:
    """Return what a value is, in a word: None, or its type.

    >>> shown(None), shown([])
    ('None', 'list')
    """
    return "None" if value is None else type(value).__name__


def accepts(function: Callable[..., object], arguments: int) -> bool:
    """Return whether a function can be called with so many arguments."""
    try:
        inspect.signature(function).bind(*range(arguments))
    except TypeError:
        return False
    except ValueError:  # a function without a signature
        return True
    return True


def why_not(error: BaseException) -> str:
    """Return an error of another package's code as one line that is safe to print."""
    line = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return "".join(c if c.isprintable() else "?" for c in line)


def _imported(point: EntryPoint, check: Check) -> ModuleType | str:
    try:
        with importing(point.value, origin_of(point)):
            module = import_module(point.value)
        check(module)
        return module
    except (Exception, SystemExit) as error:  # noqa: BLE001 - other packages can raise anything; it is reported
        return why_not(error)
