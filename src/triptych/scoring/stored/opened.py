"""Open the Runs named on the command line. A named Run must be valid; invalid ones below a folder are skipped."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from os import PathLike

from triptych.errors import SpecError, TriptychError
from triptych.scoring.runs import up_to_date
from triptych.store.finding import open_runs, paths_of
from triptych.store.folder import RunFolder


def sound_runs(paths: PathLike[str] | str | Iterable[PathLike[str] | str]) -> list[RunFolder]:
    """Return the Runs among `paths` and below the folders among `paths`. An invalid Run below a folder is left out
    with a warning.

    Raises TriptychError if none is left, and as `open_runs` does.
    """
    paths = paths_of(paths)
    if not paths:
        raise SpecError("no Run was given", expected="at least one Run folder, or a folder of Runs")
    named = {path.resolve() for path in paths}
    sound: list[RunFolder] = []
    faults: list[TriptychError] = []
    for folder in open_runs(paths, lenient=True):
        fault = None if folder.path.resolve() in named else _fault(folder)
        if fault is None:
            sound.append(folder)
        else:
            faults.append(fault)
            warnings.warn(f"{folder.path} is left out: {fault.problem} ({fault.got})", stacklevel=2)
    if faults and not sound:
        raise faults[0]
    return sound


def _fault(folder: RunFolder) -> TriptychError | None:
    try:
        up_to_date(folder)
        for _ in folder.items():
            pass
    except TriptychError as error:
        return error
    return None
