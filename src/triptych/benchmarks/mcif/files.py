"""Find the released files in a folder by their names; if there are several versions, the newest."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

from triptych.benchmarks.mcif.names import PROMPT_SETS
from triptych.errors import DataError

_SOURCE = re.compile(
    r"MCIF(?P<version>.*?)\.IF\.(?P<track>short|long)\.(?P<lang>en|de|it|zh)\.src\.(?P<set>fixed|mixed)prompts\.xml(\.gz)?"
)
# The Hub's names, in addition to the authors' own, lack "IF"
_REFERENCE = re.compile(r"MCIF(?P<version>.*?)\.(?:IF\.)?(?P<track>short|long)\.(?P<lang>en|de|it|zh)\.ref\.xml(\.gz)?")

Pair = tuple[str, str]
Key = TypeVar("Key")


@dataclass(frozen=True)
class ReleasedFiles:
    """The files in a folder: sources by (track, language) and prompt set, references by (track, language).

    `older`: other versions in the folder, which are not read.
    """

    sources: dict[Pair, dict[str, Path]] = field(default_factory=dict)
    references: dict[Pair, Path] = field(default_factory=dict)
    older: list[Path] = field(default_factory=list)

    @property
    def paths(self) -> list[Path]:
        """All files that are read."""
        return [*(p for sets in self.sources.values() for p in sets.values()), *self.references.values()]


def find_files(data: Path) -> ReleasedFiles:
    """Return the source and reference files under `data` (a folder, two deep), or `data` as a reference file."""
    if data.is_file():
        return _single(data)
    files = ReleasedFiles()
    candidates = [p for pattern in ("*.xml*", "*/*.xml*", "*/*/*.xml*") for p in data.glob(pattern) if p.is_file()]
    for path in sorted(candidates, key=_newest_first):
        if match := _SOURCE.fullmatch(path.name):
            sets = files.sources.setdefault((match["track"], match["lang"]), {})
            _keep(sets, match["set"], path, files.older)
        elif match := _REFERENCE.fullmatch(path.name):
            _keep(files.references, (match["track"], match["lang"]), path, files.older)
    for pair, sets in files.sources.items():
        files.sources[pair] = {name: sets[name] for name in PROMPT_SETS if name in sets}
    return files


def _keep(files: dict[Key, Path], key: Key, path: Path, older: list[Path]) -> None:
    if key in files:
        older.append(path)
    else:
        files[key] = path


def _single(path: Path) -> ReleasedFiles:
    """Return a reference file of any name; its header contains track and language."""
    from triptych.benchmarks.mcif.samples import read_references

    pairs = [(block.track, block.language) for block in read_references(path)]
    return ReleasedFiles(references=dict.fromkeys(pairs, path))


Order = tuple[list[tuple[int, int, str]], Literal[0, 1], str]


def _newest_first(path: Path) -> Order:
    """Sort key: higher versions first; within a version the unpacked file, then by path."""
    match = _SOURCE.fullmatch(path.name) or _REFERENCE.fullmatch(path.name)
    steps = re.findall(r"\d+|[^\d.]+", match["version"] if match else "")
    version = [(0, -int(s), "") if s.isdecimal() else (1, 0, s) for s in steps] + [(0, 1, "")]  # 1.0.1 before 1.0
    return version, 1 if path.suffix == ".gz" else 0, str(path)


def no_files_error(data: Path) -> DataError:
    """Return the error for a folder without any of the files."""
    return DataError(
        "no files of MCIF found",
        where=data,
        expected="files such as MCIF1.0.IF.short.en.src.fixedprompts.xml or MCIF1.0.short.en.ref.xml.gz",
    )
