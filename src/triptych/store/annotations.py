"""`annotations.jsonl` in a Run folder: what people say of its Responses, append-only, apart from the Run's journals.

People annotate while a Run is still going on, and the Run's lock is the run loop's: this journal has one of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from threading import Lock

from triptych.records import Annotation
from triptych.store.journal import Journal, JournalWriter
from triptych.store.lock import locked

NAME = "annotations.jsonl"
_threads = Lock()  # the file's lock tells processes apart, not the threads of one


def read_annotations(path: Path) -> list[Annotation]:
    """What counts, in the order of writing: of a Run (its folder), or of a file of such lines.

    Empty where there is none. Raises DataError, with file and line, for a damaged line.
    """
    return latest(Journal(path / NAME if path.is_dir() else path, Annotation))


def latest(annotations: Iterable[Annotation]) -> list[Annotation]:
    """The last word of every person about every Response, without those that were taken back."""
    kept: dict[tuple[str, int, str], Annotation] = {}
    for annotation in annotations:
        kept.pop(annotation.entry, None)
        kept[annotation.entry] = annotation
    return [annotation for annotation in kept.values() if annotation.says_something]


def add_annotation(folder: Path, annotation: Annotation) -> None:
    """Append one to a Run's journal, and bring it to the disk. Raises RunFolderError where it can't be written."""
    with _threads, locked(folder, ".annotations.lock", wait=True):
        writer = JournalWriter(folder / NAME)
        try:
            writer.append(annotation)
        finally:
            writer.close()
