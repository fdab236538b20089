"""Run folders, named one by one or found below a folder."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from triptych.errors import RunFolderError
from triptych.store.folder import RunFolder

DEPTH = 5  # runs/demo/BENCH/SAMPLE/MODEL is the deepest that Triptych itself writes


def run_paths(folder: Path, depth: int = DEPTH) -> Iterator[Path]:
    """Folders with a manifest.json at most `depth` below, in the order of their names; `folder` itself, if it is one.

    Links and hidden folders are not followed, nor is a Run looked into.
    """
    if (folder / "manifest.json").is_file():
        yield folder
        return
    if not depth:
        return
    try:
        below = sorted(entry.path for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False))
    except OSError:
        return
    for path in below:
        if not Path(path).name.startswith("."):
            yield from run_paths(Path(path), depth - 1)


def open_runs(paths: Sequence[Path | str], *, lenient: bool = False) -> list[RunFolder]:
    """The Runs that are named, and all those below the folders that are named, each once.

    Raises RunFolderError for a path that is neither, a Run that can't be read, or one named twice. `lenient`: of many
    Runs below a folder, those that can't be read are left out with a warning.
    """
    found: dict[Path, RunFolder] = {}
    named: set[Path] = set()
    for path in map(Path, paths):
        inside = list(run_paths(path)) or [path]  # opening what is no Run says so
        if inside == [path]:
            if path.resolve() in named:
                raise RunFolderError("the same Run twice", got=path, fix="name every Run once")
            named.add(path.resolve())
        found |= {own: folder for own, folder in _opened(inside, path, lenient).items() if own not in found}
    return list(found.values())


def _opened(paths: Sequence[Path], named: Path, lenient: bool) -> dict[Path, RunFolder]:
    opened: dict[Path, RunFolder] = {}
    faults: list[RunFolderError] = []
    for path in paths:
        try:
            opened[path.resolve()] = RunFolder.open(path)
        except RunFolderError as error:
            if path == named or not lenient:
                raise
            faults.append(error)
            warnings.warn(f"{path} is left out: {error.problem} ({error.got})", stacklevel=3)
    if faults and not opened:
        raise faults[0]
    return opened
