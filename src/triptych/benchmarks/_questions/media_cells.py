"""Media that cells name: paths, bare names of files (+ .mp4 …), lists of them, and dictionaries with a kind."""

from __future__ import annotations

import os
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from triptych.benchmarks._questions.cells import EMBEDDED, flat, is_empty, parse_cell
from triptych.errors import DataError, MediaError
from triptych.media.opening import open_ordinary
from triptych.media.paths import media_fault, resolve_inside
from triptych.media.payload import KIND_OF
from triptych.media.sniff import HEAD, cut, wrong_type
from triptych.records import Kind

MAX_FILES = 500_000
_TARGETS: dict[Kind, str] = {"audio": ".wav", "image": ".png", "video": ".mp4"}
_CONVERTERS = {".heic": "magick", ".heif": "magick", ".svg": "magick", ".pdf": "magick"}
_WORDS: dict[str, Kind] = {
    "audio": "audio",
    "sound": "audio",
    "wav": "audio",
    "speech": "audio",
    "image": "image",
    "img": "image",
    "picture": "image",
    "photo": "image",
    "video": "video",
    "clip": "video",
    "film": "video",
    "vid": "video",
}
_PATH_KEYS = ("path", "input", "file", "url", "audio", "image", "video", "value", "content")
_SPAN = (("start", "start_time", "begin"), ("end", "end_time"))
_URL = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Named(NamedTuple):
    """A file as a cell names it. `kind`: empty if neither its ending nor the cell says it. `part`: (start, end) of the
    part of it that is meant, as the cell says it."""

    kind: Kind | None
    name: str
    part: tuple[Any, Any] | None = None


def files_in_cell(cell: Any, column: str = "") -> list[Named]:
    """Return the files that a cell names; ValueError, in words, if it holds something else."""
    cell = parse_cell(cell)
    if is_empty(cell):
        return []
    if isinstance(cell, list):
        return [one for each in cell for one in files_in_cell(each, column)]
    if isinstance(cell, dict):
        return [_of_dictionary(cell)]
    if (
        isinstance(cell, str)
        and len(lines := cell.strip().splitlines()) > 1
        and all(kind_of(one.strip()) for one in lines)
    ):
        return [one for line in lines for one in files_in_cell(line, column)]
    if isinstance(cell, int) or (isinstance(cell, str) and len(cell) < 1000 and "\n" not in cell):
        name = str(cell).strip()
        return [Named(kind_of(name) or kind_by_column(column), name)]
    raise ValueError("neither a path nor the name of a file")


def _of_dictionary(cell: dict[str, Any]) -> Named:
    if EMBEDDED in cell:
        count = f"{cell[EMBEDDED]:,} {'byte' if cell[EMBEDDED] == 1 else 'bytes'}"
        raise ValueError(f"the embedded file ({count}) is not audio, an image or a video, by its first bytes")
    fields = {flat(key): value for key, value in cell.items()}
    kind = str(fields.get("modality") or fields.get("type") or "").lower()
    name = next((fields[key] for key in _PATH_KEYS if isinstance(fields.get(key), str)), None)
    if name is None:
        raise ValueError(f"no path among {', '.join(map(str, cell))[:80]}")
    begin, end = (next((fields[key] for key in keys if not is_empty(fields.get(key))), None) for keys in _SPAN)
    part = None if begin is None and end is None else (begin, end)
    return Named(kind_of(name) or _WORDS.get(kind.partition("_")[0]), name, part)


def kind_of(name: str) -> Kind | None:
    """Return the kind of a file by its ending."""
    return KIND_OF.get(PurePosixPath(name.partition("?")[0]).suffix.lower()) if "." in name else None


def endings_of(kind: Kind) -> tuple[str, ...]:
    """Return the endings by which files of a kind are known."""
    return tuple(ending for ending, one in KIND_OF.items() if one == kind)


def conversion(name: str, kind: Kind) -> str:
    """Return the command that converts a file of a format that isn't read to one that is, without loss if it can be.

    Example:
        >>> conversion("scans/a.tiff", "image"), conversion("a.aiff", "audio")
        ('ffmpeg -i a.tiff a.png', 'ffmpeg -i a.aiff a.wav')
    """
    path = PurePosixPath(name)
    converter = _CONVERTERS.get(path.suffix.lower(), "ffmpeg -i")
    return f"{converter} {shlex.quote(path.name)} {shlex.quote(path.stem + _TARGETS[kind])}"


