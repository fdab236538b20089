"""Check entry points in this process: each module is imported and checked against the contract of its group."""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution
from pathlib import Path
from traceback import walk_tb
from types import ModuleType

from triptych.api.contracts.other_process import process_faults
from triptych.api.contracts.result import PlugInCheck
from triptych.api.contracts.signatures import NOTE, message_of
from triptych.errors import SpecError, TriptychError, nearest
from triptych.importing import importing
from triptych.records.plug_ins import GROUPS, line_of, origin_of

_CONTRACTS = "docs/adding/"  # pages with complete examples
_SLOW_S = 5.0  # seconds of an import that are worth a note
Check = Callable[[EntryPoint, ModuleType, str], Iterator[str]]


def entry_points_of(package: str) -> list[EntryPoint]:
    """Return a package's entry points: those of Triptych's groups in the groups' order, then those of unknown groups.

    Raises SpecError if the package is not installed, or has none.
    """
    try:
        every = distribution(package).entry_points
    except (PackageNotFoundError, ValueError):
        raise SpecError(f"no package {package!r} is installed", fix="pip install -e FOLDER") from None
    points = [point for group in GROUPS for point in every if point.group == group]
    strange = [point for point in every if point.group.startswith("triptych.") and point.group not in GROUPS]
    if not points and not strange:
        raise SpecError(
            f"the package {package!r} has no entry points of Triptych",
            expected=", ".join(GROUPS),
            fix=f"{_CONTRACTS} shows the lines of pyproject.toml",
        )
    return points + strange


def checked(point: EntryPoint, model: str) -> PlugInCheck:
    """Return the result for one entry point, whatever its package's code raises."""
    kind = point.group.partition(".")[2]
    if point.group not in GROUPS:
        fault = f"Triptych has no group of entry points {point.group!r}; {nearest(point.group, GROUPS)}"
        return PlugInCheck(kind, point.name, point.value, (fault,))
    if ":" in point.value:
        module_name, _, attribute = point.value.partition(":")
        fault = f"the entry point names {point.value!r}; expected a module, without :{attribute}: {module_name}"
        return PlugInCheck(kind, point.name, point.value, (fault,))
    lines = list(_name_faults(point.name))
    printed = _Noticed()
    try:
        with redirect_stdout(printed):  # what the package prints must not be in a JSON document
            module, notes = _imported(point)
            lines += notes
            lines += _contract(kind)(point, module, model)
            if all(line.startswith(NOTE) for line in lines):
                lines += process_faults(point)
    except BaseException as error:  # noqa: BLE001 - another package's code can raise anything, KeyboardInterrupt too
        lines.append(_describe_error(error))
    if printed.noticed:
        lines.append(f"{NOTE}it prints on standard output, which is sent to standard error: {printed.noticed!r}")
    lines = list(dict.fromkeys(lines))
    notes = [line.removeprefix(NOTE) for line in lines if line.startswith(NOTE)]
    return PlugInCheck(
        kind, point.name, point.value, tuple(line for line in lines if not line.startswith(NOTE)), tuple(notes)
    )


def _imported(point: EntryPoint) -> tuple[ModuleType, list[str]]:
    """Return the module, and notes on its import."""
    folder, began, notes = Path.cwd(), time.monotonic(), []
    with importing(point.value, origin_of(point)):
        module = import_module(point.value)
    if (seconds := time.monotonic() - began) > _SLOW_S:
        notes.append(f"{NOTE}its import takes {seconds:.0f} s; import heavy packages where they are used")
    if Path.cwd() != folder:
        os.chdir(folder)
        notes.append(f"{NOTE}its import changes the current folder, to which paths of the command line are relative")
    return module, notes


def _name_faults(name: str) -> Iterator[str]:
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)*", name):  # models say what a slash means
        yield f"the entry point's name {name!r} can't be given on a command line; expected letters, digits, -, _ and ."


def _contract(kind: str) -> Check:
    check: Check = import_module(f"triptych.api.contracts.{kind}").check
    return check


def _describe_error(error: BaseException) -> str:
    """Return an error with the plug-in's line; if it is none of its lines, with the line of Triptych that failed."""
    words = message_of(error)
    if line_of(error) or isinstance(error, TriptychError | ImportError | SyntaxError) or error.__traceback__ is None:
        return words
    *_, (frame, number) = walk_tb(error.__traceback__)
    return f"{words} (its check ended at {Path(frame.f_code.co_filename).name}, line {number})"


class _Noticed(io.TextIOBase):
    """A standard output that is sent to standard error, and whose first line is remembered."""

    noticed = ""

    def write(self, words: str) -> int:
        self.noticed = self.noticed or words.strip().partition("\n")[0][:80]
        return sys.stderr.write(words)

    def flush(self) -> None:
        sys.stderr.flush()
