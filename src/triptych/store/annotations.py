"""`annotations.jsonl` in a Run folder: people's judgements of its Responses, append-only and separate from the other
journals.

People may annotate while a Run is in progress and its lock is held by the run loop, so this journal has its own lock.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from threading import Lock

from triptych.records import Annotation
from triptych.store.files.lock import locked
from triptych.store.journals.journal import Journal, JournalWriter

NAME = "annotations.jsonl"
_threads = Lock()  # the file lock excludes other processes, not other threads of this one


def read_annotations(path: Path) -> list[Annotation]:
    """Return the valid annotations of a Run (its folder) or of a file of such lines, in the order of writing.

    Empty if the file doesn't exist. Raises DataError, with file and line, for a damaged line.
    """
    return latest_annotations(Journal(path / NAME if path.is_dir() else path, Annotation))


def latest_annotations(annotations: Iterable[Annotation]) -> list[Annotation]:
    """Return each person's last annotation of each Response, without the withdrawn ones."""
    by_entry: dict[tuple[str, int, str], Annotation] = {}
    for annotation in annotations:
        by_entry.pop(annotation.entry, None)
        by_entry[annotation.entry] = annotation
    return [annotation for annotation in by_entry.values() if annotation.says_something]


def add_annotation(folder: Path, annotation: Annotation) -> None:
    """Append an annotation to a Run's journal and flush it to disk. Raises RunFolderError if it can't be written."""
    with _threads, locked(folder, ".annotations.lock", wait=True):
        writer = JournalWriter(folder / NAME)
        try:
            writer.append(annotation)
        finally:
            writer.close()
