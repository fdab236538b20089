"""Finding Run folders: given paths, or all Runs below a folder."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path

from triptych.errors import RunFolderError
from triptych.records.natural_order import natural
from triptych.store.folder import RunFolder

DEPTH = 5  # runs/demo/BENCH/SAMPLE/MODEL is the deepest folder that Triptych itself creates


def run_paths(folder: Path, depth: int = DEPTH) -> Iterator[Path]:
    """Yield folders with a manifest.json at most `depth` levels below, in natural order (2 before 10); or `folder`
    itself if it is a Run.

    Links and hidden folders are not followed, and Runs inside Runs are not searched.
    """
    if (folder / "manifest.json").is_file():
        yield folder
        return
    if not depth:
        return
    try:
        below = sorted((e.path for e in os.scandir(folder) if e.is_dir(follow_symlinks=False)), key=natural)
    except OSError:
        return
    for path in below:
        if not Path(path).name.startswith("."):
            yield from run_paths(Path(path), depth - 1)


def paths_of(paths: PathLike[str] | str | Iterable[PathLike[str] | str]) -> list[Path]:
    """Return paths as a list; a single one is a list of one.

    Example:
        >>> paths_of("runs/a") == paths_of(path for path in [Path("runs/a")])
        True
    """
    return [Path(path) for path in ([paths] if isinstance(paths, str | PathLike) else paths)]


def open_runs(paths: PathLike[str] | str | Iterable[PathLike[str] | str], *, lenient: bool = False) -> list[RunFolder]:
    """Return the Runs at these paths and all Runs below them, each once. A single path is a list of one.

    Raises RunFolderError for a path without Runs, a Run that can't be read, or a Run given twice. `lenient`: if a
    folder contains several Runs, those that can't be read are left out with a warning.
    """
    folders: dict[Path, RunFolder] = {}
    named: set[Path] = set()
    for path in paths_of(paths):
        inside = list(run_paths(path)) or [path]  # opening a path that is not a Run raises the error
        if inside == [path]:
            if path.resolve() in named:
                raise RunFolderError("the same Run is given twice", got=path, fix="give each Run once")
            named.add(path.resolve())
        folders |= {
            real_path: folder
            for real_path, folder in _opened(inside, path, lenient).items()
            if real_path not in folders
        }
    return list(folders.values())


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
