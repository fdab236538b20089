"""A Run as Parquet files, which answer filters and pages; rebuilt when the Run's files change.

The index is in the cache folder, not in the Run, which can be read-only and is never modified. It can be deleted.

    items      one row per Item and repeat: the columns of lists and filters, and where its records begin
    verdicts   one row per reply of a judge
    scores-N   one row per Score of the Nth protocol; built when the first page needs it
    texts-N    the texts that searches look at, for a part of the rows; built when the first search needs them

A page reads Items and replies from the Run's own files.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import msgspec

from triptych.errors import TriptychError
from triptych.records.unreadable import UNREADABLE
from triptych.store.files.atomic import write_atomically
from triptych.store.folder import RunFolder
from triptych.store.user_cache import cache_root
from triptych.viewer.index.building import Built, build, build_scores, build_texts, journal_paths

VERSION = 5  # of the files' layout; indexes of other versions are rebuilt
MAX_INDEXES = 100  # indexes in the cache folder, one per Run
GRACE_S = 120.0  # a page takes seconds at most
# A Run in progress changes all the time: its index isn't rebuilt before this many times the time that it took
LOCK_TIMEOUT_S = 10.0
_making: defaultdict[Path, Lock] = defaultdict(Lock)  # one per Run or file, so that a large one doesn't block others


class Contents(Built, frozen=True):
    """The result of building, from which state of the Run's files (`stamp`), and how long it took."""

    stamp: str
    made: float
    seconds: float


@dataclass(frozen=True, slots=True)
class RunIndex:
    """The files of one Run's index, and what they contain."""

    path: Path
    contents: Contents
    folder: RunFolder

    def file(self, name: str) -> Path:
        """Return the path of a table."""
        return self.path / f"{name}-{self.contents.stamp}.parquet"

    @property
    def journals(self) -> tuple[Path, Path]:
        """The files of JSON lines with the Items and the Responses."""
        return journal_paths(self.folder, self.path, self.contents.stamp, copied=self.contents.copied)

    def scores(self, protocol: str) -> Path | None:
        """Return the path of a protocol's Scores, built if needed; None if the Run wasn't scored under it."""
        if protocol not in self.contents.metrics:
            return None
        path = self.file(f"scores-{list(self.contents.metrics).index(protocol)}")
        with _making[path]:
            if not path.exists():
                build_scores(self.folder, protocol, path)
        return path

    def texts(self) -> list[Path]:
        """Return the paths of the texts for searches, built if needed."""
        done = self.file("texts")
        with _making[done]:
            if not done.exists():
                build_texts(self.file("items"), *self.journals, done)
        return [done, *sorted(done.parent.glob(f"{done.stem}-*.parquet"))]


def open_index(folder: RunFolder, home: Path | None = None) -> RunIndex:
    """Return the Run's index, built or rebuilt if needed. Raises DataError if the Run's files are damaged."""
    home = home or cache_root() / "view"
    path = home / hashlib.sha256(str(folder.path.resolve()).encode()).hexdigest()[:24]
    stamp = _stamp(folder)
    if (index := _load(folder, path, stamp)) is not None:
        return index
    with _making[path]:
        if (index := _load(folder, path, stamp)) is None:
            index = _make(folder, path, stamp)
            _forget(home)
    return index


def make_ahead(folders: Iterable[RunFolder]) -> None:
    """Build the indexes of many Runs in advance, the newest first, so that their first page is fast; then what their
    other pages need. A Run that can't be read is skipped; its own page reports the problem."""
    newest = sorted(folders, key=lambda one: one.manifest.created, reverse=True)[:MAX_INDEXES]
    made = []
    for folder in newest:
        with suppress(TriptychError, OSError):
            made.append(open_index(folder))
    for index in made:
        with suppress(TriptychError, OSError):
            for protocol in index.contents.metrics:
                index.scores(protocol)
            index.texts()


def _load(folder: RunFolder, path: Path, stamp: str) -> RunIndex | None:
    try:
        contents = msgspec.json.decode((path / "contents.json").read_bytes(), type=Contents)
    except (OSError, *UNREADABLE):
        return None
    index = RunIndex(path, contents, folder)
    fresh = contents.stamp == stamp
    if not fresh and 0 <= time.time() - contents.made < LOCK_TIMEOUT_S * contents.seconds:
        fresh = _only_longer(index)
    return index if fresh and all(index.file(name).is_file() for name in ("items", "verdicts")) else None


def _only_longer(index: RunIndex) -> bool:
    """Return whether the journals still hold what the index says is in them: they are only ever appended to."""
    try:
        sizes = [path.stat().st_size if path.exists() else 0 for path in index.journals]
    except OSError:
        return False
    return all(now >= then for now, then in zip(sizes, index.contents.sizes, strict=True))


def _make(folder: RunFolder, path: Path, stamp: str) -> RunIndex:
    began = time.monotonic()
    path.mkdir(parents=True, exist_ok=True)
    built = build(folder, path, stamp)
    contents = Contents(
        **msgspec.structs.asdict(built), stamp=stamp, made=time.time(), seconds=time.monotonic() - began
    )
    write_atomically(path / "contents.json", msgspec.json.encode(contents))
    for old in path.iterdir():
        if stamp not in old.name and old.name != "contents.json" and old.is_file() and _unread(old):
            old.unlink(missing_ok=True)
    return RunIndex(path, contents, folder)


def _stamp(folder: RunFolder) -> str:
    """Return a value that changes with every file of which the index is built."""
    parts = [str(VERSION)]
    for pattern in ("manifest.json", "items.*", "responses.*", "scores/*.jsonl", "summary.json", "verdicts/*.json*"):
        for path in sorted(folder.path.glob(pattern)):
            status = path.stat()
            parts.append(f"{path.name} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _forget(home: Path) -> None:
    """Remove the oldest indexes beyond KEPT."""
    made = sorted(home.glob("*/contents.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for path in made[MAX_INDEXES:]:
        if _unread(path):
            shutil.rmtree(path.parent, ignore_errors=True)


def _unread(path: Path) -> bool:
    """Return True if a file is so old that no page can still be reading it."""
    try:
        return time.time() - path.stat().st_mtime > GRACE_S
    except OSError:
        return False
