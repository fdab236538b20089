"""`run_notes.jsonl` in a Run folder: whether lists hide the Run, tags and a note; append-only, the last line counts.

The manifest is never changed: a Run's identity doesn't depend on its notes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from triptych.records import RunNote
from triptych.store.files.lock import locked
from triptych.store.journals.journal import Journal, JournalWriter

NAME = "run_notes.jsonl"
MAX_TAG_LENGTH, MAX_TAGS = 40, 20
_threads = Lock()  # the file lock excludes other processes, not other threads of this one


def read_run_note(folder: Path) -> RunNote:
    """Return what people last said of a Run; an empty note if nobody did. Raises DataError for a damaged line."""
    last = RunNote()
    for note in Journal(folder / NAME, RunNote):
        last = note
    return last


def change_run_note(folder: Path, change: Callable[[RunNote], RunNote]) -> RunNote:
    """Append what `change` makes of the latest note, unless it is the same, and return it.

    Raises RunFolderError if it can't be written.
    """
    with _threads, locked(folder, ".run_notes.lock", wait=True):
        before = read_run_note(folder)
        after = change(before)
        if (after.hidden, after.tags, after.note) == (before.hidden, before.tags, before.note):
            return before
        writer = JournalWriter(folder / NAME)
        try:
            writer.append(after)
        finally:
            writer.close()
    return after


def tags_of(text: str) -> tuple[str, ...]:
    """Return the tags in a text, separated by commas (also `，`, `、` and `،`): each once, whitespace collapsed.

    Example:
        >>> tags_of("定稿，论文、v2")
        ('定稿', '论文', 'v2')
        >>> tags_of("final,  paper v2 , final,")
        ('final', 'paper v2')
    """
    tags = (" ".join(tag.split()) for tag in re.split("[,，、،]", text))
    return tuple(dict.fromkeys(filter(None, tags)))