@lru_cache(maxsize=1 << 17)
def kind_by_column(column: str) -> Kind | None:
    """Return the kind that a column's name says; None if it says none, or two."""
    kinds = {_WORDS[word] for word in re.split(r"_|\d", flat(column)) if word in _WORDS}
    return kinds.pop() if len(kinds) == 1 else None


def is_address(name: str) -> bool:
    """Return whether this is a URL, which is never opened."""
    return bool(_URL.match(name)) and not re.match(r"[A-Za-z]:[\\/]", name)


class Folder:
    """The folder of a question file's media."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._types: dict[tuple[str, str], str] = {}

    def find(self, named: Named) -> str:
        """Return the path of a file, relative to the folder. ValueError, in words, if it is missing or unsafe.

        Besides the path as it is: the only file below the folder whose path ends with it, or whose name without its
        ending it is.
        """
        if is_address(named.name):
            raise ValueError(f"{named.name[:120]!r} is an address; media are never downloaded")
        name = named.name.replace("\\", "/").removeprefix("./")
        fault = media_fault(self.root, name)
        if fault == "unsafe-path" and not (self.root / name).is_dir():
            raise ValueError(f"{named.name[:120]!r} leads out of the folder of the media, or is not a path")
        if fault == "empty-media":
            raise ValueError(f"{name!r} is an empty file")
        if not fault and kind_of(name):
            return name
        if not fault and named.kind and PurePosixPath(name).suffix:
            text = f"{name!r} is of a format that is not known as {named.kind}"
            raise ValueError(f"{text}: convert it (`{conversion(name, named.kind)}`), and name the new file")
        paths = [path for path in self._matching_paths(name) if named.kind in (None, kind_of(path))]
        if not paths and named.kind and not kind_of(name):  # v1_video.mp4 of v1, next to v1_audio.wav
            paths = [path for path in self._matching_paths(f"{name}_{named.kind}") if kind_of(path) == named.kind]
        if len(paths) != 1:
            text = f"{len(paths)} files could be {name!r}: {', '.join(paths[:3])}" if paths else f"no file {name!r}"
            raise ValueError(f"{text} below {self.root}")
        if fault := media_fault(self.root, paths[0]):
            raise ValueError(f"{paths[0]!r}: {fault.replace('-', ' ')}")
        return paths[0]

    def has_file(self, name: str) -> bool:
        """Return whether the folder has an ordinary file of this name, of whatever kind."""
        return not is_address(name) and not media_fault(self.root, name)

    def wrong_type(self, path: str, kind: Kind) -> str:
        """Return what a file of the folder is instead, by its first bytes, if it is not of this kind; else empty."""
        if (path, kind) not in self._types:
            try:
                with open_ordinary(resolve_inside(self.root, path)) as file:
                    head, size = file.read(HEAD), file.seek(0, os.SEEK_END)
                self._types[path, kind] = wrong_type(PurePosixPath(path).suffix.lower(), kind, head) or cut(head, size)
            except (OSError, MediaError) as error:  # it can have vanished since the folder was listed
                reason = error.problem if isinstance(error, MediaError) else error.strerror
                self._types[path, kind] = f"can't be read: {reason}"
        return self._types[path, kind]

    def adjacent_recording(self, path: str, stem: str) -> str:
        """Return the only recording of this name, without ending, in the folder of a file; empty if there is none."""
        folder = PurePosixPath(path).parent
        paths = [
            one for one in self._files.get(stem, ()) if PurePosixPath(one).parent == folder and kind_of(one) == "audio"
        ]
        return paths[0] if len(paths) == 1 else ""

    def _matching_paths(self, name: str) -> list[str]:
        if kind_of(name):
            return [path for path in self._files.get(PurePosixPath(name).stem, ()) if f"/{path}".endswith(f"/{name}")]
        wanted = PurePosixPath(name).name
        return [path for path in self._files.get(wanted, ()) if f"/{path.rpartition('.')[0]}".endswith(f"/{name}")]

    @cached_property
    def _files(self) -> dict[str, list[str]]:
        paths_by_stem: dict[str, list[str]] = defaultdict(list)
        for number, path in enumerate(_walk(self.root)):
            if number > MAX_FILES:
                raise DataError(
                    "the folder of the media has too many files",
                    where=self.root,
                    expected=f"at most {MAX_FILES:,}",
                    fix="--data: a smaller folder",
                )
            if kind_of(path):
                paths_by_stem[PurePosixPath(path).stem].append(path)
        return paths_by_stem


def _walk(root: Path) -> Iterator[str]:
    for folder, _, files in os.walk(root):
        for name in sorted(files):
            yield (Path(folder) / name).relative_to(root).as_posix()
