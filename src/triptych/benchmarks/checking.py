"""A check for every benchmark's data, in addition to its `check.py`: the media files of Items exist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from triptych.media.paths import media_fault
from triptych.records import Item, Problem

_WORDS = {
    "missing-media": "the file is missing",
    "empty-media": "the file is empty",
    "unsafe-path": "the path leads out of the data folder, or is not the path of a file",
}


def missing_media(items: Iterable[Item], data: Path, problems: Sequence[Problem] = ()) -> Iterator[Problem]:
    """Yield one Problem for each media file that can't be sent, except for files that problems in `problems` name."""
    messages = " ".join(f"{problem.where} {problem.message}" for problem in problems)
    seen: set[str] = set()
    for item in items:
        for part in item.all_parts:
            if not part.is_media or part.path in seen:
                continue
            seen.add(part.path)
            if (fault := media_fault(data, part.path)) and part.path not in messages:
                yield Problem("error", fault, str(data / part.path), f"{_WORDS[fault]} ({item.id})", item.task)
