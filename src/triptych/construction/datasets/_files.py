"""Reading the lists of data sets: bounded, with an error that names the line."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from triptych.construction.tables import content_of
from triptych.errors import DataError
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE, reason

MAX_FILES = 2_000_000
VIDEOS = (".mp4", ".m4v", ".mkv", ".webm", ".avi", ".mov")
SOUNDS = (".wav", ".flac", ".mp3", ".ogg", ".oga", ".opus", ".m4a", ".aac")
PICTURES = (".jpg", ".jpeg", ".jfif", ".png", ".bmp", ".webp")


def listing(folder: Path, *names: str) -> Path:
    """Return the first of these files that exists below a folder. Raises DataError if none does."""
    if not folder.is_dir():
        raise DataError("the folder of the data set doesn't exist", where=folder)
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise DataError("a list of the data set is missing", where=folder, expected=" or ".join(names))


def rows(path: Path, width: int | tuple[int, ...], *, heading: bool = True) -> Iterator[tuple[str, list[str]]]:
    """Yield (where, cells) of each row of a CSV file, without empty rows and the heading.

    Raises DataError if the file can't be read, isn't UTF-8, is larger than 256 MiB, or a row has another width.
    """
    widths = (width,) if isinstance(width, int) else width
    reader = csv.reader(io.StringIO(content_of(path, "list")), strict=True)
    try:
        for cells in reader:
            where = f"{path}, line {reader.line_num}"
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) not in widths:
                expected = " or ".join(map(str, widths))
                raise DataError("a row has another number of cells", where=where, expected=expected, got=len(cells))
            if heading:
                heading = False
            else:
                yield where, [cell.strip() for cell in cells]
    except csv.Error as error:
        raise DataError(f"the table is malformed ({error})", where=path) from None


def json_of(path: Path, kind: type[Any]) -> Any:
    """Return the content of a JSON file as a type. Raises DataError if it isn't of that type."""
    try:
        return decode_once(content_of(path, "list"), kind)
    except UNREADABLE as error:
        raise DataError("the list is malformed", where=path, got=reason(error)[:200]) from None


def number(text: str, where: str, *, minimum: float = -math.inf) -> float:
    """Return a finite number of at least `minimum`. Raises DataError."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < minimum:
        raise DataError("not a number in range", where=where, got=repr(text)[:80], expected=f">= {minimum:g}")
    return value


def media_files(folder: Path, suffixes: tuple[str, ...]) -> dict[str, str]:
    """Return the media below a folder: name without suffix -> path relative to the folder, with forward slashes.

    If several files have the same name, the first by path counts. See `media_paths` for errors.
    """
    return {Path(name).stem: name for name in reversed(media_paths(folder, suffixes))}


def media_paths(folder: Path, suffixes: tuple[str, ...]) -> list[str]:
    """Return the paths of media below a folder, relative to it, sorted. Links are not followed.

    Raises DataError for more than two million files.
    """
    paths = []
    for count, path in enumerate(_files_below(folder)):
        if count >= MAX_FILES:
            raise DataError("the folder has too many files", where=folder, expected=f"<= {MAX_FILES:,}")
        if path.suffix.lower() in suffixes:
            paths.append(path.relative_to(folder).as_posix())
    return sorted(paths)


def _files_below(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder, followlinks=False):
        folders.sort()
        for name in sorted(names):
            path = Path(here, name)
            if not path.is_symlink():
                yield path
